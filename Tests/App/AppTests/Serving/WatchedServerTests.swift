import Foundation
import Telemetry
import TestSupport
import Testing
import Transport

/// What a server shows of one request: log lines, spans, metrics, and what it hands on.
@Suite(.serialized, .hangGuard) struct WatchedServerTests {
    private static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    /// One span as a line tells it.
    private struct Span: Decodable {
        var traceId: String
        var spanId: String
        var parentSpanId: String?
        var name: String
    }

    private func send(
        _ transport: CurlTransport, _ method: String, _ url: String, _ body: String? = nil
    ) async throws -> HTTPExchangeResponse {
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "X-Nexus-User": "ada", "X-Request-Id": "request-17",
            "traceparent": "00-\(Self.traceID)-\(Self.parent)-01",
        ]
        return try await transport.send(
            HTTPExchangeRequest(
                method: method, url: url, headers: headers, body: body.map { Data($0.utf8) },
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900))))
    }

    private func service() throws -> StubServer {
        try StubServer { request in
            request.target.hasSuffix("/embeddings")
                ? .embeddings(for: request) : .chat("On Thursday [1].", usage: (prompt: 700, completion: 30))
        }
    }

    @Test func linesSpansAndMetricsTellOfAQuestion() async throws {
        let service = try service()
        let binary = try NexusBinary()
        let server = try await NexusServer(
            binary,
            [
                "--log-level", "debug", "--set", "log.format=json", "--set", "trace.file=spans.jsonl", "--set",
                "provider=compatible", "--set", "base-url=\(service.baseURL)", "--set", "embedding.model=e", "--set",
                "chat.model=c", "--set", "embedding.dimensions=4", "--set", "chat.prompt-price-per-million=1000",
            ])
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let made = try await send(
            transport, "POST", server.url + "/v1/conversations", #"{"id":"dock","members":[{"userId":"ada"}]}"#)
        let posted = try await send(
            transport, "POST", server.url + "/v1/conversations/dock/messages",
            #"{"id":"m1","text":"The heliotrope crane is repaired on Thursday"}"#)
        #expect(made.status == 201)
        #expect(posted.status == 201)
        try await waitUntilEmbedded(server, transport)

        let asked = try await send(transport, "POST", server.url + "/v1/ask", #"{"question":"When is the crane up?"}"#)
        let lost = try await send(transport, "GET", server.url + "/v1/crane")
        let metrics = try await send(transport, "GET", server.url + "/metrics")
        let ended = await server.stop()

        #expect(asked.status == 200)
        #expect(lost.status == 404)
        let page = String(decoding: metrics.body, as: UTF8.self)
        try check(metrics: PrometheusText(page))
        for word in ["heliotrope", "crane", "dock", "ada", "request-17"] { #expect(!page.contains(word)) }
        try check(lines: ended.errors)
        let text = try String(contentsOf: binary.folder.appending(path: "spans.jsonl"), encoding: .utf8)
        try check(spans: text, requests: service.requests)
        await transport.shutdown()
    }

    private func waitUntilEmbedded(_ server: NexusServer, _ transport: CurlTransport) async throws {
        let wanted = #"nexus_queue_messages{state="embedded"}"#
        while true {
            let page = try await send(transport, "GET", server.url + "/metrics")
            if try PrometheusText(String(decoding: page.body, as: UTF8.self)).samples[wanted] == 1 { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func check(metrics page: PrometheusText) throws {
        let wanted: [String: Double] = [
            #"nexus_questions_total{outcome="answered"}"#: 1, #"nexus_index_passages"#: 1, "nexus_index_messages": 1,
            #"nexus_queue_messages{state="waiting"}"#: 0, "nexus_embedding_coverage_ratio": 1, "nexus_ready": 1,
            #"nexus_tokens_total{use="chat",type="input"}"#: 700, #"nexus_tokens_total{use="chat",type="output"}"#: 30,
            #"nexus_cost_total{use="chat"}"#: 0.7,
            #"gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name="chat"}"#: 1,
            #"nexus_stage_duration_seconds_count{stage="prompt"}"#: 1,
            #"nexus_stage_duration_seconds_count{stage="dense"}"#: 1,
            #"nexus_stage_duration_seconds_count{stage="ingest_embed"}"#: 1,
            #"nexus_ingest_messages_total{outcome="embedded"}"#: 1,
            #"nexus_request_failures_total{code="not_found"}"#: 1,
        ]
        for (name, value) in wanted { #expect(page.samples[name] == value, "\(name)") }
        #expect((page.samples["nexus_index_bytes"] ?? 0) > 0)
        #expect((page.samples["process_resident_memory_bytes"] ?? 0) > 1_000_000)
        #expect(page.samples.keys.contains { $0.hasPrefix("nexus_build_info{version=") })
        // Everything that the catalogue, and with it the dashboard, knows of is really written, but for what did not
        // happen here.
        let unseen = Set(Instrument.all.map(\.name)).subtracting(page.types.keys)
            // Written on a busy machine only.
            .subtracting(["nexus_store_slow_writes_total"])
        #expect(
            unseen == [
                "nexus_search_notes_total", "nexus_answer_notices_total", "nexus_mentions_total",
                "nexus_turn_feedback_total", "nexus_live_refused_total", "nexus_sign_ins_total",
            ])
    }

    private func check(lines text: String) throws {
        let lines = try text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        let answered = try #require(lines.first { $0["message"] as? String == "Answered" })
        #expect(answered["request.id"] as? String == "request-17")
        #expect(answered["trace.id"] as? String == Self.traceID)
        #expect(lines.contains { $0["message"] as? String == "request" && $0["http.route"] as? String == "/v1/ask" })
        #expect(!text.contains("heliotrope"))
        #expect(!text.contains("crane up"))
    }

    private func check(spans text: String, requests: [StubRequest]) throws {
        let all = try text.split(separator: "\n").map { try JSONDecoder().decode(Span.self, from: Data($0.utf8)) }
        let work = all.filter { $0.name.hasPrefix("ingest_") }
        let spans = all.filter { !$0.name.hasPrefix("ingest_") }
        #expect(Set(work.map(\.name)) == ["ingest_embed", "ingest_store"])
        #expect(work.allSatisfy { $0.parentSpanId == nil && $0.traceId != Self.traceID })
        #expect(Set(spans.map(\.traceId)) == [Self.traceID])
        let generate = try #require(spans.first { $0.name == "generate" })
        let request = try #require(spans.first { $0.spanId == generate.parentSpanId })
        #expect(request.name == "request")
        #expect(request.parentSpanId == Self.parent)
        let below = spans.filter { $0.parentSpanId == request.spanId }.map(\.name)
        #expect(Set(below) == ["retrieve", "prompt", "generate", "verify"])
        let retrieve = try #require(spans.first { $0.name == "retrieve" })
        let stages = Set(spans.filter { $0.parentSpanId == retrieve.spanId }.map(\.name))
        #expect(stages.isSuperset(of: ["embedding", "lexical", "dense", "fusion"]))
        let chat = try #require(requests.last { $0.target.hasSuffix("/chat/completions") })
        #expect(chat.header("traceparent") == "00-\(Self.traceID)-\(generate.spanId)-01")
        let embedding = try #require(spans.first { $0.name == "embedding" })
        let embedded = requests.filter { $0.target.hasSuffix("/embeddings") }.compactMap { $0.header("traceparent") }
        let stored = try #require(work.first { $0.name == "ingest_embed" })
        #expect(
            embedded == [
                "00-\(stored.traceId)-\(stored.spanId)-01", "00-\(Self.traceID)-\(embedding.spanId)-01",
            ])
        #expect(!text.contains("heliotrope"))
    }
}
