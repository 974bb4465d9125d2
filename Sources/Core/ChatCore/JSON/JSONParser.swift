/// Reads RFC 8259 JSON strictly: valid UTF-8, limited depth, the offset of the first error.
///
/// If a key occurs twice the last one counts, unless that is refused. Whole numbers keep all their digits up to 64
/// bits.
public struct JSONParser {
    /// How deep arrays and objects may be nested.
    public static let depthLimit = 64

    private let bytes: [UInt8]
    private let takesRepeatedKeys: Bool
    private var position = 0

    /// Reads one value that fills all of `bytes`.
    ///
    /// - Throws: ``JSONSyntaxError``.
    public static func parse(_ bytes: [UInt8], takesRepeatedKeys: Bool = true) throws(JSONSyntaxError) -> JSONValue {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .invalidUTF8 }
        var parser = JSONParser(bytes: bytes, takesRepeatedKeys: takesRepeatedKeys)
        parser.skipSpace()
        guard parser.peek != nil else { throw .empty }
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.peek == nil else { throw .unexpected(offset: parser.position) }
        return value
    }

    private init(bytes: [UInt8], takesRepeatedKeys: Bool) {
        self.bytes = bytes
        self.takesRepeatedKeys = takesRepeatedKeys
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var failure: JSONSyntaxError { position < bytes.count ? .unexpected(offset: position) : .truncated }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[offset] else { throw failure }
            position += 1
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var fields: [String: JSONValue] = [:]
        skipSpace()
        if skip("}") { return .object(fields) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw failure }
            let start = position
            let key = try string()
            guard takesRepeatedKeys || fields[key] == nil else { throw .unexpected(offset: start) }
            skipSpace()
            guard skip(":") else { throw failure }
            skipSpace()
            fields[key] = try value(depth: depth + 1)
            skipSpace()
            if skip("}") { return .object(fields) }
            guard skip(",") else { throw failure }
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if skip("]") { return .array(values) }
        while true {
            skipSpace()
            values.append(try value(depth: depth + 1))
            skipSpace()
            if skip("]") { return .array(values) }
            guard skip(",") else { throw failure }
        }
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = skip("-")
        if skip("0") {
            if let byte = peek, Self.isDigit(byte) { throw failure }
        } else {
            try digits()
        }
        var isWhole = true
        if skip(".") {
            isWhole = false
            try digits()
        }
        if skip("e") || skip("E") {
            isWhole = false
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw .unexpected(offset: start) }
        return .double(double)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard let byte = peek, Self.isDigit(byte) else { throw failure }
        while let byte = peek, Self.isDigit(byte) { position += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: bytes[start..<position - 1], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while let byte = peek, byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try appendEscape(to: &text)
            default: text.append(byte)
            }
        }
        throw failure
    }

    private mutating func appendEscape(to text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = peek else { throw .truncated }
        if byte == UInt8(ascii: "u") {
            text.append(contentsOf: Array(String(try escapedScalar()).utf8))
            return
        }
        guard let plain = Self.escapes[byte] else { throw failure }
        text.append(plain)
        position += 1
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// Reads `uXXXX`, or two of them that form a pair; a lone half of a pair is an error.
    private mutating func escapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), skip("\\"), peek == UInt8(ascii: "u") else {
            throw .unexpected(offset: start)
        }
        let second = try codeUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw .unexpected(offset: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
        position += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw failure }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}

/// Why bytes are not valid JSON.
public enum JSONSyntaxError: Error, Equatable, Sendable {
    /// Nothing but white space.
    case empty
    /// Not UTF-8; the standard library does not say which byte is wrong.
    case invalidUTF8
    /// Arrays and objects are nested beyond the limit.
    case tooDeep(limit: Int)
    /// Not JSON at this byte, counted from 0.
    case unexpected(offset: Int)
    /// The text ends within a value.
    case truncated

    /// One line for a client.
    public var detail: String {
        switch self {
        case .empty: "the body is empty; send a JSON object"
        case .invalidUTF8: "the body is not valid UTF-8"
        case .tooDeep(let limit): "the body is nested deeper than \(limit) levels"
        case .unexpected(let offset): "the body is not valid JSON at byte \(offset)"
        case .truncated: "the body is not valid JSON: it ends too early"
        }
    }
}
