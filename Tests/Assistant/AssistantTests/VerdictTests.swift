import Assistant
import ChatCore
import Logging
import Prompting
import Retrieval
import TestSupport
import Testing

/// What people say about replaced messages, in timelines and answers.
@Suite struct VerdictTests {
    private let store = InMemoryStore()

    /// "c" has Ada, Bob and Eve, "d" only Ada and Bob; each message is a day after the one before.
    private func furnish(_ texts: [(conversation: ConversationID, text: String)]) async throws {
        for roster in [ConversationRoster.of("c", ["ada", "bob", "eve"]), .of("d", ["ada", "bob"])] {
            _ = try await store.store([roster], source: "api", mode: .posting, at: .second(0))
        }
        for (place, text) in texts.enumerated() {
            let message = Message.short(
                text.conversation, MessageID(rawValue: "m\(place)"), by: "bob", text.text, at: 86_400 * place)
            _ = try await store.accept([message], source: "api", mode: .posting, at: .second(1))
        }
    }

    private static let moved: [(conversation: ConversationID, text: String)] = [
        ("c", "The regatta is on 12 November."), ("c", "The regatta has been moved to 20 November."),
        ("d", "Captain says 27 November for that regatta, all clear."),
    ]

    private func key(_ place: Int) -> MessageKey {
        .of(Self.moved[place].conversation, MessageID(rawValue: "m\(place)"))
    }

    private func say(_ kind: ReplacementVerdict.Kind?, _ older: Int, by newer: Int, _ user: UserID = "ada") async throws
    {
        try await store.setVerdict(
            kind, on: ReplacementVerdict.Subject(older: key(older), newer: key(newer)), by: user, at: .second(400_000))
    }

    /// A search that finds these messages.
    private func search(_ places: [Int]) async throws -> VerdictSearching {
        let scope = SearchScope(asker: "bob", conversations: .all)
        let permitted = try await store.permitted(scope, at: .second(400_001))
        var hits: [Hit] = []
        for place in places {
            let found = try await store.stored([key(place)])[key(place)]
            let message = try #require(found)
            let conversation = try #require(permitted.first { $0.id == message.key.conversationID })
            hits.append(
                Hit(message: message, conversation: conversation, rank: hits.count + 1, relevance: 0.9))
        }
        return VerdictSearching(FakeSearching(hits: hits), verdicts: store, now: { .second(400_001) })
    }

    /// The timeline as `m0>m1 person` for each entry, oldest first.
    private func timeline(
        finding places: [Int], _ asker: UserID = "ada", conversations: SearchScope.Conversations = .all,
        to end: Timestamp? = nil
    ) async throws -> [String] {
        var request = TimelineRequest(
            subject: "regatta", scope: SearchScope(asker: asker, conversations: conversations),
            askedAt: .second(400_001))
        request.filter.to = end
        let found = try await TimelineFinder(searching: search(places)).timeline(request)
        return found.entries.reversed().map { entry in
            entry.hit.message.key.messageID.rawValue + (entry.replacedBy.map { ">\($0.messageID)" } ?? "")
                + (entry.verdict.map { " \($0.kind) \($0.newer.key.messageID) \($0.userID)" } ?? "")
        }
    }

    @Test func aTimelineFollowsVerdictsAtOnce() async throws {
        try await furnish(Self.moved)
        #expect(try await timeline(finding: [0, 1]) == ["m0>m1", "m1"])

        try await say(.holds, 0, by: 1)
        #expect(try await timeline(finding: [0, 1]) == ["m0 holds m1 ada", "m1"])
        #expect(try await timeline(finding: [0, 1], "eve") == ["m0 holds m1 ada", "m1"])

        try await say(.replaced, 0, by: 1, "eve")
        #expect(try await timeline(finding: [0, 1]) == ["m0>m1 replaced m1 eve", "m1"])

        try await say(nil, 0, by: 1, "eve")
        try await say(nil, 0, by: 1)
        #expect(try await timeline(finding: [0, 1]) == ["m0>m1", "m1"])
    }

    @Test func whatReplacedAMessageIsReadIfTheSearchDidNotFindIt() async throws {
        try await furnish(Self.moved)
        try await say(.replaced, 1, by: 2)

        #expect(try await timeline(finding: [1]) == ["m1>m2 replaced m2 ada", "m2"])
        // Of what was said of that one, too.
        try await say(.replaced, 0, by: 1)
        #expect(
            try await timeline(finding: [0]) == ["m0>m2 replaced m1 ada", "m1>m2 replaced m2 ada", "m2"])
    }

    @Test func nobodyLearnsOfAMessageThatTheyCannotRead() async throws {
        try await furnish(Self.moved)
        try await say(.replaced, 1, by: 2)

        #expect(try await timeline(finding: [0, 1], "eve") == ["m0>m1", "m1"])
        #expect(try await timeline(finding: [0, 1], conversations: .only(["c"])) == ["m0>m1", "m1"])
        // As of the day before it was written.
        #expect(try await timeline(finding: [0, 1], to: .second(86_400 * 2)) == ["m0>m1", "m1"])

        try await store.removeMember("ada", from: "d", at: .second(400_000))
        #expect(try await timeline(finding: [0, 1]) == ["m0>m1", "m1"])
        #expect(try await timeline(finding: [0, 1], "bob") == ["m0>m2", "m1>m2 replaced m2 ada", "m2"])
    }

    @Test func aVerdictGoesWithItsMessages() async throws {
        try await furnish(Self.moved)
        try await say(.replaced, 1, by: 2)
        try await store.delete(key(2), at: .second(400_000))

        #expect(try await timeline(finding: [0, 1]) == ["m0>m1", "m1"])
    }

    private func answer(finding places: [Int], _ asker: UserID = "ada", limit: Int = 5) async throws -> Answer {
        let session = ModelSession(
            model: nil, prompts: try PromptLibrary(overrides: nil), now: { .second(400_001) },
            logger: Logger(label: "test"))
        let service = AnswerService(searching: try await search(places), session: session, turns: nil)
        let request = AskRequest(
            question: "When is the regatta?", scope: SearchScope(asker: asker, conversations: .all), limit: limit)
        return try await service.whole(request)
    }

    @Test func anAnswerFollowsVerdicts() async throws {
        try await furnish(Self.moved)
        let before = try await answer(finding: [0, 1])
        #expect(before.text.contains("replaced by"))
        #expect(before.sources.map(\.replacedBy) == [key(1), nil])
        #expect(before.sources.map(\.verdict) == [nil, nil])

        try await say(.holds, 0, by: 1)
        let after = try await answer(finding: [0, 1])
        #expect(!after.text.contains("replaced by"))
        #expect(after.sources.map(\.replacedBy) == [nil, nil])
        #expect(after.sources.first?.verdict?.userName == "Name of ada")

        try await say(.replaced, 0, by: 2)
        let named = try await answer(finding: [0, 1])
        #expect(named.text.hasPrefix("> Name of bob, 2025-06-17: Captain says 27 November"))
        #expect(named.sources.map(\.hit.message.key) == [key(2), key(0), key(1)])
        #expect(named.sources.map(\.replacedBy) == [nil, key(2), nil])
        #expect(named.sources.map(\.hit.rank) == [1, 2, 3])
        let others = try await answer(finding: [0, 1], "eve")
        #expect(others.sources.map(\.hit.message.key) == [key(0), key(1)])
        #expect(others.sources.map(\.replacedBy) == [nil, nil])
        #expect(try await answer(finding: [0, 1], limit: 1).sources.map(\.replacedBy).contains(key(2)))
    }
}
