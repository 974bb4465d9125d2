/// The blocks that one search scans.
struct BlockSelection: Sendable {
    private(set) var entries: [BlockEntry] = []
    /// Keeps the groups that the entries point to.
    private let table: GroupTable
    /// Rows that are not removed.
    private(set) var liveCount = 0
    /// Rows that a scan reads, removed ones included.
    private(set) var rowCount = 0
    /// Rows of the largest block, removed ones included.
    private(set) var largestCount = 0
    private var hasMappedRows = false

    init(_ groups: GroupSelection, of table: GroupTable) {
        self.table = table
        switch groups {
        case .all: table.forEachSlot { add($0) }
        case .only(let keys):
            entries.reserveCapacity(keys.count)
            for key in keys { if let slot = table.slot(of: key) { add(slot) } }
        }
    }

    /// Checks one part of all blocks that were not checked before.
    ///
    /// - Throws: ``VectorIndexError/damaged``, ``VectorIndexError/cancelled``.
    func check(_ part: BlockPart, _ isCancelled: () -> Bool) throws(VectorIndexError) {
        guard hasMappedRows else { return }
        for entry in entries where !entry.isKnownGood(part) {
            if isCancelled() { throw .cancelled }
            guard entry.isGood(part) else { throw .damaged }
        }
    }

    private mutating func add(_ slot: GroupSlot) {
        liveCount += slot.liveCount
        add(slot.first)
        if slot.blockCount > 1 { slot.forEachLaterBlock { add($0) } }
    }

    private mutating func add(_ entry: BlockEntry) {
        entries.append(entry)
        hasMappedRows = hasMappedRows || entry.isMapped
        rowCount += entry.rowCount
        largestCount = max(largestCount, entry.rowCount)
    }
}
