import Assistant
import ChatCore
import Prompting
import Retrieval
import TestSupport
import Testing

/// Makes the hit of a rank: message `m1` and so on of a conversation, written so many minutes after ``thursday``.
private func placed(_ rank: Int, in conversation: Int, after minutes: Int) -> Hit {
    let id = ConversationID(rawValue: "c\(conversation)")
    return Hit(
        message: Message(
            key: MessageKey(conversationID: id, messageID: MessageID(rawValue: "m\(rank)")), senderID: "u7",
            senderName: "Ada", text: "Text of \(rank).", timestamp: thursday + .seconds(60 * minutes)),
        conversation: PermittedConversation(
            id: id, number: ConversationNumber(rawValue: Int64(conversation)), displayName: "Harbor \(conversation)",
            timeZone: nil, isMember: true),
        rank: rank, relevance: 1 - Double(rank) / 10)
}

@Suite("Numbers of sources")
struct SourceNumberTests {
    /// Shown by conversation: 3, 1, 5 of the first, then 4, 2 of the second.
    static let hits = [
        placed(1, in: 1, after: 10), placed(2, in: 2, after: 10), placed(3, in: 1, after: 0),
        placed(4, in: 2, after: 0), placed(5, in: 1, after: 20),
    ]

    private func rank(_ key: MessageKey) -> Int? {
        Self.hits.first { $0.message.key == key }?.rank
    }

    @Test("Numbers follow the order of the citations; sources stay by rank")
    func numbersFollowTheOrderOfTheCitations() async throws {
        let model = FakeLanguageModel(replies: [.text("See [1] and [5][4].")])
        let turns = RecordedTurns()
        let service = try makeService(FakeSearching(hits: Self.hits), model: model, turns: turns)

        let events = try await service.events(ask(limit: 2))

        guard case .done(let answer) = events.last, case .retrieved(let retrieved) = events.first else {
            throw ModelServiceError.incompleteReply
        }
        #expect(answer.promptMessageKeys.map(rank) == [3, 1, 5, 4, 2])
        #expect(answer.citations.map(\.number) == [1, 2, 3])
        #expect(answer.text == "See [1] and [2][3].")
        #expect(answer.citations.map { rank($0.messageKey) } == [3, 2, 4])
        #expect(answer.sources.map(\.hit.rank) == [1, 2, 3, 4])
        #expect(answer.sources.map(\.number) == [nil, 2, 1, 3])
        #expect(retrieved.map(\.hit.rank) == [1, 2, 3, 4, 5])
        #expect(retrieved.map(\.number) == [nil, nil, nil, nil, nil])
        #expect(turns.all.map { $0.sourceKeys.map(rank) } == [[3, 1, 5, 4, 2]])
        let texts = try #require(model.requests.first).messages[1].content.split(separator: "\n")
            .filter { $0.hasPrefix("[") || $0.hasPrefix("Text: ") }
        #expect(
            texts.map(String.init)
                == [3, 1, 5, 4, 2].enumerated().flatMap { place, rank in
                    ["[\(place + 1)] BEGIN AAAAAAAAAAAAAAAA", "Text: Text of \(rank)."]
                })
    }

    @Test("By rank the numbers are the ranks")
    func numbersAreRanks() async throws {
        let service = try makeService(
            FakeSearching(hits: Self.hits), model: FakeLanguageModel(replies: [.text("[1] [5]")]),
            settings: AssistantSettings(promptLayout: .byRank))

        let answer = try await service.whole()

        #expect(answer.promptMessageKeys.map(rank) == [1, 2, 3, 4, 5])
        #expect(answer.citations.map { rank($0.messageKey) } == [1, 5])
    }

    @Test("Only the best are chosen, then put in order")
    func choosesByRank() async throws {
        let service = try makeService(
            FakeSearching(hits: Self.hits), model: FakeLanguageModel(replies: [.text("[1] [2] [3] [4]")]),
            settings: AssistantSettings(promptSourceCount: 3))

        let answer = try await service.whole()

        #expect(answer.promptMessageKeys.map(rank) == [3, 1, 2])
        #expect(answer.citations.map(\.number) == [1, 2, 3])
        #expect(answer.sources.map(\.number) == [2, 3, 1, nil, nil])
    }

    @Test("Quotations stand in order of time, then by rank")
    func quotesByRank() async throws {
        let answer = try await makeService(FakeSearching(hits: Self.hits), model: nil).whole()

        #expect(answer.promptMessageKeys.map(rank) == [3, 1, 2])
        #expect(answer.sources.map(\.number) == [2, 3, 1, nil, nil])
    }

    @Test("What lies below the threshold is shown to the model and listed all the same")
    func showsWhatLiesBelowTheThreshold() async throws {
        let model = FakeLanguageModel(replies: [.text("Perhaps [1].")])
        let searching = FakeSearching(hits: Self.hits, noAnswerReason: .belowThreshold)

        let answer = try await makeService(searching, model: model).whole(ask(limit: 1))

        #expect(answer.noAnswerReason == .belowThreshold)
        #expect(answer.promptMessageKeys.map(rank) == [3, 1, 5, 4, 2])
        #expect(answer.sources.map(\.hit.rank) == [1, 3])
        let content = try #require(model.requests.first).messages[1].content
        #expect((1...5).allSatisfy { content.contains("Text: Text of \($0).\nEND") })
    }
}
