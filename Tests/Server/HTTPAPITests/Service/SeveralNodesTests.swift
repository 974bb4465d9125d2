import Assistant
import ChatCore
import HTTPAPI
import MessageStore
import PostgresTestSupport
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Two servers that share kept responses and limits in PostgreSQL, and messages in memory.
@Suite(.hangGuard) struct SeveralNodesTests {
    private static let key = [(name: "Idempotency-Key", value: "k-1")]
    private static let team = #"{"id":"team","members":[{"userId":"ada"}]}"#
    private static let messages = "/v1/conversations/team/messages"
    private static let message = #"{"senderId":"ada","text":"Friday"}"#

    private func withNodes(
        _ parts: ServerParts, _ body: (RunningServer, RunningServer, SQLStore) async throws -> Void
    ) async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                var (here, there) = (parts, parts)
                (here.shared, there.shared) = (first, second)
                try await withServer(here) { [there] server in
                    try await withServer(there) { other in
                        _ = try await server.send("POST", "/v1/conversations", Self.team)
                        try await body(server, other, first)
                    }
                }
            }
        }
    }

    @Test func aRequestThatIsRepeatedAtAnotherNodeIsCarriedOutOnce() async throws {
        let parts = ServerParts()
        try await withNodes(parts) { here, there, store in
            let first = try await here.send("POST", Self.messages, Self.message, headers: Self.key)
            let again = try await there.send("POST", Self.messages, Self.message, headers: Self.key)
            let other = try await there.send("POST", Self.messages, #"{"text":"Monday"}"#, headers: Self.key)

            #expect(statuses(first, again, other) == [201, 201, 422])
            #expect(again.text == first.text)
            #expect(again.headers["Idempotency-Replayed"] == "true")
            #expect(again.headers["Content-Type"] == "application/json")
            #expect(try await parts.store.teamMessages().count == 1)
            let texts = try await store.inspect(
                "SELECT kept_responses::text || encode(digest, 'escape') FROM kept_responses")
            #expect(texts.count == 1 && !texts[0].contains("k-1"))
        }
    }

    @Test func whatFailedAtOneNodeIsTriedAgainAtAnother() async throws {
        try await withNodes(ServerParts()) { here, there, _ in
            let body = #"{"id":"pier","members":[{"userId":"ada"}]}"#
            let path = "/v1/conversations/pier/messages"
            let early = try await here.send("POST", path, Self.message, headers: Self.key)
            _ = try await here.send("POST", "/v1/conversations", body)
            let late = try await there.send("POST", path, Self.message, headers: Self.key)
            #expect(statuses(early, late) == [403, 201])
            #expect(late.headers["Idempotency-Replayed"] == nil)
        }
    }

    @Test func theSameRequestIsRefusedWhileAnotherNodeCarriesItOut() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ending: .hang)
        let answering = parts.answering
        try await withNodes(parts) { here, there, _ in
            let body = #"{"question":"When?"}"#
            let first = Task { try await here.send("POST", "/v1/ask", body, headers: Self.key) }
            while answering.requests.isEmpty { await shortPause() }
            let inWork = try await there.send("POST", "/v1/ask", body, headers: Self.key)
            #expect(inWork.status == 409 && inWork.field("code") == "idempotency_key_in_work")
            #expect(answering.requests.count == 1)

            // The client leaves, which frees the key.
            first.cancel()
            _ = await first.result
            let second = Task {
                while try await there.send("POST", "/v1/ask", body, headers: Self.key).status == 409 {}
            }
            while answering.requests.count < 2 { await shortPause() }
            second.cancel()
            _ = await second.result
        }
    }

    @Test(arguments: [
        ("/v1/ask", #"{"question":"When?"}"#), ("/ragQuery", #"{"data":{"question":"When?"}}"#),
        ("/v1/chat/completions", #"{"model":"nexus","messages":[{"role":"user","content":"When?"}]}"#),
    ])
    func anAnswerIsMadeAgainWhenItsBasisChanged(path: String, body: String) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        try await withNodes(parts) { here, there, _ in
            _ = try await here.send("POST", Self.messages, #"{"id":"m1","senderId":"ada","text":"Friday"}"#)
            let first = try await here.send("POST", path, body, headers: Self.key)
            let again = try await there.send("POST", path, body, headers: Self.key)
            _ = try await here.send("DELETE", "/v1/conversations/team/messages/m1")
            let gone = try await there.send("POST", path, body, headers: Self.key)

            #expect(statuses(first, again, gone) == [200, 200, 200])
            #expect(again.text == first.text)
            #expect(again.headers["Idempotency-Replayed"] == "true")
            #expect(gone.headers["Idempotency-Replayed"] == nil)
            #expect(parts.answering.requests.count == 2)
        }
    }
}

/// Limits that two servers share.
@Suite(.hangGuard) struct SharedLimitTests {
    private func withNodes(
        _ parts: ServerParts, _ body: (RunningServer, RunningServer) async throws -> Void
    ) async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                var (here, there) = (parts, parts)
                (here.shared, there.shared) = (first, second)
                try await withServer(here) { [there] server in
                    try await withServer(there) { other in try await body(server, other) }
                }
            }
        }
    }

    @Test func attemptsToSignInAreCountedForBothNodes() async throws {
        var parts = ServerParts(AuthenticationSettings())
        parts.settings.requestsPerMinute = nil
        try await withNodes(parts) { here, there in
            var replies: [Int] = []
            let start = ContinuousClock.now
            while replies.last != 429, replies.count < 100 {
                let node = replies.count % 2 == 0 ? here : there
                let body = #"{"userId":"eve","password":"wrong horse"}"#
                replies.append(try await node.send("POST", "/v1/session", body).status)
            }
            let taken = replies.filter { $0 == 401 }.count
            let most = mostAllowed(10, in: .seconds(300), during: start.duration(to: .now))
            #expect((10...most).contains(taken), "\(replies)")
            #expect(replies.dropLast().allSatisfy { $0 == 401 })
        }
    }

    @Test func ticketsAreCountedForBothNodes() async throws {
        var parts = ServerParts()
        parts.live = LiveSettings(handshakesPerMinute: 6)
        try await withNodes(parts) { here, there in
            var replies: [Int] = []
            let start = ContinuousClock.now
            while replies.last != 429, replies.count < 40 {
                let node = replies.count % 2 == 0 ? here : there
                replies.append(try await node.send("POST", "/v1/feed/ticket", "{}").status)
            }
            let most = mostAllowed(6, in: .seconds(60), during: start.duration(to: .now))
            #expect((6...most).contains(replies.filter { $0 == 200 }.count), "\(replies)")
        }
    }
}
