/// Files in gzip whose trailer can lie.
package enum HandmadeGzip {
    /// Packs bytes as they are, without compression.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - checksum: A checksum that is not the bytes' own.
    ///   - byteCount: A length that is not the bytes' own.
    /// - Returns: One member.
    package static func bytes(_ data: [UInt8], checksum: UInt32? = nil, byteCount: Int? = nil) -> [UInt8] {
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            file += [rest.isEmpty ? 1 : 0] + number(block.count, 2) + number(~block.count, 2) + block
        } while !rest.isEmpty
        return file + number(Int(checksum ?? HandmadeZip.checksum(of: data)), 4) + number(byteCount ?? data.count, 4)
    }

    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
