import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct IngestCommandTests {
    @Test func whatTheServiceRefusesIsListedWithItsReasonAndCanBePutBack() async throws {
        let binary = try NexusBinary()
        let refuses = Mutex(true)
        let server = try StubServer { request in
            let isBad = request.input.contains { $0.contains("poison") }
            if isBad, refuses.withLock({ $0 }) { return .openAIError(400, code: "bad", message: "poison it is") }
            return .embeddings(
                request.input.map { StubVectors.vector(for: $0, dimensions: 8) }, tokenCount: request.input.count * 5)
        }
        let environment = [
            "NEXUS_EMBEDDING_PROVIDER": "compatible", "NEXUS_EMBEDDING_BASE_URL": server.baseURL,
            "NEXUS_EMBEDDING_MODEL": "stub", "NEXUS_EMBEDDING_DIMENSIONS": "8",
            "NEXUS_EMBEDDING_PRICE_PER_MILLION": "2",
        ]
        func run(_ arguments: String...) async throws -> RunResult {
            try await binary.run(arguments, environment: environment)
        }
        let texts = ["one", "two", "poison", "four"]
        let lines = texts.enumerated().map { place, text in
            #"{"id": "m\#(place)", "conversationId": "c", "senderId": "ada", "text": "\#(text)", "#
                + #""timestamp": "2026-01-01T10:00:00Z"}"#
        }
        let conversation = #"{"id": "c", "name": "C", "participants": [{"id": "ada", "name": "Ada"}]}"#
        let file = try binary.write("history.jsonl", ([conversation] + lines).joined(separator: "\n"))
        #expect(try await run("import", file).status == 0)

        #expect(try await run("ingest").status == 1)

        let list = try await run("ingest", "failed", "--json")
        let failed = try #require(JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
        #expect(failed.count == 1)
        #expect(failed[0]["messageId"] as? String == "m2")
        #expect(failed[0]["attempts"] as? Int == 1)
        #expect(failed[0]["code"] as? String == "rejected")
        #expect(failed[0]["reason"] as? String == "the service refused the text with status 400")
        #expect(!list.output.contains("poison"))
        let report = try await self.report(try await run("status", "--json"))
        let coverage = try #require(report["coverage"] as? [String: Int])
        #expect(coverage["messageCount"] == 4)
        #expect(coverage["embeddedCount"] == 3)
        #expect(coverage["failedCount"] == 1)
        #expect(report["failures"] as? [String: Int] == ["rejected": 1])
        let tokenCount = try #require((report["total"] as? [String: Int])?["tokenCount"])
        // Three messages and at least one text that is no message, to tell whether the service works.
        #expect(tokenCount >= 20)
        #expect(report["costTotal"] as? Double == Double(tokenCount) / 1_000_000 * 2)

        #expect(try await run("ingest", "retry", "c/unknown").status == 2)
        refuses.withLock { $0 = false }
        #expect(try await run("ingest", "retry", "c/m2").output == "put back: 1\n")
        #expect(try await run("ingest").status == 0)
        #expect(try await run("ingest", "failed").output.isEmpty)
        server.stop()
    }

    private func report(_ status: RunResult) async throws -> [String: Any] {
        let generations = try #require(try status.json()["generations"] as? [[String: Any]])
        return try #require(generations.first?["report"] as? [String: Any])
    }
}
