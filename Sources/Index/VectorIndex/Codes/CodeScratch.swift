import Synchronization

/// Memory of one thread: for the products of all rows, or of one block and all queries, and for lists of rows.
final class CodeScratch {
    /// Rows listed after those of a chunk, so that their memory is fetched in time.
    private static let furtherRows = 16

    let products: UnsafeMutablePointer<Int32>
    let estimates: UnsafeMutablePointer<Float>
    let lowProducts: UnsafeMutablePointer<Int32>
    let found: UnsafeMutablePointer<UInt32>
    let rows: UnsafeMutablePointer<UnsafePointer<UInt8>>
    let pending: UnsafeMutablePointer<PendingRow>
    let panel: UnsafeMutablePointer<UInt8>
    /// Rows that can be listed at the same time.
    let rowCount: Int
    private let piece: MemoryPiece

    init(productCount: Int, estimateCount: Int, rowCount: Int, pendingCount: Int = 0, panelBytes: Int) {
        let pendingSize = MemoryLayout<PendingRow>.stride / 4
        let counts = [
            productCount, estimateCount, rowCount, rowCount, 2 * (rowCount + Self.furtherRows),
            pendingSize * pendingCount,
        ]
        // Whole cache lines, in units of four bytes.
        let starts = counts.reduce(into: [0]) { $0.append(($0[$0.count - 1] + $1 + 15) / 16 * 16) }
        let piece = MemoryPiece.take(byteCount: 4 * starts[6] + panelBytes)
        self.piece = piece
        func start<Element>(_ number: Int, as type: Element.Type) -> UnsafeMutablePointer<Element> {
            (piece.base + 4 * starts[number]).assumingMemoryBound(to: type)
        }
        products = start(0, as: Int32.self)
        estimates = start(1, as: Float.self)
        lowProducts = start(2, as: Int32.self)
        found = start(3, as: UInt32.self)
        rows = start(4, as: UnsafePointer<UInt8>.self)
        pending = start(5, as: PendingRow.self)
        panel = start(6, as: UInt8.self)
        self.rowCount = rowCount
        // Kernels read panels as a whole, unused rows included.
        panel.initialize(repeating: 0, count: panelBytes)
    }

    deinit { piece.giveBack() }

    /// Lists the first planes of a chunk's rows, and of some rows after it.
    ///
    /// Begins to fetch their numbers. Planes of bits are read block by block and not listed.
    func list(_ chunk: Range<Int>, of source: CodeSource) -> (count: Int, available: Int) {
        var count = 0
        for position in chunk {
            let entry = source.entries[position]
            entry.codes.fetchNumbers()
            if source.layout.form == .exact { list(entry, entry.rowCount, from: count) }
            count += entry.rowCount
        }
        guard source.layout.form == .exact, chunk.upperBound < source.entries.count else { return (count, count) }
        let further = min(Self.furtherRows, source.entries[chunk.upperBound].rowCount)
        list(source.entries[chunk.upperBound], further, from: count)
        return (count, count + further)
    }

    private func list(_ entry: BlockEntry, _ rowCount: Int, from start: Int) {
        let width = entry.codes.width
        var row = UnsafePointer(entry.codes.first)
        for place in start..<start + rowCount {
            rows[place] = row
            row += width
        }
    }
}

/// Memory that searches use one after another.
///
/// New memory for each search would take a tenth of its time, because the system would clear some hundred pages.
struct MemoryPiece: @unchecked Sendable {
    /// Aligned to cache lines.
    let base: UnsafeMutableRawPointer
    private let byteCount: Int

    /// The most pieces that are kept: about one for each thread that may search.
    private static let keptCount = 8
    /// Larger pieces are not kept.
    private static let keptByteCount = 16 * 1024 * 1024
    private static let free = Mutex<[MemoryPiece]>([])

    /// Returns a piece of `byteCount` bytes or more; the caller gives it back.
    static func take(byteCount: Int) -> MemoryPiece {
        let found = free.withLock { free -> MemoryPiece? in
            free.lastIndex { $0.byteCount >= byteCount }.map { free.remove(at: $0) }
        }
        // A little more, so that the next search fits too.
        let size = max(64 * 1024, byteCount + byteCount / 4)
        return found
            ?? MemoryPiece(base: .allocate(byteCount: size, alignment: 64), byteCount: size)
    }

    func giveBack() {
        let surplus = Self.free.withLock { free -> MemoryPiece? in
            guard byteCount <= Self.keptByteCount else { return self }
            free.append(self)
            return free.count > Self.keptCount ? free.removeFirst() : nil
        }
        surplus?.base.deallocate()
    }
}
