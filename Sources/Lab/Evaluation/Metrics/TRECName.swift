/// Names in TREC files: one word each.
package enum TRECName {
    /// Percent-encodes blanks, control characters and `%`, so that the name is one word and can be read back.
    ///
    /// - Parameters:
    ///   - text: The name.
    ///   - alsoSlash: Whether `/` is encoded too.
    /// - Returns: The name as one word; `%` alone means the empty name.
    package static func escaped(_ text: String, alsoSlash: Bool = false) -> String {
        guard !text.isEmpty else { return "%" }
        // Nearly every id is plain ASCII, and each ranking names a hundred.
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != 0x25 && !(alsoSlash && $0 == 0x2F)
        }
        guard !isPlain else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let isPlain =
                !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control && scalar != "%"
                && !(alsoSlash && scalar == "/")
            for byte in String(scalar).utf8 {
                bytes += isPlain ? [byte] : [0x25, hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Undoes ``escaped(_:alsoSlash:)``; a `%` without two digits stays.
    package static func unescaped(_ text: String) -> String {
        guard text != "%" else { return "" }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == 0x25, rest.count >= 2, digits.utf8.allSatisfy(isHexadecimal),
                let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
