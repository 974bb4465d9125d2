import ChatCore
import Retrieval
import TestSupport
import Testing
import TextAnalysis

/// Messages of several passages are found once, at their best passage.
@Suite struct PassageSearchTests {
    private static let tokenCount = 20
    private let embedder = FakeEmbedder(passageTokenCount: tokenCount)
    private let fixture: SearchFixture

    init() { fixture = SearchFixture(embedder) }

    /// Vectors alone, so that the order is that of the cosine.
    private static func cosines(_ candidateCount: Int) -> RetrievalSettings {
        .with {
            $0.lexical.isOn = false
            $0.dense.candidateCount = candidateCount
            $0.dense.dropsNames = false
            $0.fusion.window = 0
            $0.fusion.answer = 0
            $0.fusion.question = 0
            $0.selection.groupsRepeats = false
        }
    }

    private func pieces(_ message: Message) -> [PassagePreparation.Piece] {
        PassagePreparation.pieces(
            senderName: message.senderName, searchableText: message.searchableText,
            limit: PassageLimit(tokenCount: Self.tokenCount))
    }

    private func cosine(_ question: String, _ text: String) -> Double {
        zip(embedder.vector(of: question), embedder.vector(of: text)).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }

    @Test func theBestPassageIsWhatIsFound() async throws {
        let text =
            "The cat sleeps all day on the crane. There is money in the box. The pilot comes at five. And then rain."
        let message = Message.sample("a", "long", by: "ada", text)
        try await fixture.open("a", members: ["ada"])
        try await fixture.add(message, .sample("a", "short", by: "ada", "no such thing", at: 1))

        let result = try await fixture.search("pilot", settings: Self.cosines(50))

        let pieces = pieces(message)
        let best = try #require(pieces.firstIndex { $0.text.contains("pilot") })
        #expect(pieces.count >= 3)
        #expect(best > 0)
        #expect(result.ids == ["long", "short"])
        #expect(result.hits[0].passage == FoundPassage(ordinal: best, range: pieces[best].range))
        #expect(abs(result.hits[0].relevance - cosine("pilot", pieces[best].text)) < 1e-5)
        #expect(text.part(utf8: pieces[best].range).contains("pilot"))
        #expect(result.hits[1].passage == nil)
    }

    @Test func wordsAloneFindTheMessageAsAWhole() async throws {
        try await fixture.open("a", members: ["ada"])
        try await fixture.add(
            .sample(
                "a", "long", by: "ada",
                "The cat sleeps on the crane all day. The zander swims. The pilot comes at five."))

        let result = try await fixture.search("zander", settings: .with { $0.dense.isOn = false })

        #expect(result.ids == ["long"])
        #expect(result.hits[0].passage == nil)
    }

    @Test func oneMessagesPassagesDoNotTakeThePlacesOfOthers() async throws {
        try await fixture.open("a", members: ["ada"])
        let book = String(repeating: "The pilot sits in the pilot boat and waits. ", count: 80)
        try await fixture.add(.sample("a", "book", by: "ada", book))
        for number in 0..<12 {
            let word = number < 6 ? "pilot and cat" : "money"
            try await fixture.add(
                .sample("a", MessageID(rawValue: "m\(number)"), by: "ada", "\(word) \(number)", at: number))
        }

        let result = try await fixture.search("pilot", settings: Self.cosines(5), limit: 5)

        #expect(result.ids == ["book", "m5", "m4", "m3", "m2"])
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func whatIsFoundIsWhatAllPassagesTogetherSay(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let words = ["pilot", "berth", "cat", "money", "sun", "rain", "and", "the"]
        let messages = (0..<40).map { number in
            let sentences = (0..<Int.random(in: 1...14, using: &random)).map { _ in
                (0..<5).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ") + "."
            }
            return Message.sample(
                ["a", "b"].randomElement(using: &random) ?? "a", MessageID(rawValue: "m\(number)"), by: "ada",
                sentences.joined(separator: " ") + " \(number)", at: number)
        }
        try await fixture.open("a", "b", members: ["ada"])
        try await fixture.accept(messages)
        try await fixture.embed()
        let question = "the pilot and the berth"

        let found = try await fixture.search(question, settings: Self.cosines(7), limit: 7)

        let best = messages.map { message in
            (message: message, score: pieces(message).map { cosine(question, $0.text) }.max() ?? 0)
        }.sorted { $0.score > $1.score }
        #expect(found.hits.count == 7)
        #expect(Set(found.ids).count == 7)
        for (hit, wanted) in zip(found.hits, best) {
            #expect(abs(hit.relevance - wanted.score) < 1e-5, "rank \(hit.rank)")
            let own = pieces(hit.message)
            let text = hit.passage.map { own[$0.ordinal].text } ?? own[0].text
            #expect(abs(cosine(question, text) - wanted.score) < 1e-5)
            #expect(hit.passage.map { own[$0.ordinal].range == $0.range } ?? (own.count == 1))
        }
        #expect(messages.contains { pieces($0).count > 4 })
    }

    @Test func whatStandsBesideAPassageAreItsOwnNeighbours() async throws {
        let long = Message.sample(
            "a", "long", by: "ada",
            "The cat sleeps on the crane all day, as ever. The pilot comes at five, says Grace. "
                + "Then money is all gone, and that is it.", at: 1)
        let before = Message.sample(
            "a", "before", by: "ada",
            "berth berth, nothing else is there for us. The sun is so hot today. "
                + "Look at the cat here on the pier.", at: 0)
        let after = Message.sample(
            "a", "after", by: "ada", "No berth is left, says the harbour master. Nobody says that there is money here.",
            at: 2)
        try await fixture.open("a", members: ["ada"])
        try await fixture.accept([before, long, after])
        try await fixture.embed()

        // So that the long one needs its neighbours in full.
        let result = try await fixture.search("pilot berth", settings: .with { $0.lexical.neighbourTokens = 100 })

        let (own, last, next) = (pieces(long), pieces(before), pieces(after))
        try #require([own.count, last.count, next.count] == [3, 3, 2])
        #expect(result.hits.first { $0.message.key.messageID == "long" }?.passage?.ordinal == 1)
        func window(_ texts: [String]) -> Double {
            let vectors = texts.map { embedder.vector(of: $0) }
            let mean = vectors[0].indices.map { place in vectors.reduce(0.0) { $0 + Double($1[place]) } }
            let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return zip(embedder.vector(of: "pilot berth"), mean).reduce(0) { $0 + Double($1.0) * $1.1 } / length
        }
        let found = ["long", "before", "after"].map { result.signals(of: $0)["window"]?.value ?? 0 }
        let wanted = [
            window(own.map(\.text)), window([last[0].text, last[1].text]),
            window([own[2].text, next[0].text, next[1].text]),
        ]
        for (found, wanted) in zip(found, wanted) { #expect(abs(found - wanted) < 1e-5) }
    }
}
