import IndexCore

/// Some rows of a group that follow each other, at least one, inverted: their terms in order, and who holds each.
///
/// Unchecked invariant: the bytes are written before the block is shared, by ``BlockBuilder`` or from a checked file, and
/// never again.
final class RowBlock: @unchecked Sendable {
    let layout: BlockLayout
    private let base: UnsafeMutableRawPointer
    let keys: UnsafeMutablePointer<Int64>
    let threads: UnsafeMutablePointer<Int64>
    let times: UnsafeMutablePointer<Int64>
    let orders: UnsafeMutablePointer<Int64>
    let senders: UnsafeMutablePointer<Int64>
    /// Distinct terms, ascending.
    let terms: UnsafeMutablePointer<UInt64>
    /// Where the postings of each term begin, and after the last where they end.
    let starts: UnsafeMutablePointer<UInt32>
    /// By term, then by row.
    let postings: UnsafeMutablePointer<Posting>
    /// Tokens of each row's text.
    let textLengths: UnsafeMutablePointer<UInt32>
    /// Tokens of all fields of each row.
    let lengths: UnsafeMutablePointer<UInt32>
    let flags: UnsafeMutablePointer<UInt8>
    /// Counted when all is written.
    private(set) var figures = RowFigures()

    /// Takes memory, zeroed; the caller fills it.
    init(_ layout: BlockLayout) {
        let base = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 8)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.byteCount)
        self.layout = layout
        self.base = base
        let (rows, numbers) = (layout.rowCount, base.assumingMemoryBound(to: Int64.self))
        keys = numbers
        threads = numbers + rows
        times = numbers + 2 * rows
        orders = numbers + 3 * rows
        senders = numbers + 4 * rows
        terms = (base + layout.terms).assumingMemoryBound(to: UInt64.self)
        starts = (base + layout.starts).assumingMemoryBound(to: UInt32.self)
        postings = (base + layout.postings).assumingMemoryBound(to: Posting.self)
        textLengths = (base + layout.textLengths).assumingMemoryBound(to: UInt32.self)
        lengths = (base + layout.lengths).assumingMemoryBound(to: UInt32.self)
        flags = (base + layout.flags).assumingMemoryBound(to: UInt8.self)
    }

    deinit { base.deallocate() }

    /// Counts the rows, which are all written: called once, before the block is shared.
    func close() {
        for row in 0..<count { figures.add(textLength: textLengths[row], length: lengths[row], flags: flags[row]) }
    }

    var count: Int { layout.rowCount }

    /// All of the block.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: layout.byteCount)
    }

    /// Where a row stands in its group.
    func position(at row: Int) -> RowPosition {
        RowPosition(thread: threads[row], time: times[row], order: orders[row], key: keys[row])
    }

    /// What predicates choose a row by.
    func attributes(at row: Int) -> RowAttributes { RowAttributes(sender: senders[row], time: times[row]) }

    /// The first row that does not stand before a position.
    func firstRow(from position: RowPosition) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self.position(at: middle) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The postings of a term; none when no row holds it.
    ///
    /// Keys are hashes, so a term lies near where its number says: the search begins there and takes steps that double.
    func range(of term: UInt64) -> PostingRange {
        let count = layout.termCount
        let guess = Int(term.multipliedFullWidth(by: UInt64(count)).high)
        var (low, high, step) = (guess, guess, 2)
        // Whatever lies before `low` is less than the term, and what lies at `high` or behind is not.
        while low > 0, terms[low - 1] >= term {
            high = low - 1
            low = max(0, low - step)
            step *= 2
        }
        if low == guess {
            while high < count, terms[high] < term {
                low = high + 1
                high = min(count, high + step)
                step *= 2
            }
        }
        while low < high {
            let middle = (low + high) / 2
            if terms[middle] < term { low = middle + 1 } else { high = middle }
        }
        guard low < count, terms[low] == term else { return PostingRange(start: 0, end: 0) }
        return PostingRange(start: starts[low], end: starts[low + 1])
    }

    /// The posting of a row among those of a term.
    func posting(of row: Int, in range: PostingRange) -> Posting? {
        var (low, high) = (Int(range.start), Int(range.end))
        while low < high {
            let middle = (low + high) / 2
            if postings[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low < range.end && postings[low].row == row ? postings[low] : nil
    }
}

/// Some postings of a block that follow each other.
struct PostingRange: Sendable {
    let start: UInt32
    let end: UInt32

    var isEmpty: Bool { start == end }
    var indices: Range<Int> { Int(start)..<Int(end) }
}
