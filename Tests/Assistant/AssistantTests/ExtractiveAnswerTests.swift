import Assistant
import ChatCore
import Retrieval
import TestSupport
import Testing

@Suite("Extractive answers")
struct ExtractiveAnswerTests {
    @Test("Quotes and cites the best three, in parts, and keeps the turn")
    func quotes() async throws {
        let hits = [
            hit(1, "We sail [2] at nine.", relevance: 0.8), hit(2, "Sail or not 👨‍👩‍👧.", relevance: 0.9),
            hit(3, "Unrelated.", relevance: 0.66), hit(4, "Sail at ten.", relevance: 0.68), hit(5, relevance: 0.68),
        ]
        let turns = RecordedTurns()
        let service = try makeService(FakeSearching(hits: hits), model: nil, turns: turns)

        let events = try await service.events(ask(limit: 3))

        guard case .done(let answer) = events.last else { throw ModelServiceError.incompleteReply }
        #expect(
            answer.text == """
                > Ada, 2025-10-23: We sail [2] at nine. [1]

                > Ada, 2025-10-23: Sail or not 👨‍👩‍👧. [2]

                > Ada, 2025-10-23: Sail at ten. [3]
                """)
        #expect(answer.notices == [.extractive])
        #expect(answer.noAnswerReason == .none)
        #expect(answer.usage == nil)
        #expect(answer.promptMessageKeys == [key(1), key(2), key(4)])
        #expect(answer.sources.map(\.hit.rank) == [1, 2, 3, 4])
        #expect(answer.sources.map(\.number) == [1, 2, nil, 3])
        #expect(answer.citations.map(\.messageKey) == [key(1), key(2), key(4)])
        #expect(answer.citations.map { characters($0.range, of: answer.text) } == ["[1]", "[2]", "[3]"])
        #expect(turns.all.map(\.sourceKeys) == [[key(1), key(2), key(4)]])

        let deltas = events.compactMap { if case .delta(let text) = $0 { text } else { nil } }
        #expect(deltas.count == 3)
        #expect(deltas.joined() == answer.text)
        #expect(events.first == .retrieved([1, 2, 4].map { Source(number: nil, hit: hits[$0 - 1]) }))
        #expect(events[2] == .citation(answer.citations[0]))
    }

    @Test("Quotes the sentence that answers, in order of time, and leaves out messages with little of the question")
    func quotesSentences() async throws {
        func sent(_ rank: Int, _ second: Int, _ text: String) -> Hit {
            var message = hit(rank, text).message
            message.timestamp = .second(second)
            return Hit(
                message: message, conversation: hit(rank).conversation, rank: rank, relevance: 0.9, passage: nil)
        }
        let hits = [
            sent(1, 500, "Bad weather here. The pilot in Hamburg now goes live on 27 October. Sorry to all."),
            sent(2, 300, "When does the pilot in Hamburg go live?"),
            sent(3, 100, "The pilot in Hamburg goes live 12 October."),
        ]
        let service = try makeService(FakeSearching(hits: hits), model: nil)

        let answer = try await service.whole(ask("When does the pilot in Hamburg go live?"))

        let quotes = answer.text.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).last ?? "" }
        #expect(
            quotes.filter { !$0.isEmpty } == [
                "The pilot in Hamburg now goes live on 27 October. Sorry to all. [1]",
                "The pilot in Hamburg goes live 12 October. (replaced by [1]) [2]",
            ])
        #expect(answer.citations.map(\.messageKey) == [key(1), key(3)])
    }

    @Test("Says who wrote the nearest messages if the search is not sure of an answer")
    func unsure() async throws {
        let hits = [hit(1, "We sail at nine.", relevance: 0.3)]
        let searching = FakeSearching(hits: hits, noAnswerReason: .belowThreshold)

        let answer = try await makeService(searching, model: nil).whole()

        #expect(answer.noAnswerReason == .belowThreshold)
        #expect(
            answer.text.hasPrefix(
                "No message that you may read answers this for certain. Nearest is what Ada wrote in "))
        #expect(answer.text.hasSuffix("We sail at nine. [1]"))
        #expect(answer.citations.map(\.messageKey) == [key(1)])
    }

    @Test("Tells the model if the search is not sure of an answer")
    func tellsTheModel() async throws {
        for (reason, isTold) in [(NoAnswerReason.belowThreshold, true), (.none, false)] {
            let model = FakeLanguageModel(replies: [.text("Ada wrote about it [1].")])
            let searching = FakeSearching(hits: [hit(1, "We sail at nine.")], noAnswerReason: reason)

            _ = try await makeService(searching, model: model).whole()

            let prompt = try #require(model.requests.first?.messages.last?.content)
            #expect(prompt.contains("The search is not sure that these messages answer the question") == isTold)
        }
    }

    @Test("Quotes the valid message first, and says of the replaced one by which it is replaced")
    func quotesValidFirst() async throws {
        let hits = [
            hit(1, "The regatta is on 12 November."), hit(2, "Bring rope to the pier.", relevance: 0.8),
            hit(3, "The regatta has been moved from 12 November to 20 November.", relevance: 0.3, after: 30),
        ]

        let answer = try await makeService(FakeSearching(hits: hits), model: nil).whole()

        #expect(
            answer.text == """
                > Ada, 2025-10-24: The regatta has been moved from 12 November to 20 November. [1]

                > Ada, 2025-10-23: The regatta is on 12 November. (replaced by [1]) [2]
                """)
        #expect(answer.citations.map(\.messageKey) == [key(3), key(1)])
        #expect(answer.sources.map(\.replacedBy) == [key(3), nil, nil])
    }

    @Test("Says plainly when nothing was found, or nothing could be searched")
    func saysWhyNot() async throws {
        let nothing = try await makeService(FakeSearching(hits: []), model: nil).whole()
        #expect(nothing.text.hasPrefix("No matching message was found in your conversations"))
        #expect(nothing.noAnswerReason == .nothingInScope)
        #expect(nothing.notices == [.extractive])

        let failed = try await makeService(
            FakeSearching(failure: ModelServiceError.failed(status: 500)), model: nil
        ).whole()
        #expect(failed.text.hasPrefix("The messages could not be searched just now"))
        #expect(failed.noAnswerReason == .searchFailed)
        #expect(failed.sources.isEmpty && failed.citations.isEmpty)
    }
}
