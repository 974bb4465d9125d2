import IndexCore

/// A block of one group in one snapshot: the storage, the number of rows in use, and the removed rows.
///
/// Several values may share a storage: appending fills rows that older values do not count, and removing sets a bit. So
/// neither disturbs a reader, and neither copies rows.
struct RowBlock: Sendable {
    /// Ascends within a group and does not change when rows are appended; a ``RowLocation`` refers to a block by it.
    let serial: UInt32
    private(set) var storage: RowStorage
    /// Rows in use, removed ones included.
    private(set) var count = 0
    private(set) var removedCount = 0
    /// Bit *i* of word *w* stands for row `64 w + i`; words after the last removed row are missing.
    private var removedBits: [UInt64] = []

    init(serial: UInt32, storage: RowStorage) {
        self.serial = serial
        self.storage = storage
    }

    /// A block of a file, without scrubbed rows.
    init(_ source: MappedBlock) {
        let (file, block) = (source.file, source.file.blocks[source.number])
        serial = block.serial
        storage = RowStorage(source)
        count = block.rowCount
        guard file.liveCount < file.rowCount else { return }
        for row in 0..<count where !file.wasLive(block.firstRow + row) { remove(row) }
    }

    var liveCount: Int { count - removedCount }
    var isFull: Bool { count == storage.capacity }
    /// Whether more than a quarter of the rows is removed: scanning them costs more than rewriting the block.
    var isSparse: Bool { removedCount * 4 > count }

    /// Whether a row below `count` is not removed.
    func isLive(_ row: Int) -> Bool {
        let word = row >> 6
        return word >= removedBits.count || removedBits[word] & (1 << UInt64(row & 63)) == 0
    }

    /// Marks a live row as removed.
    mutating func remove(_ row: Int) {
        precondition(row < count && isLive(row), "the row is not in the block")
        let word = row >> 6
        if word >= removedBits.count {
            removedBits.append(contentsOf: repeatElement(0, count: word + 1 - removedBits.count))
        }
        removedBits[word] |= 1 << UInt64(row & 63)
        removedCount += 1
    }

    /// Adds a row, scaled to length 1 by `scale`; the block must not be full.
    mutating func append(_ row: VectorRow, scaledBy scale: Double) {
        precondition(!isFull, "the block is full")
        storage.write(row, scaledBy: scale, at: count)
        count += 1
    }

    /// Adds the live rows of another block, in order; they must fit.
    mutating func append(liveRowsOf other: RowBlock) {
        precondition(count + other.liveCount <= storage.capacity, "the block is full")
        for row in 0..<other.count where other.isLive(row) {
            storage.copy(other.storage, rows: row, count: 1, to: count)
            count += 1
        }
    }

    /// Moves the rows to a larger storage; row numbers do not change.
    mutating func grow(to capacity: Int) throws(VectorIndexError) {
        let larger = try RowStorage(capacity: capacity, layout: storage.layout)
        larger.copy(storage, rows: 0, count: count, to: 0)
        storage = larger
    }
}

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
