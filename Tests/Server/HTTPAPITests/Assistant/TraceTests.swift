import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Ingest
import Prompting
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// How answers came about.
struct TraceTests {
    private static let texts = [
        "The pilot boat sails at nine", "Berth two is closed until Friday", "The pilot of the ferry is ill",
        "Who brings the boat to the yard?", "The boat needs paint", "Pilot season begins in May",
    ]

    /// A server with a real search on a few messages that are embedded.
    private func withMessages<Value: Sendable>(
        model: FakeLanguageModel? = nil, _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        let source = FakeEmbedderSource(FakeEmbedder())
        let searcher = HybridSearcher(
            store: parts.store, index: LiveIndex(store: parts.store, logger: parts.logger),
            lexicon: LiveLexicon(store: parts.store, logger: parts.logger), embedders: source, now: { Sample.now },
            logger: parts.logger)
        parts.real = (
            searcher,
            AnswerService(
                searching: searcher,
                session: ModelSession(
                    model: model, prompts: try PromptLibrary(overrides: nil), now: { Sample.now }, logger: parts.logger),
                turns: parts.store)
        )
        let worker = IngestWorker(
            store: parts.store, embedders: source, now: { Sample.now }, logger: parts.logger)
        return try await withServer(parts) { server in
            for id in ["a", "b"] {
                _ = try await server.send(
                    "POST", "/v1/conversations", #"{"id":"\#(id)","members":[{"userId":"ada"},{"userId":"ben"}]}"#)
            }
            for (place, text) in Self.texts.enumerated() {
                _ = try await server.send(
                    "POST", "/v1/conversations/\(place.isMultiple(of: 2) ? "a" : "b")/messages",
                    #"{"id":"m\#(place)","senderId":"\#(place < 3 ? "ada" : "ben")","text":"\#(text)"}"#)
            }
            try await worker.drain { _ in }
            return try await body(server)
        }
    }

    private struct Place: Equatable {
        let messageID: String
        let score: Double
    }

    private func object(_ reply: Reply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any], "\(reply.text)")
    }

    /// The same question with the same settings finds the same messages in the same order, each with the same signals.
    @Test(arguments: ["", #","senderIds":["ada"]"#, #","conversationIds":["b"],"topK":2"#])
    func aTraceIsEnoughToSearchAgain(filter: String) async throws {
        let (trace, replayed) = try await withMessages { server in
            let asked = try await server.send("POST", "/v1/ask", #"{"question":"pilot boat"\#(filter)}"#)
            let turn = try #require(asked.field("turnId"))
            let trace = try await server.send("GET", "/v1/turns/\(turn)/trace")
            let kept = try #require(try object(trace)["filter"] as? [String: Any])
            var query: [String: Any] = ["query": "pilot boat", "explain": true, "topK": kept["limit"] ?? 0]
            for name in ["conversationIds", "senderIds"] { query[name] = kept[name] }
            let body = String(decoding: try JSONSerialization.data(withJSONObject: query), as: UTF8.self)
            return (trace, try await server.send("POST", "/v1/search", body))
        }

        let hits = try #require(try object(trace)["hits"] as? [[String: Any]])
        let found = try #require(try object(replayed)["results"] as? [[String: Any]])
        #expect(hits.count == (filter.contains("senderIds") || filter.contains("conversationIds") ? 3 : 6))
        #expect(hits.map { $0["messageId"] as? String } == found.map { $0["messageId"] as? String })
        #expect(hits.map { $0["rank"] as? Int } == Array(1...hits.count))
        let scores = hits.map { $0["score"] as? Double ?? 0 }
        #expect(scores == scores.sorted(by: >))
        for (hit, again) in zip(hits, found) {
            let signals = try #require(hit["signals"] as? [[String: Any]])
            let signalsAgain = try #require(again["explanation"] as? [[String: Any]])
            #expect(!signals.isEmpty)
            #expect(signals as NSArray == signalsAgain as NSArray)
        }
    }

    @Test func holdsIdsAndNumbersAndNoText() async throws {
        let model = FakeLanguageModel(replies: [
            .text("At nine [1].", usage: TokenUsage(promptTokens: 321, completionTokens: 5))
        ])
        let trace = try await withMessages(model: model) { server in
            let asked = try await server.send(
                "POST", "/v1/ask", #"{"question":"When does the pilot boat sail?","timeZone":"Europe/Berlin"}"#)
            return try await server.send("GET", "/v1/turns/\(try #require(asked.field("turnId")))/trace")
        }

        #expect(trace.status == 200)
        for text in Self.texts + ["At nine", "When does"] { #expect(!trace.text.contains(text)) }
        let fields = try object(trace)
        #expect((fields["configuration"] as? String)?.isEmpty == false)
        #expect(fields["mode"] as? String == "hybrid")
        #expect(fields["embeddingGeneration"] as? Int == 1)
        #expect(fields["noAnswerReason"] as? String == "none")
        #expect((fields["filter"] as? [String: Any])?["timeZone"] as? String == "Europe/Berlin")
        #expect(Set(try #require(fields["durations"] as? [String: Any]).keys).isSuperset(of: ["answer", "total"]))
        let generation = try #require(fields["generation"] as? [String: Any])
        #expect(generation["promptTokens"] as? Int == 321)
        #expect(generation["completionTokens"] as? Int == 5)
        #expect(generation["model"] as? String == "fake")
        let prompts = try #require(generation["prompts"] as? [[String: Any]])
        #expect(prompts.map { $0["name"] as? String } == ["question", "system"])
        let library = try PromptLibrary(overrides: nil).descriptions
        #expect(
            prompts.map { $0["fingerprint"] as? String }
                == ["question", "system"].map { name in library.first { $0.name == name }?.fingerprint })
    }

    @Test func isForTheAskerAndAnAdministrator() async throws {
        let forge = try TokenForge()
        let parts = ServerParts(try forge.settings())
        let trace = TurnTrace(limit: 5, searchedQuestion: "the secret question", noAnswerReason: "none")
        try await parts.store.record(
            Turn(id: "t1", askerID: "ada", question: "q", answer: "a", sourceKeys: [], askedAt: Sample.now),
            trace: trace)
        try await parts.store.record(
            Turn(id: "t2", askerID: "ada", question: "q", answer: "a", sourceKeys: [], askedAt: Sample.now))

        let (own, admin, foreign, none) = try await withServer(parts) { server in
            (
                try await server.send("GET", "/v1/turns/t1/trace", headers: try await forge.bearer("ada")),
                try await server.send("GET", "/v1/turns/t1/trace", headers: try await server.key(.admin)),
                try await server.send("GET", "/v1/turns/t1/trace", headers: try await forge.bearer("ben")),
                try await server.send("GET", "/v1/turns/t2/trace", headers: try await forge.bearer("ada"))
            )
        }

        #expect(own.field("searchedQuestion") == "the secret question")
        #expect(admin.status == 200)
        #expect(admin.field("searchedQuestion") == nil)
        #expect(foreign.field("code") == "turn_not_found")
        #expect(none.field("code") == "trace_not_found")
    }
}
