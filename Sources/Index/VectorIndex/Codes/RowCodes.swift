import CKernels

/// The codes of a block's rows: two planes of 4 bits for each component, or one plane of 1 bit, and numbers for each
/// row.
///
/// `index_kernels.h` and `bit_kernels.h` define the layout. With two planes the angle between a row and its code is
/// known, so the triangle inequality of angles gives every row an interval that certainly contains its score; the high
/// plane alone rules out most rows. With bits the interval holds with a probability.
///
/// The ``RowStorage`` of the rows owns the memory, and its invariant covers it too.
struct RowCodes {
    /// Changes when the meaning of codes changes; a snapshot file holds codes of one version.
    static let version = 2

    /// The kernels for this processor.
    static let kernels = nexus_best_index_kernels().pointee

    /// Two numbers of each row: the factor that turns its product into an estimate of the score, and the tangent of the
    /// angle between the row and its code.
    struct Numbers {
        let factors: UnsafeMutablePointer<Float>
        let tangents: UnsafeMutablePointer<Float>
    }

    /// First the numbers, then the planes, so that the data of the first pass lies together.
    let base: UnsafeMutableRawPointer
    // Small, because a selection holds one value for each of its blocks.
    private let capacity: UInt32
    private let dimensions: UInt32
    private let planeWidth: UInt32
    private let form: IndexForm

    init(base: UnsafeMutableRawPointer, capacity: Int, layout: RowLayout) {
        self.base = base
        self.capacity = UInt32(capacity)
        dimensions = UInt32(layout.dimensions)
        planeWidth = UInt32(layout.codeWidth)
        form = layout.form
    }

    /// Bytes of a row in one plane.
    var width: Int { Int(planeWidth) }

    /// Bytes that the codes of `capacity` rows take.
    static func byteCount(capacity: Int, layout: RowLayout) -> Int {
        guard layout.codeWidth > 0 else { return 0 }
        return capacity * (numberBytes(layout.form) + planeCount(layout.form) * layout.codeWidth)
    }

    private static func planeCount(_ form: IndexForm) -> Int { form == .exact ? 2 : 1 }

    private static func numberBytes(_ form: IndexForm) -> Int {
        2 * planeCount(form) * MemoryLayout<Float>.stride
    }

    /// The numbers of each row's first plane.
    var coarse: Numbers { Numbers(factors: numbers(0), tangents: numbers(1)) }
    /// The numbers of each row's two planes together.
    var fine: Numbers { Numbers(factors: numbers(2), tangents: numbers(3)) }
    /// The first plane: the upper four bits of the codes, or the bits.
    var first: UnsafeMutablePointer<UInt8> { plane(0) }
    /// The lower four bits of the codes.
    var low: UnsafeMutablePointer<UInt8> { plane(1) }

    /// Writes the codes of a row that no snapshot counts yet.
    func encode(_ row: UnsafePointer<Float>, at position: Int) {
        switch form {
        case .exact:
            let code = Self.kernels.encode_row(first + position * width, low + position * width, row, Int(dimensions))
            (coarse.factors[position], coarse.tangents[position]) = (code.coarse_factor, code.coarse_tangent)
            (fine.factors[position], fine.tangents[position]) = (code.fine_factor, code.fine_tangent)
        case .compact:
            withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(dimensions)) { rotated in
                guard let turned = rotated.baseAddress else { return }
                Self.kernels.rotate(turned, row, Int(dimensions))
                let code = Self.kernels.encode_bits(first + position * width, turned, Int(dimensions))
                (coarse.factors[position], coarse.tangents[position]) = (code.factor, code.tangent)
            }
        }
    }

    /// Copies the codes of `count` rows into rows that no snapshot counts yet.
    func copy(_ source: RowCodes, rows: Int, count: Int, to position: Int) {
        for which in 0..<Self.planeCount(form) {
            (plane(which) + position * width).update(from: source.plane(which) + rows * width, count: count * width)
        }
        for which in 0..<2 * Self.planeCount(form) {
            (numbers(which) + position).update(from: source.numbers(which) + rows, count: count)
        }
    }

    /// The lower four bits of a row's codes.
    func low(_ row: Int) -> UnsafeMutablePointer<UInt8> { low + row * width }

    /// Begins to fetch the numbers of the first plane; the processor continues by itself.
    func fetchNumbers() {
        nexus_index_fetch(base, min(2 * Int(capacity) * MemoryLayout<Float>.stride, 128))
    }

    /// Begins to fetch the numbers of both planes of a row.
    func fetchFine(_ row: Int) {
        nexus_index_fetch(fine.factors + row, 1)
        nexus_index_fetch(fine.tangents + row, 1)
    }

    private func numbers(_ which: Int) -> UnsafeMutablePointer<Float> {
        base.assumingMemoryBound(to: Float.self) + which * Int(capacity)
    }

    private func plane(_ which: Int) -> UnsafeMutablePointer<UInt8> {
        base.assumingMemoryBound(to: UInt8.self) + Int(capacity) * (Self.numberBytes(form) + which * width)
    }
}
