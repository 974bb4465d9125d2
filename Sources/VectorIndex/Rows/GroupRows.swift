import IndexCore

/// The rows of one group in one snapshot; never empty.
final class GroupRows: Sendable {
    let key: GroupKey
    /// In ascending order of ``RowBlock/serial``.
    let blocks: [RowBlock]
    /// Rows that are not removed.
    let liveCount: Int

    init(key: GroupKey, blocks: [RowBlock], liveCount: Int) {
        self.key = key
        self.blocks = blocks
        self.liveCount = liveCount
    }
}

extension [RowBlock] {
    /// Finds a block by binary search.
    func index(ofSerial serial: UInt32) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].serial < serial { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].serial == serial ? low : nil
    }
}
