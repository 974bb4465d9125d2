import App
import Assistant
import ChatCore
import Retrieval
import Telemetry
import TestSupport
import Testing

/// What is counted around models, searches and answers.
@Suite(.hangGuard) struct MeasuringTests {
    private let registry = MetricRegistry()
    private let duration = "gen_ai_client_operation_duration_seconds"

    private func samples() throws -> [String: Double] { try PrometheusText(registry.text()).samples }

    private func meter(_ prices: ModelMeter.Prices = ModelMeter.Prices()) -> ModelMeter {
        ModelMeter(factory: registry, prices: prices)
    }

    private static let request = GenerationRequest(
        messages: [PromptMessage(role: .user, content: "q")], maximumTokenCount: 9, streams: true)

    private func ask(_ model: some LanguageModel) async throws -> [GenerationEvent] {
        try await model.events(of: Self.request)
    }

    @Test func anAnswerIsCountedWithItsTokensAndCost() async throws {
        let events: [GenerationEvent] = [
            .delta("a"), .delta("b"), .finished(.stop, TokenUsage(promptTokens: 2_000, completionTokens: 100)),
        ]
        let model = MeasuredModel(
            base: FakeLanguageModel(replies: [.events(events)]), meter: meter(.init(prompt: 1, answer: 4)))

        let seen = try await ask(model)

        #expect(seen == events)
        let samples = try samples()
        #expect(samples[#"\#(duration)_count{gen_ai_operation_name="chat"}"#] == 1)
        #expect(samples[#"nexus_tokens_total{use="chat",type="input"}"#] == 2_000)
        #expect(samples[#"nexus_tokens_total{use="chat",type="output"}"#] == 100)
        #expect(abs((samples[#"nexus_cost_total{use="chat"}"#] ?? 0) - 0.0024) < 1e-12)
        #expect(samples[#"nexus_stage_duration_seconds_count{stage="first_token"}"#] == 1)
        #expect(
            samples[#"gen_ai_client_token_usage_sum{gen_ai_operation_name="chat",gen_ai_token_type="output"}"#] == 100)
    }

    @Test func whoStopsAtTheLastElementHasNotAborted() async throws {
        let model = MeasuredModel(base: FakeLanguageModel(replies: [.text("a")]), meter: meter())

        _ = try await model.events(of: Self.request) { if case .finished = $0 { true } else { false } }

        let calls = try samples().filter { $0.key.hasPrefix("\(duration)_count") }
        #expect(calls == [#"\#(duration)_count{gen_ai_operation_name="chat"}"#: 1])
    }

    @Test func aFailureIsCountedByItsCode() async throws {
        let model = MeasuredModel(
            base: FakeLanguageModel(replies: [.failure(after: [.delta("a")], .busy(retryAfter: nil))]), meter: meter())

        await #expect(throws: ModelServiceError.busy(retryAfter: nil)) { try await ask(model) }

        #expect(try samples()[#"\#(duration)_count{gen_ai_operation_name="chat",error_type="busy"}"#] == 1)
    }

    @Test func anAnswerThatNobodyReadsOnIsAbortedAndCountedAsCancelled() async throws {
        let fake = FakeLanguageModel(replies: [.silence(after: [.delta("a")])])
        let model = MeasuredModel(base: fake, meter: meter())

        _ = try await model.events(of: Self.request) { _ in true }
        await fake.aborted()

        #expect(try samples()[#"\#(duration)_count{gen_ai_operation_name="chat",error_type="cancelled"}"#] == 1)
    }

    @Test func embeddingsAreCountedForMessagesAndQuestionsApart() async throws {
        let fake = FakeEmbedder()
        let embedder = MeasuredEmbedders(
            base: FakeEmbedderSource(fake, baseURL: "http://service"), meter: meter(.init(embedding: 10))
        ).configured

        let passages = try await embedder.embed(["one", "two"], as: .passage)
        _ = try await embedder.embed(["three"], as: .query)
        fake.failNext(.failed(status: 500))
        await #expect(throws: ModelServiceError.self) { try await embedder.embed(["x"], as: .query) }

        let samples = try samples()
        let estimate = TokenEstimate.count("one") + TokenEstimate.count("two")
        let counted = Double(passages.tokenCount ?? estimate)
        #expect(samples[#"nexus_tokens_total{use="messages",type="input"}"#] == counted)
        #expect(abs((samples[#"nexus_cost_total{use="messages"}"#] ?? 0) - counted / 100_000) < 1e-12)
        #expect(samples[#"nexus_tokens_total{use="questions",type="input"}"#] != nil)
        #expect(samples[#"\#(duration)_count{gen_ai_operation_name="embeddings"}"#] == 2)
        #expect(samples[#"\#(duration)_count{gen_ai_operation_name="embeddings",error_type="failed"}"#] == 1)
    }

    @Test func theBuiltInEncoderIsNoService() async throws {
        let embedder = MeasuredEmbedders(base: FakeEmbedderSource(FakeEmbedder()), meter: meter()).configured

        _ = try await embedder.embed(["one"], as: .passage)

        #expect(try samples().isEmpty)
    }

    @Test func whatAnswersAndSearchesTellOfIsCounted() async throws {
        let search = SearchTrace(notes: [.embeddingFailed, .rerankFailed])
        let request = SearchRequest(question: "q", scope: SearchScope(asker: "ada", conversations: .all), limit: 5)
        let answer = Answer(
            turnID: "t", text: "a", sources: [], citations: [], noAnswerReason: .none, mode: nil, generation: nil,
            promptMessageKeys: [], usage: nil, notices: [.linksRemoved, .truncated],
            searchTrace: SearchTrace(notes: [.rewriteFailed, .embeddingFailed]))

        _ = try await MeasuredSearching(base: FakeSearching(hits: [], trace: search), factory: registry)
            .search(request)
        let answers = MeasuredAnswering(base: OneAnswer(answer: answer), factory: registry)
        try await answers.answer(AskRequest(question: "q", scope: request.scope, limit: 5)) { _ in }

        // What the search told of was counted with the search.
        let samples = try samples().filter { $0.key.contains("_not") || $0.key.hasPrefix("nexus_questions") }
        #expect(
            samples == [
                #"nexus_search_notes_total{note="embedding_failed"}"#: 1,
                #"nexus_search_notes_total{note="rerank_failed"}"#: 1,
                #"nexus_search_notes_total{note="rewrite_failed"}"#: 1,
                #"nexus_answer_notices_total{notice="links_removed"}"#: 1,
                #"nexus_answer_notices_total{notice="truncated"}"#: 1,
                #"nexus_questions_total{outcome="answered"}"#: 1,
            ])
    }

    @Test func everyWordThatIsCountedIsKnown() throws {
        func values(_ metric: String, _ label: String) throws -> Set<String> {
            let instrument = try #require(Instrument.all.first { $0.name == metric })
            return try #require(instrument.labels.first { $0.name == label }?.values)
        }

        #expect(try values("nexus_search_notes_total", "note") == Set(SearchTrace.Note.allCases.map(\.rawValue)))
        #expect(try values("nexus_answer_notices_total", "notice") == Set(AnswerNotice.allCases.map(\.rawValue)))
        let reasons = Set(NoAnswerReason.allCases.filter { $0 != .none }.map(\.rawValue))
        for metric in ["nexus_questions_total", "nexus_searches_total"] {
            #expect(try values(metric, "outcome").isSuperset(of: reasons))
        }
    }

    @Test func searchesAreCountedWithTheirStages() async throws {
        let request = SearchRequest(question: "q", scope: SearchScope(asker: "ada", conversations: .all), limit: 5)
        let trace = SearchTrace(durations: ["dense": .milliseconds(2), "fusion": .microseconds(10), "odd": .zero])
        let found = MeasuredSearching(base: FakeSearching(hits: [], trace: trace), factory: registry)
        let refused = MeasuredSearching(
            base: FakeSearching(failure: RetrievalError.noPermittedConversation), factory: registry)

        _ = try await found.search(request)
        await #expect(throws: RetrievalError.self) { try await refused.search(request) }

        let samples = try samples()
        #expect(samples[#"nexus_searches_total{outcome="nothing_in_scope"}"#] == 1)
        #expect(samples[#"nexus_searches_total{outcome="refused"}"#] == 1)
        #expect(samples[#"nexus_stage_duration_seconds_sum{stage="dense"}"#] == 0.002)
        #expect(samples[#"nexus_stage_duration_seconds_count{stage="fusion"}"#] == 1)
        #expect(samples[#"nexus_stage_duration_seconds_count{stage="other"}"#] == 1)
    }
}

/// Gives one answer.
private struct OneAnswer: QuestionAnswering {
    let answer: Answer

    func answer(_ request: AskRequest, deliver: (AnswerEvent) -> Void) async throws { deliver(.done(answer)) }
}
