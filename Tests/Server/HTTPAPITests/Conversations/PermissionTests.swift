import ChatCore
import HTTPAPI
import Retrieval
import ServerTestSupport
import Testing
import Transport

struct PermissionTests {
    private static let eve = [(name: "X-Nexus-User", value: "eve")]

    /// Requests that name a conversation; `ID` stands for it.
    @Test(
        arguments: [
            ("GET", "/v1/conversations/ID", nil), ("GET", "/v1/conversations/ID/members", nil),
            ("GET", "/v1/conversations/ID/members/ada", nil), ("PUT", "/v1/conversations/ID/members/eve", "{}"),
            ("DELETE", "/v1/conversations/ID/members/ada", nil), ("GET", "/v1/conversations/ID/messages", nil),
            ("GET", "/v1/conversations/ID/messages/m1", nil), ("DELETE", "/v1/conversations/ID/messages/m1", nil),
            ("PATCH", "/v1/conversations/ID/messages/m1", #"{"text":"x"}"#),
            ("POST", "/v1/conversations/ID/messages", #"{"id":"m1","text":"x"}"#),
            ("POST", "/v1/conversations/ID/action-items/extract", nil), ("GET", "/v1/conversations/ID/decisions", nil),
            ("GET", "/v1/conversations/ID/assistant/changes", nil),
            ("GET", "/v1/conversations/ID/deadlines/changes", nil),
            ("PATCH", "/v1/conversations/ID/deadlines/i1", #"{"status":"done"}"#),
            ("DELETE", "/v1/conversations/ID/action-items/i1", nil),
            ("POST", "/v1/conversations/ID/priorities", #"{"after":"m1"}"#),
            ("POST", "/v1/conversations/ID/messages", #"{"messages":[{"text":"x"}]}"#),
            ("POST", "/v1/conversations/ID/smart-replies", "{}"),
        ] as [(String, String, String?)])
    func answersAlikeForForeignAndUnknown(method: String, path: String, body: String?) async throws {
        let (foreign, unknown, messages) = try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            _ = try await server.send("POST", "/v1/conversations/team/messages", #"{"id":"m1","text":"secret"}"#)
            return (
                try await server.send(
                    method, path.replacing("ID", with: "team"), body, headers: Self.eve),
                try await server.send(
                    method, path.replacing("ID", with: "nowhere"), body, headers: Self.eve),
                try await server.store.teamMessages()
            )
        }

        #expect(foreign.status == 403)
        #expect(
            foreign.text == #"{"code":"conversation_forbidden","detail":"there is no such conversation that this "#
                + #"user may see","status":403,"title":"Forbidden","type":"about:blank"}"#)
        #expect(unknown.status == foreign.status)
        #expect(unknown.text == foreign.text)
        #expect(messages.map(\.text) == ["secret"])
    }

    @Test func tellsAlikeInCallsAndQuestions() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.failure(RetrievalError.noPermittedConversation))

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/ragSearch", #"{"data":{"query":"q","conversationIds":["team"]}}"#)
        }

        #expect(reply.status == 403)
        #expect(
            reply.text == #"{"error":{"details":{"code":"conversation_forbidden"},"message":"there is no such "#
                + #"conversation that this user may see","status":"PERMISSION_DENIED"}}"#)
    }

    @Test(
        arguments: [
            (nil, nil, "dora", 200), ("ben", nil, "ben", 200), (nil, "cy", "cy", 200), ("ben", "ben", "ben", 200),
        ] as [(String?, String?, String, Int)])
    func takesTheAskerFromBodyThenHeaderThenDefault(
        body: String?, header: String?, asker: String, status: Int
    ) async throws {
        var parts = ServerParts(defaultUser: "dora")
        parts.searching = StubSearching()
        let user = body.map { #","userId":"\#($0)""# } ?? ""

        let reply = try await withServer(parts) {
            try await $0.send(
                "POST", "/v1/search", #"{"query":"q"\#(user)}"#,
                headers: header.map { [(name: "X-Nexus-User", value: $0)] } ?? [])
        }

        #expect(reply.status == status)
        #expect(parts.searching.requests.map(\.scope.asker) == [UserID(rawValue: asker)])
    }

    @Test func refusesTwoDifferentAskersAndNone() async throws {
        let (two, none, list) = try await withServer(ServerParts(defaultUser: nil)) { server in
            (
                try await server.send("POST", "/v1/search", #"{"query":"q","userId":"ben"}"#, headers: Self.eve),
                try await server.send("POST", "/v1/search", #"{"query":"q"}"#),
                try await server.send("GET", "/v1/conversations")
            )
        }

        #expect(statuses(two, none, list) == [400, 401, 401])
        #expect(two.field("code") == "user_mismatch")
        #expect(none.field("code") == "user_required")
        #expect(list.field("code") == "user_required")
    }
}
