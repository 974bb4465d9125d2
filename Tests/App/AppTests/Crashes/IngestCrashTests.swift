import Foundation
import TestSupport
import Testing

/// What a data folder holds when the process was killed somewhere between claim, request, commit and index.
@Suite(.serialized, .hangGuard) struct IngestCrashTests {
    private static let messageCount = 3_000

    @Test func aKillAtAnyMomentLeavesEachMessageWaitingOrEmbedded() async throws {
        let binary = try NexusBinary()
        let server = try StubServer { request in
            // A service takes its time; the processes die meanwhile.
            Thread.sleep(forTimeInterval: Double(request.number * 7 % 11) / 1_000)
            return .embeddings(for: request, dimensions: 8)
        }
        let environment = [
            "NEXUS_EMBEDDING_PROVIDER": "compatible", "NEXUS_EMBEDDING_BASE_URL": server.baseURL,
            "NEXUS_EMBEDDING_MODEL": "stub", "NEXUS_EMBEDDING_DIMENSIONS": "8", "NEXUS_EMBEDDING_BATCH_ITEMS": "16",
        ]
        let conversation = #"{"id": "c", "name": "C", "participants": [{"id": "ada", "name": "Ada"}]}"#
        let lines = (0..<Self.messageCount).map { number in
            #"{"id": "m\#(number)", "conversationId": "c", "senderId": "ada", "text": "message \#(number)", "#
                + #""timestamp": "2026-01-01T10:00:00Z"}"#
        }
        let file = try binary.write("history.jsonl", ([conversation] + lines).joined(separator: "\n"))
        #expect(try await binary.run(["import", file], environment: environment).status == 0)

        var state: UInt64 = 20_260_101
        for _ in 0..<12 {
            let before = server.requests.count
            let running = try binary.start(["ingest"], environment: environment)
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            await server.waitForRequests(before + 1 + Int((state >> 33) % 8))
            try await Task.sleep(for: .microseconds(Int((state >> 40) % 20_000)))
            running.signal(SIGKILL)
            _ = await running.result()
            #expect(try await IngestInvariants.broken(in: binary.data) == [])
            let left = try await pendingCount(binary, environment)
            guard left > 0 else { break }
        }
        let last = try await binary.run(["ingest"], environment: environment)

        #expect(last.status == 0, "\(last.errors)")
        #expect(try await IngestInvariants.broken(in: binary.data) == [])
        let status = try await binary.run(["status", "--json"], environment: environment).json()
        #expect(status["searchablePassages"] as? Int == Self.messageCount)
        #expect(try await pendingCount(binary, environment) == 0)
        server.stop()
    }

    private func pendingCount(_ binary: NexusBinary, _ environment: [String: String]) async throws -> Int {
        let status = try await binary.run(["status", "--json"], environment: environment).json()
        let generations = status["generations"] as? [[String: Any]]
        let queue = generations?.first?["queue"] as? [String: Any]
        return queue?["pendingCount"] as? Int ?? Self.messageCount
    }
}
