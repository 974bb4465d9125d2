import ChatCore
import Retrieval
import TestSupport
import Testing

@Suite struct NeighbourVectorTests {
    private static let gap = 6 * 3_600
    private let embedder = FakeEmbedder()
    private let fixture: SearchFixture

    init() {
        fixture = SearchFixture(embedder)
    }

    /// The definition: cosine of the question and the mean of the messages' vectors, in double precision.
    private func window(_ question: String, _ messages: [Message]) -> Double {
        let vectors = messages.map { embedder.vector(of: "\($0.senderName): \($0.text)").map(Double.init) }
        let query = embedder.vector(of: question).map(Double.init)
        let mean = query.indices.map { place in vectors.reduce(0) { $0 + $1[place] } / Double(vectors.count) }
        let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return zip(query, mean).reduce(0) { $0 + $1.0 * $1.1 } / length
    }

    /// The message with those right before and after it: same conversation, same thread, not too far.
    private func beside(_ message: Message, in all: [Message]) -> [Message] {
        let row = all.filter {
            $0.key.conversationID == message.key.conversationID && $0.threadRootID == message.threadRootID
        }.sorted { $0.timestamp < $1.timestamp }
        guard let place = row.firstIndex(of: message) else { return [] }
        return (max(0, place - 1)...min(row.count - 1, place + 1)).map { row[$0] }.filter {
            abs($0.timestamp.microseconds - message.timestamp.microseconds) <= Int64(Self.gap) * 1_000_000
        }
    }

    private func random(seed: UInt64) -> [Message] {
        var generator = SplitMix(state: seed)
        let words = ["pilot", "berth", "cat", "money", "sun"]
        return (0..<36).map { number in
            var message = Message.sample(
                ["a", "b", "c"].randomElement(using: &generator) ?? "a", MessageID(rawValue: "m\(number)"),
                by: ["ada", "bob"].randomElement(using: &generator) ?? "ada",
                (0..<3).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
                    + " \(number)",
                // Some neighbours are too far apart.
                at: number * 997 + (number / 9) * 30_000)
            message.threadRootID = Int.random(in: 0..<3, using: &generator) == 0 ? "root" : nil
            return message
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func theWindowIsTheMeanOfAMessageAndItsNeighbours(seed: UInt64) async throws {
        let messages = random(seed: seed)
        try await fixture.open("a", "b", "c", members: ["ada", "bob"])
        try await fixture.accept(messages)
        try await fixture.embed()

        let result = try await fixture.search("the pilot and the cat")

        #expect(result.hits.count == messages.count)
        for message in messages {
            let window = try #require(result.signals(of: message.key.messageID)["window"]?.value)
            let expected = self.window("the pilot and the cat", beside(message, in: messages))
            #expect(abs(window - expected) < 1e-5, "\(message.key)")
        }
        #expect(Set(messages.map { beside($0, in: messages).count }) == [1, 2, 3])
    }

    @Test func aLongMessageNeedsItsNeighboursLess() async throws {
        try await fixture.open("a", members: ["ada", "bob"])
        let long = Array(repeating: "the pilot", count: 40).joined(separator: " ")
        let messages = [
            Message.sample("a", "before", by: "bob", "the cat", at: 1),
            Message.sample("a", "long", by: "ada", long, at: 2),
            Message.sample("a", "after", by: "bob", "money", at: 3),
        ]
        try await fixture.accept(messages)
        try await fixture.embed()

        for (tokens, need) in [(80.0, 1), (40, 0.5), (8, 0.1)] {
            let signals = try await fixture.search(
                "the cat", settings: .with { $0.lexical.neighbourTokens = tokens }
            ).signals(of: "long")
            let own = window("the cat", [messages[1]])
            let expected = own + need * (window("the cat", messages) - own)
            #expect(signals["window"].map { abs($0.value - expected) < 1e-5 } == true, "\(tokens)")
        }
    }

    @Test func neighboursThatAreNoCandidatesCount() async throws {
        try await fixture.open("a", members: ["ada", "bob"])
        let messages = [
            Message.sample("a", "before", by: "bob", "a berth?", at: 1),
            Message.sample("a", "best", by: "ada", "the pilot", at: 2),
            Message.sample("a", "after", by: "bob", "money", at: 3),
            Message.sample("a", "far", by: "bob", "cat", at: 4),
        ]
        try await fixture.accept(messages)
        try await fixture.embed()
        let settings = RetrievalSettings.with {
            $0.lexical.isOn = false
            $0.dense.candidateCount = 1
        }

        let result = try await fixture.search("the pilot", settings: settings, limit: 1)

        let signals = result.signals(of: "best")
        #expect(result.mode == .denseOnly)
        #expect(signals["window"].map { abs($0.value - window("the pilot", Array(messages[0...2]))) < 1e-5 } == true)
        #expect(signals["answer"].map { abs($0.value - window("the pilot", [messages[0]])) < 1e-5 } == true)
    }

    @Test func aNeighbourWithoutAVectorIsLeftOut() async throws {
        try await fixture.open("a", members: ["ada"])
        let first = Message.sample("a", "first", by: "ada", "the pilot", at: 1)
        let second = Message.sample("a", "second", by: "ada", "a berth", at: 2)
        try await fixture.add(first, second)
        try await fixture.accept([.sample("a", "third", by: "ada", "a cat", at: 3)])

        let result = try await fixture.search("the pilot")

        #expect(
            result.signals(of: "second")["window"].map {
                abs($0.value - window("the pilot", [first, second])) < 1e-5
            } == true)
        // It has no vector itself.
        #expect(result.signals(of: "third")["cosine"] == nil)
        #expect(result.ids.contains("third"))
    }

    @Test(
        arguments: [
            ("Where is the pilot?", "bob", gap, nil, true),
            ("Is it the pilot? I guess.", "bob", 1, nil, true),
            ("Where is the pilot？ ", "bob", 1, nil, true),
            ("Where is the pilot?", "ada", 1, nil, false),
            ("Where is the pilot?", "bob", gap + 1, nil, false),
            ("There is the pilot.", "bob", 1, nil, false),
            ("Where is the pilot?", "bob", 1, "root", false),
        ] as [(String, String, Int, String?, Bool)])
    func anAnswerFollowsSomebodyElsesQuestion(
        text: String, sender: String, gap: Int, thread: String?, answers: Bool
    ) async throws {
        try await fixture.open("a", members: ["ada", "bob"])
        var before = Message.sample("a", "before", by: UserID(rawValue: sender), text, at: 0)
        before.threadRootID = thread.map { MessageID(rawValue: $0) }
        try await fixture.add(before, .sample("a", "after", by: "ada", "over there", at: gap))

        let result = try await fixture.search("pilot")

        let value = result.signals(of: "after")["answer"]?.value
        #expect((value != nil) == answers)
        #expect(value.map { abs($0 - window("pilot", [before])) < 1e-5 } ?? true)
        #expect(result.signals(of: "before")["answer"] == nil)
    }
}
