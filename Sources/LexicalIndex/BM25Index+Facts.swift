/// What an index knows of a row beside its terms.
public struct RowFacts: Hashable, Sendable {
    /// The row's name.
    public let key: RowKey
    /// What predicates choose by.
    public let attributes: RowAttributes
    /// The caller's bits.
    public let flags: UInt8

    /// Puts facts together.
    public init(key: RowKey, attributes: RowAttributes, flags: UInt8) {
        self.key = key
        self.attributes = attributes
        self.flags = flags
    }
}

/// A row with those on either side of it, in its group and thread.
public struct RowSurroundings: Hashable, Sendable {
    /// The row itself.
    public let row: RowFacts
    /// The row before it; nil where a talk begins.
    public let previous: RowFacts?
    /// The row after it; nil where a talk ends.
    public let next: RowFacts?

    /// Puts rows together.
    public init(row: RowFacts, previous: RowFacts?, next: RowFacts?) {
        self.row = row
        self.previous = previous
        self.next = next
    }
}

extension BM25Index.Snapshot {
    /// Returns rows with their nearest neighbours.
    ///
    /// - Parameters:
    ///   - keys: The rows; unknown ones are left out of the result.
    ///   - maximumGap: Rows that lie further apart, in microseconds, are no neighbours.
    /// - Returns: What is known of each.
    public func surroundings(of keys: [RowKey], maximumGap: Int64) -> [RowKey: RowSurroundings] {
        var found: [RowKey: RowSurroundings] = [:]
        for key in keys {
            guard let (group, location) = location(of: key) else { continue }
            func facts(_ place: RowLocation) -> RowFacts {
                let block = group.blocks[place.block]
                return RowFacts(
                    key: RowKey(rawValue: block.keys[place.row]), attributes: block.attributes(at: place.row),
                    flags: block.flags[place.row])
            }
            found[key] = RowSurroundings(
                row: facts(location),
                previous: group.neighbours(before: location, atMost: 1, maximumGap: maximumGap).first.map(facts),
                next: group.neighbours(after: location, atMost: 1, maximumGap: maximumGap).first.map(facts))
        }
        return found
    }
}
