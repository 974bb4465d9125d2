import ChatCore
import Retrieval
import TestSupport
import Testing

/// A search in a conversation with a limited history is the search in one that never had the other messages.
@Suite(.hangGuard) struct LimitedHistoryTests {
    private static let words = [
        "pilot", "berth", "cat", "money", "when", "noon", "crane", "permit", "salary", "tide", "valve", "Where?",
    ]

    /// Messages of four people in two conversations, one every four minutes; every ninth one is in a thread.
    private static func messages(seed: UInt64) -> [Message] {
        var generator = SplitMix(state: seed)
        return (0..<160).map { number in
            let text = (0..<5).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
            let place: ConversationID = number % 4 == 0 ? "open" : "team"
            var message = Message(
                key: MessageKey(conversationID: place, messageID: MessageID(rawValue: "m\(number)")),
                senderID: UserID(rawValue: "user\(number % 4)"), senderName: "User \(number % 4)",
                text: text.joined(separator: " "), timestamp: .second(240 * number))
            if number % 9 == 8 { message.threadRootID = MessageID(rawValue: "m\(number - 8)") }
            return message
        }
    }

    private func fixture(_ messages: [Message], spans: [ReadingSpan]?) async throws -> SearchFixture {
        let fixture = SearchFixture()
        try await fixture.open("open", members: ["ada", "bob"])
        var team = ConversationRoster.sample("team", members: ["ada", "bob"])
        if let spans {
            team.conversation.history = .joined
            team.rights = ReadingRights(own: ["ada": spans, "bob": [ReadingSpan()]])
        }
        _ = try await fixture.store.store([team], source: "test", mode: .importing, at: fixture.clock.now())
        try await fixture.accept(messages)
        try await fixture.embed()
        return fixture
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func hiddenMessagesChangeNothing(seed: UInt64) async throws {
        let spans = [
            ReadingSpan(since: .second(240 * 30), until: .second(240 * 60)), ReadingSpan(since: .second(240 * 110)),
        ]
        let all = Self.messages(seed: seed)
        let readable = all.filter {
            $0.key.conversationID == "open" || ReadingSpans(spans).contains($0.timestamp)
        }
        let limited = try await fixture(all, spans: spans)
        let expected = try await fixture(readable, spans: nil)

        for word in Self.words {
            for question in [word, "\(word) crane?", "when was the \(word) of User 2"] {
                let (found, wanted) = (try await limited.search(question), try await expected.search(question))
                #expect(found.ids == wanted.ids, "\(question)")
                #expect(found.hits.map(\.score) == wanted.hits.map(\.score), "\(question)")
                #expect(found.hits.map(\.relevance) == wanted.hits.map(\.relevance), "\(question)")
                #expect(found.confidence == wanted.confidence, "\(question)")
                #expect(!found.hits.isEmpty)
            }
        }
    }

    /// The filter applies before the cut: the best of the readable messages are found however many others fit better.
    @Test func readableMessagesAreFoundBehindManyOthers() async throws {
        let hidden = (0..<300).map { number in
            Message.short(
                "team", MessageID(rawValue: "h\(number)"), by: "bob", "crane permit tide \(number)", at: number)
        }
        let seen = Message.short("team", "seen", by: "bob", "the crane needs a permit", at: 1_000)
        let fixture = try await fixture(hidden + [seen], spans: [ReadingSpan(since: .second(900))])

        for settings in [
            RetrievalSettings(), .with { $0.lexical.isOn = false }, .with { $0.dense.isOn = false },
        ] {
            #expect(try await fixture.search("crane permit tide", settings: settings, limit: 5).ids == ["seen"])
        }
    }
}
