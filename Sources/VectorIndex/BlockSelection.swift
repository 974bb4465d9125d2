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

    init(_ groups: GroupSelection, of table: GroupTable) {
        self.table = table
        switch groups {
        case .all: table.forEachSlot { add($0) }
        case .only(let keys):
            entries.reserveCapacity(keys.count)
            for key in keys { if let slot = table.slot(of: key) { add(slot) } }
        }
    }

    private mutating func add(_ slot: GroupSlot) {
        liveCount += slot.liveCount
        add(slot.first)
        if slot.blockCount > 1 { slot.forEachLaterBlock { add($0) } }
    }

    private mutating func add(_ entry: BlockEntry) {
        entries.append(entry)
        rowCount += entry.rowCount
        largestCount = max(largestCount, entry.rowCount)
    }
}
