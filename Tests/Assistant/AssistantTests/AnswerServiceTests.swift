import Assistant
import ChatCore
import Prompting
import Retrieval
import TestSupport
import Testing

@Suite("AnswerService")
struct AnswerServiceTests {
    @Test("Streams sources, text and citations, then the whole answer, and keeps the turn")
    func streams() async throws {
        let usage = TokenUsage(promptTokens: 900, completionTokens: 12)
        let model = FakeLanguageModel(replies: [
            .events([.delta("At ni"), .delta("ne [2"), .delta("], I "), .delta("think."), .finished(.stop, usage)])
        ])
        let hits = [hit(1), hit(2, relevance: 0.95), hit(3)]
        let turns = RecordedTurns()
        let service = try makeService(FakeSearching(hits: hits), model: model, turns: turns)

        let events = try await service.events(ask("  When do we sail?\n", limit: 1))

        let citation = Citation(number: 1, messageKey: key(2), range: 8..<11)
        let answer = Answer(
            turnID: turnID, text: "At nine [1], I think.",
            sources: [Source(number: nil, hit: hits[0]), Source(number: 1, hit: hits[1])], citations: [citation],
            noAnswerReason: .none, mode: .denseOnly, generation: GenerationNumber(rawValue: 1),
            promptMessageKeys: [key(1), key(2), key(3)], usage: usage, notices: [],
            searchTrace: SearchTrace(standaloneQuestion: "When do we sail?", durations: ["prompt": .zero]))
        #expect(
            events == [
                .retrieved(hits.map { Source(number: nil, hit: $0) }), .delta("At"), .delta(" nine"),
                .delta(" [1], I"), .citation(citation), .delta(" think."), .done(answer),
            ])
        #expect(characters(citation.range, of: answer.text) == "[1]")
        #expect(
            turns.all == [
                Turn(
                    id: turnID, askerID: "u1", question: "When do we sail?", answer: "At nine [1], I think.",
                    sourceKeys: [key(1), key(2), key(3)], askedAt: thursday,
                    reply: TurnReply(
                        sources: [
                            .init(key: key(1), number: nil, rank: 1, relevance: hits[0].relevance),
                            .init(key: key(2), number: 1, rank: 2, relevance: 0.95),
                        ], citations: [.init(number: 1, start: 8, end: 11)], noAnswerReason: "none",
                        mode: "dense_only"))
            ])
    }

    @Test("Sources come first, then how much of the prompt is read, then text")
    func reportsReading() async throws {
        let model = FakeLanguageModel(replies: [
            .events([.reading(0), .reading(0.5), .delta("At nine [1]."), .finished(.stop, nil)])
        ])
        let service = try makeService(FakeSearching(hits: [hit(1)]), model: model)

        let events = try await service.events(ask("When do we sail?"))

        #expect(
            events.prefix(3) == [.retrieved([Source(number: nil, hit: hit(1))]), .reading(0), .reading(0.5)])
        #expect(events.filter { if case .reading = $0 { true } else { false } }.count == 2)
    }

    @Test("Shows the model the part of a long message that was found, and the excerpt is there too")
    func showsThePartThatWasFound() async throws {
        let text =
            String(repeating: "We talk. ", count: 400) + "The pilot comes at five. "
            + String(repeating: "Bye. ", count: 400)
        let found = FoundPassage(ordinal: 3, range: 3_600..<3_625)
        let model = FakeLanguageModel(replies: [.text("At five [1].")])
        let service = try makeService(FakeSearching(hits: [hit(1, text, passage: found)]), model: model)

        let answer = try await service.whole()

        let prompt = try #require(model.requests.first?.messages.last?.content)
        #expect(prompt.contains("Text: […] "))
        #expect(prompt.contains("We talk. The pilot comes at five. Bye. Bye."))
        let excerpt = answer.sources[0].hit.excerpt
        #expect(excerpt.text.contains("We talk. The pilot comes at five. Bye."))
        #expect(excerpt.text.count > 250 && excerpt.text.count <= 300)
        let range = try #require(excerpt.range)
        let start = String.Index(utf16Offset: range.lowerBound, in: text)
        #expect(text[start..<String.Index(utf16Offset: range.upperBound, in: text)] == excerpt.text)
    }

    @Test("A question in a thread comes after the turns kept there, and its trace says how it was answered")
    func remembers() async throws {
        let turns = RecordedTurns()
        for (id, question) in [("t1", "Who is Mara?"), ("t2", "Where does she work?")] as [(TurnID, String)] {
            try await turns.record(
                Turn(
                    id: id, askerID: "u1", question: question, answer: "Yes.", sourceKeys: [], askedAt: thursday,
                    threadID: "h"))
        }
        let model = FakeLanguageModel(replies: [
            .text("Why did Mara move the pilot?"),
            .text("At nine [1].", usage: TokenUsage(promptTokens: 900, completionTokens: 12)),
        ])
        var request = ask("Why did she move it?", limit: 1, timeZone: "Europe/Berlin")
        request.history = [Exchange(question: "Is this used?", answer: "No.")]
        request.threadID = "h"
        request.filter.senderIDs = ["u9", "u7"]
        let searching = FakeSearching(hits: [hit(1), hit(2)], trace: SearchTrace(configuration: "c0ffee"))

        _ = try await makeService(searching, model: model, turns: turns).whole(request)

        let kept = try #require(turns.all.last)
        #expect(kept.threadID == "h")
        #expect(kept.historyIDs == ["t1", "t2"])
        let sent = try #require(model.requests.last)
        #expect(sent.messages[1...4].map(\.content) == ["Who is Mara?", "Yes.", "Where does she work?", "Yes."])
        #expect(!sent.messages.contains { $0.content.contains("Is this used?") })
        let library = try PromptLibrary(overrides: nil).descriptions
        let prompts = ["question", "system"].compactMap { name in library.first { $0.name == name } }
        #expect(
            turns.traces == [
                TurnTrace(
                    senderIDs: ["u7", "u9"], limit: 20, timeZone: "Europe/Berlin",
                    searchedQuestion: "Why did Mara move the pilot?", mode: "dense_only",
                    generation: GenerationNumber(rawValue: 1), configuration: "c0ffee", notes: ["rewritten"],
                    noAnswerReason: "none",
                    hits: [1, 2].map {
                        TurnTrace.Hit(key: key($0), rank: $0, score: 0.9, relevance: 0.9, signals: [])
                    },
                    prompts: prompts.map {
                        TurnTrace.Prompt(name: $0.name, version: $0.version, fingerprint: $0.fingerprint)
                    }, model: "fake", promptTokenCount: 900, completionTokenCount: 12,
                    durations: ["answer": 0, "total": 0, "rewrite": 0, "prompt": 0])
            ])
    }

    @Test("Hands scope, filter, history and settings on")
    func handsOn() async throws {
        let searching = FakeSearching(hits: [hit(1, "We sail {{at}} <nine>.", sender: "", timeZone: "Asia/Tokyo")])
        let model = FakeLanguageModel(contextTokenCount: 9_000, replies: [.text("At nine.")])
        var request = ask("When does the Hamburg pilot boat sail?", limit: 3)
        request.history = [Exchange(question: "Who?", answer: "Ada [1].")]
        request.filter = SearchFilter(senderIDs: ["u7"], from: thursday)
        request.streams = false
        let service = try makeService(
            searching, model: model, settings: AssistantSettings(answerTokenCount: 77, promptSourceCount: 7))

        _ = try await service.whole(request)

        #expect(
            searching.requests == [
                SearchRequest(
                    question: request.question, scope: request.scope, filter: request.filter, limit: 7,
                    askedAt: thursday, explains: true)
            ])
        let sent = try #require(model.requests.first)
        #expect(sent.maximumTokenCount == 77)
        #expect(!sent.streams)
        #expect(sent.messages.map(\.role) == [.system, .user, .assistant, .user])
        #expect(sent.messages[0].content.contains("Today is Thursday, 2025-10-23 (UTC)."))
        #expect(sent.messages[1...2].map(\.content) == ["Who?", "Ada [1]."])
        #expect(
            sent.messages[3].content.contains(
                """
                [1] BEGIN AAAAAAAAAAAAAAAA
                Conversation: Harbor 1
                From: u7
                Date: Thursday, 2025-10-23 19:30 (UTC+09:00)
                Text: We sail {{at}} <nine>.
                END AAAAAAAAAAAAAAAA
                """))
    }

    @Test("The asker's zone goes before the conversation's")
    func usesAskersZone() async throws {
        let model = FakeLanguageModel(replies: [.text("Yes.")])
        let service = try makeService(FakeSearching(hits: [hit(1, timeZone: "Asia/Tokyo")]), model: model)

        _ = try await service.whole(ask(timeZone: "Europe/Berlin"))

        let sent = try #require(model.requests.first).messages
        #expect(sent[0].content.contains("Today is Thursday, 2025-10-23 (UTC+02:00)."))
        #expect(sent[1].content.contains("Date: Thursday, 2025-10-23 12:30 (UTC+02:00)"))
    }

    @Test(
        "Lists the best sources and every one cited, numbered as they are cited",
        arguments: [
            (1, "See [3].", [1, 3], [nil, 1]), (2, "See [1], [9] and [2].", [1, 2], [1, 2]),
            (50, "None.", [1, 2, 3, 4, 5], [nil, nil, nil, nil, nil]), (4, "[3]", [1, 2, 3, 4], [nil, nil, 1, nil]),
        ])
    func listsSources(limit: Int, text: String, ranks: [Int], numbers: [Int?]) async throws {
        let service = try makeService(
            FakeSearching(hits: (1...5).map { hit($0) }), model: FakeLanguageModel(replies: [.text(text)]),
            settings: AssistantSettings(promptSourceCount: 3))

        let answer = try await service.whole(ask(limit: limit))

        #expect(answer.sources.map(\.hit.rank) == ranks)
        #expect(answer.sources.map(\.number) == numbers)
        #expect(answer.promptMessageKeys == [key(1), key(2), key(3)])
    }

    @Test("Only what fits the prompt can be cited")
    func citesOnlyWhatFits() async throws {
        let long = String(repeating: "word ", count: 390)
        let model = FakeLanguageModel(contextTokenCount: 3_300, replies: [.text("[1] [2] [3] [4]")])
        let service = try makeService(
            FakeSearching(hits: (1...4).map { hit($0, long) }), model: model,
            settings: AssistantSettings(answerTokenCount: 500))

        let answer = try await service.whole(ask(limit: 4))

        #expect(answer.sources.map(\.number) == [1, 2, nil, nil])
        #expect(answer.citations.map(\.number) == [1, 2])
        #expect(answer.promptMessageKeys == [key(1), key(2)])
    }

    @Test("The model is asked also when nothing was found")
    func asksWithoutSources() async throws {
        let model = FakeLanguageModel(replies: [.text("I see no message on that [1].")])
        let service = try makeService(FakeSearching(hits: [], generation: nil), model: model)

        let events = try await service.events()

        #expect(events.first == .retrieved([]))
        #expect(try #require(model.requests.first).messages[1].content.contains("The search found no message"))
        guard case .done(let answer) = events.last else { throw ModelServiceError.incompleteReply }
        #expect(answer.noAnswerReason == .nothingInScope)
        #expect(answer.mode == .denseOnly)
        #expect(answer.text == "I see no message on that.")
        #expect(answer.sources.isEmpty && answer.citations.isEmpty && answer.notices == [.uncited])
    }

    @Test(
        "Refuses what breaks a rule, before anything is searched",
        arguments: [
            (ask(" \n"), "question", "must not be empty"),
            (ask(String(repeating: "x", count: 8_001)), "question", "must have at most 8000 characters"),
            (ask(limit: 0), "topK", "must lie in 1...50"), (ask(limit: 51), "topK", "must lie in 1...50"),
            (ask(limit: -1), "topK", "must lie in 1...50"), (ask(limit: 1_000_000_000), "topK", "must lie in 1...50"),
            (
                ask(timeZone: "Mars/Olympus"), "timeZone", "must be the IANA name of a zone, as Europe/Berlin"
            ),
        ])
    func validates(request: AskRequest, field: String, reason: String) async throws {
        let searching = FakeSearching(hits: [hit(1)])
        let service = try makeService(searching, model: FakeLanguageModel(replies: [.text("No.")]))

        await #expect(throws: RetrievalError.invalid(field: field, reason: reason)) {
            try await service.events(request)
        }
        #expect(searching.requests.isEmpty)
    }

    @Test("Takes the longest question and the largest limit")
    func takesTheLongest() async throws {
        let searching = FakeSearching(hits: [])
        let service = try makeService(searching, model: FakeLanguageModel(replies: [.text("Yes.")]))

        let question = String(repeating: "x", count: 8_000)
        #expect(try await service.whole(ask(" \(question) ", limit: 50)).text == "Yes.")
        #expect(searching.requests.map(\.limit) == [50])
        #expect(searching.requests.map(\.question) == [question])
    }
}
