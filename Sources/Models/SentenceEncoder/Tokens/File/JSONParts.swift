import Foundation

/// A value inside of a JSON text, whose parts can be visited without reading all of them.
///
/// Keys are compared byte by byte, while `String` takes texts as equal that Unicode calls equivalent: a vocabulary has
/// both. Only the parts that are decoded are checked strictly.
struct JSONParts {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let range: Range<Int>

    /// Takes a whole text, which must stay while the value is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, 0..<bytes.count) }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) { (self.bytes, self.range) = (bytes, range) }

    /// Whether it is an array.
    var isArray: Bool {
        var cursor = Cursor(bytes: bytes, position: range.lowerBound, end: range.upperBound)
        return cursor.next() == UInt8(ascii: "[")
    }

    /// Returns the value as a type; nil when it is of another one.
    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? JSONDecoder().decode(type, from: Data(UnsafeBufferPointer(rebasing: bytes[range])))
    }

    /// The bytes of a string; nil for other values.
    var text: [UInt8]? {
        var own = UnsafeBufferPointer(rebasing: bytes[range])
        while let last = own.last, last <= 0x20 { own = UnsafeBufferPointer(rebasing: own.dropLast()) }
        guard own.count >= 2, own.first == 0x22, own.last == 0x22 else { return nil }
        let inner = own[1..<own.count - 1]
        if inner.contains(0x5C) { return decoded(String.self).map { Array($0.utf8) } }
        return String(validating: inner, as: UTF8.self) == nil ? nil : Array(inner)
    }

    /// The value of a number; nil for other values.
    var number: Double? { Double(String(decoding: bytes[range], as: UTF8.self).trimmingCharacters(in: .whitespaces)) }

    /// Calls `body` with each key and its value; false when this is no object, or `body` returned false.
    func fields(_ body: (_ key: JSONParts, _ value: JSONParts) -> Bool) -> Bool {
        visit("{", "}") { cursor in
            guard let key = cursor.value(), bytes[key.lowerBound] == 0x22, cursor.skip(":"), let value = cursor.value()
            else { return false }
            return body(JSONParts(bytes, key), JSONParts(bytes, value))
        }
    }

    /// Calls `body` with each element; false when this is no array, or `body` returned false.
    func elements(_ body: (JSONParts) -> Bool) -> Bool {
        visit("[", "]") { cursor in
            guard let value = cursor.value() else { return false }
            return body(JSONParts(bytes, value))
        }
    }

    private func visit(_ start: Unicode.Scalar, _ end: Unicode.Scalar, _ part: (inout Cursor) -> Bool) -> Bool {
        var cursor = Cursor(bytes: bytes, position: range.lowerBound, end: range.upperBound)
        guard cursor.skip(start) else { return false }
        if cursor.skip(end) { return cursor.next() == nil }
        repeat {
            guard part(&cursor) else { return false }
        } while cursor.skip(",")
        return cursor.skip(end) && cursor.next() == nil
    }

    private struct Cursor {
        let bytes: UnsafeBufferPointer<UInt8>
        var position: Int
        let end: Int

        /// The next byte that is no white space; it stays the next.
        mutating func next() -> UInt8? {
            while position < end, bytes[position] <= 0x20 { position += 1 }
            return position < end ? bytes[position] : nil
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard next() == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        /// Moves behind the next value, and returns its place.
        mutating func value() -> Range<Int>? {
            guard let first = next() else { return nil }
            let start = position
            var depth = 0
            if first == 0x22 { return string() ? start..<position : nil }
            if first != UInt8(ascii: "{"), first != UInt8(ascii: "[") {
                while position < end, !Self.endsWord(bytes[position]) { position += 1 }
                return start < position ? start..<position : nil
            }
            while position < end {
                let byte = bytes[position]
                if byte == 0x22 {
                    guard string() else { return nil }
                    continue
                }
                position += 1
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
                if depth == 0 { return start..<position }
            }
            return nil
        }

        /// Moves behind a string.
        private mutating func string() -> Bool {
            position += 1
            while position < end {
                let byte = bytes[position]
                position += byte == 0x5C ? 2 : 1
                if byte == 0x22 { return true }
            }
            return false
        }

        private static func endsWord(_ byte: UInt8) -> Bool {
            byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        }
    }
}
