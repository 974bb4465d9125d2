import Assistant
import ChatCore
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport
import UseCases

struct SmartReplyTests {
    private static let path = "/v1/conversations/team/smart-replies"
    private static let ben = [(name: "X-Nexus-User", value: "ben")]

    private func parts(_ replies: FakeLanguageModel.Reply...) -> (ServerParts, FakeLanguageModel) {
        let model = FakeLanguageModel(replies: replies)
        var parts = ServerParts()
        parts.model = model
        return (parts, model)
    }

    private func furnish(_ server: RunningServer) async throws {
        let team = #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#
        _ = try await server.send("POST", "/v1/conversations", team)
        let message = #"{"id":"m1","senderId":"ben","senderName":"Ben","text":"Lunch at noon?"}"#
        _ = try await server.send("POST", "/v1/conversations/team/messages", message)
    }

    @Test func suggestsRepliesToTheLastMessage() async throws {
        let (parts, model) = parts(.text(#"["Sure!","Not today."]"#))

        let (ada, ben, named) = try await withServer(parts) { server in
            try await furnish(server)
            return (
                try await server.send("POST", Self.path, "{}"),
                try await server.send("POST", Self.path, "{}", headers: Self.ben),
                try await server.send("POST", Self.path, #"{"userId":"ada"}"#)
            )
        }

        #expect(statuses(ada, ben, named) == [200, 200, 200])
        #expect(ada.text == #"{"replies":["Sure!","Not today."]}"#)
        #expect(ada.headers["Connection"] == nil)
        #expect(ben.text == #"{"reason":"own_last_message","replies":[]}"#)
        #expect(named.text == ada.text)
        #expect(model.requests.count == 2)
        #expect(model.requests.first?.messages.first?.content.contains("Text: Lunch at noon?") == true)
    }

    @Test func saysThatThereIsNoLanguageModel() async throws {
        let reply = try await withServer { server in
            try await furnish(server)
            return try await server.send("POST", Self.path, "{}")
        }

        #expect(reply.status == 200)
        #expect(reply.text == #"{"reason":"no_language_model","replies":[]}"#)
    }

    @Test func aForeignConversationEntersNoPrompt() async throws {
        let (parts, model) = parts(.text(#"["Sure!"]"#))

        let (foreign, unknown, own) = try await withServer(parts) { server in
            try await furnish(server)
            let body = #"{"id":"den","members":[{"userId":"eve"}]}"#
            _ = try await server.send("POST", "/v1/conversations", body, headers: [("X-Nexus-User", "eve")])
            _ = try await server.send(
                "POST", "/v1/conversations/den/messages", #"{"id":"m1","senderId":"eve","text":"canary"}"#,
                headers: [("X-Nexus-User", "eve")])
            return (
                try await server.send("POST", Self.path.replacing("team", with: "den"), "{}"),
                try await server.send("POST", Self.path.replacing("team", with: "nowhere"), "{}"),
                try await server.send("POST", Self.path, "{}")
            )
        }

        #expect(statuses(foreign, unknown, own) == [403, 403, 200])
        #expect(foreign.text == unknown.text)
        #expect(foreign.field("code") == "conversation_forbidden")
        #expect(model.requests.count == 1)
        #expect(model.requests.allSatisfy { !$0.messages.contains { $0.content.contains("canary") } })
    }

    @Test func aModelThatFailsIsToldAsOfAQuestion() async throws {
        let (parts, _) = parts(
            .failure(after: [], .unreachable(reason: "refused")), .failure(after: [], .failed(status: 500)))

        let (unreachable, failed) = try await withServer(parts) { server in
            try await furnish(server)
            return (
                try await server.send("POST", Self.path, "{}"), try await server.send("POST", Self.path, "{}")
            )
        }

        #expect(statuses(unreachable, failed) == [503, 502])
        #expect(unreachable.field("code") == "model_unreachable")
    }

    @Test func usesUpTheTokensOfQuestions() async throws {
        var (parts, model) = parts(.text(#"["Sure!"]"#))
        parts.tokensPerDay = 100

        let reply = try await withServer(parts) { server in
            try await furnish(server)
            return try await server.send("POST", Self.path, "{}")
        }

        #expect(reply.status == 429)
        #expect(reply.field("code") == "daily_tokens_used_up")
        #expect(model.requests.isEmpty)
    }

    @Test func endsWhenAnAnswerMust() async throws {
        var (parts, model) = parts(.silence(after: []))
        parts.settings.answerTimeout = .milliseconds(500)

        let reply = try await withServer(parts) { server in
            try await furnish(server)
            return try await server.send("POST", Self.path, "{}")
        }

        #expect(reply.status == 504)
        // On a busy machine the time may be over before the model is asked.
        if !model.requests.isEmpty { await model.aborted() }
    }

    @Test func takesThePlaceOfAQuestion() async throws {
        var (parts, model) = parts(.silence(after: []))
        parts.questionLimits = QuestionLimits(running: 1, perUser: 1, waiting: 0)

        let reply = try await withServer(parts) { server in
            try await furnish(server)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await server.send("POST", Self.path, "{}") }
                while model.requests.isEmpty { await shortPause() }
                let reply = try await server.send("POST", Self.path, "{}")
                group.cancelAll()
                return reply
            }
        }

        #expect(reply.status == 429)
        #expect(reply.field("code") == "too_many_questions")
        // The client that went away takes its request to the model along.
        await model.aborted()
    }

    @Test(arguments: [("", 400), ("[]", 400), (#"{"userId":5}"#, 400)]) func readsItsBodyStrictly(
        body: String, status: Int
    ) async throws {
        let reply = try await withServer { try await $0.send("POST", Self.path, body) }

        #expect(reply.status == status)
    }
}
