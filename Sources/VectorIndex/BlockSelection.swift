/// The blocks that one search scans.
struct BlockSelection: Sendable {
    private(set) var blocks: [(group: GroupKey, block: RowBlock)] = []
    /// Rows in them that are not removed.
    private(set) var liveCount = 0
    /// Rows of the largest block, removed ones included.
    private(set) var largestCount = 0

    init(_ groups: GroupSelection, of table: GroupTable) {
        switch groups {
        case .all: table.forEach { add($0) }
        case .only(let keys): for key in keys { if let rows = table[key] { add(rows) } }
        }
    }

    private mutating func add(_ rows: GroupRows) {
        liveCount += rows.liveCount
        for block in rows.blocks {
            blocks.append((rows.key, block))
            largestCount = max(largestCount, block.count)
        }
    }
}
