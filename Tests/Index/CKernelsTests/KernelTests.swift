import CKernels
import Foundation
import Testing

/// Every variant of every kernel against plain loops in double precision, at lengths around all vector widths.
@Suite struct KernelTests {
    /// The variants that this processor has; the portable one is always among them.
    static let variants = (0...2).compactMap { nexus_instruction_set(rawValue: $0) }
        .filter { nexus_encoder_kernels_for($0) != nil }
    static let lengths = Array(1...40) + [47, 48, 49, 63, 64, 65, 127, 128, 129, 255, 256, 257, 384]

    @Test func portableVariantIsAlwaysThere() {
        #expect(Self.variants.first?.rawValue == 0)
        #expect(Self.variants.contains(nexus_best_instruction_set()))
    }

    @Test(arguments: variants) func dotProductAgrees(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 1)

        for length in [0] + Self.lengths {
            let (a, b) = (random.floats(length), random.floats(length))
            let expected = zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
            #expect(abs(Double(kernels.dot(a, b, length)) - expected) < 1e-5, "length \(length)")
        }
    }

    @Test(arguments: variants) func softmaxAgreesAndLeavesTheGapBetweenRows(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 2)

        for length in Self.lengths {
            let stride = length + 3
            let before = random.floats(3 * stride).map { $0 * 20 }
            var after = before
            kernels.softmax_rows(&after, 3, length, stride)

            for row in 0..<3 {
                let expected = Plain.softmax(before[row * stride..<row * stride + length].map(Double.init))
                #expect(furthest(after[row * stride..<row * stride + length], expected) < 1e-6, "length \(length)")
                let gap = row * stride + length..<(row + 1) * stride
                #expect(after[gap] == before[gap], "length \(length)")
            }
        }
    }

    @Test(arguments: variants) func softmaxStandsExtremes(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var row: [Float] = [3e38, -3e38, 0, 3e38]
        kernels.softmax_rows(&row, 1, 4, 4)
        #expect(furthest(row[...], [0.5, 0, 0, 0.5]) < 1e-7)
    }

    @Test(arguments: variants) func geluAgrees(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 3)

        for length in Self.lengths {
            let (before, bias) = (random.floats(2 * length).map { $0 * 6 }, random.floats(length))
            var after = before + [7]
            kernels.bias_gelu(&after, bias, 2, length)

            for index in before.indices {
                let value = Double(before[index] + bias[index % length])
                #expect(abs(Double(after[index]) - Plain.gelu(value)) < 1e-6 * max(1, abs(value)), "length \(length)")
            }
            #expect(after.last == 7, "length \(length)")
        }
    }

    @Test(arguments: variants) func residualNormAgrees(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 4)

        for length in Self.lengths where length > 1 {
            let (x, y) = (random.floats(2 * length), random.floats(2 * length))
            let (bias, gain, shift) = (random.floats(length), random.floats(length), random.floats(length))
            var after = x + [7]
            kernels.residual_layer_norm(&after, y, bias, gain, shift, 1e-5, 2, length)

            for row in 0..<2 {
                let place = row * length..<(row + 1) * length
                let sums = zip(zip(x[place], y[place]), bias).map { Double($0.0) + Double($0.1) + Double($1) }
                let normed = Plain.layerNorm(sums, epsilon: 1e-5)
                let expected = zip(normed, zip(gain, shift)).map { $0 * Double($1.0) + Double($1.1) }
                #expect(furthest(after[place], expected) < 2e-5, "length \(length)")
            }
            #expect(after.last == 7, "length \(length)")
        }
    }

    @Test(arguments: variants) func meanPoolAgreesAndHasLengthOne(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 5)

        for length in Self.lengths {
            let rows = 1 + length % 5
            let x = random.floats(rows * length)
            var out = Array(repeating: Float(7), count: length + 1)
            kernels.mean_pool_unit(&out, x, rows, length)

            let mean = (0..<length).map { j in (0..<rows).reduce(0) { $0 + Double(x[$1 * length + j]) } / Double(rows) }
            let norm = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
            #expect(furthest(out[..<length], mean.map { $0 / norm }) < 2e-5, "length \(length)")
            #expect(out.last == 7, "length \(length)")
        }
    }

    @Test(arguments: variants) func meanPoolOfZerosIsZero(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var out = Array(repeating: Float(7), count: 20)
        kernels.mean_pool_unit(&out, Array(repeating: 0, count: 40), 2, 20)
        #expect(out == Array(repeating: 0, count: 20))
    }

    @Test(arguments: variants) func attentionAgrees(variant: nexus_instruction_set) throws {
        let kernels = try #require(nexus_encoder_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 6)
        let heads = 3

        for headWidth in [32, 64] {
            for tokens in Array(1...19) + [31, 32, 33, 64, 65] {
                let width = heads * headWidth
                let qkv = random.floats(tokens * width * 3).map { $0 * (headWidth == 32 ? 3 : 2.5) }
                let bias = random.floats(width * 3)
                let scratchCount = nexus_attention_scratch_count(tokens, headWidth)
                var scratch = Array(repeating: Float(7), count: scratchCount + 1)
                var out = Array(repeating: Float(7), count: tokens * width + 1)
                kernels.attention(&out, qkv, bias, tokens, heads, headWidth, &scratch)

                let expected = Plain.attention(qkv, bias, tokens: tokens, heads: heads, headWidth: headWidth)
                #expect(furthest(out.dropLast(), expected) < 2e-5, "\(tokens) tokens, heads of \(headWidth)")
                #expect(out.last == 7 && scratch.last == 7, "\(tokens) tokens, heads of \(headWidth)")
            }
        }
    }

    /// All 65,536 halves.
    @Test func halvesAreWidened() {
        let halves = (0...UInt16.max).map { $0 }
        var floats = Array(repeating: Float(7), count: halves.count + 1)
        nexus_widen_halves(&floats, halves, halves.count)
        #expect(floats.last == 7)
        #expect(
            zip(halves, floats).allSatisfy { half, float in
                let sign: Float = half >> 15 == 1 ? -1 : 1
                let (exponent, fraction) = (Int(half >> 10 & 31), Float(half & 1_023))
                if exponent == 31 { return fraction == 0 ? float == sign * .infinity : float.isNaN }
                let size = exponent == 0 ? fraction * exp2(-24) : (1 + fraction / 1_024) * exp2(Float(exponent - 15))
                return float == sign * size && float.sign == (sign < 0 ? .minus : .plus)
            })
        nexus_widen_brain_floats(&floats, halves, halves.count)
        #expect(zip(halves, floats).allSatisfy { $1.bitPattern == UInt32($0) << 16 })
    }

    private func furthest(_ values: ArraySlice<Float>, _ expected: [Double]) -> Double {
        guard values.count == expected.count else { return .infinity }
        return zip(values, expected).map { abs(Double($0) - $1) }.max() ?? 0
    }
}
