import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// A session against a server that the test plays; waits are over at once.
@Suite(.hangGuard) struct NexusSessionTests {
    private static let place = """
        {"id":"pier","kind":"group","visibility":"members","name":"Pier","head":0,"activeAt":"2026-10-07","readSeq":0,
         "unreadCount":0,"mentionCount":0,"preferences":{"muted":false,"archived":false,"pinned":false}}
        """

    private static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> ClientResponse {
        ClientResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Answers as a server with one conversation; `post` answers posted messages.
    private static func answer(
        position: Int = 1, post: @escaping FakeTransport.Answer = { _ in json(#"{"status":"inserted","seq":1}"#) }
    ) -> FakeTransport.Answer {
        { request in
            if request.path == "/v1/sync" { return json(#"{"cursor":"2f-\#(position)","conversations":[\#(place)]}"#) }
            if request.method == "POST", request.path == "/v1/conversations/pier/messages" { return try post(request) }
            if request.path.hasPrefix("/v1/conversations/pier/messages?") { return json(#"{"messages":[]}"#) }
            if request.path == "/v1/conversations/pier" { return json(#"{"members":[{"userId":"ada","name":"Ada"}]}"#) }
            if request.path == "/v1/conversations/pier/receipts" { return json(#"{"receipts":[]}"#) }
            return json("{}", status: 404)
        }
    }

    private static func message(_ seq: Int, _ text: String, localID: String = "x", by sender: String = "ben") -> String
    {
        """
        {"type":"message","message":{"id":"m\(seq)","conversationId":"pier","senderId":"\(sender)","senderName":"n",
         "text":"\(text)","timestamp":"2026-10-07","localId":"\(localID)","seq":\(seq)}}
        """
    }

    private static func frame(_ previous: Int, _ position: Int, _ changes: String...) -> String {
        """
        {"v":1,"lane":0,"prev":\(previous),"pos":\(position),"cursor":"2f-\(position)",
         "changes":[\(changes.joined(separator: ","))]}
        """
    }

    /// What the waits were, and ids in order.
    private final class Times: Sendable {
        let waits = Mutex<[Duration]>([])
        let ids = Mutex(0)

        /// Short waits are over at once; those of 2 s and 25 s, which repeat for ever, end with the connection.
        var timing: SessionTiming {
            SessionTiming(
                sleep: { duration in
                    self.waits.withLock { $0.append(duration) }
                    guard duration == .seconds(2) || duration == .seconds(25) else {
                        return try Task.checkCancellation()
                    }
                    try await Task.sleep(for: .seconds(100_000))
                },
                elapsed: { .zero }, share: { 0.75 })
        }

        func makeID() -> String {
            ids.withLock { number in
                number += 1
                return "local-\(number)"
            }
        }
    }

    /// Runs a session while `body` plays the server.
    private func run<Value: Sendable>(
        _ transport: FakeTransport, times: Times = Times(), tokens: (any TokenProvider)? = nil,
        _ body: (NexusSession) async throws -> Value
    ) async throws -> Value {
        let session = NexusSession(
            transport: transport, user: "ada", device: "d", tokens: tokens, timing: times.timing,
            makeID: { times.makeID() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await session.run() }
            let value = try await body(session)
            group.cancelAll()
            return value
        }
    }

    private func wait(until isTrue: () async -> Bool) async throws {
        while !(await isTrue()) {
            try Task.checkCancellation()
            await shortPause()
        }
    }

    @Test func resumesAtItsCursorAndTakesNothingTwice() async throws {
        let transport = FakeTransport(answer: Self.answer())
        let texts = try await run(transport) { session in
            try await wait { transport.sockets.count == 1 }
            transport.sockets[0].say(Self.frame(1, 2, Self.message(1, "one")))
            try await wait { await session.state.cursor == FeedCursor("2f-2") }
            transport.sockets[0].end()
            try await wait { transport.sockets.count == 2 }
            transport.sockets[1].say(Self.frame(1, 2, Self.message(1, "one")))
            transport.sockets[1].say(Self.frame(2, 3, Self.message(2, "two")))
            try await wait { await session.state.cursor == FeedCursor("2f-3") }
            return await session.state.conversations["pier"]?.messages.map(\.text)
        }

        #expect(texts == ["one", "two"])
        let paths = transport.requests.map(\.path)
        #expect(paths.count { $0 == "/v1/sync" } == 1)
        #expect(paths.filter { $0.hasPrefix("/v1/socket") }.map { $0.contains("cursor=2f-2") } == [false, true])
    }

    @Test func aGapConnectsAgainAndAResyncTakesASnapshot() async throws {
        let transport = FakeTransport(answer: Self.answer())
        try await run(transport) { session in
            try await wait { transport.sockets.count == 1 }
            transport.sockets[0].say(Self.frame(5, 6, Self.message(1, "lost")))
            try await wait { transport.sockets.count == 2 }
            #expect(await session.state.cursor == FeedCursor("2f-1"))
            transport.change(Self.answer(position: 9))
            transport.sockets[1].say(#"{"type":"resync"}"#)
            transport.sockets[1].end()
            try await wait { transport.sockets.count == 3 }
            #expect(await session.state.cursor == FeedCursor("2f-9"))
        }
    }

    @Test func sendsInOrderAndRepeatsUnderTheSameIDs() async throws {
        let failures = Mutex(3)
        let transport = FakeTransport(
            answer: Self.answer { _ in
                let left = failures.withLock { left in
                    left -= 1
                    return left
                }
                if left == 2 { throw ClientTransportError.broken }
                if left == 1 { return Self.json("{}", status: 503) }
                return Self.json(#"{"status":"inserted","seq":1}"#, status: 201)
            })
        try await run(transport) { session in
            for text in ["one", "two", "three"] { await session.send(text, to: "pier") }
            try await wait { await session.waitingCount == 0 }
            try await wait { transport.sockets.count == 1 }
            // The feed brings them back.
            transport.sockets[0].say(
                Self.frame(
                    1, 2, Self.message(1, "one", localID: "local-1", by: "ada"),
                    Self.message(2, "two", localID: "local-2", by: "ada"),
                    Self.message(3, "three", localID: "local-3", by: "ada")))
            try await wait { await session.pendingCount == 0 }
        }

        let posted = transport.requests.filter { $0.method == "POST" }.map { request in
            let fields = request.body.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
            return [fields?["text"] as? String, fields?["localId"] as? String]
        }
        #expect(
            posted == [
                ["one", "local-1"], ["one", "local-1"], ["one", "local-1"], ["two", "local-2"], ["three", "local-3"],
            ])
    }

    @Test func aRefusedMessageStopsThoseBehindItUntilItIsDiscarded() async throws {
        let transport = FakeTransport(
            answer: Self.answer { request in
                let text = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
                guard text.contains("bad") else { return Self.json(#"{"status":"inserted","seq":1}"#) }
                return Self.json(#"{"code":"invalid_field","detail":"text: no"}"#, status: 400)
            })
        try await run(transport) { session in
            let bad = await session.send("bad", to: "pier")
            await session.send("good", to: "pier")
            try await wait {
                if case .failed = await session.waiting(in: "pier").first?.state { true } else { false }
            }
            let states = await session.waiting(in: "pier").map(\.state)
            let error = SessionError.refused(
                status: 400, code: "invalid_field", detail: "text: no", retryAfter: nil)
            #expect(states == [.failed(error), .queued])
            await session.discard(bad)
            try await wait { await session.waitingCount == 0 }
        }
    }

    @Test func waitsLongerEachTimeAndAsLongAsTheServerAsks() async throws {
        let count = Mutex(0)
        let transport = FakeTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 8 { return Self.json("{}", status: 503, headers: ["retry-after": "60"]) }
            throw ClientTransportError.unreachable
        }
        let times = Times()
        try await run(transport, times: times) { _ in try await wait { times.waits.withLock { $0.count } >= 9 } }

        let waits = times.waits.withLock { Array($0.prefix(9)) }
        #expect(waits == [0.75, 1.5, 3, 6, 12, 22.5, 22.5, 60, 22.5].map { .seconds($0) })
    }

    @Test func asksForAFreshTokenOnceAndIsSignedOutWithoutOne() async throws {
        let good = Self.answer()
        let transport = FakeTransport { request in
            request.headers["Authorization"] == "Bearer fresh" ? try good(request) : Self.json("{}", status: 401)
        }
        let tokens = AppTokens { refused in refused == nil ? "old" : "fresh" }
        try await run(transport, tokens: tokens) { session in
            try await wait { await session.connection == .live }
        }
        let refused = FakeTransport { _ in Self.json("{}", status: 401) }
        try await run(refused, tokens: tokens) { session in
            try await wait { await session.connection == .signedOut(.tokenRefused) }
        }

        #expect(refused.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer fresh"])
    }

    @Test func loadsAnOpenedConversationAndTellsTheServer() async throws {
        let transport = FakeTransport(answer: Self.answer())
        try await run(transport) { session in
            try await wait { await session.connection == .live }
            await session.open("pier")
            try await wait { await session.state.conversations["pier"]?.isLoaded == true }
            #expect(await session.state.conversations["pier"]?.members.map(\.name) == ["Ada"])
            await session.type(in: "pier")
            await session.type(in: "pier")
            let said = transport.sockets[0].sent
            #expect(said.contains { $0.contains(#""type":"open""#) && $0.contains("pier") })
            #expect(said.count { $0.contains(#""type":"typing""#) } == 1)
        }
    }
}
