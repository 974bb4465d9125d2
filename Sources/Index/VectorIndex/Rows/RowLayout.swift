import CKernels

/// The codes that an index keeps in memory to find candidates; the rows themselves decide.
public enum IndexForm: Sendable {
    /// Two planes of four bits for each component, with a bound that proves every result: the true `k` best rows.
    case exact
    /// One bit for each component: about a seventh of the memory and of the time. Approximate: a best row is missed if
    /// the estimate of its score is three standard deviations too low. That happens about once in 700 for the last of
    /// the best, and less often for better ones. Scores are exact, and there are `k` hits if there are `k` rows.
    case compact
}

/// The layout of rows in a block, the same for a whole index.
struct RowLayout: Sendable {
    /// The form of the codes.
    let form: IndexForm
    /// Components of a row.
    let dimensions: Int
    /// Floats from the start of one row to the start of the next; the padding is zero.
    let stride: Int
    /// The most rows of one block.
    let blockRowCount: Int
    /// The largest difference between a scan score and the final score of the same row.
    let scoreError: Float
    /// Bytes of a row in one plane of its codes; 0 if rows have no codes, see ``RowCodes``.
    let codeWidth: Int

    /// Bytes of a full block.
    ///
    /// Large enough that one call of `sgemv` per block costs nothing compared with its rows (0.5 MB takes 20 µs or
    /// more); small enough that copying a block for compaction stays far below a millisecond.
    static let blockByteCount = 512 * 1024

    /// Rows with this number of components have codes: a scan of shorter rows costs little without them, and for longer
    /// rows the kernels' sums would overflow 32 bits.
    static let codedDimensions = 64...16_384

    /// - Precondition: `dimensions` and `blockRowCount` are 1 or more.
    init(
        dimensions: Int, form: IndexForm = .exact, blockRowCount: Int? = nil,
        codedDimensions: ClosedRange<Int> = Self.codedDimensions
    ) {
        precondition(dimensions >= 1, "a row needs a component")
        precondition(blockRowCount ?? 1 >= 1, "a block needs a row")
        // Rows start at cache lines or, if that would waste much memory, at multiples of 16 bytes.
        let unit = dimensions < 64 ? 4 : 16
        self.dimensions = dimensions
        self.stride = (dimensions + unit - 1) / unit * unit
        self.blockRowCount = blockRowCount ?? max(16, Self.blockByteCount / (stride * MemoryLayout<Float>.stride))
        let width = form == .exact ? (dimensions + 1) / 2 : nexus_bit_width(dimensions)
        self.codeWidth = codedDimensions.contains(dimensions) ? width : 0
        self.form = form
        self.scoreError = Self.errorBound(dimensions: dimensions)
    }

    /// Bounds the rounding error of a Float32 dot product of two rows of length 1, for any order of summation.
    ///
    /// γ(d) = d·u / (1 − d·u), u = 2⁻²⁴ (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), with
    /// room for the rounding of the two lengths and of the final score.
    private static func errorBound(dimensions: Int) -> Float {
        let roundings = Double(dimensions + 4) * 0x1p-24
        precondition(roundings < 0.1, "too many components for Float32 sums")
        return Float(1.01 * roundings / (1 - roundings))
    }
}

/// Checks of vectors, and the double-precision sums of all lengths and final scores.
extension RowLayout {
    /// The factor that scales a vector to length 1.
    ///
    /// - Parameter vector: The caller's vector.
    /// - Returns: 1 / length; finite and above zero.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/notFinite(component:)``,
    ///   ``VectorIndexError/zeroVector``.
    func unitScale(of vector: [Float]) throws(VectorIndexError) -> Double {
        guard vector.count == dimensions else {
            throw .dimensionMismatch(expected: dimensions, got: vector.count)
        }
        // Squares of Float neither overflow nor vanish in Double: the sum is finite if every component is.
        let square = vector.withUnsafeBufferPointer { preciseDot($0, $0) }
        guard square.isFinite else {
            throw .notFinite(component: vector.firstIndex { !$0.isFinite } ?? 0)
        }
        let length = square.squareRoot()
        guard length >= Double(Float.leastNormalMagnitude) else { throw .zeroVector }
        return 1 / length
    }

    /// The final score of a row, in -1...1: the same bits for the same two vectors, independent of the row's position.
    ///
    /// BLAS sums in an order that depends on a row's position in its block, so its last bits must not decide ties.
    func finalScore(_ row: UnsafePointer<Float>, _ query: UnsafePointer<Float>) -> Float {
        let rowComponents = UnsafeBufferPointer(start: row, count: dimensions)
        let queryComponents = UnsafeBufferPointer(start: query, count: dimensions)
        return min(1, max(-1, Float(preciseDot(rowComponents, queryComponents))))
    }
}

/// Sums products in four fixed lanes of doubles.
func preciseDot(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) -> Double {
    var (lane0, lane1, lane2, lane3) = (0.0, 0.0, 0.0, 0.0)
    var index = 0
    while index + 4 <= left.count {
        lane0 += Double(left[index]) * Double(right[index])
        lane1 += Double(left[index + 1]) * Double(right[index + 1])
        lane2 += Double(left[index + 2]) * Double(right[index + 2])
        lane3 += Double(left[index + 3]) * Double(right[index + 3])
        index += 4
    }
    while index < left.count {
        lane0 += Double(left[index]) * Double(right[index])
        index += 1
    }
    return (lane0 + lane1) + (lane2 + lane3)
}
