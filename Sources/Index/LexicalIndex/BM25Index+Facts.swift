public import IndexCore

/// The facts that an index holds about a row besides its terms.
public struct RowFacts: Hashable, Sendable {
    /// The row's key.
    public let key: RowKey
    /// The attributes that predicates choose by.
    public let attributes: RowAttributes
    /// The caller's bits.
    public let flags: UInt16
    /// The number of tokens in its text.
    public let textLength: Int

    public init(key: RowKey, attributes: RowAttributes, flags: UInt16, textLength: Int) {
        self.key = key
        self.attributes = attributes
        self.flags = flags
        self.textLength = textLength
    }
}

/// A row with its nearest neighbours in its group and thread.
public struct RowWithNeighbours: Hashable, Sendable {
    /// The row itself.
    public let row: RowFacts
    /// The group that it lies in.
    public let group: GroupKey
    /// The row before it; nil at the start of a talk.
    public let previous: RowFacts?
    /// The row after it; nil at the end of a talk.
    public let next: RowFacts?

    public init(row: RowFacts, group: GroupKey, previous: RowFacts?, next: RowFacts?) {
        self.row = row
        self.group = group
        self.previous = previous
        self.next = next
    }
}

extension BM25Index.Snapshot {
    /// Returns rows with their nearest neighbours.
    ///
    /// - Parameters:
    ///   - keys: The rows.
    ///   - maximumGap: Rows that are further apart, in microseconds, are not neighbours.
    /// - Returns: Each row with its neighbours; nil for unknown rows.
    public func neighbours(of keys: [RowKey], maximumGap: Int64) -> [RowWithNeighbours?] {
        keys.map { key in
            guard let (group, location) = location(of: key) else { return nil }
            func facts(_ place: RowLocation) -> RowFacts { group.blocks[place.block].facts(at: place.row) }
            return RowWithNeighbours(
                row: facts(location), group: group.key,
                previous: group.neighbours(before: location, atMost: 1, maximumGap: maximumGap).first.map(facts),
                next: group.neighbours(after: location, atMost: 1, maximumGap: maximumGap).first.map(facts))
        }
    }

    /// The facts about a row; nil for an unknown key.
    public func facts(of key: RowKey) -> RowFacts? {
        location(of: key).map { group, place in group.blocks[place.block].facts(at: place.row) }
    }

    /// Visits the facts about every row, in no particular order.
    ///
    /// - Complexity: O(rows).
    public func forEachRow(_ body: (RowFacts) -> Void) {
        groups.forEach { _, group in
            for block in group.blocks { for row in 0..<block.count { body(block.facts(at: row)) } }
        }
    }

    /// Whether the index holds exactly this row, so that writing it would change nothing.
    ///
    /// - Returns: False also when a term occurs so often in the row that its exact count is not stored.
    /// - Complexity: O(terms of the row · log terms of a block).
    public func holds(_ row: LexicalRow) -> Bool {
        guard let place = places[row.key], place.group == row.group, place.position == row.position,
            let (group, location) = location(of: row.key)
        else { return false }
        let (block, number) = (group.blocks[location.block], location.row)
        guard block.senders[number] == row.attributes.sender, block.flags[number] == row.flags,
            block.lengths[number] == UInt32(clamping: row.terms.count)
        else { return false }
        // The token counts are equal and all terms of the row match, so there cannot be another term.
        return CountedRow(row).postings.allSatisfy { entry in
            entry.posting.isExact
                && block.posting(of: number, in: block.range(of: entry.term)) == entry.posting.moved(to: number)
        }
    }
}

extension RowBlock {
    /// The facts about a row.
    fileprivate func facts(at row: Int) -> RowFacts {
        RowFacts(
            key: RowKey(rawValue: keys[row]), attributes: attributes(at: row), flags: flags[row],
            textLength: Int(textLengths[row]))
    }
}
