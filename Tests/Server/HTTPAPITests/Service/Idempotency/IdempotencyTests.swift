import Assistant
import ChatCore
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

struct IdempotencyTests {
    private static let key = [(name: "Idempotency-Key", value: "k-1")]
    private static let team = #"{"id":"team","members":[{"userId":"ada"}]}"#
    private static let messages = "/v1/conversations/team/messages"
    private static let message = #"{"senderId":"ada","text":"Friday"}"#

    @Test func aMessageThatIsPostedTwiceIsStoredOnce() async throws {
        let parts = ServerParts()

        let (first, again, free) = try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            return (
                try await server.send("POST", Self.messages, Self.message, headers: Self.key),
                try await server.send("POST", Self.messages, Self.message, headers: Self.key),
                try await server.send("POST", Self.messages, Self.message)
            )
        }

        #expect(statuses(first, again, free) == [201, 201, 201])
        #expect(again.text == first.text)
        #expect(free.text != first.text)
        #expect(first.headers["Idempotency-Replayed"] == nil)
        #expect(again.headers["Idempotency-Replayed"] == "true")
        #expect(again.headers["Content-Type"] == "application/json")
        #expect(try await parts.store.teamMessages().count == 2)
    }

    /// Nobody knows what became of a request when the connection to the database breaks while it commits.
    @Test func whatWasStoredIsNotStoredAgainThoughItsResponseIsLost() async throws {
        struct Lost: KeptResponses {
            func begin(_ key: [UInt8], bodyHash: [UInt8]) async throws -> RequestStep {
                .proceed(RequestAttempt(key: key, number: 1))
            }
            func finish(_ attempt: RequestAttempt, with response: KeptResponse?) async throws {}
            func forget(_ attempt: RequestAttempt) async throws {}
        }
        let forge = try TokenForge()
        for isPerson in [false, true] {
            var parts = isPerson ? ServerParts(try forge.settings([.ec])) : ServerParts()
            let clock = ManualNow(Sample.now)
            (parts.keptResponses, parts.now) = (Lost(), clock.now)
            let headers = Self.key + (isPerson ? try await forge.bearer("ada") : [])
            let author = isPerson ? try await forge.bearer("ada") : [(name: "X-Nexus-User", value: "ada")]
            let batch = #"{"messages":[{"senderId":"ada","text":"Monday"},{"senderId":"ada","text":"Monday"}]}"#
            try await withServer(parts) { server in
                _ = try await server.store.store(
                    [.of("team", ["ada"])], source: "api", mode: .posting, at: Sample.now)
                for (path, body, statuses) in [
                    (Self.messages, Self.message, [201, 200]), (Self.messages, batch, [200, 200]),
                    ("/v1/conversations", #"{"name":"pier","members":[{"userId":"ada"}]}"#, [201, 200]),
                ] {
                    var replies: [Reply] = []
                    for round in 0..<2 {
                        // Somebody edits it meanwhile.
                        if round == 1, let id = replies[0].field("messageId") {
                            let edit = #"{"text":"Tuesday"}"#
                            let edited = try await server.send("PATCH", path + "/" + id, edit, headers: author)
                            #expect(edited.status == 200)
                        }
                        replies.append(try await server.send("POST", path, body, headers: headers))
                        clock.advance(by: .seconds(1))
                    }
                    #expect(replies.map(\.status) == statuses, "\(isPerson) \(body) \(replies.map(\.text))")
                    #expect(replies[0].field("id") == replies[1].field("id"))
                    #expect(replies[0].field("messageId") == replies[1].field("messageId"))
                }
                // Another body is another request.
                let other = try await server.send(
                    "POST", Self.messages, #"{"senderId":"ada","text":"Sunday"}"#, headers: headers)
                #expect(other.status == 201)
            }
            let texts = try await parts.store.teamMessages().map(\.text)
            #expect(texts == ["Tuesday", "Monday", "Monday", "Sunday"])
        }
    }

    @Test func aKeyBelongsToOneBodyAndOneUser() async throws {
        let parts = ServerParts()
        let members = #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#

        let (other, user) = try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", members)
            _ = try await server.send("POST", Self.messages, Self.message, headers: Self.key)
            return (
                try await server.send("POST", Self.messages, #"{"text":"Monday"}"#, headers: Self.key),
                try await server.send(
                    "POST", Self.messages, Self.message, headers: Self.key + [("X-Nexus-User", "ben")])
            )
        }

        #expect(statuses(other, user) == [422, 201])
        #expect(other.field("code") == "idempotency_key_reused")
        #expect(user.headers["Idempotency-Replayed"] == nil)
        #expect(try await parts.store.teamMessages().count == 2)
    }

    @Test(arguments: ["a b", String(repeating: "k", count: 256)])
    func refusesKeysThatAreNone(key: String) async throws {
        let reply = try await withServer {
            try await $0.send("POST", "/v1/conversations", Self.team, headers: [("Idempotency-Key", key)])
        }

        #expect(reply.status == 400)
        #expect(reply.field("field") == "Idempotency-Key")
    }

    @Test func whatFailedIsTriedAgain() async throws {
        let parts = ServerParts()

        let (early, late) = try await withServer(parts) { server in
            let early = try await server.send("POST", Self.messages, Self.message, headers: Self.key)
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            return (early, try await server.send("POST", Self.messages, Self.message, headers: Self.key))
        }

        #expect(statuses(early, late) == [403, 201])
        #expect(late.headers["Idempotency-Replayed"] == nil)
    }

    @Test(arguments: [
        ("/v1/ask", #"{"question":"When?"}"#), ("/ragQuery", #"{"data":{"question":"When?"}}"#),
        ("/v1/chat/completions", #"{"model":"nexus","messages":[{"role":"user","content":"When?"}]}"#),
    ])
    func aQuestionThatIsAskedTwiceIsAnsweredOnce(path: String, body: String) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let (first, again, gone) = try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            _ = try await server.send("POST", Self.messages, #"{"id":"m1","senderId":"ada","text":"Friday"}"#)
            let first = try await server.send("POST", path, body, headers: Self.key)
            let again = try await server.send("POST", path, body, headers: Self.key)
            _ = try await server.send("DELETE", "/v1/conversations/team/messages/m1")
            return (first, again, try await server.send("POST", path, body, headers: Self.key))
        }

        #expect(statuses(first, again, gone) == [200, 200, 200])
        #expect(again.text == first.text)
        #expect(again.headers["Idempotency-Replayed"] == "true")
        // The message that the answer was based on is gone, so the answer is made again.
        #expect(gone.headers["Idempotency-Replayed"] == nil)
        #expect(parts.answering.requests.count == 2)
    }

    @Test func theSameQuestionIsRefusedWhileItIsAnswered() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ending: .hang)
        let answering = parts.answering

        let (inWork, other) = try await withServer(parts) { server in
            let first = Task {
                try await server.send("POST", "/v1/ask", #"{"question":"When?"}"#, headers: Self.key)
            }
            while answering.requests.isEmpty { await shortPause() }
            let inWork = try await server.send("POST", "/v1/ask", #"{"question":"When?"}"#, headers: Self.key)
            let other = try await server.send("POST", "/v1/ask", #"{"question":"Who?"}"#, headers: Self.key)
            first.cancel()
            _ = await first.result
            return (inWork, other)
        }

        #expect(statuses(inWork, other) == [409, 422])
        #expect(inWork.field("code") == "idempotency_key_in_work")
        #expect(inWork.headers["Retry-After"] == "1")
        #expect(answering.requests.count == 1)
    }

    @Test func aStreamIsNotKept() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        let headers = Self.key + [("Accept", "text/event-stream")]

        let again = try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/ask", #"{"question":"When?"}"#, headers: headers)
            return try await server.send("POST", "/v1/ask", #"{"question":"When?"}"#, headers: headers)
        }

        #expect(again.status == 200)
        #expect(again.headers["Idempotency-Replayed"] == nil)
        #expect(parts.answering.requests.count == 2)
    }
}
