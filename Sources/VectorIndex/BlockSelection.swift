/// The blocks that one search scans.
///
/// Unchecked invariant: the addresses are those of storage that the groups keep alive, and are only read.
struct BlockSelection: @unchecked Sendable {
    /// What the scan needs of a block: plain values, since counting references to the blocks of thousands of small
    /// groups would take as long as multiplying their rows.
    struct Entry {
        /// The block's first row; valid while the selection lives, which keeps the groups.
        let vectors: UnsafePointer<Float>
        /// The codes of its rows, nil where there are none.
        let codes: RowCodes?
        /// Rows in use, removed ones included.
        let rowCount: Int
        fileprivate let group: UInt32
        fileprivate let block: UInt32
    }

    private(set) var entries: [Entry] = []
    private var groups: [GroupRows] = []
    /// Rows that are not removed.
    private(set) var liveCount = 0
    /// Rows that a scan reads, removed ones included.
    private(set) var rowCount = 0
    /// Rows of the largest block, removed ones included.
    private(set) var largestCount = 0

    init(_ groups: GroupSelection, of table: GroupTable) {
        switch groups {
        case .all: table.forEach { add($0) }
        case .only(let keys):
            self.groups.reserveCapacity(keys.count)
            entries.reserveCapacity(keys.count)
            for key in keys { if let rows = table[key] { add(rows) } }
        }
    }

    /// The block of an entry, and the group that it lies in.
    func block(of entry: Int) -> (group: GroupKey, block: RowBlock) {
        let group = groups[Int(entries[entry].group)]
        return (group.key, group.blocks[Int(entries[entry].block)])
    }

    private mutating func add(_ rows: GroupRows) {
        let group = UInt32(groups.count)
        groups.append(rows)
        liveCount += rows.liveCount
        for (number, block) in rows.blocks.enumerated() {
            let entry = Entry(
                vectors: block.storage.vector(at: 0), codes: block.storage.codes, rowCount: block.count, group: group,
                block: UInt32(number))
            entries.append(entry)
            rowCount += block.count
            largestCount = max(largestCount, block.count)
        }
    }
}
