import ChatCore
import HTTPAPI
import ServerTestSupport
import Telemetry
import TestSupport
import Testing
import Transport

/// What askers think of answers.
struct FeedbackTests {
    private func withTurn<Value: Sendable>(
        metrics: MetricRegistry = MetricRegistry(), _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        parts.metrics = metrics
        try await parts.store.record(
            Turn(
                id: "t1", askerID: "ada", question: "When?", answer: "At noon.", sourceKeys: [], askedAt: Sample.now))
        return try await withServer(parts, body: body)
    }

    @Test func theLastWordCounts() async throws {
        let metrics = MetricRegistry()
        let (first, second, removed, listed) = try await withTurn(metrics: metrics) { server in
            let path = "/v1/turns/t1/feedback"
            let first = try await server.send("POST", path, #"{"rating":"up","reason":" "}"#)
            let second = try await server.send("POST", path, #"{"rating":"down","reason":" too late "}"#)
            return (
                first, second, try await server.send("DELETE", path), try await server.send("GET", "/v1/turns")
            )
        }

        func text(_ feedback: String) -> String {
            #"{"answer":"At noon.","askedAt":"2025-10-23T10:30:00.000Z","citations":[],"feedback":\#(feedback),"isRedacted":false,"#
                + #""notices":[],"question":"When?","sources":[],"turnId":"t1"}"#
        }
        #expect(first.text == text(#"{"givenAt":"2025-10-23T10:30:00.000Z","rating":"up"}"#))
        #expect(
            second.text == text(#"{"givenAt":"2025-10-23T10:30:00.000Z","rating":"down","reason":"too late"}"#))
        #expect(removed.status == 204)
        #expect(!listed.text.contains("feedback"))
        let samples = try PrometheusText(metrics.text()).samples
        for rating in ["up", "down", "none"] {
            #expect(samples[#"nexus_turn_feedback_total{rating="\#(rating)"}"#] == 1)
        }
    }

    @Test func onlyTheAskerJudges() async throws {
        let ben = [(name: "X-Nexus-User", value: "ben")]
        let (foreign, unknown, left) = try await withTurn { server in
            (
                try await server.send("POST", "/v1/turns/t1/feedback", #"{"rating":"up"}"#, headers: ben),
                try await server.send("DELETE", "/v1/turns/t2/feedback", headers: ben),
                try await server.store.turns(of: "ada", limit: 1)
            )
        }

        #expect(statuses(foreign, unknown) == [404, 404])
        #expect(foreign.text == unknown.text)
        #expect(foreign.field("code") == "turn_not_found")
        #expect(left.map(\.feedback) == [nil])
    }

    @Test(
        arguments: [
            ("{}", "rating is missing"), (#"{"rating":"great"}"#, "rating must be one of up, down"),
            (
                #"{"rating":"up","reason":"\#(String(repeating: "x", count: 1_001))"}"#,
                "reason must have at most 1000 characters"
            ),
        ])
    func whatCannotBeIsRefused(body: String, detail: String) async throws {
        let reply = try await withTurn { try await $0.send("POST", "/v1/turns/t1/feedback", body) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
    }
}
