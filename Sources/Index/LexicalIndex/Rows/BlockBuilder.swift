import IndexCore

/// The source of a row of a new block.
enum RowSource: Sendable {
    /// A row of an older block, by their numbers.
    case kept(block: Int, row: Int)
    /// A new row, by its number.
    case new(Int)
}

/// Builds blocks from rows of older blocks and from new rows.
struct BlockBuilder {
    /// The older blocks.
    let blocks: [RowBlock]
    /// The new rows.
    let rows: [CountedRow]

    /// Builds one block.
    ///
    /// - Parameter sources: Its rows in order of their positions; rows of older blocks keep their order.
    /// - Returns: The block.
    func block(of sources: ArraySlice<RowSource>) -> RowBlock {
        let postings = postings(of: sources)
        var termCount = 0
        for index in postings.indices where index == 0 || postings[index].term != postings[index - 1].term {
            termCount += 1
        }
        let block = RowBlock(
            BlockLayout(rowCount: sources.count, termCount: termCount, postingCount: postings.count))
        Self.write(postings, into: block)
        for (row, source) in sources.enumerated() { write(source, into: block, at: row) }
        block.close()
        return block
    }

    /// All postings of the rows, by term and row.
    private func postings(of sources: ArraySlice<RowSource>) -> [TermPosting] {
        var postings: [TermPosting] = []
        var places: [Int: [Int]] = [:]
        for (row, source) in sources.enumerated() {
            guard case .kept(let block, let oldRow) = source else { continue }
            places[block, default: Array(repeating: -1, count: blocks[block].count)][oldRow] = row
        }
        // Sorted runs come first and in few pieces, because the sort of the standard library is fast on them.
        for (block, places) in places { blocks[block].forEachPosting { postings.append($0, at: places) } }
        for (row, source) in sources.enumerated() {
            guard case .new(let number) = source else { continue }
            for entry in rows[number].postings {
                postings.append(TermPosting(term: entry.term, posting: entry.posting.moved(to: row)))
            }
        }
        postings.sort()
        return postings
    }

    private static func write(_ postings: [TermPosting], into block: RowBlock) {
        var term = -1
        for (index, entry) in postings.enumerated() {
            if index == 0 || entry.term != postings[index - 1].term {
                term += 1
                block.terms[term] = entry.term
                block.starts[term] = UInt32(index)
            }
            block.postings[index] = entry.posting
        }
        block.starts[term + 1] = UInt32(postings.count)
    }

    private func write(_ source: RowSource, into block: RowBlock, at row: Int) {
        switch source {
        case .kept(let number, let oldRow):
            let old = blocks[number]
            block.write(old.position(at: oldRow), sender: old.senders[oldRow], flags: old.flags[oldRow], at: row)
            block.textLengths[row] = old.textLengths[oldRow]
            block.lengths[row] = old.lengths[oldRow]
        case .new(let number):
            let new = rows[number].row
            block.write(new.position, sender: new.attributes.sender, flags: new.flags, at: row)
            block.textLengths[row] = UInt32(clamping: new.terms.text.count)
            block.lengths[row] = UInt32(clamping: new.terms.count)
        }
    }
}

extension RowBlock {
    /// Visits every posting, by term and row.
    func forEachPosting(_ body: (TermPosting) -> Void) {
        for term in 0..<layout.termCount {
            for index in Int(starts[term])..<Int(starts[term + 1]) {
                body(TermPosting(term: terms[term], posting: postings[index]))
            }
        }
    }

    fileprivate func write(_ position: RowPosition, sender: Int64, flags: UInt16, at row: Int) {
        keys[row] = position.key
        threads[row] = position.thread
        times[row] = position.time
        orders[row] = position.order
        senders[row] = sender
        self.flags[row] = flags
    }
}

extension [TermPosting] {
    /// Adds a posting of an older block, at its row's new place, unless the row is removed.
    fileprivate mutating func append(_ entry: TermPosting, at places: [Int]) {
        let row = places[entry.posting.row]
        if row >= 0 { append(TermPosting(term: entry.term, posting: entry.posting.moved(to: row))) }
    }
}

/// A row to be written to a block, with its terms counted and in order.
struct CountedRow: Sendable {
    let row: LexicalRow
    /// By ascending term; all postings have row 0.
    let postings: [TermPosting]

    init(_ row: LexicalRow) {
        self.row = row
        var occurrences: [(term: UInt64, field: Int)] = []
        occurrences.reserveCapacity(row.terms.count)
        for (field, terms) in [row.terms.date, row.terms.sender, row.terms.text].enumerated() {
            for term in terms { occurrences.append((term.rawValue, field)) }
        }
        occurrences.sort { $0.term < $1.term }
        var postings: [TermPosting] = []
        postings.reserveCapacity(occurrences.count)
        var start = 0
        while start < occurrences.count {
            let term = occurrences[start].term
            var counts = (date: 0, sender: 0, text: 0)
            while start < occurrences.count, occurrences[start].term == term {
                switch occurrences[start].field {
                case 0: counts.date += 1
                case 1: counts.sender += 1
                default: counts.text += 1
                }
                start += 1
            }
            let posting = Posting(row: 0, text: counts.text, sender: counts.sender, date: counts.date)
            postings.append(TermPosting(term: term, posting: posting))
        }
        self.postings = postings
    }
}
