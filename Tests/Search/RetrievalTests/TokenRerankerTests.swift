import ChatCore
import Foundation
import Retrieval
import Synchronization
import TestSupport
import Testing

@Suite struct TokenRerankerTests {
    private let encoder = CompassEncoder()
    private let fixture: SearchFixture

    init() {
        fixture = SearchFixture(encoder)
    }

    /// The fusion orders them first, second, third, fourth; east does not match a question, west is against it.
    private func fill() async throws {
        try await fixture.open("a", "b", "c", "d", members: ["ada"])
        try await fixture.add(
            .sample("a", "first", by: "ada", "pilot west", at: 4),
            .sample("b", "second", by: "ada", "pilot north", at: 3),
            .sample("c", "third", by: "ada", "pilot east", at: 2),
            .sample("d", "fourth", by: "ada", "pilot north", at: 1))
    }

    private static func late(_ count: Int, tokens: Double = 1) -> RetrievalSettings {
        .with {
            $0.late.candidateCount = count
            $0.late.weights.tokens = tokens
        }
    }

    @Test(arguments: ServiceContract<any TokenEncoder>.all)
    func theFakeEncoderKeepsThePromisesOfOne(promise: ServiceContract<any TokenEncoder>) async throws {
        try await promise.check(encoder)
    }

    @Test(arguments: ServiceContract<any Embedder>.all)
    func theFakeEmbedderKeepsThePromisesOfOne(promise: ServiceContract<any Embedder>) async throws {
        try await promise.check(encoder)
    }

    @Test func tokensOrderTheBest() async throws {
        try await fill()

        let fused = try await fixture.search("pilot", settings: Self.late(0))
        let result = try await fixture.search("pilot", settings: Self.late(30))

        #expect(fused.ids == ["first", "second", "third", "fourth"])
        #expect(result.ids == ["second", "fourth", "third", "first"])
        for (id, value) in zip(result.ids, [1.0, 1, 0, -1]) {
            let signal = try #require(result.signals(of: id)["tokens"])
            #expect(abs(signal.value - value) < 1e-6)
            #expect(signal.contribution == signal.value)
        }
        #expect(result.addsUp)
        #expect(result.trace.notes == [])
        #expect(result.trace.durations["tokens"] != nil)
    }

    @Test func ofALongMessageTheSentencesAroundTheFoundOneAreCompared() async throws {
        try await fixture.open("a", "b", members: ["ada"])
        let filler = String(repeating: "Nothing new from the yard today. ", count: 20)
        try await fixture.add(
            .sample("a", "short", by: "ada", "pilot north", at: 2),
            .sample("b", "long", by: "ada", filler + "The pilot came at noon. " + filler + "West of it.", at: 1))

        let result = try await fixture.search("pilot", settings: Self.late(30))

        #expect(Set(result.ids) == ["short", "long"])
        let compared = encoder.asked.map(\.text)
        #expect(compared.contains("pilot north"))
        let part = try #require(compared.first { $0.contains("Nothing new") })
        #expect(part.contains("The pilot came at noon."))
        #expect(part.count <= 240)
    }

    @Test func itsOwnWeightsCount() async throws {
        try await fill()
        var settings = Self.late(30, tokens: 2)
        (settings.fusion.cosine, settings.late.weights.cosine) = (0.3, 0.7)
        settings.late.weights.dense = ["en": 0.5]

        let signals = try await fixture.search("the pilot of all", settings: settings).signals(of: "second")

        let cosine = try #require(signals["cosine"])
        #expect(abs(cosine.contribution - 0.35 * cosine.value) < 1e-12)
        // The factor of the language counts for tokens too.
        #expect(signals["tokens"]?.contribution == signals["tokens"]?.value)
        #expect(signals["tokens"]?.value != 0)
    }

    @Test func theRestCountsAsTheWorstThatWasCompared() async throws {
        try await fill()

        let result = try await fixture.search("pilot", settings: Self.late(2))

        #expect(result.ids == ["second", "first", "third", "fourth"])
        func tokens(_ id: MessageID) -> Double? { result.signals(of: id)["tokens"]?.value }
        let compared = [try #require(tokens("first")), try #require(tokens("second"))]
        #expect(tokens("third") == compared.min() && tokens("fourth") == compared.min())
        #expect(zip(result.hits, result.hits.dropFirst()).allSatisfy { $0.score >= $1.score })
        #expect(result.addsUp)
    }

    @Test func theRanksOfASignalCountAllCandidates() async throws {
        try await fill()

        let result = try await fixture.search("pilot", settings: Self.late(2))

        let ranks = result.ids.compactMap { result.signals(of: $0)["cosine"]?.rank }
        #expect(Set(ranks) == [1, 2, 3, 4])
    }

    @Test(arguments: [0, 1])
    func withoutTwoToCompareNobodyIsAsked(count: Int) async throws {
        try await fill()

        let result = try await fixture.search("pilot", settings: Self.late(count))

        #expect(result.ids == ["first", "second", "third", "fourth"])
        #expect(encoder.asked.isEmpty)
        #expect(result.trace.notes == [])
    }

    @Test func whenItFailsTheOrderOfTheFusionStands() async throws {
        try await fill()
        let fused = try await fixture.search("pilot", settings: Self.late(0))
        encoder.fail(.unreachable(reason: "no"))

        let result = try await fixture.search("pilot", settings: Self.late(30))

        #expect(result.trace.notes == [.tokensFailed])
        #expect(result.hits == fused.hits)
        #expect(result.mode == .hybrid)
        encoder.fail(nil)
        #expect(try await fixture.search("pilot", settings: Self.late(30)).ids.first == "second")
    }

    @Test func comparedAreTheQuestionWithoutNamesAndTheMessagesWithTheirSenders() async throws {
        try await fill()

        _ = try await fixture.search("What did Ada tell the pilot?", settings: Self.late(2))

        let asked = Set(encoder.asked)
        #expect(asked.contains(TokenText(text: "What did tell the pilot?")))
        #expect(asked.count == 3)
        #expect(asked.subtracting([TokenText(text: "What did tell the pilot?")]).allSatisfy { $0.prefix == "ADA" })
    }

    @Test func rareWordsOfTheQuestionWeighMore() async throws {
        try await fixture.open("a", "b", "c", "d", members: ["ada"])
        try await fixture.add(
            .sample("a", "common", by: "ada", "pilot", at: 4), .sample("b", "both", by: "ada", "pilot zander", at: 3),
            .sample("c", "other", by: "ada", "pilot cat", at: 2), .sample("d", "none", by: "ada", "cat", at: 1))

        let result = try await fixture.search("pilot zander", settings: Self.late(30))

        func weight(_ holding: Double) -> Double { 1 + log1p((4 - holding + 0.5) / (holding + 0.5)) / log(100) }
        let expected = weight(3) / (weight(3) + weight(1))
        let value = try #require(result.signals(of: "common")["tokens"]?.value)
        #expect(abs(value - expected) < 1e-6)
        #expect(expected < 0.47)
        #expect(abs((result.signals(of: "both")["tokens"]?.value ?? 0) - 1) < 1e-6)
        #expect(result.signals(of: "none")["tokens"]?.value == 0)
    }

    @Test func tokensAreNotComparedWhereWordsAloneAreSearched() async throws {
        try await fill()

        let result = try await fixture.search("pilot", settings: .with { $0.dense.isOn = false })

        #expect(result.mode == .lexicalOnly)
        #expect(encoder.asked.isEmpty)
    }

    @Test func whatWasErasedIsNotKept() async throws {
        try await fill()
        _ = try await fixture.search("pilot", settings: Self.late(30))
        _ = try await fixture.search("pilot", settings: Self.late(30))
        // The question, and of the four messages two are alike.
        #expect(encoder.asked.count == 4)

        let second = MessageKey(conversationID: "b", messageID: "second")
        try await fixture.store.delete(second, at: fixture.clock.now())
        let result = try await fixture.search("pilot", settings: Self.late(30))

        #expect(result.ids == ["fourth", "third", "first"])
        // The question and the three that are left are encoded again: no earlier result was kept.
        #expect(encoder.asked.count == 8)
    }
}

/// The fake embedder with one token for each word that it knows, in a direction of the word's own: opposed to it in texts
/// that say "west", and no direction in those that say "east".
private final class CompassEncoder: Embedder, TokenEncoder {
    private static let words = ["pilot", "zander", "cat"]
    private let base = FakeEmbedder()
    private let texts = Mutex<[TokenText]>([])
    private let failure = Mutex<ModelServiceError?>(nil)

    var asked: [TokenText] { texts.withLock { $0 } }

    func fail(_ error: ModelServiceError?) { failure.withLock { $0 = error } }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func passageLimit() async throws -> PassageLimit { try await base.passageLimit() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        try await base.embed(texts, as: purpose)
    }

    func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        if let failure = failure.withLock({ $0 }) { throw failure }
        self.texts.withLock { $0 += texts }
        return texts.map(Self.vectors)
    }

    private static func vectors(_ text: TokenText) -> TokenVectors {
        let words = text.text.split(separator: " ")
        let known = words.filter { Self.words.contains(String($0)) }
        return TokenVectors(
            rows: known.flatMap { row(of: String($0), beside: words) }, dimensions: Self.words.count,
            tokens: known.map { word in
                let start = text.text.utf8.distance(from: text.text.startIndex, to: word.startIndex)
                return EncodedToken(range: start..<start + word.utf8.count, isWord: true)
            })
    }

    private static func row(of word: String, beside words: [Substring]) -> [Float] {
        let direction: Float = words.contains("west") ? -1 : words.contains("east") ? 0 : 1
        return Self.words.map { $0 == word ? direction : 0 }
    }
}
