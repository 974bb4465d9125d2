import ChatCore
import Foundation

/// The value of the bytes of one well-formed scalar.
enum JSONScalar {
    /// Returns a scalar's value; nil for a number that does not fit a double.
    static func value(_ bytes: Data, _ kind: JSONKind) -> JSONValue? {
        switch kind {
        case .string: return .string(string(bytes))
        case .bool: return .bool(bytes.first == UInt8(ascii: "t"))
        case .number:
            let text = String(decoding: bytes, as: UTF8.self)
            if let integer = Int64(text) { return .integer(integer) }
            guard let number = Double(text), number.isFinite else { return nil }
            return .number(number)
        case .null, .object, .array: return .null
        }
    }

    /// Returns the text of a string with its quotation marks; half of a surrogate pair alone becomes U+FFFD.
    static func string(_ bytes: Data) -> String {
        let content = bytes.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        var units: [UInt16] = []
        var rest = content
        while let byte = rest.first {
            if byte == UInt8(ascii: "\\") {
                units.append(JSONEscape.unit(&rest))
            } else {
                append(&units, to: &text)
                let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
                text.append(contentsOf: String(decoding: plain, as: UTF8.self).unicodeScalars)
                rest = rest.dropFirst(plain.count)
            }
        }
        append(&units, to: &text)
        return String(text)
    }

    private static func append(_ units: inout [UInt16], to text: inout String.UnicodeScalarView) {
        guard !units.isEmpty else { return }
        text.append(contentsOf: String(decoding: units, as: UTF16.self).unicodeScalars)
        units = []
    }
}

/// The escapes in strings.
enum JSONEscape {
    /// Whether a backslash with this byte means one character.
    static func isPlain(_ byte: UInt8) -> Bool { plain(byte) != nil }

    /// Whether a byte is one of the four digits of an escape with "u".
    static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// Removes one well-formed escape from the front of `bytes`; returns its UTF-16 unit.
    static func unit(_ bytes: inout Data) -> UInt16 {
        let byte = bytes.dropFirst().first ?? 0
        if let unit = plain(byte) {
            bytes = bytes.dropFirst(2)
            return UInt16(unit)
        }
        let digitCount = byte == UInt8(ascii: "x") ? 2 : 4
        let digits = String(decoding: bytes.dropFirst(2).prefix(digitCount), as: UTF8.self)
        bytes = bytes.dropFirst(2 + digitCount)
        let unit = UInt16(digits, radix: 16) ?? 0xFFFD
        // Texts must not contain NUL.
        return digitCount == 2 && unit == 0 ? 0xFFFD : unit
    }

    private static func plain(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}

/// How much of a number was seen.
enum JSONNumberState {
    case start, minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

    /// Whether a number may end here.
    var isComplete: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .start, .minus, .point, .exponent, .exponentSign: false
        }
    }

    /// Continues with a byte; returns false when it is not part of the number.
    mutating func take(_ byte: UInt8) -> Bool {
        guard let next = next(byte) else { return false }
        self = next
        return true
    }

    private func next(_ byte: UInt8) -> JSONNumberState? {
        let isDigit = (0x30...0x39).contains(byte)
        switch self {
        case .start where byte == UInt8(ascii: "-"): return .minus
        case .start, .minus: return byte == UInt8(ascii: "0") ? .zero : isDigit ? .integer : nil
        case .integer where isDigit: return .integer
        case .zero, .integer: return byte == UInt8(ascii: ".") ? .point : Self.isExponent(byte) ? .exponent : nil
        case .point: return isDigit ? .fraction : nil
        case .fraction: return isDigit ? .fraction : Self.isExponent(byte) ? .exponent : nil
        case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"): return .exponentSign
        case .exponent, .exponentSign, .exponentDigits: return isDigit ? .exponentDigits : nil
        }
    }

    private static func isExponent(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "e") }
}
