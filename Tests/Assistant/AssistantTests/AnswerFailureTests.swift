import Assistant
import ChatCore
import Logging
import Prompting
import Retrieval
import TestSupport
import Testing

@Suite("AnswerService when something fails")
struct AnswerFailureTests {
    @Test("A search without its embedding service is reported to the model and to the reader")
    func searchFails() async throws {
        let model = FakeLanguageModel(replies: [.text("I cannot search now.")])
        let turns = RecordedTurns()
        let service = try makeService(
            FakeSearching(failure: ModelServiceError.unreachable(reason: "refused")), model: model, turns: turns)

        let answer = try await service.whole()

        #expect(answer.noAnswerReason == .searchFailed)
        #expect(answer.mode == nil && answer.generation == nil && answer.sources.isEmpty)
        #expect(try #require(model.requests.first).messages[1].content.contains("could not be searched just now"))
        #expect(turns.all.map(\.answer) == ["I cannot search now."])
    }

    @Test("Other failures of the search go through, and the model is not asked")
    func searchRefuses() async throws {
        let model = FakeLanguageModel(replies: [.text("No.")])
        let refused = try makeService(FakeSearching(failure: RetrievalError.noPermittedConversation), model: model)
        let broken = try makeService(FakeSearching(failure: RepositoryError.unavailable(reason: "disk")), model: model)

        await #expect(throws: RetrievalError.noPermittedConversation) { try await refused.events() }
        await #expect(throws: RepositoryError.unavailable(reason: "disk")) { try await broken.events() }
        #expect(model.requests.isEmpty)
    }

    @Test(
        "A model that fails, before or amid its answer, is an error, and the turn is not kept",
        arguments: [
            (
                FakeLanguageModel.Reply.failure(after: [], .busy(retryAfter: nil)),
                ModelServiceError.busy(retryAfter: nil)
            ),
            (.failure(after: [.delta("At ")], .incompleteReply), .incompleteReply),
            (.failure(after: [.delta("At ")], .tooLong), .tooLong),
            (.events([.delta("At ")]), .incompleteReply),
            (.events([.delta(" \n"), .finished(.stop, nil)]), .invalidReply(reason: "the answer is empty")),
        ])
    func modelFails(reply: FakeLanguageModel.Reply, error: ModelServiceError) async throws {
        let model = FakeLanguageModel(replies: [reply])
        let turns = RecordedTurns()
        let service = try makeService(
            FakeSearching(hits: [hit(1)]), model: model, turns: turns, settings: AssistantSettings(fallback: .error))

        await #expect(throws: error) { try await service.events() }
        #expect(turns.all.isEmpty)
        #expect(model.requests.count == 1)
    }

    @Test("An answer that cannot be kept is given nevertheless")
    func storeFails() async throws {
        let service = try makeService(
            FakeSearching(hits: [hit(1)]), model: FakeLanguageModel(replies: [.text("Nine.")]),
            turns: RecordedTurns(failure: .storageFull))

        #expect(try await service.whole().text == "Nine.")
    }

    static let cuts: [(FinishReason, Int, Set<AnswerNotice>)] = [
        (.stop, 5_000, []), (.length, 5_000, [.truncated]), (.contentFilter, 5_000, [.filtered]),
        (.other("eos"), 0, []), (.stop, 200, [.promptCut]), (.length, 200, [.truncated, .promptCut]),
    ]

    @Test("Says when the service cut answer or prompt", arguments: cuts)
    func saysWhatWasCut(reason: FinishReason, promptTokens: Int, notices: Set<AnswerNotice>) async throws {
        let usage = TokenUsage(promptTokens: promptTokens, completionTokens: 1)
        let calibration = TokenCalibration()
        let service = try makeService(
            FakeSearching(hits: [hit(1)]),
            model: FakeLanguageModel(replies: [.events([.delta("Nine [1]"), .finished(reason, usage)])]),
            calibration: calibration)

        let answer = try await service.whole()
        #expect(answer.notices == notices)
        #expect(answer.text.hasPrefix("Nine"))
        #expect(answer.text.contains("cut the prompt short") == notices.contains(.promptCut))
        #expect(calibration.factor(for: "fake") == (promptTokens == 5_000 ? 2 : 1))
    }

    @Test(
        "An answer that was cut off before its first word is no failure",
        arguments: [FinishReason.length, .contentFilter])
    func emptyButCut(reason: FinishReason) async throws {
        let model = FakeLanguageModel(replies: [.events([.finished(reason, nil)])])
        let answer = try await makeService(FakeSearching(hits: [hit(1)]), model: model).whole()

        #expect(answer.text.isEmpty)
        #expect(answer.notices == Set<AnswerNotice>([reason == .length ? .truncated : .filtered]))
    }

    @Test("A prompt that is too long for the service is made shorter and sent again")
    func shortensAfterRefusal() async throws {
        let model = FakeLanguageModel(
            contextTokenCount: 6_000, replies: [.failure(after: [], .tooLong), .text("Nine [1].")])
        let hits = (1...20).map { hit($0, String(repeating: "word ", count: 300)) }
        let service = try makeService(FakeSearching(hits: hits), model: model)

        let events = try await service.events()

        let lengths = model.requests.map { $0.messages[1].content.count }
        #expect(lengths.count == 2 && lengths[1] < lengths[0])
        let retrieved = events.filter { if case .retrieved = $0 { true } else { false } }
        #expect(retrieved.count == 1)
        #expect(events.contains(.citation(Citation(number: 1, messageKey: key(1), range: 5..<8))))
    }

    @Test("A prompt that cannot be made shorter is not sent again")
    func givesUpAfterRefusal() async throws {
        let model = FakeLanguageModel(replies: [.failure(after: [], .tooLong)])
        let service = try makeService(FakeSearching(hits: [hit(1)]), model: model)

        await #expect(throws: ModelServiceError.tooLong) { try await service.events() }
        #expect(model.requests.count == 1)
    }

    @Test("A question longer than the model takes is never sent")
    func refusesTooLong() async throws {
        let model = FakeLanguageModel(contextTokenCount: 2_000, replies: [.text("No.")])
        let service = try makeService(FakeSearching(hits: [hit(1)]), model: model)

        await #expect(throws: ModelServiceError.tooLong) {
            try await service.events(ask(String(repeating: "word ", count: 1_500)))
        }
        #expect(model.requests.isEmpty)
    }

    @Test("When the consumer stops, the model's request is aborted and the turn is not kept", .hangGuard)
    func stopsWithConsumer() async throws {
        let model = FakeLanguageModel(replies: [.silence(after: [.delta("At ")])])
        let turns = RecordedTurns()
        let service = try makeService(FakeSearching(hits: [hit(1)]), model: model, turns: turns)

        await service.leave { $0 == .delta("At") }
        await model.aborted()

        #expect(turns.all.isEmpty)
    }

    @Test("A consumer whose task is cancelled aborts the request too", .hangGuard)
    func stopsWithTask() async throws {
        let model = FakeLanguageModel(replies: [.silence(after: [.delta("At ")])])
        let service = try makeService(FakeSearching(hits: [hit(1)]), model: model)

        await withTaskGroup { group in
            let (seen, mark) = AsyncStream<Void>.makeStream()
            group.addTask {
                do {
                    try await service.answer(ask()) { event in if event == .delta("At") { mark.yield() } }
                } catch {}
                mark.finish()
            }
            for await _ in seen { break }
            group.cancelAll()
        }
        await model.aborted()

        #expect(model.requests.count == 1)
    }

    @Test("When the consumer stops during the search, the search is cancelled", .hangGuard)
    func stopsSearch() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Bool>.makeStream()
        let service = AnswerService(
            searching: StuckSearch(begun: begin, ended: end),
            session: ModelSession(
                model: nil, prompts: try PromptLibrary(overrides: nil), now: { thursday },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            turns: nil)

        await withTaskGroup { group in
            group.addTask {
                do { try await service.answer(ask()) { _ in } } catch {}
            }
            for await _ in begun { break }
            group.cancelAll()
        }

        for await wasCancelled in ended {
            #expect(wasCancelled)
            break
        }
    }
}

/// A search that ends only when it is cancelled.
private struct StuckSearch: MessageSearching {
    let begun: AsyncStream<Void>.Continuation
    let ended: AsyncStream<Bool>.Continuation

    func search(_ request: SearchRequest) async throws -> SearchResult {
        let (silence, keepOpen) = AsyncStream<Void>.makeStream()
        begun.yield()
        for await _ in silence {}
        keepOpen.finish()
        ended.yield(Task.isCancelled)
        throw CancellationError()
    }
}
