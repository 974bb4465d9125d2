import Glibc

/// Memory for the rows, keys, attributes and codes of one block, aligned to 64 bytes.
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
    private let attributes: UnsafeMutablePointer<RowAttributes>
    /// The codes of the rows, nil where the layout has none.
    let codes: RowCodes?

    /// Takes memory for `capacity` rows; nothing is readable before it is written.
    init(capacity: Int, layout: RowLayout) throws(VectorIndexError) {
        let vectorBytes = capacity * layout.stride * MemoryLayout<Float>.stride
        let keyBytes = capacity * MemoryLayout<Int64>.stride
        let rowBytes = vectorBytes + keyBytes + capacity * MemoryLayout<RowAttributes>.stride
        let address = try Self.memory(byteCount: rowBytes)
        let codeBytes = RowCodes.byteCount(capacity: capacity, width: layout.codeWidth)
        do throws(VectorIndexError) {
            codes =
                layout.codeWidth == 0
                ? nil
                : RowCodes(
                    base: try Self.memory(byteCount: codeBytes), capacity: capacity, dimensions: layout.dimensions)
        } catch {
            free(address)
            throw error
        }
        byteCount = rowBytes + codeBytes
        self.layout = layout
        self.capacity = capacity
        vectors = address.bindMemory(to: Float.self, capacity: capacity * layout.stride)
        keys = (address + vectorBytes).bindMemory(to: Int64.self, capacity: capacity)
        attributes = (address + vectorBytes + keyBytes).bindMemory(to: RowAttributes.self, capacity: capacity)
    }

    deinit {
        free(vectors)
        if let codes { free(codes.base) }
    }

    private static func memory(byteCount: Int) throws(VectorIndexError) -> UnsafeMutableRawPointer {
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, 64, byteCount) == 0, let address else {
            throw .outOfMemory(byteCount: byteCount)
        }
        return address
    }

    /// The first component of a row.
    func vector(at row: Int) -> UnsafePointer<Float> { UnsafePointer(vectors + row * layout.stride) }

    /// The name of a row.
    func key(at row: Int) -> RowKey { RowKey(rawValue: keys[row]) }

    /// What predicates choose a row by.
    func attributes(at row: Int) -> RowAttributes { attributes[row] }

    /// Writes the vector of `source` times `scale` into a row that no snapshot counts.
    func write(_ source: VectorRow, scaledBy scale: Double, at row: Int) {
        let start = vectors + row * layout.stride
        for component in 0..<layout.dimensions {
            start[component] = Float(Double(source.vector[component]) * scale)
        }
        (start + layout.dimensions).update(repeating: 0, count: layout.stride - layout.dimensions)
        keys[row] = source.key.rawValue
        attributes[row] = source.attributes
        codes?.encode(start, at: row)
    }

    /// Copies `count` rows of another storage of this layout into rows that no snapshot counts.
    func copy(_ source: RowStorage, rows: Int, count: Int, to row: Int) {
        (vectors + row * layout.stride).update(from: source.vector(at: rows), count: count * layout.stride)
        (keys + row).update(from: source.keys + rows, count: count)
        (attributes + row).update(from: source.attributes + rows, count: count)
        if let codes, let others = source.codes { codes.copy(others, rows: rows, count: count, to: row) }
    }
}
