import Foundation
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct CrashTests {
    private static func lines(_ count: Int) -> String {
        let conversation = #"{"id": "c", "name": "C", "participants": [{"id": "ada", "name": "Ada"}]}"#
        let messages = (0..<count).map { number in
            #"{"id": "m\#(number)", "conversationId": "c", "senderId": "ada", "text": "message \#(number)", "#
                + #""timestamp": "2026-01-01T10:00:00Z"}"#
        }
        return ([conversation] + messages).joined(separator: "\n")
    }

    private func queue(_ binary: NexusBinary) async throws -> (embedded: Int, pending: Int, searchable: Int) {
        let status = try await binary.run(["status", "--json"]).json()
        let generation = (status["generations"] as? [[String: Any]])?.first?["queue"] as? [String: Any]
        return (
            generation?["embeddedCount"] as? Int ?? 0, generation?["pendingCount"] as? Int ?? 0,
            status["searchablePassages"] as? Int ?? 0
        )
    }

    /// The process dies as soon as its database has so many bytes; all of it has about 3 MB.
    @Test(arguments: [0, 300_000, 1_000_000, 2_000_000])
    func anImportThatIsKilledIsCompletedByARepetition(bytes: Int) async throws {
        let binary = try NexusBinary()
        let file = try binary.write("history.jsonl", Self.lines(20_000))
        let running = try binary.start(["import", file])
        while running.isRunning, binary.databaseByteCount.map({ $0 < bytes }) ?? true {
            try await Task.sleep(for: .milliseconds(1))
        }

        running.signal(SIGKILL)
        _ = await running.result()
        let again = try await binary.run(["import", "--json", file])

        #expect(again.status == 0, "\(again.errors)")
        let report = try again.json()
        let inserted = try #require(report["insertedMessages"] as? Int)
        let unchanged = try #require(report["unchangedMessages"] as? Int)
        #expect(inserted + unchanged == 20_000)
        // Whole batches, the first of which begins with the conversation.
        #expect(unchanged == 0 || (unchanged + 1) % 4_096 == 0 || unchanged == 20_000, "\(unchanged)")
        #expect(try await binary.run(["doctor"]).output.contains("ok    database"))
    }

    @Test func embeddingThatIsKilledAgainAndAgainEndsWithEachVectorOnce() async throws {
        let binary = try NexusBinary()
        let file = try binary.write("history.jsonl", Self.lines(1_500))
        #expect(try await binary.run(["import", file]).status == 0)

        var seen: [Int] = []
        for _ in 0..<4 {
            let running = try binary.start(["ingest"])
            try await Task.sleep(for: .milliseconds(700))
            running.signal(SIGKILL)
            _ = await running.result()
            seen.append(try await queue(binary).embedded)
        }
        let last = try await binary.run(["ingest"])

        #expect(last.status == 0, "\(last.errors)")
        #expect(seen == seen.sorted())
        let queue = try await queue(binary)
        #expect(queue.embedded == 1_500)
        #expect(queue.pending == 0)
        #expect(queue.searchable == 1_500)
    }

    @Test func aServerThatIsKilledHasEveryMessageThatItAcknowledged() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary)
        let made = try await server.send(
            "POST", "/v1/conversations",
            ["id": "dock", "name": "Dock", "members": [["userId": "ada", "name": "Ada"]]], user: "ada")
        try #require(made.status == 201)

        let acknowledged = await withTaskGroup(of: [String].self, returning: Set<String>.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var kept: [String] = []
                    for number in 0..<10_000 {
                        let id = "w\(writer)-\(number)"
                        let reply = try? await server.send(
                            "POST", "/v1/conversations/dock/messages",
                            ["id": id, "senderId": "ada", "text": "message \(id)"], user: "ada")
                        guard let reply else { break }
                        if reply.status == 201 { kept.append(id) }
                    }
                    return kept
                }
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(800))
                server.process.signal(SIGKILL)
                return []
            }
            return await group.reduce(into: []) { $0.formUnion($1) }
        }
        #expect(!acknowledged.isEmpty)

        let next = try await NexusServer(binary)
        var stored: Set<String> = []
        var before: String?
        while true {
            let path = "/v1/conversations/dock/messages?limit=200" + (before.map { "&before=\($0)" } ?? "")
            let page = try await next.send("GET", path, user: "ada")
            let ids = try #require(page.json["messages"] as? [[String: Any]], "\(page.json)").compactMap {
                $0["id"] as? String
            }
            stored.formUnion(ids)
            guard let last = ids.last else { break }
            before = last
        }
        #expect(acknowledged.subtracting(stored).isEmpty)
        #expect(try await binary.run(["ingest"]).status == 0)
        let queue = try await queue(binary)
        #expect(queue.embedded == stored.count)
        #expect(queue.searchable == stored.count)
        _ = await next.stop()
    }
}

extension NexusBinary {
    /// The size of the database and its write-ahead log; nil while there is none.
    fileprivate var databaseByteCount: Int? {
        let sizes = ["nexus.sqlite", "nexus.sqlite-wal"].compactMap { name in
            try? data.appending(path: name).resourceValues(forKeys: [.fileSizeKey]).fileSize
        }
        return sizes.isEmpty ? nil : sizes.reduce(0, +)
    }
}
