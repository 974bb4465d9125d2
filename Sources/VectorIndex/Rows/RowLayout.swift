import CKernels

/// How rows lie in a block; one layout holds for a whole index.
struct RowLayout: Sendable {
    /// What the codes of a row are.
    let form: IndexForm
    /// Components of a row.
    let dimensions: Int
    /// Floats from the start of one row to the start of the next; the padding is zero.
    let stride: Int
    /// The most rows of one block.
    let blockRowCount: Int
    /// How far a score of the scan may lie from the final score of the same row, in either direction.
    let scoreError: Float
    /// Bytes of a row in one plane of its codes, 0 where rows have no codes; see ``RowCodes``.
    let codeWidth: Int

    /// Bytes of a full block.
    ///
    /// Large enough that a call of `sgemv` per block costs nothing beside its rows (0.5 MB takes
    /// 20 µs or more), small enough that copying a block when it is compacted stays far below a millisecond.
    static let blockByteCount = 512 * 1024

    /// Rows of so many components get codes: of shorter ones a scan costs little anyway, of longer ones the kernels'
    /// sums would leave 32 bits.
    static let codedDimensions = 64...16_384

    /// - Precondition: `dimensions` and `blockRowCount` are 1 or more.
    init(
        dimensions: Int, form: IndexForm = .exact, blockRowCount: Int? = nil,
        codedDimensions: ClosedRange<Int> = Self.codedDimensions
    ) {
        precondition(dimensions >= 1, "a row needs a component")
        precondition(blockRowCount ?? 1 >= 1, "a block needs a row")
        // Rows start at cache lines where that wastes little, at 16 bytes where it would waste much.
        let unit = dimensions < 64 ? 4 : 16
        self.dimensions = dimensions
        self.stride = (dimensions + unit - 1) / unit * unit
        self.blockRowCount = blockRowCount ?? max(16, Self.blockByteCount / (stride * MemoryLayout<Float>.stride))
        let width = form == .exact ? (dimensions + 1) / 2 : nexus_bit_width(dimensions)
        self.codeWidth = codedDimensions.contains(dimensions) ? width : 0
        self.form = form
        self.scoreError = Self.errorBound(dimensions: dimensions)
    }

    /// Bounds the rounding error of a Float32 dot product of two rows of length 1, whatever the order of summation.
    ///
    /// γ(d) = d·u / (1 − d·u), u = 2⁻²⁴ (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), with
    /// room for the rounding of the two lengths and of the final score.
    private static func errorBound(dimensions: Int) -> Float {
        let roundings = Double(dimensions + 4) * 0x1p-24
        precondition(roundings < 0.1, "too many components for Float32 sums")
        return Float(1.01 * roundings / (1 - roundings))
    }
}
