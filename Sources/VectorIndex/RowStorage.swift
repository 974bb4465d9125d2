import Glibc

/// Memory for the rows and keys of one block, aligned to 64 bytes.
///
/// Unchecked invariant: a row is written by the one writer before a snapshot counts it, and never again afterwards;
/// readers touch only rows that their snapshot counts. Snapshots pass from writer to reader through a `Mutex`.
final class RowStorage: @unchecked Sendable {
    let layout: RowLayout
    let capacity: Int
    let byteCount: Int
    /// Row-major, row *i* starts at `i * layout.stride`.
    let vectors: UnsafeMutablePointer<Float>
    private let keys: UnsafeMutablePointer<Int64>

    /// Takes memory for `capacity` rows; nothing is readable before it is written.
    init(capacity: Int, layout: RowLayout) throws(VectorIndexError) {
        let vectorBytes = capacity * layout.stride * MemoryLayout<Float>.stride
        byteCount = vectorBytes + capacity * MemoryLayout<Int64>.stride
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, 64, byteCount) == 0, let address else {
            throw .outOfMemory(byteCount: byteCount)
        }
        self.layout = layout
        self.capacity = capacity
        vectors = address.bindMemory(to: Float.self, capacity: capacity * layout.stride)
        keys = (address + vectorBytes).bindMemory(to: Int64.self, capacity: capacity)
    }

    deinit { free(vectors) }

    /// The first component of a row.
    func vector(at row: Int) -> UnsafePointer<Float> { UnsafePointer(vectors + row * layout.stride) }

    /// The name of a row.
    func key(at row: Int) -> RowKey { RowKey(rawValue: keys[row]) }

    /// Writes `vector` times `scale` into a row that no snapshot counts.
    func write(_ vector: [Float], scaledBy scale: Double, key: RowKey, at row: Int) {
        let start = vectors + row * layout.stride
        for component in 0..<layout.dimensions {
            start[component] = Float(Double(vector[component]) * scale)
        }
        (start + layout.dimensions).update(repeating: 0, count: layout.stride - layout.dimensions)
        keys[row] = key.rawValue
    }

    /// Copies `count` rows of another storage of this layout into rows that no snapshot counts.
    func copy(_ source: RowStorage, rows: Int, count: Int, to row: Int) {
        (vectors + row * layout.stride).update(from: source.vector(at: rows), count: count * layout.stride)
        (keys + row).update(from: source.keys + rows, count: count)
    }
}
