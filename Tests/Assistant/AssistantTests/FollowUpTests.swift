import Assistant
import ChatCore
import Prompting
import Retrieval
import TestSupport
import Testing

/// A talk of three turns; the last one speaks of the pilot.
private let talk = [
    Exchange(question: "Who is on call?", answer: "Yusuf [1]."),
    Exchange(question: "When does the Hamburg pilot go live?", answer: "On 27 October, not on the 12th [2][3]."),
    Exchange(question: "Who decided that?", answer: "Mara and Priya did [1]."),
]

/// A follow-up of that talk.
private func followUp(_ question: String = "Why did she move it?") -> AskRequest {
    var request = ask(question)
    request.history = talk
    return request
}

/// A follow-up of so many characters.
private func and(_ count: Int) -> String {
    "And " + String(repeating: "y", count: count - 5) + "?"
}

/// Settings under which only a model that never answers takes too long.
private let patient = AssistantSettings(rewriteTimeLimit: .seconds(60))

@Suite("Follow-up questions", .hangGuard)
struct FollowUpTests {
    @Test("With a language model the question is rewritten for the search, and only for it")
    func rewrites() async throws {
        let searching = FakeSearching(
            hits: [hit(1)], trace: SearchTrace(configuration: "c0ffee", notes: [.rerankFailed]))
        let model = FakeLanguageModel(replies: [
            .text(" \"Why did Mara move the Hamburg pilot [2]?\"\n"), .text("Because of the drill [1]."),
        ])
        let turns = RecordedTurns()
        let service = try makeService(searching, model: model, turns: turns, settings: patient)

        let answer = try await service.whole(followUp())

        let rewritten = "Why did Mara move the Hamburg pilot?"
        #expect(searching.requests.map(\.question) == [rewritten])
        #expect(searching.requests.map(\.previousQuestions) == [[]])
        #expect(try #require(model.requests.last).messages.last?.content.hasSuffix("\n\nWhy did she move it?") == true)
        #expect(turns.all.map(\.question) == ["Why did she move it?"])
        let trace = SearchTrace(
            configuration: "c0ffee", standaloneQuestion: rewritten, notes: [.rewritten, .rerankFailed],
            durations: ["rewrite": .zero, "prompt": .zero])
        #expect(answer.searchTrace == trace)
    }

    @Test("The model is shown the last two turns between the marks of the prompt, and asked for little at once")
    func asks() async throws {
        let model = FakeLanguageModel(replies: [.text("Why did Mara move it?"), .text("Because.")])
        let service = try makeService(FakeSearching(hits: [hit(1)]), model: model, settings: patient)

        _ = try await service.whole(followUp("  Why {{asked}}? "))

        let request = try #require(model.requests.first)
        #expect(request.maximumTokenCount == 128 && !request.streams)
        #expect(request.messages.map(\.role) == [.user])
        let content = request.messages[0].content
        #expect(content.hasPrefix("Below is a talk of questions and answers"))
        #expect(
            content.hasSuffix(
                """
                BEGIN AAAAAAAAAAAAAAAA
                Question: When does the Hamburg pilot go live?
                Answer: On 27 October, not on the 12th [2][3].

                Question: Who decided that?
                Answer: Mara and Priya did [1].

                New question: Why {{asked}}?
                END AAAAAAAAAAAAAAAA
                """))
    }

    @Test("The first follow-up is rewritten already")
    func rewritesFirst() async throws {
        let searching = FakeSearching(hits: [])
        let model = FakeLanguageModel(replies: [.text("Who is on call on Sunday?"), .text("Nobody.")])
        var request = ask("And on Sunday?")
        request.history = [talk[0]]

        let answer = try await makeService(searching, model: model, settings: patient).whole(request)

        #expect(searching.requests.map(\.question) == ["Who is on call on Sunday?"])
        #expect(answer.searchTrace?.notes == [.rewritten])
    }

    @Test("A question that stands alone is searched for as it is", arguments: [true, false])
    func leavesAlone(hasHistory: Bool) async throws {
        let searching = FakeSearching(hits: [hit(1)])
        let model = FakeLanguageModel(replies: [.text("Bob.")])
        let question = hasHistory ? "Who ordered the water gauges for berth 23?" : "Why did she move it?"
        var request = ask(question, timeZone: "Europe/Berlin")
        if hasHistory { request.history = talk }

        let answer = try await makeService(searching, model: model).whole(request)

        #expect(
            searching.requests == [
                SearchRequest(
                    question: question, scope: request.scope, limit: 20, timeZone: "Europe/Berlin",
                    askedAt: thursday, explains: true)
            ])
        #expect(model.requests.count == 1)
        #expect(answer.searchTrace == SearchTrace(standaloneQuestion: question, durations: ["prompt": .zero]))
    }

    @Test("A question too long to be rewritten is searched for as it is")
    func leavesLong() async throws {
        let model = FakeLanguageModel(replies: [.text("Bob.")])
        let service = try makeService(FakeSearching(hits: []), model: model)

        let answer = try await service.whole(followUp("Why? " + String(repeating: "no ", count: 166)))

        #expect(model.requests.count == 1)
        #expect(answer.searchTrace?.notes == [])
    }

    @Test("Without a language model, or with rewriting off, the search is given the questions before")
    func handsPreviousQuestionsOn() async throws {
        let questions = talk.map(\.question)
        let searching = FakeSearching(hits: [hit(1)])
        var request = followUp()
        request.history.insert(Exchange(question: " ", answer: "Hello."), at: 1)

        let extractive = try await makeService(searching, model: nil).whole(request)
        let model = FakeLanguageModel(replies: [.text("Because.")])
        let off = try await makeService(searching, model: model, settings: AssistantSettings(rewritesFollowUps: false))
            .whole(request)

        #expect(searching.requests.map(\.question) == Array(repeating: "Why did she move it?", count: 2))
        #expect(searching.requests.map(\.previousQuestions) == [questions, questions])
        #expect(model.requests.count == 1)
        #expect(extractive.searchTrace?.notes == [] && off.searchTrace?.notes == [])
    }

    @Test("Of a long history the ten newest questions count")
    func limitsHistory() async throws {
        let searching = FakeSearching(hits: [])
        var request = ask("Why?")
        request.history = (1...14).map { Exchange(question: "q\($0)", answer: "a") }

        _ = try await makeService(searching, model: nil).whole(request)

        #expect(searching.requests.map(\.previousQuestions) == [(5...14).map { "q\($0)" }])
    }

    static let failures: [FakeLanguageModel.Reply] = [
        .failure(after: [], .unreachable(reason: "refused")), .failure(after: [.delta("Why did")], .incompleteReply),
        .failure(after: [], .tooLong), .events([.delta("Why did Mara move it?")]), .events([]),
        .events([.delta("Why did Mara move it?"), .finished(.length, nil)]),
        .events([.delta("Why did Mara move it?"), .finished(.contentFilter, nil)]),
        .text(""), .text(" \n "), .text("\"\""), .text("[1]"), .text("Why did Mara\nmove the pilot?"),
        .text("Mara moved it because of the storm surge drill."), .text("Because of the storm surge drill"),
        .text("Could you clarify what you mean?"), .text("The pilot was moved by Mara. Anything else about it?"),
        .text("NO_REWRITE"),
    ]

    @Test("Where rewriting fails, the question is searched for as it was asked, with those before", arguments: failures)
    func fallsBack(reply: FakeLanguageModel.Reply) async throws {
        let searching = FakeSearching(hits: [hit(1)], trace: SearchTrace(notes: [.carriedOver]))
        let model = FakeLanguageModel(replies: [reply, .text("Because of the drill [1].")])
        let service = try makeService(searching, model: model, settings: patient)

        let answer = try await service.whole(followUp())

        #expect(searching.requests.map(\.question) == ["Why did she move it?"])
        #expect(searching.requests.map(\.previousQuestions) == [talk.map(\.question)])
        #expect(answer.text == "Because of the drill [1].")
        #expect(answer.searchTrace?.notes == [.rewriteFailed, .carriedOver])
        #expect(answer.searchTrace?.standaloneQuestion == "Why did she move it?")
    }

    @Test("A model that takes too long is not waited for, and its request is aborted")
    func timesOut() async throws {
        let searching = FakeSearching(hits: [hit(1)])
        let model = FakeLanguageModel(replies: [.silence(after: [.delta("Why did")]), .text("Because.")])
        let service = try makeService(
            searching, model: model, settings: AssistantSettings(rewriteTimeLimit: .milliseconds(20)))

        let answer = try await service.whole(followUp())
        await model.aborted()

        #expect(answer.searchTrace?.notes == [.rewriteFailed])
        #expect(searching.requests.map(\.previousQuestions) == [talk.map(\.question)])
        #expect(answer.text == "Because.")
    }

    @Test("When the consumer stops while the question is rewritten, nothing is searched for")
    func stopsWithConsumer() async throws {
        let searching = FakeSearching(hits: [hit(1)])
        let model = FakeLanguageModel(replies: [.silence(after: [])])
        let service = try makeService(searching, model: model, settings: patient)

        await withTaskGroup { group in
            group.addTask { _ = try? await service.events(followUp()) }
            while model.requests.isEmpty { await shortPause() }
            group.cancelAll()
        }
        await model.aborted()

        #expect(searching.requests.isEmpty)
        #expect(model.requests.count == 1)
    }

    @Test("A failed search has no trace")
    func searchFails() async throws {
        let service = try makeService(FakeSearching(failure: ModelServiceError.failed(status: 500)), model: nil)

        #expect(try await service.whole(followUp()).searchTrace == nil)
    }

    @Test(
        "Takes what asks the same thing",
        arguments: [
            ("Why?", "Why did Mara and Priya move the Hamburg pilot from 12 to 27 October?", nil),
            ("why did she move it", "why did Mara move the Hamburg pilot", nil),
            ("why did she move it", "Why did Mara move the Hamburg pilot?", nil),
            ("Tell me more about it.", "Tell me more about the Hamburg pilot.", nil),
            (
                "Und warum hat sie das gemacht?", "„Warum hat Mara den Hamburg-Termin verschoben?“",
                "Warum hat Mara den Hamburg-Termin verschoben?"
            ),
            ("When exactly?", "When exactly on 27. October does Dr. Mara's Hamburg pilot start?", nil),
            ("Mara stopped the pilot. Why?", "Mara stopped the Hamburg pilot. Why did she?", nil),
            ("なぜ彼女が?", "なぜ Mara は Hamburg pilot を動かしたのですか？", nil),
        ] as [(String, String, String?)])
    func accepts(question: String, reply: String, text: String?) async throws {
        let searching = FakeSearching(hits: [hit(1)])
        let model = FakeLanguageModel(replies: [.text(reply), .text("Because.")])

        let answer = try await makeService(searching, model: model, settings: patient).whole(followUp(question))

        #expect(searching.requests.map(\.question) == [text ?? reply])
        #expect(answer.searchTrace?.notes == [.rewritten])
    }

    @Test(
        "Takes up to four times the question's length, at least 160 and at most 500 characters",
        arguments: [
            ("Why?", 160), ("And why did she not move it on Tuesday?", 160), (and(60), 240), (and(125), 500),
            (and(400), 500),
        ])
    func limitsLength(question: String, limit: Int) async throws {
        func reply(_ count: Int) -> String {
            "Why did Mara move the pilot " + String(repeating: "x", count: count - 29) + "?"
        }
        for (count, isTaken) in [(limit, true), (limit + 1, false)] {
            let searching = FakeSearching(hits: [hit(1)])
            let model = FakeLanguageModel(replies: [.text(reply(count)), .text("Because.")])

            let answer = try await makeService(searching, model: model, settings: patient).whole(followUp(question))

            #expect(searching.requests.map(\.question) == [isTaken ? reply(count) : question])
            #expect(answer.searchTrace?.notes == [isTaken ? .rewritten : .rewriteFailed])
        }
    }

    @Test(
        "Refuses what answers",
        arguments: [
            ("why did she move it", "It was moved because of the drill."), ("why did she move it", "the drill"),
            ("Tell me more about it.", "The Hamburg pilot begins on 27 October."),
            ("why did she move it", "why not."),
        ])
    func refuses(question: String, reply: String) async throws {
        let searching = FakeSearching(hits: [hit(1)])
        let model = FakeLanguageModel(replies: [.text(reply), .text("Because.")])

        let answer = try await makeService(searching, model: model, settings: patient).whole(followUp(question))

        #expect(searching.requests.map(\.question) == [question])
        #expect(answer.searchTrace?.notes == [.rewriteFailed])
    }
}
