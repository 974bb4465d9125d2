import Foundation
import Synchronization
import TestSupport
import Testing

/// A server whose model services fail, and come back.
@Suite(.serialized, .hangGuard) struct OutageTests {
    /// Services whose faults the test decides.
    private final class Faults: Sendable {
        private let failing = Mutex<Set<String>>([])

        func fail(_ parts: String...) { failing.withLock { $0 = Set(parts) } }

        func answer(_ request: StubRequest) -> StubResponse {
            let part = String(request.target.split(separator: "/").last ?? "")
            if failing.withLock({ $0.contains(part) }) { return .openAIError(500) }
            switch part {
            case "embeddings": return .embeddings(request.input.map { StubVectors.words(of: $0, dimensions: 64) })
            case "models": return .json(["data": [["id": "c"], ["id": "other"]]])
            default:
                return request.json["stream"] as? Bool == true
                    ? .chatStream(["At", " nine [1]."]) : .chat("At nine [1].")
            }
        }
    }

    private let faults = Faults()

    private func settings(_ stub: StubServer, model: String = "c") -> [String] {
        [
            "--set", "provider=compatible", "--set", "base-url=\(stub.baseURL)/v1", "--set", "embedding.model=e",
            "--set", "chat.model=\(model)",
        ]
    }

    private func notes(_ server: NexusServer) async throws -> Set<String> {
        let ready = try await server.send("GET", "/ready")
        #expect(ready.status == 200)
        return Set(ready.json["notes"] as? [String] ?? [])
    }

    private func wait(for notes: Set<String>, _ server: NexusServer) async throws {
        while try await self.notes(server) != notes { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func answersGoOnByWordsAndQuotesUntilTheServicesAreBack() async throws {
        let faults = faults
        let stub = try StubServer { faults.answer($0) }
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, settings(stub))
        _ = try await server.send(
            "POST", "/v1/conversations", ["id": "c", "members": [["userId": "ada"]]], user: "ada")
        _ = try await server.send(
            "POST", "/v1/conversations/c/messages", ["id": "m1", "text": "We sail at nine."], user: "ada")
        while (try await server.send("POST", "/v1/search", ["query": "sail"], user: "ada").json["retrieval"]
            as? [String: Any])?["mode"] as? String != "hybrid"
        {
            try await Task.sleep(for: .milliseconds(20))
        }

        faults.fail("embeddings", "completions")
        let before = stub.requests.count { $0.target.hasSuffix("/embeddings") }
        let found = try await server.send("POST", "/v1/search", ["query": "when do we sail"], user: "ada")
        #expect((found.json["retrieval"] as? [String: Any])?["mode"] as? String == "lexical_only")
        #expect((found.json["results"] as? [Any])?.count == 1)
        // One request, not four.
        #expect(stub.requests.count { $0.target.hasSuffix("/embeddings") && $0.input == ["when do we sail"] } == 1)
        #expect(stub.requests.count { $0.target.hasSuffix("/embeddings") } > before)
        let asked = try await server.send("POST", "/v1/ask", ["question": "When do we sail?"], user: "ada")
        #expect(asked.status == 200)
        #expect(asked.json["notices"] as? [String] == ["model_unavailable"])
        #expect((asked.json["answer"] as? String)?.contains("We sail at nine.") == true)
        try await wait(for: ["embedding_failed", "model_failed"], server)
        let status = try await binary.run(["status"])
        #expect((status.output + status.errors).contains("the language model does not work"))

        faults.fail()
        try await wait(for: [], server)
        let again = try await server.send("POST", "/v1/ask", ["question": "When do we sail?"], user: "ada")
        #expect(again.json["answer"] as? String == "At nine [1].")
        #expect(again.json["notices"] as? [String] == [])
        _ = await server.stop()
    }

    @Test func theDoctorAsksTheServices() async throws {
        let faults = faults
        let stub = try StubServer { faults.answer($0) }
        let binary = try NexusBinary()
        _ = try await binary.run(["import", try binary.write("none.jsonl", "")])
        func doctor(_ settings: [String]) async throws -> (status: Int32, answers: [String: Any]) {
            let run = try await binary.run(["doctor", "--json"] + settings)
            let findings = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]], "\(run.errors)")
            return (run.status, try #require(findings.first { $0["subject"] as? String == "answers" }))
        }

        let good = try await doctor(settings(stub))
        #expect(good.answers["verdict"] as? String == "good")
        #expect(stub.requests.contains { $0.json["max_tokens"] as? Int == 1 })
        let unlisted = try await doctor(settings(stub, model: "d"))
        #expect(unlisted.answers["verdict"] as? String == "warning")
        #expect((unlisted.answers["detail"] as? String)?.contains("does not list this model") == true)
        faults.fail("completions")
        let bad = try await doctor(settings(stub))
        #expect(bad.status == 2)
        #expect(bad.answers["verdict"] as? String == "bad")
        stub.refuse()
        #expect((try await doctor(settings(stub))).answers["verdict"] as? String == "bad")
    }
}
