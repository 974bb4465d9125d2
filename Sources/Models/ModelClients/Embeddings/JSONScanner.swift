import Foundation

/// Reads JSON from bytes, piece by piece; other parts are checked for their form and skipped.
///
/// For replies that consist mostly of numbers, which a general decoder reads twenty times slower. Every function
/// returns nil or false when the bytes are not what it reads; after that the position is meaningless.
package struct JSONScanner {
    /// No reply nests deeper.
    private static let depthLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    /// Starts at the first byte; `bytes` must outlive the scanner.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether nothing but white space is left.
    package mutating func isAtEnd() -> Bool { next() == nil }

    /// Returns the next byte that is no white space, without taking it.
    mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Consumes a character if it comes next.
    mutating func take(_ sign: UInt8) -> Bool {
        guard next() == sign else { return false }
        position += 1
        return true
    }

    /// Consumes a word such as `null` if it comes next.
    mutating func take(word: StaticString) -> Bool {
        guard next() != nil, position + word.utf8CodeUnitCount <= bytes.count else { return false }
        for place in 0..<word.utf8CodeUnitCount where bytes[position + place] != word.utf8Start[place] { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Reads a string; returns the bytes between its quotes with their escapes.
    mutating func string() -> UnsafeBufferPointer<UInt8>? {
        guard take(0x22) else { return nil }
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case 0x22:
                position += 1
                return UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
            case 0x5C: position += 2
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    /// Reads an object; `member` reads each value, and returns whether it could.
    mutating func object(_ member: (inout JSONScanner, UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard take(0x7B) else { return false }
        if take(0x7D) { return true }
        repeat {
            guard let key = string(), take(0x3A), member(&self, key) else { return false }
        } while take(0x2C)
        return take(0x7D)
    }

    /// Reads an array; `element` reads each value, and returns whether it could.
    mutating func array(_ element: (inout JSONScanner) -> Bool) -> Bool {
        guard take(0x5B) else { return false }
        if take(0x5D) { return true }
        repeat {
            guard element(&self) else { return false }
        } while take(0x2C)
        return take(0x5D)
    }

    /// Reads a whole number.
    package mutating func integer() -> Int? {
        guard next() != nil, let number = DecimalNumber(bytes, &position) else { return nil }
        return number.integer
    }

    /// Reads a number as the nearest `Float`; nil when that is not finite.
    package mutating func float() -> Float? {
        guard next() != nil else { return nil }
        let start = position
        guard let number = DecimalNumber(bytes, &position) else { return nil }
        return number.float ?? DecimalNumber.slowFloat(UnsafeBufferPointer(rebasing: bytes[start..<position]))
    }

    /// Skips a value; returns its bytes.
    package mutating func value() -> UnsafeBufferPointer<UInt8>? {
        guard next() != nil else { return nil }
        let start = position
        guard skip(depth: 0) else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    private mutating func skip(depth: Int) -> Bool {
        guard let byte = next(), depth < Self.depthLimit else { return false }
        switch byte {
        case 0x22: return string() != nil
        case 0x7B: return object { scanner, _ in scanner.skip(depth: depth + 1) }
        case 0x5B: return array { $0.skip(depth: depth + 1) }
        case 0x74: return take(word: "true")
        case 0x66: return take(word: "false")
        case 0x6E: return take(word: "null")
        default: return DecimalNumber(bytes, &position) != nil
        }
    }
}
