import ChatCore
import Retrieval
import Synchronization
import Testing

@Suite struct TokenCacheTests {
    /// The bytes of an entry for a text of so many characters.
    private static func entrySize(_ characterCount: Int) -> Int {
        TokenVectors(
            rows: Array(repeating: 1, count: characterCount), dimensions: 1,
            tokens: Array(repeating: EncodedToken(range: 0..<1, isWord: true), count: characterCount)
        ).byteCount + TokenCache.entryOverhead
    }

    private static func texts(_ texts: String...) -> [TokenText] { texts.map { TokenText(prefix: "Ana", text: $0) } }

    @Test func givesEachTextItsVectorsInOrder() async throws {
        let (encoder, texts) = (SpellingEncoder(), Self.texts("b", "", "abc", "b"))
        let cache = TokenCache(encoder: encoder)

        let first = try await cache.vectors(of: texts)
        let second = try await cache.vectors(of: texts)

        #expect(first == texts.map(SpellingEncoder.vectors))
        #expect(second == first)
    }

    @Test func asksOnceForWhatIsMissingOnly() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder)

        _ = try await cache.vectors(of: Self.texts("a", "b", "a"))
        _ = try await cache.vectors(of: Self.texts("b", "c", "a", "c", "d"))
        _ = try await cache.vectors(of: Self.texts("a", "d"))
        _ = try await cache.vectors(of: [])

        #expect(encoder.calls.map { $0.map(\.text).sorted() } == [["a", "b"], ["c", "d"]])
    }

    /// The last two are the same to a reader and equal as strings, but other bytes.
    @Test func prefixAndTextAreKeptApart() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder)
        let texts = [
            TokenText(prefix: "ab", text: "c"), TokenText(prefix: "a", text: "bc"), TokenText(text: "abc"),
            TokenText(prefix: "a", text: "c"), TokenText(text: "\u{212B}"), TokenText(text: "A\u{30A}"),
        ]

        let vectors = try await cache.vectors(of: texts)

        #expect(vectors == texts.map(SpellingEncoder.vectors))
        #expect(encoder.calls.map(\.count) == [6])
    }

    @Test func leastLatelyUsedMakesRoom() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder, byteLimit: 3 * Self.entrySize(1))

        for text in ["a", "b", "c", "a", "d"] { _ = try await cache.vectors(of: Self.texts(text)) }
        #expect(cache.byteCount == 3 * Self.entrySize(1))
        for text in ["c", "a", "d", "b"] { _ = try await cache.vectors(of: Self.texts(text)) }

        #expect(encoder.calls.map { $0.map(\.text) } == [["a"], ["b"], ["c"], ["d"], ["b"]])
    }

    @Test func anEighthIsFreedAtOnce() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder, byteLimit: 32 * Self.entrySize(1))
        let letters = (0..<32).map { TokenText(text: String(UnicodeScalar(UInt8(65 + $0)))) }

        for letter in letters { _ = try await cache.vectors(of: [letter]) }
        #expect(cache.byteCount == 32 * Self.entrySize(1))
        _ = try await cache.vectors(of: [TokenText(text: "1")])

        #expect(cache.byteCount == 29 * Self.entrySize(1))
        _ = try await cache.vectors(of: Array(letters[4...]))
        #expect(encoder.calls.count == 33)
        _ = try await cache.vectors(of: Array(letters[..<4]))
        #expect(encoder.calls.last?.count == 4)
    }

    @Test func whatIsLargerThanTheLimitIsGivenButNotKept() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder, byteLimit: Self.entrySize(2))

        _ = try await cache.vectors(of: Self.texts("ab"))
        let vectors = try await cache.vectors(of: Self.texts("abc"))

        #expect(vectors == Self.texts("abc").map(SpellingEncoder.vectors))
        #expect(cache.byteCount == Self.entrySize(2))
        _ = try await cache.vectors(of: Self.texts("ab"))
        #expect(encoder.calls.count == 2)
    }

    @Test func noRoomKeepsNothing() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder, byteLimit: 0)

        for _ in 0..<2 { #expect(try await cache.vectors(of: Self.texts("a", "b")).count == 2) }

        #expect(cache.byteCount == 0)
        #expect(encoder.calls.count == 2)
    }

    @Test func failureIsPassedOnAndKeepsNothing() async throws {
        let encoder = SpellingEncoder()
        let cache = TokenCache(encoder: encoder)

        encoder.failure.withLock { $0 = .throwing(.quotaExhausted) }
        await #expect(throws: ModelServiceError.quotaExhausted) { try await cache.vectors(of: Self.texts("a")) }
        encoder.failure.withLock { $0 = .leavingOneOut }
        await #expect(throws: ModelServiceError.invalidReply(reason: "not one matrix of token vectors for each text")) {
            try await cache.vectors(of: Self.texts("a", "b"))
        }

        #expect(cache.byteCount == 0)
        encoder.failure.withLock { $0 = nil }
        #expect(try await cache.vectors(of: Self.texts("a")) == Self.texts("a").map(SpellingEncoder.vectors))
    }

    @Test func manyTasksGetTheirOwnVectorsWithinTheLimit() async throws {
        let limit = 20 * Self.entrySize(3)
        let cache = TokenCache(encoder: SpellingEncoder(), byteLimit: limit)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<200 {
                        let texts = (0..<5).map { TokenText(text: "\((task * 7 + round * 3 + $0) % 60)") }
                        let vectors = try await cache.vectors(of: texts)
                        #expect(vectors == texts.map(SpellingEncoder.vectors))
                        #expect(cache.byteCount <= limit)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// One token of one component a byte: stated by hand, and different for different texts by its length and ranges.
private final class SpellingEncoder: TokenEncoder {
    enum Failure {
        case throwing(ModelServiceError), leavingOneOut
    }

    private let asked = Mutex<[[TokenText]]>([])
    let failure = Mutex<Failure?>(nil)

    var calls: [[TokenText]] { asked.withLock { $0 } }

    func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        asked.withLock { $0.append(texts) }
        switch failure.withLock({ $0 }) {
        case .throwing(let error): throw error
        case .leavingOneOut: return texts.dropLast().map(Self.vectors)
        case nil: return texts.map(Self.vectors)
        }
    }

    static func vectors(_ text: TokenText) -> TokenVectors {
        let bytes = Array(text.text.utf8)
        return TokenVectors(
            rows: bytes.map { Float($0) }, dimensions: 1,
            tokens: bytes.map { EncodedToken(range: Int($0)..<Int($0) + text.prefix.utf8.count, isWord: true) })
    }
}
