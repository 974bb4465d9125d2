import Foundation
import TestSupport
import Testing

/// A service whose vectors have as many components as it is asked for, else 32.
private func wordsService() throws -> StubServer {
    try StubServer { request in
        let dimensions = request.json["dimensions"] as? Int ?? 32
        return .embeddings(request.input.map { StubVectors.words(of: $0, dimensions: dimensions) })
    }
}

@Suite(.serialized, .hangGuard) struct GenerationTests {
    private let dataset: TinyDataset
    private let next: StubServer
    private var binary: NexusBinary { dataset.binary }

    init() async throws {
        dataset = try TinyDataset()
        next = try wordsService()
        let files = ["conversations", "messages"].map { dataset.folder.appending(path: "\($0).jsonl").path }
        let imported = try await dataset.binary.run(["import"] + files)
        try #require(imported.status == 0, "\(imported.errors)")
        let embedded = try await dataset.binary.run(["ingest"] + dataset.settings)
        try #require(embedded.status == 0, "\(embedded.errors)")
    }

    private func nexus(_ arguments: String..., settings: [String]? = nil) async throws -> RunResult {
        try await binary.run(arguments + (settings ?? dataset.settings))
    }

    /// The generations as `number state model dimensions`.
    private func generations() async throws -> [String] {
        let result = try await nexus("generations", "list", "--json")
        let list = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        return list.map { one in
            ["number", "state", "model", "dimensions"].map { "\(one[$0] ?? "")" }.joined(separator: " ")
        }
    }

    @Test func aDryRunTellsWhatItWouldTakeAndWritesNothing() async throws {
        let result = try await nexus(
            "reembed", "--dry-run", "--json", "--model", "big", "--base-url", "\(next.baseURL)/v1", "--set",
            "embedding.price-per-million=1000000")

        let estimate = try result.json()
        #expect(estimate["messageCount"] as? Int == dataset.messages.count)
        let tokens = try #require(estimate["tokenCount"] as? Int)
        #expect((100...1_000).contains(tokens))
        #expect(estimate["cost"] as? Double == Double(tokens))
        #expect(next.requests.isEmpty)
        #expect(try await generations() == ["1 serving e 64"])
        let since = try await nexus("reembed", "--dry-run", "--json", "--since", "2026-01-02").json()
        let young = dataset.messages.count { !$0.contains("2026-01-01T") }
        #expect(since["messageCount"] as? Int == young)
        #expect(since["cost"] == nil)
    }

    @Test func aDryRunCountsPassagesAsTheyWouldBeMadeAndLeavesExcludedConversationsOut() async throws {
        let long = Array(repeating: "The pilot waits for the berth.", count: 60).joined(separator: " ")
        let lines = [
            #"{"id": "open", "name": "Open", "participants": [{"id": "ada", "name": "Ada"}]}"#,
            #"{"id": "dm", "kind": "direct", "participants": [{"id": "ada", "name": "Ada"}, {"id": "bob", "name": "Bob"}]}"#,
            #"{"id": "1", "conversationId": "open", "senderId": "ada", "text": "\#(long)", "timestamp": "2026-01-01T10:00:00Z"}"#,
            #"{"id": "2", "conversationId": "dm", "senderId": "bob", "text": "psst", "timestamp": "2026-01-01T10:00:00Z"}"#,
        ]
        let other = try NexusBinary()
        let file = try other.write("history.jsonl", lines.joined(separator: "\n"))
        #expect(try await other.run(["import", file]).status == 0)
        func estimate(_ settings: String...) async throws -> [String: Any] {
            let arguments = ["reembed", "--dry-run", "--json", "--model", "m", "--base-url", "\(next.baseURL)/v1"]
            return try await other.run(arguments + settings.flatMap { ["--set", $0] }).json()
        }

        let all = try await estimate()
        let open = try await estimate("embedding.exclude-direct=true", "embedding.passage-tokens=100")

        #expect(all["messageCount"] as? Int == 2)
        #expect(open["messageCount"] as? Int == 1)
        let counts = [all, open].map { $0["passageCount"] as? Int ?? 0 }
        #expect(counts[1] > counts[0])
        let tokens = [all, open].map { $0["tokenCount"] as? Int ?? 0 }
        // Pieces overlap, and each has the name before it.
        #expect(tokens[1] > tokens[0])
        #expect(tokens[1] <= counts[1] * 100)
    }

    @Test func whatItHasCostSoFarIsTold() async throws {
        let filled = try await nexus(
            "reembed", "--json", "--model", "big", "--base-url", "\(next.baseURL)/v1", "--set",
            "embedding.price-per-million=1000000")

        let report = try filled.json()
        let tokens = try #require(report["tokenCount"] as? Int)
        #expect(tokens >= dataset.messages.count)
        #expect(report["cost"] as? Double == Double(tokens))
        #expect(filled.errors.contains("cost \(tokens).0000"), "\(filled.errors)")
    }

    @Test func questionsAreCountedByThemselves() async throws {
        func usage() async throws -> [String: Int] {
            let status = try await nexus("status", "--json").json()
            let generation = (status["generations"] as? [[String: Any]])?.first
            let report = generation?["report"] as? [String: Any]
            return report?["questionsTotal"] as? [String: Int] ?? [:]
        }
        #expect(try await usage() == ["requestCount": 0, "textCount": 0, "tokenCount": 0])

        for _ in 0..<2 { #expect(try await nexus("search", "the pilot", "--user", "ada").status <= 1) }

        let counted = try await usage()
        #expect(counted["requestCount"] == 2)
        #expect(counted["textCount"] == 2)
        #expect(try #require(counted["tokenCount"]) > 0)
    }

    @Test func generationsAreFilledComparedSwitchedAndDropped() async throws {
        let filled = try await nexus(
            "reembed", "--json", "--model", "big", "--dimensions", "16", "--base-url", "\(next.baseURL)/v1/",
            "--since", "2026-01-02T00:00:00Z")
        let report = try filled.json()
        #expect(filled.status == 0, "\(filled.errors)")
        #expect(report["state"] as? String == "serving")
        #expect(report["coverage"] as? Double == 1)
        #expect(report["since"] as? String == "2026-01-02T00:00:00.000Z")
        #expect(try await generations() == ["1 standby e 64", "2 serving big 16"])
        #expect(
            next.requests.allSatisfy { $0.json["dimensions"] as? Int == 16 && $0.json["model"] as? String == "big" })

        let refused = try await nexus("generations", "drop", "2")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("generation 2 serves"), "\(refused.errors)")
        let again = try await nexus("reembed")
        #expect(again.status == 2)
        #expect(again.errors.contains("generation 1 of this model is on standby"), "\(again.errors)")
        #expect(try await nexus("generations", "switch", "1").status == 0)
        #expect(try await generations() == ["1 serving e 64", "2 standby big 16"])
        #expect(try await nexus("generations", "drop", "2").status == 0)
        #expect(try await generations() == ["1 serving e 64"])
        let gone = try await nexus("generations", "switch", "2")
        #expect(gone.status == 2)
        #expect(gone.errors.contains("generation 2 was dropped"), "\(gone.errors)")
        #expect(try await nexus("generations", "switch", "7").errors.contains("there is no generation 7"))
    }

    @Test func aComparisonTellsHowTheAnswersDiffer() async throws {
        for (model, dimensions) in [("twin", "64"), ("small", "4")] {
            let filled = try await nexus(
                "reembed", "--model", model, "--dimensions", dimensions, "--base-url", "\(next.baseURL)/v1")
            try #require(filled.status == 0, "\(filled.errors)")
        }

        let twins = try await nexus("generations", "compare", "1", "2", "--json", "--dataset", dataset.folder.path)
        let same = try twins.json()
        #expect(same["questionCount"] as? Int == 8)
        #expect(same["evidencedCount"] as? Int == 6)
        #expect(same["overlap"] as? Double == 1)
        #expect(same["kendallTau"] as? Double == 1)
        #expect(same["differingCount"] as? Int == 0)
        #expect(same["firstRecall"] as? Double == 1)
        let different = try await nexus(
            "generations", "compare", "1", "3", "--json", "--dataset", dataset.folder.path, "--scope", "all"
        ).json()
        #expect(try #require(different["differingCount"] as? Int) > 0)
        #expect(try #require(different["kendallTau"] as? Double) < 1)

        let nothing = try await nexus("generations", "compare", "1", "2")
        #expect(nothing.status == 2)
        #expect(nothing.errors.contains("no question was asked yet"), "\(nothing.errors)")
        for _ in 0..<2 {
            #expect(try await nexus("ask", "--user", "ada", "When is the crane repaired?").status == 0)
        }
        #expect(try await nexus("ask", "--user", "nobody", "Who is nobody?").status != 64)
        let recent = try await nexus("generations", "compare", "2", "1", "--recent", "9", "--json").json()
        #expect(recent["first"] as? Int == 2)
        #expect(recent["overlap"] as? Double == 1)
        #expect(recent["firstRecall"] == nil)
        let questions = try #require(recent["questions"] as? [[String: Any]])
        // The same question of the same asker counts once; one who sees nothing finds nothing, twice.
        #expect(questions.count == 2)
        #expect(!twins.output.contains("crane"))
    }

    @Test func besideAServerTheCommandsWordCountsAndNoKeyGoesElsewhere() async throws {
        let settings = dataset.settings + ["--set", "embedding.api-key=canary-key"]
        let server = try await NexusServer(binary, settings)

        let filled = try await nexus(
            "reembed", "--json", "--model", "big", "--dimensions", "16", "--base-url", "\(next.baseURL)/v1",
            "--rate", "1000", settings: [])
        #expect(filled.status == 0, "\(filled.errors)")
        #expect(try filled.json()["state"] as? String == "serving")
        #expect(!next.requests.isEmpty)
        #expect(next.requests.allSatisfy { $0.header("Authorization") == nil })
        let found = try await server.send("POST", "/v1/search", ["query": "When is the crane repaired?"], user: "ada")
        #expect((found.json["retrieval"] as? [String: Any])?["generation"] as? Int == 2, "\(found.json)")

        // What is written now reaches both.
        let posted = try await server.send(
            "POST", "/v1/conversations/dock/messages", ["id": "late", "senderId": "ada", "text": "Fog at the quay"],
            user: "ada")
        try #require(posted.status == 201, "\(posted.json)")
        let isDone = try await waitForGenerations { $0 == dataset.messages.count + 1 }
        #expect(isDone)
        #expect(try await nexus("generations", "switch", "1", settings: []).status == 0)
        let back = try await server.send("POST", "/v1/search", ["query": "Fog at the quay"], user: "ada")
        #expect((back.json["retrieval"] as? [String: Any])?["generation"] as? Int == 1, "\(back.json)")
        #expect(((back.json["results"] as? [[String: Any]])?.first)?["messageId"] as? String == "late")
        #expect(try await nexus("generations", "drop", "2", settings: []).status == 0)
        #expect(try await generations() == ["1 serving e 64"])
        _ = await server.stop()
    }

    /// Waits until all generations have as many embedded messages as `isEnough` wants.
    private func waitForGenerations(_ isEnough: (Int) -> Bool) async throws -> Bool {
        while true {
            let result = try await nexus("generations", "list", "--json", settings: [])
            let list = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
            let counts = list.compactMap { ($0["queue"] as? [String: Any])?["embeddedCount"] as? Int }
            if counts.count == 2, counts.allSatisfy(isEnough) { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test(arguments: [
        (["--rate", "0"], "--rate"), (["--switch-at", "1.5"], "--switch-at"), (["--since", "yesterday"], "--since"),
        (["--base-url", "ftp://x"], "--base-url"), (["--dimensions", "0"], "--dimensions"),
        (["--model", ""], "--model"),
    ])
    func wrongUsageIsSaid(arguments: [String], word: String) async throws {
        let result = try await binary.run(["reembed"] + arguments + dataset.settings)

        #expect(result.status == 64)
        #expect(result.errors.contains(word), "\(result.errors)")
    }

    @Test func whatDoesNotGoTogetherIsSaid() async throws {
        let builtIn = try await nexus("reembed", "--model", "all-MiniLM-L6-v2", "--dimensions", "16")
        #expect(builtIn.status == 2)
        #expect(builtIn.errors.contains("384 dimensions"), "\(builtIn.errors)")
        let homeless = try await nexus("reembed", "--model", "big", settings: [])
        #expect(homeless.status == 2)
        #expect(homeless.errors.contains("--base-url"), "\(homeless.errors)")
        let keyless = try await nexus(
            "reembed", "--model", "text-embedding-3-small", "--base-url", "https://api.openai.com/v1")
        #expect(keyless.status == 2)
        #expect(keyless.errors.contains("OPENAI_API_KEY"), "\(keyless.errors)")
        #expect(try await generations() == ["1 serving e 64"])
    }
}
