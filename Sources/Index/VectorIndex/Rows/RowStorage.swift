import Glibc
import IndexCore

/// Memory for the rows, keys, attributes and codes of one block, aligned to 64 bytes, or their place in a mapped file.
///
/// Unchecked invariant: the single writer writes a row before a snapshot counts it, and never again afterwards; readers
/// touch only rows that their snapshot counts. Snapshots pass from writer to reader through a `Mutex`.
final class RowStorage: @unchecked Sendable {
    let layout: RowLayout
    let capacity: Int
    /// Bytes of memory; 0 for a mapped block.
    let byteCount: Int
    /// The block of the snapshot file that holds the rows; nil for rows in memory.
    let source: MappedBlock?
    /// Row-major, row *i* starts at `i * layout.stride`.
    let vectors: UnsafeMutablePointer<Float>
    private let keys: UnsafeMutablePointer<Int64>
    private let attributes: UnsafeMutablePointer<RowAttributes>
    /// The codes of the rows; nil if the layout has none.
    let codes: RowCodes?

    /// Allocates memory for `capacity` rows; a row must be written before it is read.
    init(capacity: Int, layout: RowLayout) throws(VectorIndexError) {
        let vectorBytes = capacity * layout.stride * MemoryLayout<Float>.stride
        let keyBytes = capacity * MemoryLayout<Int64>.stride
        let rowBytes = vectorBytes + keyBytes + capacity * MemoryLayout<RowAttributes>.stride
        let address = try Self.memory(byteCount: rowBytes)
        let codeBytes = RowCodes.byteCount(capacity: capacity, layout: layout)
        do throws(VectorIndexError) {
            codes =
                layout.codeWidth == 0
                ? nil
                : RowCodes(
                    base: try Self.memory(byteCount: codeBytes), capacity: capacity, layout: layout)
        } catch {
            free(address)
            throw error
        }
        byteCount = rowBytes + codeBytes
        source = nil
        self.layout = layout
        self.capacity = capacity
        vectors = address.bindMemory(to: Float.self, capacity: capacity * layout.stride)
        keys = (address + vectorBytes).bindMemory(to: Int64.self, capacity: capacity)
        attributes = (address + vectorBytes + keyBytes).bindMemory(to: RowAttributes.self, capacity: capacity)
    }

    /// Refers to a block of a file, which is full and only read.
    init(_ source: MappedBlock) {
        let (file, block) = (source.file, source.file.blocks[source.number])
        func start(_ section: SnapshotSection, _ offset: Int) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(mutating: file.start(of: section) + offset)
        }
        layout = file.layout
        capacity = block.rowCount
        byteCount = 0
        self.source = source
        vectors = start(.vectors, block.firstRow * layout.stride * MemoryLayout<Float>.stride)
            .assumingMemoryBound(to: Float.self)
        keys = start(.keys, block.firstRow * MemoryLayout<Int64>.stride).assumingMemoryBound(to: Int64.self)
        attributes = start(.attributes, block.firstRow * MemoryLayout<RowAttributes>.stride)
            .assumingMemoryBound(to: RowAttributes.self)
        codes =
            layout.codeWidth == 0
            ? nil
            : RowCodes(
                base: start(.codes, block.codesOffset), capacity: block.rowCount, layout: layout)
    }

    deinit {
        guard source == nil else { return }
        free(vectors)
        if let codes { free(codes.base) }
    }

    /// Whether the rows are intact; reads a mapped block at the first call.
    var isGood: Bool { isGood(.codes) && isGood(.vectors) }

    /// Whether one part of the rows is intact.
    func isGood(_ part: BlockPart) -> Bool { source?.isGood(part) ?? true }

    private static func memory(byteCount: Int) throws(VectorIndexError) -> UnsafeMutableRawPointer {
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, 64, byteCount) == 0, let address else {
            throw .outOfMemory(byteCount: byteCount)
        }
        return address
    }

    /// The first component of a row.
    func vector(at row: Int) -> UnsafePointer<Float> { UnsafePointer(vectors + row * layout.stride) }

    /// The key of a row.
    func key(at row: Int) -> RowKey { RowKey(rawValue: keys[row]) }

    /// The attributes of a row.
    func attributes(at row: Int) -> RowAttributes { attributes[row] }

    /// Writes the vector of `source` times `scale` into a row that no snapshot counts yet.
    func write(_ source: VectorRow, scaledBy scale: Double, at row: Int) {
        let start = vectors + row * layout.stride
        source.vector.withUnsafeBufferPointer { vector in
            for component in 0..<layout.dimensions {
                start[component] = Float(Double(vector[component]) * scale)
            }
        }
        (start + layout.dimensions).update(repeating: 0, count: layout.stride - layout.dimensions)
        keys[row] = source.key.rawValue
        attributes[row] = source.attributes
        codes?.encode(start, at: row)
    }

    /// Copies `count` rows of another storage of this layout into rows that no snapshot counts yet.
    func copy(_ source: RowStorage, rows: Int, count: Int, to row: Int) {
        (vectors + row * layout.stride).update(from: source.vector(at: rows), count: count * layout.stride)
        (keys + row).update(from: source.keys + rows, count: count)
        (attributes + row).update(from: source.attributes + rows, count: count)
        if let codes, let others = source.codes { codes.copy(others, rows: rows, count: count, to: row) }
    }
}

/// One block of a snapshot file.
struct MappedBlock: Sendable {
    let file: SnapshotFile
    let number: Int

    /// Whether a part of the block is intact; reads it at the first call.
    func isGood(_ part: BlockPart) -> Bool { file.isGood(part, block: number) }

    /// Whether the block was read and is damaged.
    var isKnownBad: Bool { file.isKnownBad(.codes, block: number) || file.isKnownBad(.vectors, block: number) }
}
