import ChatCore
import Foundation
import Histories
import Testing

/// Bytes in pieces of one length.
struct PieceSource: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let length: Int

    init(_ bytes: [UInt8], piecesOf length: Int = .max) {
        rest = bytes[...]
        self.length = length
    }

    init(_ text: String, piecesOf length: Int = .max) {
        self.init(Array(text.utf8), piecesOf: length)
    }

    mutating func read() -> [UInt8]? {
        defer { rest = rest.dropFirst(length) }
        return rest.isEmpty ? nil : Array(rest.prefix(length))
    }
}

/// One piece of bytes, so many times.
struct RepeatingSource: ByteSource {
    let head: [UInt8]
    let body: [UInt8]
    let tail: [UInt8]
    let count: Int
    private var step = -1

    init(head: String, body: [UInt8], count: Int, tail: String) {
        self.head = Array(head.utf8)
        self.body = body
        self.tail = Array(tail.utf8)
        self.count = count
    }

    mutating func read() -> [UInt8]? {
        defer { step += 1 }
        if step < 0 { return head }
        if step < count { return body }
        return step == count ? tail : nil
    }
}

@Suite struct JSONStreamTests {
    /// All tokens of a text, or the error.
    private static func tokens(_ text: String, piecesOf length: Int = .max) throws -> [JSONToken] {
        try tokens(PieceSource(text, piecesOf: length))
    }

    private static func tokens(_ source: PieceSource, limit: Int = 1_000) throws -> [JSONToken] {
        var stream = JSONStream(source, tokenLimit: limit)
        var tokens: [JSONToken] = []
        while let token = try stream.next() { tokens.append(token) }
        return tokens
    }

    private static func error(_ text: String, piecesOf length: Int = .max) -> JSONStreamError? {
        error(PieceSource(text, piecesOf: length))
    }

    private static func error(_ source: PieceSource, limit: Int = 1_000) -> JSONStreamError? {
        do { _ = try tokens(source, limit: limit) } catch { return error as? JSONStreamError }
        return nil
    }

    @Test(arguments: [1, 2, 3, 5, 7, 8, 64, 1_000]) func tokensDoNotDependOnThePieces(length: Int) throws {
        let text = """
            {"name": "Büro ☕ 😀", "id": -12.5e+3, "messages": [
            \t{"text": "a \\"quoted\\" \\u00fc\\uD83D\\uDE00\\n\\/ line", "flag": true, "none": null},
            {}, [], [0, 1e2, false]\r
            ]}

            """

        let tokens = try Self.tokens(text, piecesOf: length)

        #expect(
            tokens == [
                .beginObject, .key("name"), .scalar(.string("Büro ☕ 😀")), .key("id"), .scalar(.number(-12_500)),
                .key("messages"), .beginArray, .beginObject, .key("text"),
                .scalar(.string("a \"quoted\" ü😀\n/ line")), .key("flag"), .scalar(.bool(true)), .key("none"),
                .scalar(.null), .endObject, .beginObject, .endObject, .beginArray, .endArray, .beginArray,
                .scalar(.number(0)), .scalar(.number(100)), .scalar(.bool(false)), .endArray, .endArray, .endObject,
            ])
    }

    @Test(arguments: [
        ("", 0), (" ", 1), ("{", 1), ("[1", 2), ("[1,", 3), ("{\"a\"", 4), ("{\"a\":", 5), ("\"abc", 4), ("tru", 3),
        ("-", 1), ("1.", 2), ("[\"\\u00", 6),
    ]) func whatEndsTooEarlyIsTruncated(text: String, offset: Int) {
        for length in [1, 3, 100] {
            #expect(Self.error(text, piecesOf: length) == .truncated(offset: offset))
        }
    }

    @Test(arguments: [
        ("[1 2]", 3), ("[1,]", 3), ("[,1]", 1), ("{1:2}", 1), ("{\"a\" 1}", 5), ("{\"a\":1,}", 7),
        ("{\"a\":1 \"b\":2}", 7),
        ("[1}", 2), ("{\"a\":1]", 6), ("{]", 1), ("01", 1), ("+1", 0), (".5", 0), ("1.e5", 2), ("1e+x", 3), ("--1", 1),
        ("nul", 3), ("nulL", 3), ("True", 0), ("'a'", 0), ("\"a\\x\"", 3), ("\"\\u12G4\"", 5), ("\"a\nb\"", 2),
        ("\"a\u{0}\"", 2), ("[1]\u{B}", 3), ("[1] x", 4), ("{} {}", 3), ("// no", 0), ("]", 0), (":1", 0), ("1,2", 1),
        ("[1e999]", 1), ("{\"a\":}", 5), ("\u{C}1", 0),
    ]) func whatIsNotJSONIsTold(text: String, offset: Int) {
        for length in [1, 3, 100] {
            let expected: JSONStreamError = text == "nul" ? .truncated(offset: 3) : .unexpected(offset: offset)
            #expect(Self.error(text, piecesOf: length) == expected)
        }
    }

    @Test func skippingIsAsStrictAsReading() throws {
        for text in ["[1 2]", "{\"a\" 1}", "[\"\\x\"]", "[01]", "[nul]", "[tru e]", "{\"a\":1]", "[\"a\tb\"]", "[-]"] {
            var stream = JSONStream(PieceSource(text))
            let expected = try #require(Self.error(text))
            #expect(throws: expected) { try stream.skipValue() }
        }
    }
}
