import ChatCore
import Foundation
import Histories
import Testing

@Suite struct JSONStreamValueTests {
    @Test(arguments: [1, 4, 9, 1_000]) func aDocumentIsWalkedThrough(length: Int) throws {
        let text = """
            {"about": {"deep": [1, {"messages": "no"}]}, "messages": [ {"id": 1, "text": "}]\\""} , "two",3.5 , null],
             "last": [[]], "empty": []}
            """
        var stream = JSONStream(PieceSource(text, piecesOf: length))
        var captured: [String] = []
        var keys: [String] = []

        try stream.beginObject()
        while let key = try stream.nextKey() {
            keys.append(key)
            guard key == "messages" || key == "empty" else {
                try stream.skipValue()
                continue
            }
            try stream.beginArray()
            while try stream.hasElement() {
                captured.append(String(decoding: try stream.captureValue(limit: 100) ?? Data(), as: UTF8.self))
            }
        }
        let end = try stream.next()

        #expect(keys == ["about", "messages", "last", "empty"])
        #expect(captured == ["{\"id\": 1, \"text\": \"}]\\\"\"}", "\"two\"", "3.5", "null"])
        #expect(end == nil)
        #expect(stream.byteOffset == text.utf8.count)
    }

    @Test func kindsAreToldBeforehand() throws {
        var stream = JSONStream(PieceSource("[{}, [], \"\", -1, true, false, null]"))
        var kinds: [JSONKind?] = []

        try stream.beginArray()
        while try stream.hasElement() {
            kinds.append(try stream.peek())
            try stream.skipValue()
        }

        #expect(kinds == [.object, .array, .string, .number, .bool, .bool, .null])
    }

    @Test func anotherKindThanWantedIsAnErrorThatStays() throws {
        var stream = JSONStream(PieceSource("  [1]"))

        #expect(throws: JSONStreamError.wrongType(offset: 2, wanted: .object)) { try stream.beginObject() }
        #expect(throws: JSONStreamError.wrongType(offset: 2, wanted: .object)) { _ = try stream.next() }
        #expect(throws: JSONStreamError.wrongType(offset: 2, wanted: .object)) { try stream.skipValue() }
    }

    @Test(arguments: [5, 8, 1_000]) func aValueBeyondTheLimitIsPassedOver(length: Int) throws {
        var stream = JSONStream(PieceSource("[\"0123456789\", [1, 2], 7]", piecesOf: length))
        var captured: [String?] = []

        try stream.beginArray()
        while try stream.hasElement() {
            captured.append(try stream.captureValue(limit: 8).map { String(decoding: $0, as: UTF8.self) })
        }

        #expect(captured == [nil, "[1, 2]", "7"])
    }

    @Test func aLongTextEndsInAnErrorWhereItIsReadAsAToken() throws {
        var stream = JSONStream(PieceSource("[\"0123456789\", 1]"), tokenLimit: 11)
        _ = try stream.next()

        #expect(throws: JSONStreamError.tooLong(offset: 1, limit: 11)) { _ = try stream.next() }
    }

    /// In a separate process, so that the memory of tests that run beside it does not count.
    @Test func aHugeTextIsPassedOverInLittleMemory() async {
        await #expect(processExitsWith: .success) {
            let piece = [UInt8](repeating: 0x61, count: 1 << 20)
            let before = try Self.residentPageCount()
            var stream = JSONStream(RepeatingSource(head: "[\"", body: piece, count: 1_024, tail: "\", 5]"))

            try stream.beginArray()
            try #require(try stream.hasElement())
            try #require(try stream.captureValue(limit: 1 << 20) == nil)
            try #require(try stream.next() == .scalar(.number(5)))
            try #require(try stream.next() == .endArray)
            // 16 MiB; the text has a gigabyte.
            try #require(try Self.residentPageCount() - before < 4_096)
        }
    }

    private static func residentPageCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return Int(text.split(separator: " ")[1]) ?? 0
    }

    @Test func depthIsBounded() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        var stream = JSONStream(PieceSource(deep))
        try stream.skipValue()
        #expect(try stream.next() == nil)

        var deeper = JSONStream(PieceSource("[" + deep + "]"))
        #expect(throws: JSONStreamError.tooDeep(offset: 64, limit: 64)) { try deeper.skipValue() }
    }

    @Test(arguments: [1, 2, 3, 50]) func aByteOrderMarkIsPassedOver(length: Int) throws {
        var stream = JSONStream(PieceSource([0xEF, 0xBB, 0xBF] + Array("[]".utf8), piecesOf: length))

        #expect(try stream.next() == .beginArray)
        #expect(try stream.next() == .endArray)
        #expect(try stream.next() == nil)
    }

    @Test func anotherEncodingIsRefused() {
        let pieces: [[UInt8]] = [
            [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], [0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D],
        ]

        for bytes in pieces {
            for length in [1, 50] {
                var stream = JSONStream(PieceSource(bytes, piecesOf: length))
                #expect(throws: JSONStreamError.notUTF8) { _ = try stream.next() }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 50]) func bytesThatAreNotUTF8AreTold(length: Int) throws {
        let text = Array("[\"Gru\u{DF} ☕😀\", \"".utf8)
        let cases: [[UInt8]] = [
            [0xFC, 0x22, 0x5D], [0xE2, 0x98, 0x22, 0x5D], [0xC0, 0x80, 0x22], [0xED, 0xA0, 0x80],
        ]

        for wrong in cases {
            var stream = JSONStream(PieceSource(text + wrong, piecesOf: length))
            #expect {
                try stream.skipValue()
            } throws: { error in
                guard case .invalidUTF8(let offset) = error as? JSONStreamError else { return false }
                return (text.count...text.count + 2).contains(offset)
            }
        }
    }

    @Test func aCharacterThatIsCutOffIsNotUTF8() {
        var stream = JSONStream(PieceSource(Array("[\"☕".utf8.dropLast())))

        #expect(throws: JSONStreamError.invalidUTF8(offset: 4)) { try stream.skipValue() }
    }

    @Test func halfASurrogatePairBecomesAReplacement() throws {
        var stream = JSONStream(PieceSource("[\"a\\uD83Db\", \"\\uDE00\\uD83D\\uDE00\"]"))
        _ = try stream.next()

        #expect(try stream.next() == .scalar(.string("a\u{FFFD}b")))
        #expect(try stream.next() == .scalar(.string("\u{FFFD}😀")))
    }
}
