import Foundation

/// A number in JSON notation, to be converted to the nearest binary one.
///
/// The nearest `Float` is computed by way of `Double`: digits and power of ten are exact or off by half a unit in the
/// last place, and so is their quotient, which is then less than two units off. Unless it is that close to the middle
/// between two `Float`s, rounding it again gives the same result as rounding the number itself. `strtof` decides the
/// rest, about one number in a hundred million. After Clinger, "How to read floating point numbers accurately" (PLDI
/// 1990, https://doi.org/10.1145/93542.93557).
struct DecimalNumber {
    private let isNegative: Bool
    /// Its digits, when there are at most 19 that count.
    private let digits: UInt64
    /// The power of ten; nil for more digits, or a larger exponent, than anybody writes.
    private let exponent: Int?
    private let isWhole: Bool

    /// Reads a number; nil if there is none by the rules of JSON.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - position: The start of the number; afterwards its end.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
        let end = bytes.count
        var place = position
        func digit() -> UInt8? {
            guard place < end else { return nil }
            let digit = bytes[place] &- 0x30
            return digit < 10 ? digit : nil
        }
        let isNegative = place < end && bytes[place] == 0x2D
        if isNegative { place += 1 }
        guard let first = digit() else { return nil }
        let start = place
        var value = UInt64(first)
        place += 1
        if first != 0 {
            while let next = digit() {
                value = value &* 10 &+ UInt64(next)
                place += 1
            }
        }
        var digitCount = place - start
        var exponent = 0
        if place < end, bytes[place] == 0x2E {
            place += 1
            let fraction = place
            while let next = digit() {
                value = value &* 10 &+ UInt64(next)
                place += 1
            }
            guard place > fraction else { return nil }
            exponent = fraction - place
            digitCount -= exponent
        }
        isWhole = exponent == 0
        if digitCount > 19 { digitCount -= Self.leadingZeroCount(bytes, from: start) }
        if place < end, bytes[place] | 0x20 == 0x65 {
            place += 1
            let isBelow = place < end && bytes[place] == 0x2D
            if isBelow || (place < end && bytes[place] == 0x2B) { place += 1 }
            guard digit() != nil else { return nil }
            var written = 0
            while let next = digit() {
                written = min(written * 10 + Int(next), 1_000_000)  // bounded: at most a million before
                place += 1
            }
            exponent += isBelow ? -written : written
        }
        position = place
        self.isNegative = isNegative
        digits = value
        self.exponent = digitCount > 19 ? nil : exponent
    }

    /// The number, when it is written as a whole one and not too large.
    var integer: Int? {
        guard isWhole, exponent == 0, let value = Int(exactly: digits) else { return nil }
        return isNegative ? -value : value
    }

    /// The nearest `Float`, if it can be determined without reading the text again.
    @inline(__always)
    var float: Float? {
        guard let exponent, (-22...22).contains(exponent) else { return nil }
        if digits == 0 { return isNegative ? -0.0 : 0 }
        let power = Self.powers[Int(exponent.magnitude)]
        let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
        // Below, steps are wider than elsewhere; above, there may be no nearest one.
        guard value >= 0x1p-126, value < 0x1p127 else { return nil }
        let beyondFloat = Int64(bitPattern: value.bitPattern & 0x1FFF_FFFF)
        guard (beyondFloat - 0x1000_0000).magnitude > 3 else { return nil }
        return Float(isNegative ? -value : value)
    }

    /// Returns the nearest `Float` of a number in JSON's form; nil when that is not finite.
    static func slowFloat(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
        let value = strtof(String(decoding: text, as: UTF8.self), nil)
        return value.isFinite ? value : nil
    }

    private static func leadingZeroCount(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var (place, count) = (start, 0)
        while bytes[place] == 0x30 || bytes[place] == 0x2E {
            if bytes[place] == 0x30 { count += 1 }
            place += 1
            if place == bytes.count { break }
        }
        return count
    }

    /// The powers of ten that a `Double` represents exactly.
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
