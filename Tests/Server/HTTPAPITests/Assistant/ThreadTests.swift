import Assistant
import ChatCore
import HTTPAPI
import Prompting
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The routes of threads, and questions within one.
struct ThreadTests {
    private static let ben = [(name: "X-Nexus-User", value: "ben")]

    /// A server whose answers come from a model that says `replies`, about the conversation `team` with the message
    /// `m1`; Ada and Ben are members.
    private func withTeam<Value: Sendable>(
        model: FakeLanguageModel, _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        let searching = LaunchSearching()
        parts.real = (
            searching,
            AnswerService(
                searching: searching,
                session: ModelSession(
                    model: model, prompts: try PromptLibrary(overrides: nil), now: { Sample.now }, logger: parts.logger),
                turns: parts.store)
        )
        return try await withServer(parts) { server in
            _ = try await server.send(
                "POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#)
            _ = try await server.send(
                "POST", "/v1/conversations/team/messages",
                #"{"id":"m1","senderId":"ben","text":"The launch is on Friday."}"#)
            return try await body(server)
        }
    }

    @Test func aQuestionComesAfterThoseOfItsThread() async throws {
        let model = FakeLanguageModel(replies: [
            .text("On Friday [1]."), .text("Who moved the launch?"), .text("Ben [1]."), .text("Alone."),
        ])

        let (turns, alone, thread) = try await withTeam(model: model) { server in
            let id = try await server.thread()
            for (question, field) in [
                ("When is the launch?", #","threadId":"\#(id)""#), ("Who moved it?", #","threadId":"\#(id)""#),
                ("Who moved it?", ""),
            ] {
                // What the request says of the past does not count beside the thread.
                let reply = try await server.send(
                    "POST", "/v1/ask",
                    #"{"question":"\#(question)"\#(field),"conversationHistory":[{"question":"x","answer":""}]}"#)
                #expect(reply.status == 200, "\(reply.text)")
            }
            return (
                try await server.store.turns(of: "ada", in: ThreadID(rawValue: id), before: nil, limit: 9),
                try await server.store.turns(of: "ada", limit: 1),
                try await server.send("GET", "/v1/threads/\(id)")
            )
        }

        #expect(turns.map(\.question) == ["Who moved it?", "When is the launch?"])
        #expect(turns.map(\.historyIDs) == [[turns[1].id], []])
        #expect(alone.map(\.threadID) == [nil])
        #expect(thread.field("title") == "When is the launch?")
        #expect(thread.field("turnCount") == "2")
        let talks = model.requests.map { request in
            request.messages.dropLast().filter { $0.role != .system }.map(\.content)
        }
        // The second request rewrites the question, the third one answers it.
        #expect(talks == [[], [], ["When is the launch?", "On Friday [1]."], []])
    }

    @Test func whatIsNotPermittedAnyMoreStaysOutOfThePrompt() async throws {
        let model = FakeLanguageModel(replies: [.text("On Friday [1]."), .text("What else is planned?")])

        let (turns, export) = try await withTeam(model: model) { server in
            let id = try await server.thread(of: Self.ben)
            let first = #"{"question":"When is the launch?","threadId":"\#(id)"}"#
            _ = try await server.send("POST", "/v1/ask", first, headers: Self.ben)
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ben")
            _ = try await server.send(
                "POST", "/v1/ask", #"{"question":"And?","threadId":"\#(id)"}"#, headers: Self.ben)
            return (
                try await server.send("GET", "/v1/turns?threadId=\(id)", headers: Self.ben),
                try await server.send("GET", "/v1/threads/\(id)/export", headers: Self.ben)
            )
        }

        #expect(model.requests.count == 2)
        #expect(!model.requests[1].messages.contains { $0.content.contains("On Friday") })
        #expect(!turns.text.contains("On Friday"))
        #expect(!export.text.contains("On Friday"))
        #expect(export.text.contains("*Not shown: it was based on messages that you cannot see now.*"))
    }

    /// The second answer stands on nothing itself, but comes after one that did.
    @Test func aKeptAnswerIsMadeAnewWhenWhatCameBeforeItMayNotBeSeen() async throws {
        let model = FakeLanguageModel(replies: [.text("On Friday [1]."), .text("On Friday, as I said.")])
        let key = (name: "Idempotency-Key", value: "k1")

        let (kept, anew) = try await withTeam(model: model) { server in
            let id = try await server.thread(of: Self.ben)
            let first = #"{"question":"When is the launch?","threadId":"\#(id)"}"#
            _ = try await server.send("POST", "/v1/ask", first, headers: Self.ben)
            let second = #"{"question":"Who ordered the water gauges for berth 23?","threadId":"\#(id)","topK":1}"#
            _ = try await server.send("POST", "/v1/ask", second, headers: Self.ben + [key])
            let kept = try await server.send("POST", "/v1/ask", second, headers: Self.ben + [key])
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ben")
            return (kept, try await server.send("POST", "/v1/ask", second, headers: Self.ben + [key]))
        }

        #expect(kept.headers["Idempotency-Replayed"] == "true")
        #expect(anew.headers["Idempotency-Replayed"] == nil)
        #expect(model.requests.count == 3)
        #expect(model.requests.last?.messages.contains { $0.content.contains("When is the launch?") } == false)
    }

    @Test func isListedByItsLastUsePageByPage() async throws {
        let (first, second, wrong) = try await withServer { server in
            for number in 1...3 { _ = try await server.thread(title: "Thread \(number)") }
            let page = try await server.send("GET", "/v1/threads?limit=2")
            let next = try #require(page.field("next"))
            return (
                page, try await server.send("GET", "/v1/threads?limit=2&after=\(next)"),
                try await server.send("GET", "/v1/threads?after=x")
            )
        }

        func titles(_ reply: Reply) -> [Substring] {
            reply.text.split(separator: #""title":""#).dropFirst().compactMap { $0.split(separator: "\"").first }
        }
        #expect(titles(first) == ["Thread 3", "Thread 2"])
        #expect(titles(second) == ["Thread 1"])
        #expect(second.field("next") == nil)
        #expect(wrong.status == 400)
        #expect(wrong.field("detail") == "after must be next of an earlier page")
    }

    @Test func isRenamedAndDeletedByItsUserAlone() async throws {
        let (foreign, renamed, unnamed, deleted, gone) = try await withServer { server in
            let id = try await server.thread(title: "Ferries")
            let path = "/v1/threads/\(id)"
            var foreign: [Reply] = []
            for (method, path, body) in [
                ("GET", path, nil), ("PATCH", path, #"{"title":"x"}"#), ("DELETE", path, nil),
                ("GET", path + "/export", nil), ("GET", "/v1/turns?threadId=\(id)", nil),
                ("POST", "/v1/ask", #"{"question":"q","threadId":"\#(id)"}"#),
            ] as [(String, String, String?)] where method != "POST" {
                foreign.append(try await server.send(method, path, body, headers: Self.ben))
            }
            return (
                foreign, try await server.send("PATCH", path, #"{"title":" Boats "}"#),
                try await server.send("PATCH", path, #"{"title":null}"#), try await server.send("DELETE", path),
                try await server.send("GET", path)
            )
        }

        #expect(foreign.map(\.status) == [404, 404, 404, 404, 404])
        #expect(Set(foreign.map { $0.field("code") }) == ["thread_not_found"])
        #expect(renamed.field("title") == "Boats")
        #expect(unnamed.field("title")?.isEmpty == true)
        #expect(statuses(renamed, unnamed, deleted, gone) == [200, 200, 204, 404])
    }

    @Test(arguments: [(#"{"title":"  "}"#, "title must have 1 to 200 characters"), (#"{"title":7}"#, nil)])
    func aTitleThatCannotBeIsRefused(body: String, detail: String?) async throws {
        let (created, list) = try await withServer { server in
            (try await server.send("POST", "/v1/threads", body), try await server.send("GET", "/v1/threads"))
        }

        #expect(created.status == 400)
        if let detail { #expect(created.field("detail") == detail) }
        #expect(list.text == #"{"threads":[]}"#)
    }

    @Test func aQuestionInAForeignThreadIsRefusedBeforeAnythingIsAsked() async throws {
        let model = FakeLanguageModel(replies: [.text("On Friday [1].")])

        let replies = try await withTeam(model: model) { server in
            let id = try await server.thread()
            let question = #"{"question":"When?","threadId":"\#(id)"}"#
            let stream = Self.ben + [(name: "Accept", value: "text/event-stream")]
            return [
                try await server.send("POST", "/v1/ask", question, headers: Self.ben),
                try await server.send("POST", "/v1/ask", question, headers: stream),
                try await server.send("POST", "/ragQuery", #"{"data":\#(question)}"#, headers: Self.ben),
            ]
        }

        #expect(replies.map(\.status) == [404, 404, 404])
        #expect(replies[0].field("code") == "thread_not_found")
        #expect(model.requests.isEmpty)
    }

    @Test func isExportedAsMarkdown() async throws {
        let model = FakeLanguageModel(replies: [.text("On **Friday** [1].")])

        let export = try await withTeam(model: model) { server in
            let id = try await server.thread()
            _ = try await server.send(
                "POST", "/v1/ask", #"{"question":"When\nis the launch?","threadId":"\#(id)"}"#)
            return try await server.send("GET", "/v1/threads/\(id)/export")
        }

        #expect(export.headers["Content-Type"] == "text/markdown; charset=utf-8")
        #expect(
            export.text == """
                # When is the launch?

                ## 2025-10-23T10:30:00.000Z

                > When
                > is the launch?

                On **Friday** [1].

                Sources:

                - [1] ben, 2025-10-23, team: The launch is on Friday.

                """)
    }
}

/// A search that finds the message about the launch when it is asked about it, and else nothing.
private struct LaunchSearching: MessageSearching {
    func search(_ request: SearchRequest) async throws -> SearchResult {
        SearchResult(
            hits: request.question.contains("launch") ? [Sample.hit] : [], mode: .denseOnly,
            generation: GenerationNumber(rawValue: 1))
    }
}

extension RunningServer {
    /// Begins a thread and returns its id.
    func thread(title: String? = nil, of headers: [(name: String, value: String)] = []) async throws -> String {
        let body = title.map { #"{"title":"\#($0)"}"# } ?? "{}"
        let reply = try await send("POST", "/v1/threads", body, headers: headers)
        #expect(reply.status == 201)
        return try #require(reply.field("id"))
    }
}
