import Foundation

/// The current piece of a source; its bytes are checked to be UTF-8.
struct JSONBytes {
    private(set) var piece: [UInt8] = []
    /// The offset of `piece` in the source.
    private(set) var baseOffset = 0
    /// The next byte in `piece`.
    var position = 0
    private var source: any ByteSource
    /// Nil if readers check the texts themselves.
    private var encoding: UTF8Check?

    init(_ source: any ByteSource, checksEncoding: Bool = true) {
        self.source = source
        encoding = checksEncoding ? UTF8Check() : nil
    }

    var offset: Int { baseOffset + position }

    /// The kind of value that begins at the next byte; nil for none.
    var kind: JSONKind? {
        guard position < piece.count else { return nil }
        switch piece[position] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        default: return nil
        }
    }

    /// Reads the next piece when this one is used up; returns false at the end.
    mutating func refill() throws -> Bool {
        let isFirst = offset == 0
        guard var next = try source.read() else {
            guard encoding?.isComplete != false else { throw JSONStreamError.invalidUTF8(offset: offset) }
            return false
        }
        if isFirst {
            // Enough bytes to recognise the encoding.
            while next.count < 4, let more = try source.read() { next += more }
            guard Self.mayBeUTF8(next) else { throw JSONStreamError.notUTF8 }
        }
        baseOffset += piece.count
        position = isFirst && next.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        piece = next
        if let wrong = encoding?.firstError(in: next) { throw JSONStreamError.invalidUTF8(offset: baseOffset + wrong) }
        return true
    }

    /// Copies the bytes that were read from this piece since `start`.
    func copy(from start: Int, to capture: inout JSONCapture) {
        capture.take(piece[start..<position])
    }

    /// JSON begins with ASCII: a zero among its first two bytes, or a byte order mark, means UTF-16 or UTF-32.
    private static func mayBeUTF8(_ bytes: [UInt8]) -> Bool {
        !bytes.prefix(2).contains(0) && !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF])
    }
}

/// Captured bytes, up to a limit.
struct JSONCapture {
    /// The bytes; nil when there were too many.
    private(set) var data: Data? = Data()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard let count = data?.count else { return }
        if count + bytes.count <= limit { data?.append(contentsOf: bytes) } else { data = nil }
    }
}

/// Why a stream is not JSON that can be read on; offsets are bytes from the stream's beginning.
package enum JSONStreamError: Error, Equatable {
    /// Something else than JSON at this byte.
    case unexpected(offset: Int)
    /// The stream ends within a value, or before one.
    case truncated(offset: Int)
    /// Arrays and objects within one another beyond the limit.
    case tooDeep(offset: Int, limit: Int)
    /// A text or number that should be returned whole begins here and is too long.
    case tooLong(offset: Int, limit: Int)
    /// These bytes are not UTF-8.
    case invalidUTF8(offset: Int)
    /// The stream is in UTF-16 or UTF-32.
    case notUTF8
    /// A value of another type than the caller can use begins here.
    case wrongType(offset: Int, wanted: JSONKind)
}

/// Checks that bytes are UTF-8 when they arrive in pieces.
struct UTF8Check {
    /// The beginning of an incomplete character; at most 3 bytes.
    private var unfinished: [UInt8] = []

    /// Whether the bytes so far end with a whole character.
    var isComplete: Bool { unfinished.isEmpty }

    /// Checks the next piece; returns the index of the first invalid byte, nil when there is none.
    mutating func firstError(in bytes: [UInt8]) -> Int? {
        var start = 0
        while !unfinished.isEmpty, start < bytes.count {
            unfinished.append(bytes[start])
            switch Self.check(unfinished[...]) {
            case .whole: unfinished = []
            case .cut: break
            case .wrong: return start
            }
            start += 1
        }
        switch Self.check(bytes[start...]) {
        case .whole: return nil
        case .cut(let rest):
            unfinished = Array(bytes[rest...])
            return nil
        case .wrong(let offset): return offset
        }
    }

    private enum Verdict {
        case whole
        /// The last character, which begins here, is not finished.
        case cut(at: Int)
        case wrong(at: Int)
    }

    private static func check(_ bytes: ArraySlice<UInt8>) -> Verdict {
        do throws(Unicode.UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return .whole
        } catch {
            let offset = bytes.startIndex + error.byteOffsets.lowerBound
            let isCut = error.kind == .truncatedScalar && error.byteOffsets.upperBound == bytes.count
            return isCut ? .cut(at: offset) : .wrong(at: offset)
        }
    }
}
