import CKernels
import Testing

/// A linear map with seeded numbers, run by any variant between canaries.
struct LinearMapCase {
    struct Result {
        let rows: [[Float]]
        /// Whether everything around the output, the packed weights and the scratch is as it was.
        let isSurroundingIntact: Bool
    }

    /// Floats behind each row of the input and the output.
    private static let gap = 3

    let rows, columns, terms: Int
    var bias: [Float]?
    private let x, weight: [Float]

    init(rows: Int, columns: Int, terms: Int, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        (self.rows, self.columns, self.terms) = (rows, columns, terms)
        x = random.floats(rows * (terms + Self.gap))
        weight = random.floats(columns * terms)
        bias = random.floats(columns)
    }

    private init(of other: LinearMapCase, row: Int) {
        (rows, columns, terms, bias, weight) = (1, other.columns, other.terms, other.bias, other.weight)
        let stride = terms + Self.gap
        x = Array(other.x[row * stride..<(row + 1) * stride])
    }

    /// Returns the same map of one of the rows.
    func row(_ row: Int) -> LinearMapCase { LinearMapCase(of: self, row: row) }

    /// Packs and multiplies, for all columns or for whole groups of them.
    func run(_ variant: nexus_gemm_variant, _ finish: nexus_gemm_finish, columns part: Range<Int>? = nil) throws
        -> Result
    {
        let kernels = try #require(nexus_gemm_kernels_for(variant)).pointee
        let part = part ?? 0..<columns
        let packed = GuardedFloats(count: nexus_gemm_packed_count(columns, terms))
        kernels.pack(packed.start, weight, columns, terms)
        let scratch = GuardedFloats(count: nexus_gemm_scratch_count())
        let stride = part.count + Self.gap
        let out = GuardedFloats(count: rows * stride)
        kernels.multiply(
            out.start, stride, x, terms + Self.gap, packed.start + nexus_gemm_packed_count(part.lowerBound, terms),
            bias.map { Array($0[part]) }, rows, part.count, terms, finish, scratch.start)
        let found = (0..<rows).map { row in (0..<part.count).map { out.start[row * stride + $0] } }
        let gaps = (0..<rows).flatMap { row in (part.count..<stride).map { out.start[row * stride + $0] } }
        let isIntact = [packed, scratch, out].allSatisfy(\.isIntact) && gaps.allSatisfy { $0 == GuardedFloats.canary }
        return Result(rows: found, isSurroundingIntact: isIntact)
    }

    /// Returns the largest error against `others`, or against double precision, in units of what the variant may have.
    func excess(
        of found: [[Float]], _ variant: nexus_gemm_variant, _ finish: nexus_gemm_finish, over others: [[Float]]? = nil
    ) -> Double {
        var largest = 0.0
        for i in 0..<rows {
            for j in 0..<columns {
                let (value, size) = exact(i, j)
                let expected = others.map { Double($0[i][j]) } ?? (finish == .gelu ? Plain.gelu(value) : value)
                let allowed = size * relativeError(variant) + 2e-6 * max(1, abs(value))
                largest = max(largest, abs(Double(found[i][j]) - expected) / allowed)
            }
        }
        return largest
    }

    /// Twice what the header promises, because both sides of a comparison may be off; GELU's slope is at most 1.13.
    private func relativeError(_ variant: nexus_gemm_variant) -> Double {
        2 * (variant == .amx ? 0x1p-15 : Double(terms + 1) * 0x1p-24)
    }

    /// Returns an output before it is finished, and the sum of its terms' sizes.
    private func exact(_ row: Int, _ column: Int) -> (value: Double, size: Double) {
        var (value, size) = (Double(bias?[column] ?? 0), Double(abs(bias?[column] ?? 0)))
        for p in 0..<terms {
            let term = Double(x[row * (terms + Self.gap) + p]) * Double(weight[column * terms + p])
            (value, size) = (value + term, size + abs(term))
        }
        return (value, size)
    }
}

/// Floats, all canaries at first, with one more on each side; the first one is aligned to a float only.
private final class GuardedFloats {
    static let canary: Float = 12_345

    let start: UnsafeMutablePointer<Float>
    private let count: Int

    init(count: Int) {
        self.count = count
        start = UnsafeMutablePointer.allocate(capacity: count + 2) + 1
        (start - 1).initialize(repeating: Self.canary, count: count + 2)
    }

    deinit { (start - 1).deallocate() }

    var isIntact: Bool { start[-1] == Self.canary && start[count] == Self.canary }
}
