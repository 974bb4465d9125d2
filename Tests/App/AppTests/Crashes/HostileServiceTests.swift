import Foundation
import GRDB
import TestSupport
import Testing

/// Services whose replies hold the largest numbers, and data folders that an earlier release filled with them.
@Suite(.serialized, .hangGuard) struct HostileServiceTests {
    private static let count = 9_223_372_036_854_774_784

    private func write(_ binary: NexusBinary, _ sql: String, _ arguments: StatementArguments = []) async throws {
        let database = try DatabaseQueue(path: binary.data.appending(path: "nexus.sqlite").path)
        try await database.write { db in try db.execute(sql: sql, arguments: arguments) }
        try database.close()
    }

    @Test func hugeCountsOfServicesEndNothing() async throws {
        let service = try StubServer { request in
            if request.target.hasSuffix("/embeddings") {
                return .embeddings(
                    request.input.map { StubVectors.words(of: $0, dimensions: 16) }, tokenCount: Self.count)
            }
            let usage = (prompt: Self.count, completion: Self.count)
            return request.json["stream"] as? Bool == true
                ? .chatStream(["It is repaired ", "[1]."], usage: usage) : .chat("It is repaired [1].", usage: usage)
        }
        let dataset = try TinyDataset()
        let address = "\(service.baseURL)/v1"
        let settings = [
            "embedding.provider=compatible", "embedding.base-url=\(address)", "embedding.model=e",
            "embedding.daily-token-cap=1000000000000", "embedding.price-per-million=1", "chat.provider=compatible",
            "chat.base-url=\(address)", "chat.model=c", "chat.prompt-price-per-million=1",
            "limits.tokens-per-day=1000000000000",
        ].flatMap { ["--set", $0] }
        let files = ["conversations", "messages"].map { dataset.folder.appending(path: "\($0).jsonl").path }
        #expect(try await dataset.binary.run(["import"] + files).status == 0)

        for _ in 0..<2 {
            let ingested = try await dataset.binary.run(["ingest"] + settings)
            #expect(ingested.status == 0, "\(ingested.errors)")
            let server = try await NexusServer(dataset.binary, settings)
            for _ in 0..<2 {
                let question = ["question": "When is the crane repaired?"]
                let answer = try await server.send("POST", "/v1/ask", question, user: "ada")
                #expect(answer.status == 200, "\(answer.json)")
                let chat: [String: Any] = [
                    "model": "nexus", "messages": [["role": "user", "content": "When is the crane repaired?"]],
                ]
                let completion = try await server.send("POST", "/v1/chat/completions", chat, user: "ada")
                #expect(completion.status == 200, "\(completion.json)")
                let items = try await server.send(
                    "POST", "/v1/conversations/dock/action-items/extract", [:], user: "ada")
                #expect([200, 502].contains(items.status), "\(items.json)")
                let summary = try await server.send("POST", "/v1/conversations/dock/summary", [:], user: "ada")
                #expect(summary.status == 200, "\(summary.json)")
            }
            #expect(await server.stop().status == 0)
            #expect(try await dataset.binary.run(["status"] + settings).status == 0)
        }
    }

    @Test func hugeCountsThatAnEarlierReleaseStoredEndNothing() async throws {
        let folder = try await FilledFolder(20)
        for table in ["embedding_usage", "question_usage"] {
            try await write(
                folder.binary,
                """
                INSERT INTO \(table) (day, generation, request_count, text_count, token_count)
                VALUES (20000, 1, 1, 1, \(Self.count)), (20001, 1, 1, 1, \(Self.count)),
                    (unixepoch() / 86400, 1, 1, 1, \(Self.count)), (unixepoch() / 86400 + 1, 1, 1, 1, \(Self.count))
                """)
        }
        try await write(
            folder.binary,
            """
            INSERT INTO user_tokens (day, user_id, token_count)
            VALUES (unixepoch() / 86400, 'ada', \(Self.count)), (unixepoch() / 86400 + 1, 'ada', \(Self.count))
            """)
        let settings =
            folder.settings
            + ["limits.tokens-per-day=1000", "embedding.daily-token-cap=1000"].flatMap { ["--set", $0] }

        let server = try await NexusServer(folder.binary, settings)
        let posted = try await server.send(
            "POST", "/v1/conversations/c1/messages", ["id": "new", "text": "a new one"], user: "ada")
        let found = try await server.send("POST", "/v1/search", ["query": "message"], user: "ada")

        #expect(posted.status == 201)
        #expect(found.status == 200)
        #expect(await server.stop().status == 0)
        for command in [["status"], ["generations"], ["ingest"]] {
            let result = try await folder.binary.run(command + settings)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test(arguments: [2_000_000, 16_385, 0, -5])
    func aFolderWithAGenerationThatNoIndexCanHoldOpensAndIsRepaired(dimensions: Int) async throws {
        let folder = try await FilledFolder(20)
        try await write(folder.binary, "UPDATE generations SET dimensions = ?", [dimensions])
        func nexus(_ arguments: String...) async throws -> RunResult {
            try await folder.binary.run(arguments + folder.settings)
        }

        let status = try await nexus("status")
        let doctor = try await nexus("doctor")
        let found = try await nexus("search", "--user", "ada", "message 7")
        let compared = try await nexus("generations", "compare", "1", "1")
        let repaired = try await nexus("ingest")
        let list = try await nexus("generations", "list", "--json")
        let after = try await nexus("doctor")

        #expect(status.status == 0, "\(status.errors)")
        #expect(status.output.contains("generation 1 has vectors of \(dimensions) dimensions"))
        #expect(doctor.status != 0)
        #expect(doctor.output.contains("run nexus ingest"), "\(doctor.output)")
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.output.contains("message 7"))
        #expect(compared.status == 2)
        #expect(repaired.status == 0, "\(repaired.errors)")
        let generations = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]]
        #expect(generations?.map { $0["number"] as? Int } == [2])
        #expect(generations?.map { $0["state"] as? String } == ["serving"])
        #expect(generations?.map { $0["dimensions"] as? Int } == [8])
        #expect(after.status == 0, "\(after.output)")
        #expect(after.output.contains("20 rows, as stored"))
    }

    @Test func aServerRepairsSuchAFolderWhileItServes() async throws {
        let folder = try await FilledFolder(20)
        try await write(folder.binary, "UPDATE generations SET dimensions = 2000000")

        let server = try await NexusServer(folder.binary, folder.settings)
        let found = try await server.send("POST", "/v1/search", ["query": "message 7"], user: "ada")
        let drained = try await folder.binary.run(["ingest"] + folder.settings)
        let again = try await server.send("POST", "/v1/search", ["query": "message 7"], user: "ada")

        #expect(found.status == 200)
        #expect(drained.status == 0, "\(drained.errors)")
        #expect((again.json["retrieval"] as? [String: Any])?["mode"] as? String == "hybrid")
        #expect(await server.stop().status == 0)
    }

    @Test func aGenerationThatNoIndexCanHoldCanBeDropped() async throws {
        let folder = try await FilledFolder(5)
        try await write(folder.binary, "UPDATE generations SET dimensions = 2000000")

        let dropped = try await folder.binary.run(["generations", "drop", "1"] + folder.settings)
        let found = try await folder.binary.run(["search", "--user", "ada", "message 3"] + folder.settings)

        #expect(dropped.status == 0, "\(dropped.errors)")
        #expect(found.status == 0, "\(found.errors)")
    }
}
