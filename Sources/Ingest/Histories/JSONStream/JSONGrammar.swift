/// Reads the bytes of RFC 8259 JSON in pieces of any length, and stores only its place in the grammar.
///
/// It checks neither UTF-8 nor surrogate pairs.
struct JSONGrammar {
    /// How deep arrays and objects may lie within one another.
    static let depthLimit = 64

    /// The end of a part.
    enum Event {
        case beginObject, endObject, beginArray, endArray, key, scalar
    }

    /// Why it stops.
    enum Failure: Error {
        case unexpected, tooDeep
    }

    /// The next expected part.
    private enum Place {
        case value, firstElement, firstKey, key, colon, after
    }

    /// The current token.
    private enum Lexeme {
        case none, string, escape, hex, word, number
    }

    private(set) var depth = 0
    private var place = Place.value
    private var lexeme = Lexeme.none
    /// One bit for each container around, the lowest for the innermost: whether it is an object.
    private var containers: UInt64 = 0
    private var isKey = false
    private var hexDigitsLeft = 0
    /// The remaining bytes of "true", "false" or "null", the next one lowest.
    private var wordLeft: UInt64 = 0
    private var number = JSONNumberState.start
    /// Whether `\xNN` means a character, as Telegram Desktop writes control characters.
    var takesHexEscapes = false

    /// Whether a value has just ended.
    var isAfterValue: Bool { place == .after && lexeme == .none }
    private var isInObject: Bool { containers & 1 == 1 }
    /// Whether a value may begin at the next token.
    var wantsValue: Bool { place == .value || place == .firstElement }

    /// Goes over spaces, commas and colons to the first byte of a token; returns false when the bytes end before.
    @inline(__always)
    mutating func findToken(in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) throws(Failure) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            if byte <= 0x20 {
                guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { throw .unexpected }
            } else if place == .after, byte == UInt8(ascii: ","), depth > 0 {
                place = isInObject ? .key : .value
            } else if place == .colon {
                guard byte == UInt8(ascii: ":") else { throw .unexpected }
                place = .value
            } else {
                return true
            }
            position += 1
        }
        return false
    }

    /// Reads the token that begins or continues here; returns nil if the bytes end first.
    ///
    /// A number ends at the byte after it; at the end of everything, ``end()`` ends it.
    @inline(__always)
    mutating func takeToken(in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) throws(Failure) -> Event? {
        guard position < bytes.count else { return nil }
        if lexeme == .none {
            if let event = try begin(bytes[position]) {
                position += 1
                return event
            }
            if lexeme != .number { position += 1 }
        }
        switch lexeme {
        case .word: return try takeWord(in: bytes, from: &position)
        case .number: return try takeNumber(in: bytes, from: &position)
        case .none, .string, .escape, .hex: return try takeString(in: bytes, from: &position)
        }
    }

    /// Continues to the end of the value at this depth; returns false when the bytes end before.
    mutating func takeValue(
        in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int, depth: Int
    ) throws(Failure) -> Bool {
        while true {
            if lexeme == .none {
                guard try findToken(in: bytes, from: &position) else { return false }
            }
            guard try takeToken(in: bytes, from: &position) != nil else { return false }
            if place == .after, self.depth == depth { return true }
        }
    }

    /// Notes that there are no more bytes; returns the end of a number at the end.
    mutating func end() -> Event? {
        lexeme == .number && number.isComplete ? ended() : nil
    }

    /// Begins a token with its first byte; returns the event of a bracket.
    @inline(__always)
    private mutating func begin(_ byte: UInt8) throws(Failure) -> Event? {
        switch byte {
        case UInt8(ascii: "\""):
            isKey = place == .key || place == .firstKey
            guard isKey || wantsValue else { throw .unexpected }
            lexeme = .string
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try open(isObject: byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close(isObject: byte == UInt8(ascii: "}"))
        default:
            guard wantsValue else { throw .unexpected }
            switch byte {
            case UInt8(ascii: "t"): beginWord("rue")
            case UInt8(ascii: "f"): beginWord("alse")
            case UInt8(ascii: "n"): beginWord("ull")
            default:
                lexeme = .number
                number = .start
            }
        }
        return nil
    }

    private mutating func open(isObject: Bool) throws(Failure) -> Event {
        guard wantsValue else { throw .unexpected }
        guard depth < Self.depthLimit else { throw .tooDeep }
        depth += 1
        containers = containers << 1 | (isObject ? 1 : 0)
        place = isObject ? .firstKey : .firstElement
        return isObject ? .beginObject : .beginArray
    }

    private mutating func close(isObject: Bool) throws(Failure) -> Event {
        let isEmpty = place == (isObject ? .firstKey : .firstElement)
        guard isEmpty || (place == .after && depth > 0 && isInObject == isObject) else { throw .unexpected }
        depth -= 1
        containers >>= 1
        place = .after
        return isObject ? .endObject : .endArray
    }

    @inline(__always)
    private mutating func ended() -> Event {
        lexeme = .none
        place = isKey ? .colon : .after
        defer { isKey = false }
        return isKey ? .key : .scalar
    }
}

// MARK: - Broken values

extension JSONGrammar {
    /// Whether it is within a string.
    var isInString: Bool { lexeme == .string || lexeme == .escape || lexeme == .hex }

    /// Whether the innermost container is an object.
    var isWithinObject: Bool { depth > 0 && isInObject }

    /// Leaves the containers inside the one at `depth`, after a value of it.
    mutating func resume(at depth: Int) {
        containers >>= UInt64(max(0, self.depth - depth))
        self.depth = depth
        (place, lexeme, isKey) = (.after, .none, false)
    }
}

/// Finds the end of a value that is no JSON: brackets and strings are followed, all else is passed over.
struct JSONRecovery {
    private var isInString: Bool
    private var isEscaped = false
    private var depth: Int
    private let target: Int

    /// The effect of a byte.
    enum Step {
        case within
        /// The value ended with this byte.
        case ended
        /// The value ended before this byte.
        case endedBefore
    }

    init(_ grammar: JSONGrammar, to target: Int) {
        isInString = grammar.isInString
        depth = grammar.depth
        self.target = target
    }

    mutating func take(_ byte: UInt8) -> Step {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return .within
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if depth == target { return .endedBefore }
            depth -= 1
            if depth == target { return .ended }
        case UInt8(ascii: ","): if depth == target { return .endedBefore }
        default: break
        }
        return .within
    }
}

// MARK: - Words and numbers

extension JSONGrammar {
    private mutating func beginWord(_ rest: StaticString) {
        lexeme = .word
        wordLeft = 0
        for index in (0..<rest.utf8CodeUnitCount).reversed() {
            wordLeft = wordLeft << 8 | UInt64(rest.utf8Start[index])
        }
    }

    private mutating func takeWord(
        in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int
    ) throws(Failure) -> Event? {
        while position < bytes.count {
            guard UInt64(bytes[position]) == wordLeft & 0xFF else { throw .unexpected }
            position += 1
            wordLeft >>= 8
            if wordLeft == 0 { return ended() }
        }
        return nil
    }

    private mutating func takeNumber(
        in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int
    ) throws(Failure) -> Event? {
        while position < bytes.count {
            guard number.take(bytes[position]) else {
                guard number.isComplete else { throw .unexpected }
                return ended()
            }
            position += 1
        }
        return nil
    }
}

// MARK: - Strings

extension JSONGrammar {
    @inline(__always)
    private mutating func takeString(
        in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int
    ) throws(Failure) -> Event? {
        while true {
            if lexeme == .string { position = Self.plainEnd(in: bytes, from: position) }
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            if lexeme == .string, byte == UInt8(ascii: "\"") {
                position += 1
                return ended()
            }
            try takeSpecial(byte)
            position += 1
        }
    }

    /// Goes into, on or out of an escape.
    private mutating func takeSpecial(_ byte: UInt8) throws(Failure) {
        switch lexeme {
        case .escape:
            let isShort = takesHexEscapes && byte == UInt8(ascii: "x")
            guard isShort || byte == UInt8(ascii: "u") || JSONEscape.isPlain(byte) else { throw .unexpected }
            lexeme = isShort || byte == UInt8(ascii: "u") ? .hex : .string
            hexDigitsLeft = isShort ? 2 : 4
        case .hex:
            guard JSONEscape.isHexDigit(byte) else { throw .unexpected }
            hexDigitsLeft -= 1
            if hexDigitsLeft == 0 { lexeme = .string }
        case .none, .string, .word, .number:
            guard byte == UInt8(ascii: "\\") else { throw .unexpected }
            lexeme = .escape
        }
    }

    /// Returns the place of the next quotation mark, backslash or control character; reads eight bytes at once.
    ///
    /// A byte `b` of a word is zero if `(b - 1) & ~b` has its highest bit set. Below such a byte it holds for no other,
    /// so the lowest bit found is correct.
    @inline(__always)
    static func plainEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let raw = UnsafeRawBufferPointer(bytes)
        var position = start
        while position + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let isQuote = (quote &- ones) & ~quote
            let isBackslash = (backslash &- ones) & ~backslash
            let isControl = (word &- ones &* 0x20) & ~word
            let found = (isQuote | isBackslash | isControl) & (ones &* 0x80)
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            position += 1
        }
        return position
    }
}
