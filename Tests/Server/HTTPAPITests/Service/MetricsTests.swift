import Assistant
import ChatCore
import CoreMetrics
import Foundation
import HTTPAPI
import ServerTestSupport
import Telemetry
import TestSupport
import Testing
import Transport
import UseCases

struct MetricsTests {
    private static let duration = "http_server_request_duration_seconds"

    /// Runs a server whose metrics are read over `GET /metrics`.
    private func page(
        _ parts: ServerParts = ServerParts(), registry: MetricRegistry = MetricRegistry(),
        requests: (RunningServer) async throws -> Void
    ) async throws -> (reply: Reply, page: PrometheusText) {
        var parts = parts
        parts.metrics = registry
        return try await withServer(parts) { server in
            try await requests(server)
            let reply = try await server.send("GET", "/metrics")
            return (reply, try PrometheusText(reply.text))
        }
    }

    @Test func countsRequestsByTheirRoutesPattern() async throws {
        let (reply, page) = try await page { server in
            for user in ["ada", "ben"] {
                _ = try await server.send(
                    "GET", "/v1/conversations/secret-\(user)/messages", headers: [("X-Nexus-User", user)])
            }
            _ = try await server.send("GET", "/health")
            _ = try await server.send("GET", "/no/such/heliotrope")
        }

        #expect(reply.status == 200)
        #expect(reply.headers["Content-Type"] == MetricRegistry.contentType)
        let counts = page.samples.filter { $0.key.hasPrefix("\(Self.duration)_count{") }
        func key(_ method: String, _ route: String, _ status: String) -> String {
            #"\#(Self.duration)_count{http_request_method="\#(method)",http_route="\#(route)",status_class="\#(status)"}"#
        }
        #expect(
            counts == [
                key("GET", "/v1/conversations/{conversation}/messages", "4xx"): 2, key("GET", "/health", "2xx"): 1,
                key("GET", "none", "4xx"): 1,
            ])
        // The request for the page itself.
        #expect(page.samples[#"http_server_active_requests{http_request_method="GET"}"#] == 1)
        for word in ["secret", "ada", "heliotrope"] { #expect(!reply.text.contains(word)) }
    }

    @Test func requestsAtOnceAreAllCounted() async throws {
        let (_, page) = try await page { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<64 { group.addTask { try await server.send("GET", "/health").status } }
                for try await status in group { #expect(status == 200) }
            }
        }

        let labels = #"{http_request_method="GET",http_route="/health",status_class="2xx"}"#
        #expect(page.samples["\(Self.duration)_count\(labels)"] == 64)
        #expect(page.samples[#"http_server_active_requests{http_request_method="GET"}"#] == 1)
    }

    @Test func aClientThatGoesAwayIsCountedAsGone() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("a")], ending: .hang)
        let answering = parts.answering
        let registry = MetricRegistry()
        parts.metrics = registry

        try await withServer(parts) { server in
            let response = try await server.stream(
                "/v1/ask", #"{"question":"q"}"#, headers: [("Accept", "text/event-stream")])
            for try await _ in response.body { break }
            var ends = answering.cutOff.makeAsyncIterator()
            #expect(await ends.next() != nil)
        }

        let samples = try PrometheusText(registry.text()).samples
        let labels = #"{http_request_method="POST",http_route="/v1/ask",status_class="client_gone"}"#
        #expect(samples["\(Self.duration)_count\(labels)"] == 1)
        #expect(samples[#"http_server_active_requests{http_request_method="POST"}"#] == 0)
    }

    @Test func failuresAreCountedByTheirCodes() async throws {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings())
        parts.settings.requestsPerMinute = 1
        let registry = MetricRegistry()
        parts.metrics = registry

        try await withServer(parts) { server in
            let ada = try await forge.bearer("ada")
            // On a busy machine a minute may pass between two of them, which lets one more through.
            var refusedCount = 0
            while refusedCount < 2 {
                let reply = try await server.send("GET", "/v1/conversations", headers: ada)
                if reply.status == 429 { refusedCount += 1 }
            }
            _ = try await server.send("GET", "/v1/conversations")
            _ = try await server.send("GET", "/heliotrope")
            _ = try await server.send("PUT", "/health")
        }

        let failures = try PrometheusText(registry.text()).samples.filter { $0.key.hasPrefix("nexus_request_fail") }
        #expect(
            failures == [
                #"nexus_request_failures_total{code="too_many_requests"}"#: 2,
                #"nexus_request_failures_total{code="token_required"}"#: 1,
                #"nexus_request_failures_total{code="not_found"}"#: 1,
                #"nexus_request_failures_total{code="method_not_allowed"}"#: 1,
            ])
    }

    @Test func whatFailsInAToolOrInAStreamIsCountedToo() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("a")], ending: .failure(ModelServiceError.tooLong))
        let registry = MetricRegistry()
        parts.metrics = registry

        let statuses = try await withServer(parts) { server in
            let stream = try await server.send(
                "POST", "/v1/ask", #"{"question":"q"}"#, headers: [("Accept", "text/event-stream")])
            let arguments = #"{"name":"get_conversation","arguments":{"conversationId":"none"}}"#
            let tool = try await server.send(
                "POST", "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(arguments)}"#)
            return [stream.status, tool.status]
        }

        #expect(statuses == [200, 200])
        let samples = try PrometheusText(registry.text()).samples
        #expect(samples[#"nexus_request_failures_total{code="model_too_long"}"#] == 1)
        #expect(samples[#"nexus_request_failures_total{code="conversation_forbidden"}"#] == 1)
    }

    @Test func whatIsUnderWayIsShown() async throws {
        var parts = ServerParts()
        parts.questionLimits = QuestionLimits(running: 1, perUser: 1)
        parts.answering = StubAnswering([.delta("a")], ending: .hang)
        let registry = MetricRegistry()
        parts.metrics = registry

        let page = try await withServer(parts) { server in
            let stream = try await server.stream(
                "/v1/ask", #"{"question":"q"}"#, headers: [("Accept", "text/event-stream")])
            var parts = stream.body.makeAsyncIterator()
            _ = try await parts.next()
            let refused = try await server.send("POST", "/v1/ask", #"{"question":"q"}"#)
            #expect(refused.status == 429)
            var page = ""
            repeat {
                page = try await server.send("GET", "/metrics").text
            } while try PrometheusText(page).samples["nexus_answer_streams"] != 1
            withExtendedLifetime((stream, parts)) {}
            return page
        }
        // The stream's end is counted after its connection was closed.
        while try PrometheusText(registry.text()).samples["nexus_answer_streams"] != 0 { await shortPause() }

        let during = try PrometheusText(page).samples
        #expect(during[#"nexus_questions_active{state="running"}"#] == 1)
        #expect(during[#"nexus_questions_active{state="waiting"}"#] == 0)
        #expect((during["http_server_open_connections"] ?? 0) >= 2)
        #expect(during[#"nexus_request_failures_total{code="too_many_questions"}"#] == 1)
    }

    @Test func onlyAnAdministratorReadsThem() async throws {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings())
        let registry = MetricRegistry()
        parts.metrics = registry

        let replies = try await withServer(parts) { server in
            [
                try await server.send("GET", "/metrics"),
                try await server.send("GET", "/metrics", headers: try await forge.bearer("ada")),
                try await server.send("GET", "/metrics", headers: try await server.key(.ingest)),
                try await server.send("GET", "/metrics", headers: try await server.key(.admin)),
            ]
        }

        #expect(replies.map(\.status) == [401, 403, 403, 200])
    }
}
