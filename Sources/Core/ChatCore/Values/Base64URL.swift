public import Foundation

/// Base64 with the alphabet of URLs and without padding (RFC 4648, section 5; RFC 7515, section 2), read strictly: one
/// value has one spelling.
public enum Base64URL {
    /// Returns the text of bytes.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Returns the bytes; nil for anything that an encoder would not write.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= (1 << UInt32(bitCount)) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

extension Data {
    /// Reads base64url (RFC 4648, section 5) with or without padding, and plain base64; nil for any other text.
    ///
    /// Some client libraries write plain base64.
    public init?(base64URL text: String) {
        let characters = text.utf8.filter { $0 != UInt8(ascii: "=") }
        var plain = String(decoding: characters, as: UTF8.self)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        plain += String(repeating: "=", count: (4 - characters.count % 4) % 4)
        self.init(base64Encoded: plain)
    }

    /// The bytes in base64url without padding.
    public var base64URL: String { Base64URL.encode(self) }
}
