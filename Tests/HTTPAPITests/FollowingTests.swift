import ChatCore
import HTTPAPI
import Telemetry
import TestSupport
import Testing
import Transport

/// Lists that are followed as they change.
@Suite(.hangGuard) struct FollowingTests {
    private static let path = "/v1/conversations/team/action-items/changes"
    private static let ben = [(name: "X-Nexus-User", value: "ben")]

    /// A server with a conversation of Ada and Ben and one action item, and the change that told of it.
    private func withItem<Value: Sendable>(
        metrics: MetricRegistry = MetricRegistry(), _ body: (RunningServer, _ change: String) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        parts.metrics = metrics
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
            async let waiting = server.send("GET", Self.path + "?after=\(change)&wait=25")
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
            async let waiting = server.send("GET", Self.path + "?after=\(change)&wait=25", headers: Self.ben)
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
        ("?after=-1", "after must lie in 0...2147483647000000"), ("?wait=26", "wait must lie in 0...25"),
        ("?after=999999", "after is still to come"),
    ])
    func whatCannotBeIsRefused(query: String, detail: String) async throws {
        let reply = try await withItem { server, _ in try await server.send("GET", Self.path + query) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
    }
}

extension RunningServer {
    fileprivate func items() async throws -> [ExtractedItem] {
        try await store.items(
            of: .actionItem, in: SearchScope(asker: "ada", conversations: .all), at: Sample.now)
    }
}
