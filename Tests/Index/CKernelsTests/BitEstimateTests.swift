import CKernels
import Testing

/// Whether estimates of the compact form deviate as `bit_kernels.h` says: seeded rows at all angles to their query.
@Suite struct BitEstimateTests {
    /// Estimates less true products, divided by the deviation that they should have.
    private struct Deviations {
        /// With the codes of the query.
        var coded: [Double] = []
        /// With the rotated query itself.
        var plain: [Double] = []
    }

    private static func rotated(_ row: [Float], _ kernels: nexus_index_kernels) -> [Float] {
        var out = row
        kernels.rotate(&out, row, row.count)
        return out
    }

    private static func deviations(length: Int, count: Int) -> Deviations {
        let kernels = nexus_best_index_kernels().pointee
        var random = SeededNumbers(seed: UInt64(length))
        let (d, width) = (Double(length), nexus_bit_width(length))
        var result = Deviations()
        for number in 0..<count {
            let query = Plain.unit(random.floats(length))
            // Products from about −0.4 to 0.9.
            let weight = Float(number % 5 - 1) * 0.6 / Float(d.squareRoot()) * Float(d / 3).squareRoot()
            let row = Plain.unit(zip(query, random.floats(length)).map { weight * $0 + $1 / Float(d.squareRoot()) })
            let (turnedQuery, turnedRow) = (rotated(query, kernels), rotated(row, kernels))
            var bits = [UInt8](repeating: 0, count: width)
            var codes = [UInt8](repeating: 0, count: nexus_bit_query_size(width))
            let rowCode = kernels.encode_bits(&bits, turnedRow, length)
            let queryCode = kernels.encode_bit_query(&codes, turnedQuery, length)
            var product: Int32 = 0
            kernels.bit_dots(&product, bits, width, 1, codes)

            let truth = zip(query, row).reduce(0) { $0 + Double($1.0) * Double($1.1) }
            let (tangent, error) = (Double(rowCode.tangent), Double(queryCode.error))
            let variance =
                (1 - truth * truth) / (d - 1) * tangent * tangent + error * error / d * (1 + tangent * tangent)
            result.coded.append(
                (Double(Self.estimate(product, rowCode, queryCode)) - truth) / variance.squareRoot())
            let signed = zip(turnedQuery, turnedRow).reduce(0) { $0 + Double($1.1 > 0 ? $1.0 : -$1.0) }
            let deviation = ((1 - truth * truth) / (d - 1)).squareRoot() * tangent
            result.plain.append((signed * Double(rowCode.factor) - truth) / deviation)
        }
        return result
    }

    private static func estimate(_ product: Int32, _ row: nexus_bit_row, _ query: nexus_bit_query) -> Float {
        query.scale * row.factor * Float(2 * product - query.sum)
    }

    private static func moments(_ numbers: [Double]) -> (mean: Double, deviation: Double) {
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let square = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
        return (mean, square.squareRoot())
    }

    @Test(arguments: [64, 100, 384, 1000, 1024, 1536]) func estimatesDeviateAsStated(length: Int) {
        let deviations = Self.deviations(length: length, count: 500)

        // Of 500 numbers the mean deviates by 0.045, their deviation by 0.032.
        for numbers in [deviations.coded, deviations.plain] {
            let (mean, deviation) = Self.moments(numbers)
            #expect(abs(mean) < 0.15)
            #expect(abs(deviation - 1) < 0.1)
            #expect(numbers.allSatisfy { abs($0) < 4.5 })
        }
    }

    @Test func singleComponentsAreExact() {
        let kernels = nexus_best_index_kernels().pointee
        for (row, query): (Float, Float) in [(1, 0.5), (-1, 0.5), (-1, -0.25)] {
            var bits = [UInt8](repeating: 0, count: 8)
            var codes = [UInt8](repeating: 0, count: nexus_bit_query_size(8))
            let (turnedRow, turnedQuery) = (Self.rotated([row], kernels), Self.rotated([query], kernels))
            let rowCode = kernels.encode_bits(&bits, turnedRow, 1)
            let queryCode = kernels.encode_bit_query(&codes, turnedQuery, 1)
            var product: Int32 = 0
            kernels.bit_dots(&product, bits, 8, 1, codes)

            let estimate = Self.estimate(product, rowCode, queryCode)
            #expect(abs(estimate - row * query) <= queryCode.error * 1.0001)
        }
    }
}
