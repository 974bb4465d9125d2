import CKernels

/// The codes of a block's rows: 8 bits a component in two planes of 4 bits, a scale and two bounds for each row.
///
/// The layout is that of `index_kernels.h`. With x̂ the row that the codes stand for and q̂ the one that a query's codes
/// stand for, |⟨q,x⟩ − ⟨q̂,x̂⟩| ≤ ‖q̂‖·‖x − x̂‖ + ‖q − q̂‖·‖x‖: the stored bounds on ‖x − x̂‖ give every row an interval
/// that its score certainly lies in. The high plane alone is enough to leave out most rows, at half a byte a
/// component.
///
/// Memory belongs to the ``RowStorage`` that holds the rows, whose invariant covers it too.
struct RowCodes {
    /// What the bytes mean; changes with them, so that a snapshot file with others is refused.
    static let version = 1
    /// The kernels for this processor.
    static let kernels = nexus_best_index_kernels().pointee

    /// First the numbers, then the planes: what the first pass reads lies together.
    let base: UnsafeMutableRawPointer
    private let capacity: Int
    private let dimensions: Int

    init(base: UnsafeMutableRawPointer, capacity: Int, dimensions: Int) {
        self.base = base
        self.capacity = capacity
        self.dimensions = dimensions
    }

    /// Bytes that the codes of `capacity` rows take.
    static func byteCount(capacity: Int, width: Int) -> Int {
        width == 0 ? 0 : capacity * (3 * MemoryLayout<Float>.stride + 2 * width)
    }

    /// Bytes of a row in one plane.
    var width: Int { (dimensions + 1) / 2 }
    /// The scale of each row.
    var scales: UnsafeMutablePointer<Float> { numbers(0) }
    /// Bounds on what the high plane leaves out of each row.
    var coarseErrors: UnsafeMutablePointer<Float> { numbers(1) }
    /// Bounds on what both planes leave out of each row.
    var fineErrors: UnsafeMutablePointer<Float> { numbers(2) }
    /// The upper four bits of the codes.
    var high: UnsafeMutablePointer<UInt8> { plane(0) }
    /// The lower four bits of the codes.
    var low: UnsafeMutablePointer<UInt8> { plane(1) }

    /// Writes the codes of a row that no snapshot counts.
    func encode(_ row: UnsafePointer<Float>, at position: Int) {
        let code = Self.kernels.encode_row(high + position * width, low + position * width, row, dimensions)
        scales[position] = code.scale
        coarseErrors[position] = code.coarse_error
        fineErrors[position] = code.fine_error
    }

    /// Copies the codes of `count` rows into rows that no snapshot counts.
    func copy(_ source: RowCodes, rows: Int, count: Int, to position: Int) {
        (high + position * width).update(from: source.high + rows * width, count: count * width)
        (low + position * width).update(from: source.low + rows * width, count: count * width)
        (scales + position).update(from: source.scales + rows, count: count)
        (coarseErrors + position).update(from: source.coarseErrors + rows, count: count)
        (fineErrors + position).update(from: source.fineErrors + rows, count: count)
    }

    /// Begins to fetch what the first pass over `count` rows reads first.
    func fetch(_ count: Int) {
        nexus_index_fetch(base, 2 * capacity * MemoryLayout<Float>.stride)
        nexus_index_fetch(high, min(count * width, Int(nexus_index_fetched)))
    }

    private func numbers(_ which: Int) -> UnsafeMutablePointer<Float> {
        base.assumingMemoryBound(to: Float.self) + which * capacity
    }

    private func plane(_ which: Int) -> UnsafeMutablePointer<UInt8> {
        base.assumingMemoryBound(to: UInt8.self) + capacity * (3 * MemoryLayout<Float>.stride + which * width)
    }
}
