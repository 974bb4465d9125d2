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
            hit(1, "We sail at nine. [2]", relevance: 0.8), hit(2, "Or not 👨‍👩‍👧.", relevance: 0.9),
            hit(3, "Unrelated.", relevance: 0.44), hit(4, "At ten.", relevance: 0.45), hit(5, relevance: 0.45),
        ]
        let turns = RecordedTurns()
        let service = try makeService(FakeSearching(hits: hits), model: nil, turns: turns)

        let events = try await service.events(ask(limit: 3))

        guard case .done(let answer) = events.last else { throw ModelServiceError.incompleteReply }
        #expect(
            answer.text == """
                Best matches, quoted (no language model is configured):

                > We sail at nine. [2]

                — Ada, Harbor 1, Thursday, 2025-10-23 10:30 (UTC) [1]

                > Or not 👨‍👩‍👧.

                — Ada, Harbor 2, Thursday, 2025-10-23 10:30 (UTC) [2]

                > At ten.

                — Ada, Harbor 4, Thursday, 2025-10-23 10:30 (UTC) [3]
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
        #expect(deltas.count == 4)
        #expect(deltas.joined() == answer.text)
        #expect(events.first == .retrieved([1, 2, 4].map { Source(number: nil, hit: hits[$0 - 1]) }))
        #expect(events[3] == .citation(answer.citations[0]))
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
