import IndexCore

/// Some groups that lie together in a ``GroupTable``, in the order of their keys.
final class GroupLeaf: Sendable {
    static let capacity = 64

    let keys: [GroupKey]
    let groups: [GroupRows]
    /// The first block of each group, which is the only one of a small group; these lie beside each other.
    let firstBlocks: [BlockEntry]
    /// Rows of each group that are not removed.
    let liveCounts: [Int]
    /// What the groups come to, without the blocks after the first.
    let totals: BlockTotals
    private let hasLaterBlocks: Bool

    init(_ groups: [GroupRows]) {
        let sorted = groups.sorted { $0.key < $1.key }
        self.groups = sorted
        keys = sorted.map(\.key)
        firstBlocks = sorted.map { BlockEntry($0.blocks[0], number: 0, of: $0) }
        liveCounts = sorted.map(\.liveCount)
        var totals = BlockTotals()
        totals.liveCount = liveCounts.reduce(0, +)
        for entry in firstBlocks { totals.add(entry) }
        self.totals = totals
        hasLaterBlocks = sorted.contains { $0.blocks.count > 1 }
    }

    func position(of key: GroupKey) -> Int? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? low : nil
    }

    /// Visits the blocks of a group after the first.
    func forEachLaterBlock(of position: Int, _ body: (BlockEntry) -> Void) {
        guard hasLaterBlocks else { return }
        let rows = groups[position]
        for number in 1..<rows.blocks.count { body(BlockEntry(rows.blocks[number], number: number, of: rows)) }
    }
}
