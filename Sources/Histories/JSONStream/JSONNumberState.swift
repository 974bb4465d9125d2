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

    /// Goes on with a byte; returns false when it is not part of the number.
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
