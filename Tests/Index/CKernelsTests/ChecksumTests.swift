import CKernels
import Testing

/// The checksum of snapshot files.
@Suite struct ChecksumTests {
    /// Values of the reference implementation, xxhsum 0.8: lengths on both sides of every loop's end.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func isXXH64(text: String, sum: UInt64) {
        let bytes = Array(text.utf8)
        // One byte further on, too: no alignment is needed.
        for offset in 0...8 {
            let moved = [UInt8](repeating: 9, count: offset) + bytes + [1]
            let result = moved.withUnsafeBytes { buffer in
                buffer.baseAddress.map { nexus_checksum($0 + offset, bytes.count) }
            }
            #expect(result == sum)
        }
    }

    @Test func everyBitCounts() {
        var bytes = (0..<107).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        var sums: Set<UInt64> = [nexus_checksum(bytes, bytes.count)]
        for bit in 0..<8 * bytes.count {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            sums.insert(nexus_checksum(bytes, bytes.count))
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        for count in 0..<bytes.count { sums.insert(nexus_checksum(bytes, count)) }
        #expect(sums.count == 1 + 9 * bytes.count)
    }
}
