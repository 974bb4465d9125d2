import ChatCore
import HTTPAPI
import ServerTestSupport
import Telemetry
import TestSupport
import Testing
import Transport

/// Lists that are followed as they change.
@Suite(.hangGuard) struct FollowingTests {
    private static let path = "/v1/conversations/team/action-items/changes"
    fileprivate static let ben = [(name: "X-Nexus-User", value: "ben")]

    /// A server with a conversation of Ada and Ben and one action item, and the change that told of it.
    private func withItem<Value: Sendable>(
        metrics: MetricRegistry = MetricRegistry(), _ body: (RunningServer, _ change: String) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        parts.metrics = metrics
        parts.settings.shutdownGrace = .seconds(900)
        parts.extractionModel = FakeLanguageModel(replies: [
            .text(#"{"items":[{"message":1,"task":"Paint the boat","quote":"paint the boat"}]}"#)
        ])
        return try await withServer(parts) { server in
            _ = try await server.send(
                "POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#)
            _ = try await server.send(
                "POST", "/v1/conversations/team/messages", #"{"id":"m1","senderId":"ada","text":"paint the boat"}"#)
            let extracted = try await server.send("POST", "/v1/conversations/team/action-items/extract")
            #expect(extracted.status == 200)
            let first = try await server.send("GET", Self.path)
            #expect(first.text.contains(#""task":"Paint the boat""#))
            return try await body(server, try #require(first.field("next")))
        }
    }

    @Test func saysWhatChangedAndWhatWent() async throws {
        let (nothing, changed, removed) = try await withItem { server, change in
            let nothing = try await server.send("GET", Self.path + "?after=\(change)")
            let item = try #require(try await server.items().first?.id)
            let path = "/v1/conversations/team/action-items/\(item)"
            _ = try await server.send("PATCH", path, #"{"status":"done"}"#)
            let changed = try await server.send("GET", Self.path + "?after=\(change)")
            _ = try await server.send("DELETE", "/v1/conversations/team/messages/m1")
            let next = try #require(changed.field("next"))
            return (nothing, changed, try await server.send("GET", Self.path + "?after=\(next)"))
        }

        #expect(nothing.text.hasPrefix(#"{"items":[],"next":"#))
        #expect(changed.text.contains(#""status":"done""#))
        #expect(changed.text.contains(#""removedIds":[]"#))
        #expect(removed.text.hasPrefix(#"{"items":[],"#))
        #expect(!removed.text.contains(#""removedIds":[]"#))
    }

    @Test func waitsUntilSomethingHappens() async throws {
        let reply = try await withItem { server, change in
            async let waiting = server.follow(Self.path, after: change) { $0.text.contains("both boats") }
            let item = try #require(try await server.items().first?.id)
            _ = try await server.send(
                "PATCH", "/v1/conversations/team/action-items/\(item)", #"{"task":"Paint both boats"}"#)
            return try await waiting
        }

        #expect(reply.status == 200)
        #expect(reply.text.contains("Paint both boats"))
    }

    @Test func whoIsRemovedIsToldSoAndNothingElse() async throws {
        let reply = try await withItem { server, change in
            async let waiting = server.follow(Self.path, after: change, headers: Self.ben) { _ in false }
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ben")
            let item = try #require(try await server.items().first?.id)
            _ = try await server.send(
                "PATCH", "/v1/conversations/team/action-items/\(item)", #"{"task":"Paint both boats"}"#)
            return try await waiting
        }

        #expect(reply.status == 403)
        #expect(reply.field("code") == "conversation_forbidden")
        #expect(!reply.text.contains("boat"))
    }

    /// The server of the test is stopped while the request is in work: it is answered, not cut off.
    @Test func aServerThatStopsAnswersWhoWaits() async throws {
        let metrics = MetricRegistry()
        let label = #"http_server_active_requests{http_request_method="GET"}"#
        let (waiting, continuation) = AsyncStream<Task<Reply, any Error>>.makeStream()
        try await withItem(metrics: metrics) { server, change in
            while try PrometheusText(metrics.text()).samples[label] != 0 {
                _ = try await server.send("POST", "/v1/threads", "{}")
            }
            continuation.yield(
                Task { try await server.send("GET", Self.path + "?after=\(change)&wait=25") })
            while try PrometheusText(metrics.text()).samples[label] != 1 {
                _ = try await server.send("POST", "/v1/threads", "{}")
            }
        }
        var iterator = waiting.makeAsyncIterator()

        let reply = try await iterator.next()?.value
        #expect(reply?.status == 200)
        #expect(reply?.text.hasPrefix(#"{"items":[],"#) == true)
    }

    @Test(arguments: [
        ("?after=-1", "after must be next of an earlier reply; leave it out to get everything"),
        ("?after=7", "after must be next of an earlier reply; leave it out to get everything"),
        ("?wait=26", "wait must lie in 0...25"),
    ])
    func whatCannotBeIsRefused(query: String, detail: String) async throws {
        let reply = try await withItem { server, _ in try await server.send("GET", Self.path + query) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
    }

    @Test func aCursorOfAnotherLogHasExpired() async throws {
        let replies = try await withItem { server, change in
            let cursor = try #require(ChangeCursor(change))
            return [
                try await server.send("GET", Self.path + "?after=\(cursor.moved(by: 999))"),
                try await server.send("GET", Self.path + "?after=ff-1&wait=9"),
            ]
        }

        #expect(replies.map(\.status) == [410, 410])
        #expect(replies.map { $0.field("code") } == ["cursor_expired", "cursor_expired"])
    }
}

extension FollowingTests {
    private static let exchange = "/v1/conversations/team/assistant"

    /// A server with a conversation of Ada and Ben whose assistant answers.
    private func withTeam<Value: Sendable>(_ body: (RunningServer) async throws -> Value) async throws -> Value {
        var parts = ServerParts()
        parts.model = FakeLanguageModel(replies: [.text("By Ben [1].")])
        return try await withServer(parts) { server in
            _ = try await server.send(
                "POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#)
            _ = try await server.send(
                "POST", "/v1/conversations/team/messages", #"{"id":"m1","senderId":"ada","text":"Ben paints"}"#)
            return try await body(server)
        }
    }

    /// Asks the assistant as somebody and returns the turn's id.
    private func ask(
        _ server: RunningServer, _ text: String, as headers: [(name: String, value: String)] = []
    ) async throws -> String {
        let reply = try await server.send("POST", Self.exchange, #"{"text":"\#(text)"}"#, headers: headers)
        return try #require(reply.field("turnId"))
    }

    @Test func tellsOfTheExchangeWithAConversationsAssistant() async throws {
        let (asked, foreign, judged, redacted, cleared, ids) = try await withTeam { server in
            async let waiting = server.follow(Self.exchange + "/changes") { $0.text.contains("Who paints") }
            let other = try await ask(server, "What does Ada ask?", as: Self.ben)
            let own = try await ask(server, "Who paints the boat?")
            let asked = try await waiting
            let foreign = try await server.send("GET", Self.exchange + "/changes", headers: Self.ben)
            var place = try #require(asked.field("next"))
            _ = try await server.send("POST", "/v1/turns/\(own)/feedback", #"{"rating":"up"}"#)
            let judged = try await server.send("GET", Self.exchange + "/changes?after=\(place)")
            place = try #require(judged.field("next"))
            _ = try await server.send("DELETE", "/v1/conversations/team/messages/m1")
            let redacted = try await server.send("GET", Self.exchange + "/changes?after=\(place)")
            place = try #require(redacted.field("next"))
            _ = try await server.send("DELETE", Self.exchange)
            let cleared = try await server.send("GET", Self.exchange + "/changes?after=\(place)")
            return (asked, foreign, judged, redacted, cleared, [own, other])
        }

        #expect(asked.text.contains(#""answer":"By Ben [1].""#) && asked.text.contains(ids[0]))
        #expect(!asked.text.contains(ids[1]) && !asked.text.contains("What does Ada ask"))
        #expect(foreign.text.contains(ids[1]) && !foreign.text.contains(ids[0]))
        #expect(judged.text.contains(#""rating":"up""#))
        #expect(redacted.text.contains(#""isRedacted":true"#) && !redacted.text.contains("paint"))
        #expect(cleared.text.hasPrefix(#"{"items":[],"#) && cleared.text.contains(#""removedIds":["\#(ids[0])"]"#))
    }

    @Test func whoLeavesIsToldSoInPlaceOfTheExchange() async throws {
        let reply = try await withTeam { server in
            _ = try await ask(server, "Who paints the boat?", as: Self.ben)
            let known = try await server.send("GET", Self.exchange + "/changes", headers: Self.ben)
            let next = try #require(known.field("next"))
            async let waiting = server.follow(Self.exchange + "/changes", after: next, headers: Self.ben) { _ in false }
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ben")
            return try await waiting
        }

        #expect(reply.status == 403)
        #expect(reply.field("code") == "conversation_forbidden")
    }

    @Test func tellsOfTheAskersThreads() async throws {
        let (made, renamed, removed, other, id) = try await withServer { server in
            let start = try #require(try await server.send("GET", "/v1/threads/changes").field("next"))
            async let waiting = server.follow("/v1/threads/changes", after: start) { $0.text.contains("Boats") }
            let id = try await server.thread(title: "Boats")
            let made = try await waiting
            var place = try #require(made.field("next"))
            _ = try await server.send("PATCH", "/v1/threads/\(id)", #"{"title":"Ships"}"#)
            let renamed = try await server.send("GET", "/v1/threads/changes?after=\(place)")
            place = try #require(renamed.field("next"))
            _ = try await server.send("DELETE", "/v1/threads/\(id)")
            return (
                made, renamed, try await server.send("GET", "/v1/threads/changes?after=\(place)"),
                try await server.send("GET", "/v1/threads/changes", headers: Self.ben), id
            )
        }

        #expect(made.text.contains(#""title":"Boats""#) && made.text.contains(#""removedIds":[]"#))
        #expect(renamed.text.contains(#""title":"Ships""#))
        #expect(removed.text.hasPrefix(#"{"items":[],"#) && removed.text.contains(#""removedIds":["\#(id)"]"#))
        #expect(other.text.hasPrefix(#"{"items":[],"#) && other.text.contains(#""removedIds":[]"#))
    }
}

extension RunningServer {
    fileprivate func items() async throws -> [ExtractedItem] {
        try await store.items(
            of: .actionItem, in: SearchScope(asker: "ada", conversations: .all), at: Sample.now)
    }
}
