import CKernels
import Testing

/// The rotation of the compact form against its definition, and that it is a rotation.
@Suite struct RotationTests {
    static let lengths = [1, 2, 3, 15, 16, 17, 64, 100, 384, 768, 1000, 1024, 1536, 2047, 3072, 4096, 16_384]

    /// The definition in double precision: three rounds of two turns, each one signs and a Hadamard transform, and halves mixed.
    private static func rotated(_ row: [Float]) -> [Double] {
        var values = row.map(Double.init)
        let power = 1 << (Int.bitWidth - 1 - row.count.leadingZeroBitCount)
        for turn in 0..<UInt64(6) {
            if turn % 2 == 1 && power == row.count { continue }
            let start = turn % 2 == 0 ? 0 : row.count - power
            for component in 0..<power where isNegated(component, turn: turn) { values[start + component].negate() }
            transform(&values, start..<start + power)
            if turn % 2 == 1 { mixHalves(&values) }
        }
        return values
    }

    private static func isNegated(_ component: Int, turn: UInt64) -> Bool {
        var bits = 0x6E65_7875_7331_3131 &+ (turn << 32 &+ UInt64(component / 64) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return bits >> UInt64(component % 64) & 1 == 1
    }

    /// Sums with signs by the parity of common bits: quadratic, but the textbook's definition.
    private static func transform(_ values: inout [Double], _ range: Range<Int>) {
        let part = Array(values[range])
        for row in part.indices {
            let sum = part.indices.reduce(0.0) { sum, column in
                (row & column).nonzeroBitCount % 2 == 0 ? sum + part[column] : sum - part[column]
            }
            values[range.lowerBound + row] = sum / Double(part.count).squareRoot()
        }
    }

    private static func mixHalves(_ values: inout [Double]) {
        let (half, root) = (values.count / 2, 0.5.squareRoot())
        for component in 0..<half {
            let (a, b) = (values[component], values[values.count - half + component])
            values[component] = (a + b) * root
            values[values.count - half + component] = (a - b) * root
        }
    }

    private static func rotate(_ row: [Float], _ kernels: nexus_index_kernels) -> [Float] {
        // One float past the start, so not aligned to vectors, and up to the last float of both arrays.
        let padded = [0] + row
        var out = [Float](repeating: 7, count: row.count + 1)
        padded.withUnsafeBufferPointer { input in
            out.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                kernels.rotate(to + 1, from + 1, row.count)
            }
        }
        return Array(out[1...])
    }

    private static func product(_ a: [Float], _ b: [Float]) -> Double {
        zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }

    @Test func portableRotationIsItsDefinition() throws {
        let kernels = try #require(IndexKernelTests.portable)
        var random = SeededNumbers(seed: 1)
        for length in Self.lengths where length <= 1000 {
            let row = random.floats(length)

            let (result, expected) = (Self.rotate(row, kernels), Self.rotated(row))

            #expect(zip(result, expected).allSatisfy { abs(Double($0) - $1) < 3e-6 }, "length \(length)")
        }
    }

    @Test(arguments: IndexKernelTests.variants) func rotationsAreTheSameToTheLastBit(
        variant: nexus_index_set
    ) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(IndexKernelTests.portable)
        var random = SeededNumbers(seed: 2)
        for length in Self.lengths {
            let row = random.floats(length)
            var inPlace = row
            inPlace.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                kernels.rotate(base, base, length)
            }

            let expected = Self.rotate(row, portable)

            #expect(Self.rotate(row, kernels) == expected, "length \(length)")
            #expect(inPlace == expected, "length \(length)")
        }
    }

    @Test func lengthsAndProductsStay() throws {
        let kernels = nexus_best_index_kernels().pointee
        var random = SeededNumbers(seed: 3)
        for length in Self.lengths {
            let (first, second) = (random.floats(length), random.floats(length))
            let (one, other) = (Self.rotate(first, kernels), Self.rotate(second, kernels))
            let scale = (Self.product(first, first) * Self.product(second, second)).squareRoot()

            #expect(abs(Self.product(one, one) / Self.product(first, first) - 1) < 2e-6, "length \(length)")
            #expect(abs(Self.product(one, other) - Self.product(first, second)) < 2e-6 * scale, "length \(length)")
        }
    }

    @Test func singleComponentsAreSpreadOverAll() throws {
        let kernels = nexus_best_index_kernels().pointee
        for length in [64, 100, 384, 1000, 1024, 1536, 2047, 3072] {
            for component in [0, length / 3, length / 2, length - 1] {
                var row = [Float](repeating: 0, count: length)
                row[component] = 1

                let result = Self.rotate(row, kernels)

                // Gaussian components: their largest is about sqrt(2 ln d), their mean magnitude sqrt(2 / π) = 0.798.
                let root = Double(length).squareRoot()
                let mean = result.reduce(0) { $0 + Double(abs($1)) } / root
                #expect((result.map(abs).max() ?? 1) < Float(5.5 / root), "length \(length), component \(component)")
                #expect(abs(mean - 0.798) < 1.5 / root, "length \(length), component \(component)")
            }
        }
    }
}
