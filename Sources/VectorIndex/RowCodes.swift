import CKernels

/// The codes of a block's rows: 8 bits a component in two planes of 4 bits, a factor and a tangent a plane for each row.
///
/// The layout is that of `index_kernels.h`. The angle between a row and its code is known, so that by the triangle
/// inequality of angles every row has an interval that its score certainly lies in. The high plane alone is enough
/// to leave out most rows, at half a byte a component.
///
/// Memory belongs to the ``RowStorage`` that holds the rows, whose invariant covers it too.
struct RowCodes {
    /// What the bytes mean; changes with them, so that a snapshot file with others is refused.
    static let version = 1
    /// The kernels for this processor.
    static let kernels = nexus_best_index_kernels().pointee

    /// Two numbers of each row: what products are multiplied with to become estimates of scores, and the tangents of the
    /// angles between the rows and their codes.
    struct Numbers {
        let factors: UnsafeMutablePointer<Float>
        let tangents: UnsafeMutablePointer<Float>
    }

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
        width == 0 ? 0 : capacity * (4 * MemoryLayout<Float>.stride + 2 * width)
    }

    /// Bytes of a row in one plane.
    var width: Int { (dimensions + 1) / 2 }
    /// What belongs to each row's high plane.
    var coarse: Numbers { Numbers(factors: numbers(0), tangents: numbers(1)) }
    /// What belongs to each row's two planes together.
    var fine: Numbers { Numbers(factors: numbers(2), tangents: numbers(3)) }
    /// The upper four bits of the codes.
    var high: UnsafeMutablePointer<UInt8> { plane(0) }
    /// The lower four bits of the codes.
    var low: UnsafeMutablePointer<UInt8> { plane(1) }

    /// Writes the codes of a row that no snapshot counts.
    func encode(_ row: UnsafePointer<Float>, at position: Int) {
        let code = Self.kernels.encode_row(high + position * width, low + position * width, row, dimensions)
        (coarse.factors[position], coarse.tangents[position]) = (code.coarse_factor, code.coarse_tangent)
        (fine.factors[position], fine.tangents[position]) = (code.fine_factor, code.fine_tangent)
    }

    /// Copies the codes of `count` rows into rows that no snapshot counts.
    func copy(_ source: RowCodes, rows: Int, count: Int, to position: Int) {
        (high + position * width).update(from: source.high + rows * width, count: count * width)
        (low + position * width).update(from: source.low + rows * width, count: count * width)
        for which in 0..<4 {
            (numbers(which) + position).update(from: source.numbers(which) + rows, count: count)
        }
    }

    /// The lower four bits of a row's codes.
    func low(_ row: Int) -> UnsafeMutablePointer<UInt8> { low + row * width }

    /// Begins to fetch the first of the numbers that belong to the high planes; the processor goes on by itself.
    func fetchNumbers() {
        nexus_index_fetch(base, min(2 * capacity * MemoryLayout<Float>.stride, 128))
    }

    /// Begins to fetch what belongs to the low plane of a row.
    func fetchLow(_ row: Int) {
        nexus_index_fetch(low(row), width)
        nexus_index_fetch(fine.factors + row, 1)
        nexus_index_fetch(fine.tangents + row, 1)
    }

    private func numbers(_ which: Int) -> UnsafeMutablePointer<Float> {
        base.assumingMemoryBound(to: Float.self) + which * capacity
    }

    private func plane(_ which: Int) -> UnsafeMutablePointer<UInt8> {
        base.assumingMemoryBound(to: UInt8.self) + capacity * (4 * MemoryLayout<Float>.stride + which * width)
    }
}
