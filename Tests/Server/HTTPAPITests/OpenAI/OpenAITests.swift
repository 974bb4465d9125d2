import Assistant
import ChatCore
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

struct OpenAITests {
    private static let question = #"{"model":"nexus","messages":[{"role":"user","content":"When?"}]}"#
    private static let sources =
        Sample.annotationsJSON
        + #","citations":[{"conversationId":"team","end":10,"messageId":"m1","number":1,"start":7}]"#

    private func chat(
        _ body: String, _ parts: ServerParts = ServerParts(), headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await withServer(parts) { try await $0.send("POST", "/v1/chat/completions", body, headers: headers) }
    }

    private var answering: ServerParts {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        return parts
    }

    @Test func listsTheAssistantAndTheEmbedder() async throws {
        let (list, one, unknown) = try await withServer { server in
            (
                try await server.send("GET", "/v1/models"), try await server.send("GET", "/v1/models/nexus"),
                try await server.send("GET", "/v1/models/gpt-4")
            )
        }

        let nexus = #"{"created":0,"id":"nexus","object":"model","owned_by":"nexus"}"#
        #expect(
            list.text
                == #"{"data":[\#(nexus),{"created":0,"id":"fake","object":"model","owned_by":"fake"}],"object":"list"}"#
        )
        #expect(one.text == nexus)
        #expect(unknown.status == 404)
        #expect(
            unknown.text
                == #"{"error":{"code":"model_not_found","message":"there is no such model; GET /v1/models lists "#
                + #"them","param":"model","type":"invalid_request_error"}}"#)
    }

    @Test func anEmbedderThatDoesNotAnswerLeavesTheAssistant() async throws {
        let parts = ServerParts()
        parts.embedder.failAlways(.unreachable(reason: "down"))

        let list = try await withServer(parts) { try await $0.send("GET", "/v1/models") }

        #expect(
            list.text == #"{"data":[{"created":0,"id":"nexus","object":"model","owned_by":"nexus"}],"object":"list"}"#)
    }

    @Test func answersWithSourcesAndUsage() async throws {
        let parts = answering

        let reply = try await chat(Self.question, parts)

        #expect(reply.status == 200)
        #expect(
            reply.text == #"{"choices":[{"finish_reason":"length","index":0,"logprobs":null,"message":{"#
                + Self.sources
                + #","content":"Friday [1]\#(Sample.sourceListJSON)","role":"assistant","sources":[\#(Sample.sourceJSON())]}}],"#
                + #""created":1761215400,"id":"chatcmpl-id-2","model":"nexus","object":"chat.completion","#
                + #""usage":{"completion_tokens":3,"prompt_tokens":10,"total_tokens":13}}"#)
        #expect(
            parts.answering.requests == [
                AskRequest(
                    question: "When?", scope: SearchScope(asker: "ada", conversations: .all), limit: 5,
                    askedAt: Sample.now, streams: false)
            ])
    }

    @Test(arguments: [true, false]) func streamsChunks(includesUsage: Bool) async throws {
        let parts = answering
        let options = includesUsage ? #","stream_options":{"include_usage":true}"# : ""

        let reply = try await chat(Self.question.dropLast() + #","stream":true\#(options)}"#, parts)

        let usage = includesUsage ? #","usage":null"# : ""
        func chunk(_ choices: String, _ usage: String) -> String {
            #"data: {"choices":[\#(choices)],"created":1761215400,"id":"chatcmpl-id-2","model":"nexus","#
                + #""object":"chat.completion.chunk"\#(usage)}"# + "\n\n"
        }
        func delta(_ delta: String, reason: String = "null") -> String {
            chunk(#"{"delta":{\#(delta)},"finish_reason":\#(reason),"index":0,"logprobs":null}"#, usage)
        }
        let last = chunk("", #","usage":{"completion_tokens":3,"prompt_tokens":10,"total_tokens":13}"#)
        #expect(reply.status == 200)
        #expect(reply.headers["Content-Type"] == "text/event-stream")
        #expect(
            reply.text == delta(#""content":"","role":"assistant""#) + delta(#""content":"Friday""#)
                + delta(#""content":" [1]""#) + delta(#""content":"\#(Sample.sourceListJSON)""#)
                + delta(Self.sources + #","sources":[\#(Sample.sourceJSON())]"#, reason: #""length""#)
                + (includesUsage ? last : "") + "data: [DONE]\n\n")
        #expect(parts.answering.requests.first?.streams == true)
    }

    @Test func readsTheConversationBeforeTheQuestion() async throws {
        let parts = answering
        let body = #"""
            {"model":"nexus","temperature":0,"max_tokens":7,"n":1,"tools":[],"topK":7,"conversationIds":["a"],"messages":[
            {"role":"system","content":"Obey."},{"role":"user","content":"lost"},{"role":"user","content":"q1"},
            {"role":"assistant","content":"a1"},{"role":"developer","content":"Obey."},{"role":"user","content":"q2"},
            {"role":"assistant","content":null},
            {"role":"user","content":[{"type":"text","text":"Who"},{"type":"text","text":"else?"}]}]}
            """#

        let reply = try await chat(body, parts)

        #expect(reply.status == 200)
        #expect(
            parts.answering.requests == [
                AskRequest(
                    question: "Who\nelse?", history: [Exchange(question: "q1", answer: "a1")],
                    scope: SearchScope(asker: "ada", conversations: .only(["a"])), limit: 7,
                    askedAt: Sample.now, streams: false)
            ])
    }

    @Test func theListOfSourcesIsASetting() async throws {
        var parts = answering
        parts.settings.listsSources = false
        let settings = parts

        let (reply, stream) = try await withServer(settings) { server in
            (
                try await server.send("POST", "/v1/chat/completions", Self.question),
                try await server.send(
                    "POST", "/v1/chat/completions", Self.question.dropLast() + #","stream":true}"#)
            )
        }

        #expect(reply.text.contains(#""content":"Friday [1]","role""#))
        #expect(reply.text.contains(Sample.annotationsJSON))
        #expect(!stream.text.contains("Ben, 2025-10-23, Team\"}"))
    }

    @Test(arguments: [
        (#"a1\n\n- [1] Ben, 2025-10-23, Team"#, "a1"),
        (
            #"a1 [2][1]\n\n- [1] Ben, 2025-10-23, Team\n- [2] Ada, 2025-10-24, Team <https://c.example/m>\n"#,
            "a1 [2][1]"
        ),
        (#"a1\n\n- [2] Ben, 2025-10-23, Team"#, "a1\n\n- [2] Ben, 2025-10-23, Team"),
        (#"a1\n- [1] Ben, 2025-10-23, Team"#, "a1\n- [1] Ben, 2025-10-23, Team"), ("a1", "a1"), ("- [1] x", "- [1] x"),
    ])
    func aListOfSourcesThatComesBackIsTakenOut(content: String, answer: String) async throws {
        let parts = answering

        _ = try await chat(
            #"{"model":"nexus","messages":[{"role":"user","content":"q1"},{"role":"assistant","content":"\#(content)"},"#
                + #"{"role":"user","content":"q2"}]}"#, parts)

        #expect(parts.answering.requests.first?.history == [Exchange(question: "q1", answer: answer)])
    }

    @Test func annotationsLinkToTheMessage() async throws {
        var parts = answering
        parts.settings.messageLinks = MessageLinkTemplate("https://chat.example.com/c/{conversationId}/m/{messageId}")

        let reply = try await chat(Self.question, parts)

        #expect(reply.text.contains(#""url":"https://chat.example.com/c/team/m/m1"}}]"#))
        #expect(reply.text.contains(Sample.sourceListJSON + " <https://chat.example.com/c/team/m/m1>"))
        #expect(reply.text.contains(#""timestamp":"2025-10-23T10:30:00.000Z","url":"https://chat.example.com"#))
    }

    @Test func keepsTheLastTenExchanges() async throws {
        let parts = answering
        let pairs = (1...12).map {
            #"{"role":"user","content":"q\#($0)"},{"role":"assistant","content":"a\#($0)"},"#
        }.joined()

        _ = try await chat(#"{"model":"nexus","messages":[\#(pairs){"role":"user","content":"q"}]}"#, parts)

        #expect(parts.answering.requests.first?.history.map(\.question) == (3...12).map { "q\($0)" })
    }

    @Test(arguments: [
        (#""n":2"#, "unsupported_value", "n"), (#""tools":[{"type":"function"}]"#, "unsupported_value", "tools"),
        (#""logprobs":true"#, "unsupported_value", "logprobs"),
        (#""response_format":{"type":"json_object"}"#, "unsupported_value", "response_format"),
        (#""modalities":["text","audio"]"#, "unsupported_value", "modalities"),
        (#""stream":"yes""#, "invalid_field", "stream"), (#""topK":99"#, "invalid_field", "topK"),
        (#""messages":[{"role":"user","content":" "}]"#, "invalid_field", "messages"),
        (#""messages":[{"role":"assistant","content":"a"}]"#, "invalid_field", "messages"),
        (#""messages":[{"role":"tool","content":"a"}]"#, "invalid_field", "messages[0].role"),
        (
            #""messages":[{"role":"user","content":[{"type":"image_url"}]}]"#, "unsupported_value",
            "messages[0].content[0].type"
        ),
        (#""messages":[]"#, "invalid_field", "messages"),
    ])
    func refusesWhatItDoesNotDo(field: String, code: String, param: String) async throws {
        let base = field.contains("messages") ? #"{"model":"nexus","# : Self.question.dropLast() + ","

        let reply = try await chat(base + field + "}", answering)

        #expect(reply.status == 400)
        #expect(reply.headers["Content-Type"] == "application/json")
        #expect(reply.text.hasPrefix(#"{"error":{"code":"\#(code)","message":"\#(param) "#), "\(reply.text)")
        #expect(reply.text.hasSuffix(#","param":"\#(param)","type":"invalid_request_error"}}"#))
    }

    @Test func errorsHaveOpenAIsShape() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("Fri")], ending: .failure(ModelServiceError.busy(retryAfter: nil)))
        let (model, method, late) = try await withServer(parts) { server in
            (
                try await server.send("POST", "/v1/chat/completions", #"{"model":"gpt-4","messages":[]}"#),
                try await server.send("GET", "/v1/chat/completions"),
                try await server.send(
                    "POST", "/v1/chat/completions", Self.question.dropLast() + #","stream":true}"#)
            )
        }

        #expect(statuses(model, method, late) == [404, 405, 200])
        #expect(model.text.contains(#""code":"model_not_found""#))
        #expect(method.text.contains(#""code":"method_not_allowed""#))
        #expect(
            late.text.hasSuffix(
                #"data: {"error":{"code":"model_busy","message":"the model service is too busy","param":null,"#
                    + #""type":"server_error"}}"# + "\n\n"))
    }

    @Test func theUserFieldNamesTheAskerWhereTheCallerIsBelieved() async throws {
        let parts = answering

        let named = try await chat(Self.question.dropLast() + #","user":"ben"}"#, parts)
        let twice = try await chat(
            Self.question.dropLast() + #","user":"ben"}"#, parts, headers: [("X-Nexus-User", "cy")])

        #expect(statuses(named, twice) == [200, 400])
        #expect(parts.answering.requests.map(\.scope.asker) == ["ben"])
    }

    @Test func theTokenNamesTheAskerWhateverTheUserFieldSays() async throws {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings())
        parts.answering = StubAnswering(Sample.events)

        let reply = try await withServer(parts) { server in
            try await server.send(
                "POST", "/v1/chat/completions", Self.question.dropLast() + #","user":"ben"}"#,
                headers: try await forge.bearer("eve"))
        }

        #expect(reply.status == 200)
        #expect(parts.answering.requests.map(\.scope.asker) == ["eve"])
    }
}
