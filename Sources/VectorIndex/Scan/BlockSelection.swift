import IndexCore

/// The blocks that one search scans.
struct BlockSelection: Sendable {
    private(set) var entries: [BlockEntry] = []
    /// Keeps the groups that the entries point to.
    private let table: GroupTable
    private var totals = BlockTotals()

    /// Rows that are not removed.
    var liveCount: Int { totals.liveCount }
    /// Rows that a scan reads, removed ones included.
    var rowCount: Int { totals.rowCount }
    /// Rows of the largest block, removed ones included.
    var largestCount: Int { totals.largestCount }

    init(_ groups: GroupSelection, of table: GroupTable) {
        self.table = table
        switch groups {
        case .all:
            entries.reserveCapacity(table.count)
            table.forEachLeaf { add($0) }
        case .only(let keys):
            entries.reserveCapacity(min(keys.count, table.count))
            table.forEachPlace(of: keys) { add($0, $1) }
        }
    }

    /// Checks one part of all blocks that were not checked before.
    ///
    /// - Throws: ``VectorIndexError/damaged``, ``VectorIndexError/cancelled``.
    func check(_ part: BlockPart, _ isCancelled: () -> Bool) throws(VectorIndexError) {
        guard totals.hasMappedRows else { return }
        for entry in entries where !entry.isKnownGood(part) {
            if isCancelled() { throw .cancelled }
            guard entry.isGood(part) else { throw .damaged }
        }
    }

    private mutating func add(_ leaf: GroupLeaf) {
        entries.append(contentsOf: leaf.firstBlocks)
        totals.add(leaf.totals)
        for position in leaf.groups.indices { leaf.forEachLaterBlock(of: position) { add($0) } }
    }

    private mutating func add(_ leaf: GroupLeaf, _ position: Int) {
        totals.liveCount += leaf.liveCounts[position]
        add(leaf.firstBlocks[position])
        leaf.forEachLaterBlock(of: position) { add($0) }
    }

    private mutating func add(_ entry: BlockEntry) {
        entries.append(entry)
        totals.add(entry)
    }
}

/// What some blocks come to.
struct BlockTotals: Sendable {
    var liveCount = 0
    private(set) var rowCount = 0
    private(set) var largestCount = 0
    private(set) var hasMappedRows = false

    /// Counts the rows of a block, but not how many of them are live, which the block does not tell.
    mutating func add(_ entry: BlockEntry) {
        hasMappedRows = hasMappedRows || entry.isMapped
        rowCount += entry.rowCount
        largestCount = max(largestCount, entry.rowCount)
    }

    mutating func add(_ other: BlockTotals) {
        liveCount += other.liveCount
        rowCount += other.rowCount
        largestCount = max(largestCount, other.largestCount)
        hasMappedRows = hasMappedRows || other.hasMappedRows
    }
}
