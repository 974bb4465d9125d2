import Foundation

/// Reads base64, usually of little-endian 32-bit floats.
enum Base64Floats {
    /// The value of a character; 255 for an invalid one.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, sign) in signs.utf8.enumerated() { values[Int(sign)] = UInt8(value) }
        return values
    }()

    /// Returns the floats of a text.
    ///
    /// - Parameter text: Characters with their padding, without white space.
    /// - Returns: The floats; nil when the text is not base64 or does not contain whole floats.
    static func floats(_ text: UnsafeBufferPointer<UInt8>) -> [Float]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
        let byteCount = text.count / 4 * 3 - padding
        guard byteCount.isMultiple(of: 4) else { return nil }
        var isGood = true
        let floats = [Float](unsafeUninitializedCapacity: byteCount / 4) { buffer, count in
            isGood = decode(text, padding: padding, to: UnsafeMutableRawBufferPointer(buffer))
            count = isGood ? byteCount / 4 : 0
        }
        guard isGood else { return nil }
        return floats.map { Float(bitPattern: UInt32(littleEndian: $0.bitPattern)) }
    }

    /// Returns the bytes of a text; nil when it is not base64.
    static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 - padding)
        return bytes.withUnsafeMutableBytes { decode(text, padding: padding, to: $0) } ? bytes : nil
    }

    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, padding: Int, to bytes: UnsafeMutableRawBufferPointer
    ) -> Bool {
        values.withUnsafeBufferPointer { values in
            var (place, wrong) = (0, UInt8(0))
            let wholeCount = (text.count - (padding > 0 ? 4 : 0)) / 4
            for group in 0..<wholeCount {
                let (a, b) = (values[Int(text[group * 4])], values[Int(text[group * 4 + 1])])
                let (c, d) = (values[Int(text[group * 4 + 2])], values[Int(text[group * 4 + 3])])
                wrong |= a | b | c | d
                bytes[place] = a << 2 | b >> 4
                bytes[place + 1] = b << 4 | c >> 2
                bytes[place + 2] = c << 6 | d
                place += 3
            }
            if padding > 0 {
                let rest = text.suffix(4).map { values[Int($0)] }
                wrong |= rest[0] | rest[1] | (padding == 1 ? rest[2] : 0)
                bytes[place] = rest[0] << 2 | rest[1] >> 4
                if padding == 1 { bytes[place + 1] = rest[1] << 4 | rest[2] >> 2 }
            }
            return wrong < 64
        }
    }
}
