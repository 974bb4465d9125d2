import Accounts
import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing

/// Pages and kinds of `POST /v1/search`.
struct SearchPageTests {
    private static let request = SearchRequest(
        question: "launch", scope: SearchScope(asker: "ada", conversations: .all), limit: 3, askedAt: Sample.now)

    private static func continuation(_ numbers: [Int64], count: Int = 1) -> SearchContinuation {
        SearchContinuation(
            count: count, shown: Set(numbers.map { MessageNumber(rawValue: $0) }),
            newest: MessageNumber(rawValue: 1 << 40))
    }

    @Test(
        arguments: [
            [], [1], [0x7F, 0x80, 0x3FFF, 0x4000], [.max, 1], Array(1...1_000), [5, 1 << 62],
        ] as [[Int64]])
    func aCursorSurvivesItsBytes(numbers: [Int64]) throws {
        let cursor = SearchCursor(Self.continuation(numbers, count: 499), of: Self.request, askedAt: .second(1))

        let read = try #require(SearchCursor(cursor.bytes))
        #expect(read == cursor)
        #expect(read.askedAt == Sample.now)
        #expect(read.belongs(to: Self.request))
    }

    /// Whatever is changed in the bytes, they are refused or read as a cursor that has the same bytes.
    @Test func aDamagedCursorIsRefusedOrMeansOneThing() throws {
        let whole = SearchCursor(Self.continuation([1, 300, 70_000]), of: Self.request, askedAt: .second(1)).bytes
        var bits = SeededBits(state: 7)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &bits) {
                let place = Int.random(in: 0..<bytes.count, using: &bits)
                switch Int.random(in: 0..<3, using: &bits) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &bits)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &bits), at: place)
                }
            }
            guard let cursor = SearchCursor(bytes) else { continue }
            #expect(cursor.bytes == bytes)
        }
        for bytes: [UInt8] in [[], [1], whole.dropLast(), [2] + whole.dropFirst(), whole + whole.suffix(8)] {
            #expect(SearchCursor(bytes) == nil)
        }
    }

    /// Numbers of messages tell how much is written elsewhere.
    @Test func aClientSeesNothingInACursor() async throws {
        let seal = ClientSeal()
        let near = SearchCursor(Self.continuation([7, 8, 9]), of: Self.request, askedAt: .second(1)).bytes
        let far = SearchCursor(Self.continuation([7, 8, 1 << 50]), of: Self.request, askedAt: .second(1)).bytes

        let sealed = try await seal.seal(near)
        #expect(try await seal.seal(near) != sealed)
        #expect(try await seal.seal(far).count == sealed.count)
        #expect(await seal.open(sealed) == near)
        let place = sealed.index(sealed.startIndex, offsetBy: 20)
        let changed = sealed.replacingCharacters(in: place...place, with: sealed[place] == "A" ? "B" : "A")
        #expect(await seal.open(changed) == nil)
        #expect(await ClientSeal().open(sealed) == nil)
        #expect(await seal.open("") == nil)
    }

    @Test func theNextPageIsAskedForWithTheCursor() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([Sample.hit]))
        let continuation = Self.continuation([7, 9])
        parts.searching.continuation = continuation
        let body = #"{"query":"launch","topK":3,"kinds":["image","link"]"#

        let (page, next) = try await withServer(parts) { server in
            let page = try await server.send("POST", "/v1/search", body + "}")
            let cursor = try #require(page.field("next"))
            return (page, try await server.send("POST", "/v1/search", body + #","cursor":"\#(cursor)"}"#))
        }

        #expect(page.status == 200)
        #expect(next.status == 200)
        let requests = parts.searching.requests
        #expect(requests.map(\.continuation) == [nil, continuation])
        #expect(requests.map(\.askedAt) == [Sample.now, Sample.now])
        #expect(requests.map(\.filter.kinds) == [ContentKinds([.image, .link]), ContentKinds([.image, .link])])
    }

    @Test(arguments: [
        #"{"query":"other","topK":3,"cursor":C}"#, #"{"query":"launch","kinds":["link"],"cursor":C}"#,
        #"{"query":"launch","kinds":[],"cursor":C}"#, #"{"query":"launch","senderIds":[],"cursor":C}"#,
        #"{"query":"launch","conversationIds":["a"],"cursor":C}"#,
        #"{"query":"launch","timeZone":"Asia/Tokyo","cursor":C}"#,
        #"{"query":"launch","from":"2026-01-01T00:00:00Z","cursor":C}"#, #"{"query":"launch","cursor":"AAAA"}"#,
        #"{"query":"launch","cursor":""}"#, #"{"query":"launch","cursor":7}"#,
    ])
    func aCursorOfAnotherSearchIsRefused(body: String) async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([Sample.hit]))
        parts.searching.continuation = Self.continuation([7])

        let reply = try await withServer(parts) { server in
            let page = try await server.send("POST", "/v1/search", #"{"query":"launch"}"#)
            let cursor = try #require(page.field("next"))
            return try await server.send("POST", "/v1/search", body.replacing("C}", with: "\"\(cursor)\"}"))
        }

        #expect(reply.status == 400)
        #expect(reply.field("field") == "cursor")
        #expect(parts.searching.requests.count == 1)
    }

    @Test(arguments: [#"["picture"]"#, #"[null]"#, #""image""#, #"["a","a","a","a","a","a","a"]"#])
    func unknownKindsAreRefused(kinds: String) async throws {
        let reply = try await withServer(ServerParts()) {
            try await $0.send("POST", "/v1/search", #"{"query":"q","kinds":\#(kinds)}"#)
        }

        #expect(reply.status == 400)
        #expect(reply.field("field")?.hasPrefix("kinds") == true)
    }
}
