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
    private static let canary: Float = 12_345

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
    func run(_ variant: nexus_gemm_variant, _ finish: nexus_gemm_finish, columns part: Range<Int>? = nil) throws -> Result
    {
        let kernels = try #require(nexus_gemm_kernels_for(variant)).pointee
        let part = part ?? 0..<columns
        var packed = canaries(nexus_gemm_packed_count(columns, terms))
        packed.withUnsafeMutableBufferPointer { kernels.pack($0.baseAddress! + 1, weight, columns, terms) }
        var scratch = canaries(nexus_gemm_scratch_count())
        let stride = part.count + Self.gap
        var out = canaries(rows * stride)
        out.withUnsafeMutableBufferPointer { out in
            scratch.withUnsafeMutableBufferPointer { scratch in
                let weights = packed[(1 + nexus_gemm_packed_count(part.lowerBound, terms))...]
                weights.withUnsafeBufferPointer { weights in
                    kernels.multiply(
                        out.baseAddress! + 1, stride, x, terms + Self.gap, weights.baseAddress!,
                        bias.map { Array($0[part]) }, rows, part.count, terms, finish, scratch.baseAddress! + 1)
                }
            }
        }
        let found = (0..<rows).map { Array(out[(1 + $0 * stride)...].prefix(part.count)) }
        let gaps = (0..<rows).flatMap { out[(1 + $0 * stride + part.count)...].prefix(Self.gap) }
        let edges = [packed, scratch, out].flatMap { [$0[0], $0[$0.count - 1]] }
        return Result(rows: found, isSurroundingIntact: (gaps + edges).allSatisfy { $0 == Self.canary })
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

    private func canaries(_ count: Int) -> [Float] { Array(repeating: Self.canary, count: count + 2) }
}
