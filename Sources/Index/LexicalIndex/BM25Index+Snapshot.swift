public import IndexCore

extension BM25Index {
    /// The rows of the index at one moment; immutable, cheap to copy, searched without a lock.
    public struct Snapshot: Sendable {
        /// The most rows of a block.
        let blockRowCount: Int
        var groups = ShardedMap<GroupKey, GroupRows>()
        /// The place of every row.
        var places = ShardedMap<RowKey, RowPlace>()

        init(blockRowCount: Int) { self.blockRowCount = blockRowCount }

        /// Rows in the snapshot.
        public var count: Int { places.count }

        /// Whether the snapshot holds a row with this key.
        public func contains(_ key: RowKey) -> Bool { places[key] != nil }

        /// The number of rows in each group; groups without rows are left out.
        ///
        /// - Complexity: O(groups).
        public func groupCounts() -> [GroupKey: Int] {
            var counts: [GroupKey: Int] = [:]
            groups.forEach { key, rows in counts[key] = rows.count }
            return counts
        }

        /// The rows of the groups that a search may see.
        func rows(in selection: GroupSelection) -> [GroupRows] {
            var found: [GroupRows] = []
            switch selection {
            case .all: groups.forEach { _, rows in found.append(rows) }
            case .only(let keys): for key in keys { if let rows = groups[key] { found.append(rows) } }
            }
            return found
        }

        /// The group and location of a row; nil for an unknown key.
        func location(of key: RowKey) -> (group: GroupRows, location: RowLocation)? {
            guard let place = places[key], let group = groups[place.group],
                let location = group.location(of: place.position)
            else { return nil }
            return (group, location)
        }
    }
}

/// The neighbours of one row.
public struct RowNeighbours: Hashable, Sendable {
    /// The rows before it, nearest first.
    public let before: [RowKey]
    /// The rows after it, nearest first.
    public let after: [RowKey]

    public init(before: [RowKey], after: [RowKey]) {
        self.before = before
        self.after = after
    }
}

extension BM25Index.Snapshot {
    /// The rows around a row, in its group and thread.
    ///
    /// - Parameters:
    ///   - key: The row.
    ///   - before: The most rows before it, 0 or more.
    ///   - after: The most rows after it, 0 or more.
    ///   - maximumGap: The longest time between two neighbours, in microseconds; a longer gap ends the talk.
    /// - Returns: The neighbours; nil when there is no such row.
    public func neighbours(
        of key: RowKey, before: Int, after: Int, maximumGap: Int64 = LexicalWeights().maximumGap
    ) -> RowNeighbours? {
        guard let (group, location) = location(of: key) else { return nil }
        func name(_ place: RowLocation) -> RowKey { RowKey(rawValue: group.blocks[place.block].keys[place.row]) }
        return RowNeighbours(
            before: group.neighbours(before: location, atMost: before, maximumGap: maximumGap).map(name),
            after: group.neighbours(after: location, atMost: after, maximumGap: maximumGap).map(name))
    }

    /// The block sizes of a group, for tests.
    package func blockCounts(of group: GroupKey) -> [Int] { groups[group]?.blocks.map(\.count) ?? [] }

    /// The number of blocks of a group that another snapshot shares, for tests.
    package func sharedBlockCount(with other: Self, in group: GroupKey) -> Int {
        let blocks = Set((other.groups[group]?.blocks ?? []).map { ObjectIdentifier($0) })
        return groups[group]?.blocks.count { blocks.contains(ObjectIdentifier($0)) } ?? 0
    }

    /// Bytes of the rows and their postings.
    package var byteCount: Int {
        var total = 0
        groups.forEach { _, group in total += group.blocks.reduce(0) { $0 + $1.layout.byteCount } }
        return total
    }
}
