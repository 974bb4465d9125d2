public import IndexCore

/// What an index knows of a row beside its terms.
public struct RowFacts: Hashable, Sendable {
    /// The row's name.
    public let key: RowKey
    /// What predicates choose by.
    public let attributes: RowAttributes
    /// The caller's bits.
    public let flags: UInt8

    public init(key: RowKey, attributes: RowAttributes, flags: UInt8) {
        self.key = key
        self.attributes = attributes
        self.flags = flags
    }
}

/// A row with those on either side of it, in its group and thread.
public struct RowWithNeighbours: Hashable, Sendable {
    /// The row itself.
    public let row: RowFacts
    /// The group that it lies in.
    public let group: GroupKey
    /// The row before it; nil where a talk begins.
    public let previous: RowFacts?
    /// The row after it; nil where a talk ends.
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
    ///   - maximumGap: Rows that lie further apart, in microseconds, are no neighbours.
    /// - Returns: What is known of each; nil for unknown ones.
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

    /// What is known of a row; nil when there is none of this name.
    public func facts(of key: RowKey) -> RowFacts? {
        location(of: key).map { group, place in group.blocks[place.block].facts(at: place.row) }
    }

    /// Visits what is known of every row, in an order of its own.
    ///
    /// - Complexity: O(rows).
    public func forEachRow(_ body: (RowFacts) -> Void) {
        groups.forEach { _, group in
            for block in group.blocks { for row in 0..<block.count { body(block.facts(at: row)) } }
        }
    }

    /// Whether a row is in the index just so, and writing it would change nothing.
    ///
    /// - Returns: False also when a term occurs in the row so often that its exact number is not kept.
    /// - Complexity: O(terms of the row · log terms of a block).
    public func holds(_ row: LexicalRow) -> Bool {
        guard let place = places[row.key], place.group == row.group, place.position == row.position,
            let (group, location) = location(of: row.key)
        else { return false }
        let (block, number) = (group.blocks[location.block], location.row)
        guard block.senders[number] == row.attributes.sender, block.flags[number] == row.flags,
            block.lengths[number] == UInt32(clamping: row.terms.count)
        else { return false }
        // As many tokens, and all those of the row among them: there is no room for another term.
        return CountedRow(row).postings.allSatisfy { entry in
            entry.posting.isExact
                && block.posting(of: number, in: block.range(of: entry.term)) == entry.posting.moved(to: number)
        }
    }
}

extension RowBlock {
    /// What is known of a row.
    fileprivate func facts(at row: Int) -> RowFacts {
        RowFacts(key: RowKey(rawValue: keys[row]), attributes: attributes(at: row), flags: flags[row])
    }
}
