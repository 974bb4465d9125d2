import CKernels
import Testing

@Suite struct QuantizedKernelTests {
    /// A block with a scale, and the halves 0 to 15 in its low and 15 to 0 in its high places.
    private func block(_ scale: UInt16) -> [UInt8] {
        [UInt8(scale & 255), UInt8(scale >> 8)] + (0..<16).map { UInt8($0) | UInt8(15 - $0) << 4 }
    }

    private func floats(_ bytes: [UInt8]) -> [Float] {
        var out = [Float](repeating: .nan, count: bytes.count / Int(nexus_q4_block_bytes) * Int(nexus_q4_block))
        nexus_q4_dequantize(&out, bytes, bytes.count / Int(nexus_q4_block_bytes))
        return out
    }

    /// One, a half and a bit, the largest, a negative one, zero, the smallest normal, and two subnormal numbers.
    static let scales: [(UInt16, Float)] = [
        (0x3C00, 1), (0x3801, 0.5 + 0x1p-11), (0x7BFF, 65_504), (0xC000, -2), (0, 0), (0x0400, 0x1p-14),
        (0x0001, 0x1p-24), (0x83FF, -1_023 * 0x1p-24),
    ]

    @Test(arguments: scales)
    func weightsAreTheHalvesLessEightTimesTheScale(bits: UInt16, scale: Float) {
        let expected = (0..<16).map { Float($0 - 8) * scale } + (0..<16).map { Float(15 - $0 - 8) * scale }
        #expect(floats(block(bits)) == expected)
    }

    @Test func blocksFollowEachOther() {
        let both = floats(block(0x3C00) + block(0x4000))
        #expect(both == floats(block(0x3C00)) + floats(block(0x4000)))
        #expect(both[32] == -16)
    }

    @Test func noBlockWritesNothing() {
        var out: [Float] = [7]
        nexus_q4_dequantize(&out, [0], 0)
        #expect(out == [7])
    }
}
