import IndexCore

/// The locations of a snapshot file's rows by key: a sorted array, because a dictionary would take long to build.
final class SnapshotKeys: Sendable {
    let file: SnapshotFile
    /// Ascending.
    private let keys: [Int64]
    /// Numbers of the rows in the file, in the order of their keys.
    private let rows: [UInt32]

    /// Reads the keys of a file and checks that they are unique.
    init(_ file: SnapshotFile) throws(SnapshotError) {
        let count = file.liveCount
        let order = file.start(of: .order).assumingMemoryBound(to: UInt32.self)
        let names = file.start(of: .keys).assumingMemoryBound(to: Int64.self)
        var sorted: [Int64] = []
        sorted.reserveCapacity(count)
        for position in 0..<count {
            let row = Int(order[position])
            guard row < file.rowCount, file.wasLive(row), position == 0 || sorted[position - 1] < names[row] else {
                throw .damaged(part: SnapshotSection.order.name)
            }
            sorted.append(names[row])
        }
        keys = sorted
        rows = Array(UnsafeBufferPointer(start: order, count: count))
        self.file = file
    }

    /// The row of a key; nil when the file has none.
    func row(of key: RowKey) -> UInt32? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key.rawValue { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key.rawValue ? rows[low] : nil
    }

    /// The location of a key's row in the file.
    func location(of key: RowKey) -> RowLocation? {
        guard let row = row(of: key).map(Int.init) else { return nil }
        var (low, high) = (0, file.blocks.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if file.blocks[middle].firstRow <= row { low = middle } else { high = middle }
        }
        let block = file.blocks[low]
        return RowLocation(group: block.group, serial: block.serial, row: UInt32(row - block.firstRow))
    }
}
