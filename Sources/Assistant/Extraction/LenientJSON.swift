package import ChatCore

/// Reads the JSON in a language model's reply, even if it is not valid.
///
/// Prose and code fences around it are skipped, and so is a model's thinking in `<think>` tags. Extra commas, comments,
/// single quotes, keys without quotes, line breaks in strings and Python's constants are accepted. Of a list that
/// breaks off the complete elements count. It never fails: unreadable parts are left out.
package struct LenientJSON: Sendable {
    /// How much is read.
    package struct Limits: Hashable, Sendable {
        /// The most bytes of a reply; the rest is not looked at.
        package var byteCount: Int
        /// How deep lists and objects may lie in one another; deeper ones are not read.
        package var depth: Int
        /// The most values in all.
        package var valueCount: Int

        /// Makes limits; the defaults are far beyond what a good reply needs.
        package init(byteCount: Int = 256 * 1024, depth: Int = 24, valueCount: Int = 50_000) {
            self.byteCount = byteCount
            self.depth = depth
            self.valueCount = valueCount
        }
    }

    /// The lists and objects that were found, in order.
    package let values: [JSONValue]
    /// Whether the last of them broke off.
    package let isTruncated: Bool

    /// Reads a reply.
    package init(_ reply: String, limits: Limits = Limits()) {
        var scanner = LenientScanner(Array(Self.withoutThoughts(reply).utf8.prefix(limits.byteCount)), limits: limits)
        var values: [JSONValue] = []
        var isTruncated = false
        while let (value, isComplete) = scanner.nextValue() {
            values.append(value)
            isTruncated = !isComplete
        }
        self.values = values
        self.isTruncated = isTruncated
    }

    /// Returns the text after the last closing tag of a thought.
    private static func withoutThoughts(_ reply: String) -> Substring {
        let tag = "</think>"
        guard let end = reply.ranges(of: tag).last?.upperBound else { return reply[...] }
        return reply[end...]
    }
}

/// Walks over the bytes of a reply.
struct LenientScanner {
    private let bytes: [UInt8]
    private let limits: LenientJSON.Limits
    private var position = 0
    private var valueCount = 0
    /// Whether the end came before everything was closed.
    private var isCut = false

    init(_ bytes: [UInt8], limits: LenientJSON.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Returns the next list or object; nil after the last.
    mutating func nextValue() -> (JSONValue, isComplete: Bool)? {
        while let byte = peek() {
            guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
                position += 1
                continue
            }
            let start = position
            isCut = false
            if let value = value(depth: 0) { return (value, !isCut) }
            position = max(position, start + 1)
            guard valueCount < limits.valueCount else { return nil }
        }
        return nil
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: Character) -> Bool {
        guard peek() == byte.asciiValue else { return false }
        position += 1
        return true
    }

    /// Passes over white space and comments.
    private mutating func skipSpace() {
        while let byte = peek() {
            if byte <= 0x20 {
                position += 1
            } else if starts("//") {
                position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            } else if starts("/*") {
                position += 2
                while position < bytes.count, !starts("*/") { position += 1 }
                position = min(position + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    /// Reads a value; nil if there is none.
    private mutating func value(depth: Int) -> JSONValue? {
        valueCount += 1
        guard depth < limits.depth, valueCount <= limits.valueCount else { return nil }
        skipSpace()
        guard let byte = peek() else {
            isCut = true
            return nil
        }
        switch byte {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string().map { .string($0) }
        default: return bareWord()
        }
    }

    /// Reads a list; if it breaks off, or continues with something else, the elements before that.
    private mutating func array(depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        while true {
            skipSpace()
            if skip("]") { return .array(elements) }
            if skip(",") { continue }
            let before = position
            guard let element = value(depth: depth + 1) else {
                guard isCut || !elements.isEmpty else { return nil }
                if !isCut { position = max(position, before) }
                return .array(elements)
            }
            guard isCut else {
                elements.append(element)
                continue
            }
            // An incomplete element is dropped, but a list in it may have complete elements.
            if case .array = element { elements.append(element) }
            return .array(elements)
        }
    }

    /// Reads an object; one that breaks off keeps its complete members and is marked.
    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [String: JSONValue] = [:]
        while true {
            skipSpace()
            if skip("}") { return .object(members) }
            if skip(",") { continue }
            guard peek() != nil else {
                isCut = true
                return .object(members)
            }
            guard let key = key() else { return isCut ? .object(members) : nil }
            skipSpace()
            guard skip(":") else {
                isCut = isCut || peek() == nil
                return isCut ? .object(members) : nil
            }
            guard let value = value(depth: depth + 1) else { return isCut ? .object(members) : nil }
            if members[key] == nil { members[key] = value }
            if isCut { return .object(members) }
        }
    }

    private mutating func key() -> String? {
        if let byte = peek(), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return string() }
        let word = bytes[position...].prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        guard !word.isEmpty else { return nil }
        position += word.count
        return String(decoding: word, as: UTF8.self)
    }

    /// Reads a number or a constant.
    private mutating func bareWord() -> JSONValue? {
        let word = bytes[position...].prefix { byte in
            byte > 0x20 && !",:]}[{\"".utf8.contains(byte)
        }
        guard !word.isEmpty, word.count <= 32 else { return nil }
        let text = String(decoding: word, as: UTF8.self)
        let meaning: JSONValue? =
            switch text {
            case "null", "None", "NULL", "undefined", "NaN", "nil": .null
            case "true", "True": .bool(true)
            case "false", "False": .bool(false)
            default: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
            }
        guard let meaning else {
            isCut = isCut || position + word.count == bytes.count
            return nil
        }
        position += word.count
        // More digits may be missing.
        isCut = isCut || position == bytes.count
        return meaning
    }
}

// Strings.
extension LenientScanner {
    private mutating func string() -> String? {
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == UInt8(ascii: "\\") {
                guard escape(into: &text) else { break }
            } else if byte == quote, endsString(quote) {
                return String(decoding: text, as: UTF8.self)
            } else {
                text.append(byte)
            }
        }
        isCut = true
        return nil
    }

    /// Whether a quote closes a string; it does not if it is an unescaped quote inside of it, or an apostrophe.
    private func endsString(_ quote: UInt8) -> Bool {
        var next = position
        while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
        guard next < bytes.count else { return true }
        // The comma between two strings may be missing.
        return ",:]}".utf8.contains(bytes[next]) || (bytes[next] == quote && next > position)
    }

    /// Reads the characters after a backslash; false at the end of the reply.
    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let byte = peek() else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): break
        case UInt8(ascii: "u"): unicode(into: &text)
        default: text.append(byte)
        }
        return true
    }

    private mutating func unicode(into text: inout [UInt8]) {
        guard let high = unit() else { return }
        var value = UInt32(high)
        if (0xD800..<0xDC00).contains(high), starts("\\u") {
            position += 2
            if let low = unit(), (0xDC00..<0xE000).contains(low) {
                value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            }
        }
        text.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }

    private mutating func unit() -> UInt16? {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return nil
        }
        position += 4
        return value
    }
}
