package import ChatCore
package import Foundation

/// Reads JSON that may be larger than memory, strictly by RFC 8259, in UTF-8.
///
/// A byte order mark is skipped. Only one piece of the source and the captured bytes are stored. After an error nothing
/// more can be read: the same error is thrown again. To read a document:
/// ```swift
/// try json.beginObject()
/// while let key = try json.nextKey() {
///     guard key == "messages" else { try json.skipValue(); continue }
///     try json.beginArray()
///     while try json.hasElement() { let message = try json.captureValue(limit: 1 << 20) }
/// }
/// ```
package struct JSONStream: ~Copyable {
    private var bytes: JSONBytes
    private var scanner = JSONGrammar()
    private let tokenLimit: Int
    private var failure: (any Error)?

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - source: The bytes.
    ///   - tokenLimit: The most bytes of one key or scalar that is returned as a token.
    ///   - takesHexEscapes: Whether `\xNN` means a character, as Telegram Desktop writes control characters.
    ///   - checksEncoding: Whether bytes other than UTF-8 are an error; otherwise captured values must be checked.
    package init(
        _ source: any ByteSource, tokenLimit: Int = 4 << 20, takesHexEscapes: Bool = false,
        checksEncoding: Bool = true
    ) {
        bytes = JSONBytes(source, checksEncoding: checksEncoding)
        scanner.takesHexEscapes = takesHexEscapes
        self.tokenLimit = tokenLimit
    }

    /// Whether `\xNN` means a character.
    var takesHexEscapes: Bool { scanner.takesHexEscapes }

    /// Skips the rest of an invalid value after an error within it.
    ///
    /// - Parameter depth: How many objects and arrays are around the value.
    /// - Returns: Whether its end was found, so that reading can continue.
    /// - Throws: Errors of reading, ``JSONStreamError/truncated(offset:)``.
    mutating func recover(at depth: Int) throws -> Bool {
        guard let known = failure, known is JSONStreamError, scanner.depth >= depth, depth > 0 else { return false }
        failure = nil
        let isFound = try skipBroken(to: depth)
        if !isFound { failure = known }
        return isFound
    }

    private mutating func skipBroken(to depth: Int) throws -> Bool {
        try keepingFailure { stream in
            var recovery = JSONRecovery(stream.scanner, to: depth)
            stream.scanner.resume(at: depth)
            while true {
                guard try stream.bytes.position < stream.bytes.piece.count || stream.bytes.refill() else {
                    throw JSONStreamError.truncated(offset: stream.byteOffset)
                }
                let byte = stream.bytes.piece[stream.bytes.position]
                switch recovery.take(byte) {
                case .within: stream.bytes.position += 1
                case .ended:
                    stream.bytes.position += 1
                    return true
                case .endedBefore:
                    let closes: UInt8 = stream.scanner.isWithinObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
                    return byte == UInt8(ascii: ",") || byte == closes
                }
            }
        }
    }

    /// The number of bytes that were read.
    package var byteOffset: Int { bytes.offset }

    /// How many objects and arrays are around.
    package var depth: Int { scanner.depth }

    /// Returns the next token; nil after the document's end.
    package mutating func next() throws -> JSONToken? {
        try keepingFailure { stream in
            guard try stream.findToken() else { return nil }
            let kind = stream.bytes.kind
            let start = stream.byteOffset
            var capture = JSONCapture(limit: stream.tokenLimit)
            let event = try stream.takeToken(&capture)
            switch event {
            case .beginObject: return .beginObject
            case .endObject: return .endObject
            case .beginArray: return .beginArray
            case .endArray: return .endArray
            case .key, .scalar: break
            }
            guard let text = capture.data else {
                throw JSONStreamError.tooLong(offset: start, limit: stream.tokenLimit)
            }
            if event == .key { return .key(JSONScalar.string(text)) }
            guard let kind, let value = JSONScalar.value(text, kind) else {
                throw JSONStreamError.unexpected(offset: start)
            }
            return .scalar(value)
        }
    }

    /// Returns the bytes of the next value; nil if they are more than `limit`, then they are skipped.
    package mutating func captureValue(limit: Int) throws -> Data? {
        var capture = JSONCapture(limit: limit)
        try takeValue(&capture)
        return capture.data
    }

    /// Skips the next value, which may have any length.
    package mutating func skipValue() throws {
        var capture = JSONCapture(limit: 0)
        try takeValue(&capture)
    }

    /// Returns the kind of the next value; nil if there is none.
    package mutating func peek() throws -> JSONKind? {
        try keepingFailure { stream in
            guard try stream.findToken(), stream.scanner.wantsValue else { return nil }
            return stream.bytes.kind
        }
    }

    /// Enters the next object.
    package mutating func beginObject() throws {
        try begin(.object)
    }

    /// Enters the next array.
    package mutating func beginArray() throws {
        try begin(.array)
    }

    /// Returns the name of the next field, and moves to its value; nil at the end of the object, which it leaves.
    package mutating func nextKey() throws -> String? {
        let start = byteOffset
        switch try next() {
        case .key(let key): return key
        case .endObject: return nil
        default: throw fail(JSONStreamError.unexpected(offset: start))
        }
    }

    /// Returns whether the array has another element, and moves to it; at the end it leaves the array.
    package mutating func hasElement() throws -> Bool {
        if try peek() != nil { return true }
        let start = byteOffset
        guard try next() == .endArray else { throw fail(JSONStreamError.unexpected(offset: start)) }
        return false
    }
}

extension JSONStream {
    private mutating func begin(_ wanted: JSONKind) throws {
        guard try peek() == wanted else {
            throw fail(JSONStreamError.wrongType(offset: byteOffset, wanted: wanted))
        }
        _ = try next()
    }

    /// Goes to the first byte of the next token; returns false when the document has ended.
    private mutating func findToken() throws -> Bool {
        while true {
            let wasFound = try scan { scanner, bytes, position throws(JSONGrammar.Failure) in
                try scanner.findToken(in: bytes, from: &position)
            }
            if wasFound {
                guard depth > 0 || !scanner.isAfterValue else {
                    throw JSONStreamError.unexpected(offset: byteOffset)
                }
                return true
            }
            if try !bytes.refill() {
                guard depth == 0, scanner.isAfterValue else { throw JSONStreamError.truncated(offset: byteOffset) }
                return false
            }
        }
    }

    private mutating func takeToken(_ capture: inout JSONCapture) throws -> JSONGrammar.Event {
        while true {
            let start = bytes.position
            let event = try scan { scanner, bytes, position throws(JSONGrammar.Failure) in
                try scanner.takeToken(in: bytes, from: &position)
            }
            bytes.copy(from: start, to: &capture)
            if let event { return event }
            if try !bytes.refill() {
                guard let event = scanner.end() else { throw JSONStreamError.truncated(offset: byteOffset) }
                return event
            }
        }
    }

    private mutating func takeValue(_ capture: inout JSONCapture) throws {
        try keepingFailure { stream in
            guard try stream.findToken(), stream.scanner.wantsValue else {
                throw JSONStreamError.unexpected(offset: stream.byteOffset)
            }
            let depth = stream.depth
            while true {
                let start = stream.bytes.position
                let isOver = try stream.scan { scanner, bytes, position throws(JSONGrammar.Failure) in
                    try scanner.takeValue(in: bytes, from: &position, depth: depth)
                }
                stream.bytes.copy(from: start, to: &capture)
                if isOver { return }
                if try !stream.bytes.refill() {
                    guard stream.scanner.end() != nil, stream.depth == depth else {
                        throw JSONStreamError.truncated(offset: stream.byteOffset)
                    }
                    return
                }
            }
        }
    }

    /// Lets the scanner read the available bytes.
    @inline(__always)
    private mutating func scan<Result>(
        _ body: (inout JSONGrammar, UnsafeBufferPointer<UInt8>, inout Int) throws(JSONGrammar.Failure) -> Result
    ) throws(JSONStreamError) -> Result {
        // Local copies, which the compiler keeps in registers.
        var scanner = self.scanner
        var position = bytes.position
        defer {
            self.scanner = scanner
            bytes.position = position
        }
        do throws(JSONGrammar.Failure) {
            return try bytes.piece.withUnsafeBufferPointer { piece throws(JSONGrammar.Failure) in
                try body(&scanner, piece, &position)
            }
        } catch {
            let offset = bytes.baseOffset + position
            switch error {
            case .unexpected: throw .unexpected(offset: offset)
            case .tooDeep: throw .tooDeep(offset: offset, limit: JSONGrammar.depthLimit)
            }
        }
    }

    private mutating func keepingFailure<Result>(
        _ body: (inout JSONStream) throws -> Result
    ) throws -> Result {
        if let failure { throw failure }
        do {
            return try body(&self)
        } catch {
            throw fail(error)
        }
    }

    private mutating func fail(_ error: any Error) -> any Error {
        failure = error
        return error
    }
}

/// A piece of JSON.
package enum JSONToken: Equatable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// A field's name.
    case key(String)
    /// A text, a number, true, false or null.
    case scalar(JSONValue)
}

/// The kind of a value.
package enum JSONKind {
    case object, array, string, number, bool, null
}
