import Assistant
import ChatCore
import HTTPAPI
import ModelClients
import Prompting
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport
import UseCases

struct AnswerStreamTests {
    private static let question = #"{"question":"When?"}"#
    private static let events = [(name: "Accept", value: "text/event-stream")]

    @Test(arguments: ["text/event-stream", "application/json;q=0.5, Text/Event-Stream; charset=utf-8"])
    func streamsTypedEvents(accept: String) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/ask", Self.question, headers: [("Accept", accept)])
        }

        #expect(reply.status == 200)
        #expect(reply.headers["Content-Type"] == "text/event-stream")
        #expect(reply.headers["Connection"] == nil)
        let frames = [
            "id: 1\nevent: retrieval\ndata: {\"sources\":[\(Sample.sourceJSON())]}",
            "id: 2\nevent: delta\ndata: {\"text\":\"Friday\"}", "id: 3\nevent: delta\ndata: {\"text\":\" [1]\"}",
            "id: 4\nevent: citation\ndata: "
                + #"{"conversationId":"team","end":10,"messageId":"m1","number":1,"start":7}"#,
            "id: 5\nevent: done\ndata: \(Sample.answerJSON())",
        ]
        #expect(reply.text == frames.map { $0 + "\n\n" }.joined())
        #expect(parts.answering.requests.first?.streams == true)
    }

    @Test func endsAStreamThatFailsWithAnErrorEvent() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("Fri")], ending: .failure(ModelServiceError.incompleteReply))

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/ask", Self.question, headers: Self.events)
        }

        let problem =
            #"{"code":"model_incomplete_reply","detail":"the model service's reply broke off","status":502,"#
            + #""title":"Bad Gateway","type":"about:blank"}"#
        #expect(
            reply.text == "id: 1\nevent: delta\ndata: {\"text\":\"Fri\"}\n\n"
                + "id: 2\nevent: error\ndata: \(problem)\n\n")
    }

    @Test(arguments: [
        (RetrievalError.noPermittedConversation as any Error, 403, "conversation_forbidden"),
        (ModelServiceError.unauthorized(status: 401), 502, "model_unauthorized"),
    ])
    func whatFailsBeforeTheFirstEventIsAnErrorLikeAnyOther(
        error: any Error, status: Int, code: String
    ) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ending: .failure(error))

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/ask", Self.question, headers: Self.events)
        }

        #expect(reply.status == status)
        #expect(reply.headers["Content-Type"] == "application/problem+json")
        #expect(reply.headers["Connection"] == nil)
        #expect(reply.field("code") == code)
    }

    @Test func aFullHouseRefusesAStreamBeforeItBegins() async throws {
        var parts = ServerParts()
        parts.questionLimits = QuestionLimits(running: 1, perUser: 8, waiting: 0)
        parts.answering = StubAnswering([.delta("Fri")], ending: .hang)

        let reply = try await withServer(parts) { server in
            let first = try await server.stream("/v1/ask", Self.question, headers: Self.events)
            let reply = try await server.send("POST", "/v1/ask", Self.question, headers: Self.events)
            for try await _ in first.body { break }
            return reply
        }

        #expect(reply.status == 503)
        #expect(reply.field("code") == "overloaded")
        #expect(reply.headers["Retry-After"] == "5")
        #expect(parts.answering.requests.count == 1)
    }

    @Test func aSilentStreamSaysThatItIsAlive() async throws {
        var parts = ServerParts()
        parts.settings.heartbeatInterval = .milliseconds(5)
        parts.answering = StubAnswering([.delta("Fri")], ending: .hang)

        let text = try await withServer(parts) { server in
            var text = ""
            let response = try await server.stream("/v1/ask", Self.question, headers: Self.events)
            for try await piece in response.body {
                text += String(decoding: piece, as: UTF8.self)
                if text.hasSuffix("\n\n:\n\n:\n\n") { break }
            }
            return text
        }

        #expect(text == "id: 1\nevent: delta\ndata: {\"text\":\"Fri\"}\n\n:\n\n:\n\n")
    }

    @Test func callableClientsAreNotToldThatTheStreamIsAlive() async throws {
        var parts = ServerParts()
        parts.settings.heartbeatInterval = .milliseconds(1)
        parts.answering = StubAnswering([.delta("Fri")], ending: .hang)

        let reply = try await lateReply(parts) {
            $0.text.contains("Fri")
        } send: {
            try await $0.send("POST", "/ragQuery", #"{"data":{"question":"When?"}}"#, headers: Self.events)
        }

        #expect(reply.status == 200)
        #expect(reply.text.split(separator: "\n").count == 2)
        #expect(reply.text.split(separator: "\n").allSatisfy { $0.hasPrefix("data: {") })
        #expect(reply.text.contains(#""status":"DEADLINE_EXCEEDED""#))
    }

    @Test func aStreamThatTakesTooLongEndsWithAnErrorEvent() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("Fri")], ending: .hang)

        let reply = try await lateReply(parts) {
            $0.text.contains("Fri")
        } send: {
            try await $0.send("POST", "/v1/ask", Self.question, headers: Self.events)
        }

        #expect(reply.text.contains("id: 2\nevent: error\ndata: {\"code\":\"deadline_exceeded\""))
        var cutOff = parts.answering.cutOff.makeAsyncIterator()
        #expect(await cutOff.next() != nil)
    }

    @Test(arguments: [nil, "text/event-stream"] as [String?])
    func abortsTheAnswerWhenTheClientGoesAway(accept: String?) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("Fri")], ending: .hang)
        let headers = accept.map { [(name: "Accept", value: $0)] } ?? []
        let answering = parts.answering

        try await withServer(parts) { server in
            let exchange = Task {
                let response = try await server.stream("/v1/ask", #"{"question":"When?"}"#, headers: headers)
                for try await _ in response.body { break }
            }
            if accept == nil {
                while answering.requests.isEmpty { await shortPause() }
                exchange.cancel()
            }
            _ = await exchange.result
            var cutOff = answering.cutOff.makeAsyncIterator()
            #expect(await cutOff.next() != nil)
        }
    }

    /// The model's service sees its connection closed; the test would hang otherwise.
    @Test(.hangGuard, arguments: [nil, "text/event-stream"] as [String?])
    func abortsTheModelsRequestWhenTheClientGoesAway(accept: String?) async throws {
        let model = try StubServer { _ in .eventStream([.delta("Fri"), .hang]) }
        let transport = try CurlTransport()
        var parts = ServerParts()
        let settings = ChatServiceSettings(address: ServiceAddress(baseURL: model.baseURL + "/v1"), model: "stub")
        let searching = StubSearching(.success([Sample.hit]))
        let answering = AnswerService(
            searching: searching,
            session: ModelSession(
                model: try OpenAIChatModel(settings: settings, transport: transport),
                prompts: try PromptLibrary(overrides: nil), now: { Sample.now }, logger: parts.logger),
            turns: parts.store)
        parts.real = (searching, answering)
        let headers = accept.map { [(name: "Accept", value: $0)] } ?? []

        try await withServer(parts) { server in
            let exchange = Task {
                let response = try await server.stream("/v1/ask", Self.question, headers: headers)
                for try await _ in response.body {
                    // The model is never asked for a client that leaves before.
                    await model.waitForRequests(1)
                    break
                }
            }
            await model.waitForRequests(1)
            if accept == nil { exchange.cancel() }
            _ = await exchange.result
            await model.waitForDisconnect()
        }

        #expect(model.requests.count == 1)
        #expect(try await parts.store.turns(of: "ada", limit: 10).isEmpty)
        await transport.shutdown()
    }
}
