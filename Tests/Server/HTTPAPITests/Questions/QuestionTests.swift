import Assistant
import ChatCore
import HTTPAPI
import NexusModel
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

struct QuestionTests {
    @Test func aUserWhoseTokensAreUsedUpIsToldUntilWhen() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([], ending: .failure(DailyTokensUsedUp(retryAfter: 48_600)))

        let (plain, stream, callable) = try await withServer(parts) { server in
            (
                try await server.send("POST", "/v1/ask", #"{"question":"q"}"#),
                try await server.send(
                    "POST", "/v1/ask", #"{"question":"q"}"#, headers: [("Accept", "text/event-stream")]),
                try await server.send("POST", "/ragQuery", #"{"data":{"question":"q"}}"#)
            )
        }

        for reply in [plain, stream] {
            #expect(reply.status == 429)
            #expect(reply.field("code") == "daily_tokens_used_up")
            #expect(reply.headers["Retry-After"] == "48600")
        }
        #expect(callable.status == 429)
        #expect(callable.text.hasSuffix(#""status":"RESOURCE_EXHAUSTED"}}"#))
    }

    @Test func listsPastQuestionsPageByPage() async throws {
        let parts = ServerParts()
        for (number, asker) in ["ada", "ada", "ben", "ada"].enumerated() {
            try await parts.store.record(
                Turn(
                    id: TurnID(rawValue: "t\(number)"), askerID: UserID(rawValue: asker), question: "q\(number)",
                    answer: "a", sourceKeys: [], askedAt: Timestamp(milliseconds: Int64(number))))
        }

        let (first, second, foreign) = try await withServer(parts) { server in
            (
                try await server.send("GET", "/v1/turns?limit=2"),
                try await server.send("GET", "/v1/turns?limit=2&before=t1"),
                try await server.send("GET", "/v1/turns?before=t2")
            )
        }

        func questions(_ reply: Reply) -> [Substring] {
            reply.text.split(separator: #""question":""#).dropFirst().compactMap { $0.split(separator: "\"").first }
        }
        #expect(questions(first) == ["q3", "q1"])
        #expect(first.field("next") == "t1")
        #expect(questions(second) == ["q0"])
        #expect(second.field("next") == nil)
        #expect(foreign.status == 400)
        #expect(foreign.field("detail") == "before names no turn")
    }

    @Test func asksInPlainJSON() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let reply = try await withServer(parts) { try await $0.send("POST", "/v1/ask", #"{"question":"When?"}"#) }

        #expect(reply.status == 200)
        #expect(reply.text == Sample.answerJSON())
        #expect(reply.headers["Content-Type"] == "application/json")
        #expect(
            parts.answering.requests == [
                AskRequest(
                    question: "When?", scope: SearchScope(asker: "ada", conversations: .all), limit: 5,
                    askedAt: Sample.now, streams: false)
            ])
    }

    @Test func readsEveryFieldOfAQuestion() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        let body = #"""
            {"question":"When?","userId":"ben","topK":7,"conversationIds":["a","b"],"senderIds":["cy"],
             "from":"2025-10-23T12:30:00+02:00","to":1761215401000,"timeZone":"Europe/Berlin",
             "conversationHistory":[{"question":"q1","answer":"a1"},{"question":"When?"}]}
            """#

        let reply = try await withServer(parts) { try await $0.send("POST", "/v1/ask", body) }

        #expect(reply.status == 200)
        #expect(
            parts.answering.requests == [
                AskRequest(
                    question: "When?", history: [Exchange(question: "q1", answer: "a1")],
                    scope: SearchScope(asker: "ben", conversations: .only(["a", "b"])),
                    filter: SearchFilter(
                        senderIDs: ["cy"], from: Sample.now, to: Timestamp(milliseconds: 1_761_215_401_000)),
                    limit: 7, timeZone: "Europe/Berlin", askedAt: Sample.now, streams: false)
            ])
    }

    @Test func messagesWithRolesAreAHistoryToo() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        let history = #"""
            [{"role":"user","content":"q1"},{"role":"assistant","content":"a1"},{"role":"assistant","content":"a2"},
             {"question":"q2","answer":"a3"},{"role":"user","content":"q3"},{"role":"user","content":"q4"},
             {"role":"assistant","content":"a4"},{"role":"user","content":"now"}]
            """#

        for (path, body) in [
            ("/v1/ask", #"{"question":"x","conversationHistory":\#(history)}"#),
            ("/ragQuery", #"{"data":{"question":"x","conversationHistory":\#(history)}}"#),
        ] {
            let reply = try await withServer(parts) { try await $0.send("POST", path, body) }
            #expect(reply.status == 200, "\(reply.text)")
        }

        let read = [
            Exchange(question: "q1", answer: "a1\na2"), Exchange(question: "q2", answer: "a3"),
            Exchange(question: "q3\nq4", answer: "a4"),
        ]
        #expect(parts.answering.requests.map(\.history) == [read, read])
    }

    @Test(arguments: [
        (#"{"text":"q"}"#, "conversationHistory[0] must have question and answer, or role and content"),
        (
            #"{"role":"assistant","content":"hello"}"#,
            "conversationHistory[0].role must be user before the first message of the assistant"
        ),
        (#"{"role":"system","content":"x"}"#, "conversationHistory[0].role must be user or assistant"),
        (#"{"role":"user","content":["x"]}"#, "conversationHistory[0].content must be a string, not an array"),
    ]) func aHistoryOfAnotherFormIsRefused(item: String, detail: String) async throws {
        let reply = try await withServer {
            try await $0.send("POST", "/ragQuery", #"{"data":{"question":"x","conversationHistory":[\#(item)]}}"#)
        }
        #expect(reply.status == 400)
        #expect(reply.text.contains(detail), "\(reply.text)")
    }

    @Test func keepsTheLastTenExchanges() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        let items = (1...12).map { #"{"question":"q\#($0)","answer":"a\#($0)"}"# }.joined(separator: ",")

        _ = try await withServer(parts) {
            try await $0.send("POST", "/v1/ask", #"{"question":"x","conversationHistory":[\#(items)]}"#)
        }

        #expect(parts.answering.requests.first?.history.map(\.question) == (3...12).map { "q\($0)" })
    }

    @Test(arguments: [true, false]) func anExplanationSaysWhichPartOfALongMessageWasFound(explains: Bool) async throws {
        var message = Sample.hit.message
        message.text = "Grüße! The launch is on Friday."
        let hit = Hit(
            message: message, conversation: Sample.hit.conversation, rank: 1, relevance: 0.5,
            passage: FoundPassage(ordinal: 1, range: 9..<33),
            explanation: explains ? HitExplanation(signals: []) : nil)

        let part = ChatSearchResult.Found(hit, links: nil).passage

        #expect(part?.ordinal == (explains ? 1 : nil))
        #expect(part?.start == (explains ? 7 : nil))
        #expect(part?.end == (explains ? 31 : nil))
        #expect(ChatSearchResult.Found(Sample.hit, links: nil).passage == nil)
    }

    @Test func searchesInPlainJSON() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([Sample.hit]))

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/search", #"{"query":"launch","topK":3}"#)
        }

        #expect(reply.status == 200)
        let trace = #"{"configuration":"","generation":1,"mode":"dense_only","notes":[]}"#
        #expect(
            reply.text == #"{"noAnswerReason":"none","results":["# + Sample.foundJSON
                + #"],"retrieval":"# + trace + "}")
        #expect(
            parts.searching.requests == [
                SearchRequest(
                    question: "launch", scope: SearchScope(asker: "ada", conversations: .all), limit: 3,
                    askedAt: Sample.now)
            ])
    }

    @Test func givesUpAnAnswerThatTakesTooLong() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ending: .hang)
        let answering = parts.answering

        let reply = try await lateReply(parts) { _ in
            !answering.requests.isEmpty
        } send: {
            try await $0.send("POST", "/v1/ask", #"{"question":"When?"}"#)
        }

        #expect(reply.status == 504)
        #expect(reply.field("code") == "deadline_exceeded")
        var cutOff = parts.answering.cutOff.makeAsyncIterator()
        #expect(await cutOff.next() != nil)
    }
}
