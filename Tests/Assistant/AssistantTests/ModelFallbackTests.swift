import Assistant
import ChatCore
import Prompting
import Retrieval
import TestSupport
import Testing

@Suite("Answers while the language model fails", .hangGuard)
struct ModelFallbackTests {
    static let failures: [ModelServiceError] = [
        .unreachable(reason: "refused"), .busy(retryAfter: nil), .failed(status: 500), .unauthorized(status: 401),
        .quotaExhausted, .rejected(status: 404, code: "model_not_found"), .invalidReply(reason: "not JSON"),
        .incompleteReply, .misconfigured(reason: "no key"),
    ]

    @Test("The best sources are quoted, and the reader learns why", arguments: failures)
    func quotes(error: ModelServiceError) async throws {
        let turns = RecordedTurns()
        let service = try makeService(
            FakeSearching(hits: [hit(1, "We sail at nine.")]),
            model: FakeLanguageModel(replies: [.failure(after: [], error)]), turns: turns)

        let events = try await service.events()
        guard case .done(let answer) = events.last else {
            Issue.record("no answer")
            return
        }

        #expect(answer.notices == [.modelUnavailable])
        #expect(answer.text.contains("> Ada, 2025-10-23: We sail at nine."))
        #expect(answer.text.hasPrefix("The language model cannot be used at present"))
        #expect(!answer.text.contains("no language model is configured"))
        #expect(answer.citations.map(\.number) == [1])
        #expect(answer.sources.map(\.number) == [1])
        let streamed = events.compactMap { if case .delta(let text) = $0 { text } else { nil } }.joined()
        #expect(streamed == answer.text)
        #expect(turns.all.map(\.answer) == [answer.text])
        #expect(turns.traces.first?.prompts.map(\.name) == ["extractive"])
    }

    @Test("An answer that had begun is an error, and so is every failure where that is wished for")
    func keepsErrors() async throws {
        let begun = try makeService(
            FakeSearching(hits: [hit(1)]),
            model: FakeLanguageModel(replies: [.failure(after: [.delta("At nine")], .failed(status: 500))]))
        await #expect(throws: ModelServiceError.failed(status: 500)) { try await begun.events() }

        let strict = try makeService(
            FakeSearching(hits: [hit(1)]),
            model: FakeLanguageModel(replies: [.failure(after: [], .failed(status: 500))]),
            settings: AssistantSettings(fallback: .error))
        await #expect(throws: ModelServiceError.failed(status: 500)) { try await strict.events() }

        let plain = try makeService(
            FakeSearching(hits: [hit(1)]),
            model: FakeLanguageModel(replies: [.failure(after: [], .failed(status: 500))]))
        var request = ask()
        request.allowsFallback = false
        await #expect(throws: ModelServiceError.failed(status: 500)) { try await plain.events(request) }
    }

    @Test("A turn that cannot be stored is reported")
    func tellsOfTheLostTurn() async throws {
        let service = try makeService(
            FakeSearching(hits: [hit(1)]), model: FakeLanguageModel(replies: [.text("Nine [1].")]),
            turns: RecordedTurns(failure: .storageReadOnly))
        #expect(try await service.whole().notices == [.notStored])
    }

    @Test("In a conversation a question is answered by quotes, a summary is not")
    func conversations() async throws {
        var fixture = ConversationFixture(.failure(after: [], .failed(status: 500)))
        try await fixture.take([.short("c", "m1", "We sail at nine.")])
        fixture.searching = FakeSearching(hits: [hit(1, "We sail at nine.")])
        let assistant = try fixture.assistant()
        func answer(_ text: String?) async throws -> Answer {
            try await assistant.wholeAnswer(
                to: ConversationQuestion(text: text, conversationID: "c", asker: "ada"))
        }

        let quoted = try await answer("When do we sail?")
        #expect(quoted.notices == [.modelUnavailable])
        #expect(quoted.text.contains("> Ada, 2025-10-23: We sail at nine."))
        await #expect(throws: ModelServiceError.failed(status: 500)) { try await answer(nil) }
    }

    @Test("A summary of nothing asks no model")
    func summarizesNothing() async throws {
        let fixture = ConversationFixture(.text("A lot happened."))
        try await fixture.take([.short("c", "m1", "We sail at nine.", at: 1)])
        let assistant = try fixture.assistant()
        var question = ConversationQuestion(text: nil, conversationID: "c", asker: "ada")
        question.filter.since = .second(1_000)

        let whole = try await assistant.wholeAnswer(to: question)

        #expect(whole.text == "There are no messages to summarize.")
        #expect(whole.coverage == ConversationCoverage(messageCount: 0))
        #expect(fixture.requests.isEmpty)
    }

    @Test("A service that leaves out cached tokens did not cut the prompt")
    func countsWithoutCache() async throws {
        let calibration = TokenCalibration()
        func notices(_ counted: Int) async throws -> Set<AnswerNotice> {
            let usage = TokenUsage(promptTokens: counted, completionTokens: 1)
            let model = FakeLanguageModel(replies: [.events([.delta("Nine [1]"), .finished(.stop, usage)])])
            return try await makeService(FakeSearching(hits: [hit(1)]), model: model, calibration: calibration)
                .whole().notices
        }

        #expect(try await notices(200) == [.promptCut])
        #expect(try await notices(5_000) == [])
        #expect(try await notices(200) == [])
        // What was left out teaches nothing about the length of tokens.
        #expect(calibration.factor(for: "fake") == 2)
    }
}
