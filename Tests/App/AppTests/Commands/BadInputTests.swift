import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// What people and machines hand in that cannot be: one line, an exit code, and the data folder as it was.
@Suite(.serialized, .hangGuard) struct BadInputTests {
    private static let history = """
        {"id": "dock", "name": "Dock", "participants": [{"id": "ada", "name": "Ada"}, {"id": "bob", "name": "Bob"}]}
        {"id": "m1", "conversationId": "dock", "senderId": "ada", "text": "The crane is repaired on Thursday", \
        "timestamp": "2026-01-01T10:00:00Z"}
        """

    private func imported(_ binary: NexusBinary) async throws {
        let result = try await binary.run(["import", try binary.write("history.jsonl", Self.history)])
        try #require(result.status == 0, "\(result.errors)")
    }

    private static let longQuestion = String(repeating: "crane ", count: 16_667)

    @Test(arguments: ["ask", "search"])
    func aQuestionThatCannotBeIsWrongUsage(command: String) async throws {
        let binary = try NexusBinary()
        try await imported(binary)
        let bad: [([String], String)] = [
            (["--top-k", "0", "crane"], "--top-k must be 1 to 50"),
            (["--top-k=-1", "crane"], "--top-k must be 1 to 50"),
            (["--top-k", "1000000000", "crane"], "--top-k must be 1 to 50"),
            (["--top-k", "1e9", "crane"], "'1e9' is invalid"),
            ([Self.longQuestion], "at most 8000 characters"),
            ([" \n"], "must not be empty"),
            (["--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z", "crane"], "--to must be later"),
            (["--time-zone", "Mars/Base", "crane"], "--time-zone must be the IANA name"),
            (["--sender", "", "crane"], "--sender: an id has"),
            (["--kind", "picture", "crane"], "--kind must be one of file, image, audio, video, document, link"),
        ]

        for (arguments, text) in bad {
            let result = try await binary.run([command, "--user", "ada"] + arguments)

            #expect(result.status == 64, "\(arguments.dropLast()): \(result.errors)")
            #expect(result.errors.contains(text), "\(arguments.dropLast()): \(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test func bytesThatAreNoUTF8AreNoCrash() async throws {
        let binary = try NexusBinary()
        try await imported(binary)
        #expect(try await binary.run(["ingest"]).status == 0)

        let found = try await binary.run(
            ["search", "--user", "ada", "--json"], shellPrefix: "set -- \"$@\" $'crane \\xff\\xfe'")

        #expect(found.status == 0, "\(found.errors)")
        #expect(found.output.contains("m1"))
    }

    @Test func aTextOfAMegabyteIsRefusedAndTheRestTaken() async throws {
        let binary = try NexusBinary()
        try await imported(binary)
        let long =
            #"{"id": "m2", "conversationId": "dock", "senderId": "ada", "text": "\#(String(repeating: "x", count: 1 << 20))", "#
            + #""timestamp": "2026-01-01T10:00:00Z"}"#
        let file = try binary.write("long.jsonl", long + "\n" + Self.history)

        let result = try await binary.run(["import", "--json", file])

        #expect(result.status == 1, "\(result.errors.prefix(500))")
        #expect(result.errors.contains("long.jsonl:1: field \"text\": is longer than"), "\(result.errors.prefix(500))")
        #expect(result.errors.utf8.count < 1_000)
        #expect(try result.json()["unchangedMessages"] as? Int == 1)
        #expect(try result.json()["rejectedItems"] as? Int == 1)
    }

    @Test(arguments: [
        ["status"], ["import", "history.jsonl"], ["search", "--user", "ada", "crane"], ["serve", "--port", "0"],
    ])
    func aDatabaseFromTheFutureIsLeftAlone(arguments: [String]) async throws {
        let binary = try NexusBinary()
        try await imported(binary)
        let store = try await SQLStore.open(folder: binary.data, options: StoreOptions())
        _ = try await store.inspect("PRAGMA user_version = 999")
        await store.close()

        let result = try await binary.run(arguments)

        #expect(result.status == 2)
        #expect(result.errors.contains("newer nexus (schema 999)"), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(try await binary.run(["status"]).errors == result.errors)
    }

    @Test(arguments: [
        ["import", "history.jsonl"], ["serve", "--port", "0"], ["ingest"], ["ask", "--user", "ada", "crane"],
    ])
    func aFileInPlaceOfTheDataFolderIsLeftAlone(arguments: [String]) async throws {
        let binary = try NexusBinary()
        try binary.write("data", "mine")
        try binary.write("history.jsonl", Self.history)

        let result = try await binary.run(arguments)

        #expect(result.status == 2)
        #expect(result.errors.contains("data is not a folder"), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(try String(contentsOf: binary.data, encoding: .utf8) == "mine")
    }

    @Test func anEmbeddingServiceThatRefusesTheKeyOrIsDeadKeepsEveryMessageWaiting() async throws {
        let stub = try StubServer { _ in .openAIError(401, code: "invalid_api_key", message: "canary-key is wrong") }
        let binary = try NexusBinary()
        try await imported(binary)
        let settings = [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
            "--set", "embedding.model=e", "--set", "embedding.api-key=canary-key",
        ]

        let refused = try await binary.run(["ingest"] + settings)
        stub.refuse()
        let dead = try await binary.run(["ingest"] + settings)

        #expect(refused.status == 2)
        #expect(refused.errors.contains("refuses the key (status 401)"), "\(refused.errors)")
        #expect(dead.status == 2)
        #expect(dead.errors.contains("cannot be reached"), "\(dead.errors)")
        #expect(!(refused.errors + dead.errors).contains("canary"))
        #expect(try await binary.run(["ingest", "--json"]).json()["embeddedCount"] as? Int == 1)
    }

    @Test(arguments: ["[NaN, 1]", "[1e999, 1]", "[null, 1]", "[0, 0]", #""AADAfwAAgD8=""#])
    func vectorsThatAreNoneAreTheServicesFailureAndNothingIsStored(vector: String) async throws {
        let body = #"{"object": "list", "data": [{"index": 0, "embedding": \#(vector)}]}"#
        let stub = try StubServer { _ in
            StubResponse(headers: [("Content-Type", "application/json")], body: Data(body.utf8))
        }
        let binary = try NexusBinary()
        let server = try await NexusServer(
            binary,
            [
                "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
                "--set", "embedding.model=e", "--set", "embedding.dimensions=2",
            ])
        try await imported(binary)

        var embedding: [String: Any]?
        while embedding?["detail"] as? String != "invalid_reply" {
            let checks = try await server.send("GET", "/ready").json["checks"] as? [[String: Any]]
            embedding = checks?.first { $0["name"] as? String == "embedding" }
            try await Task.sleep(for: .milliseconds(20))
        }

        #expect(embedding?["ready"] as? Bool == true)
        let status = try await binary.run(["status", "--json"]).json()
        let queue = (status["generations"] as? [[String: Any]])?.first?["queue"] as? [String: Any]
        #expect(queue?["embeddedCount"] as? Int == 0)
        #expect(queue?["pendingCount"] as? Int == 1)
        #expect(queue?["failedCount"] as? Int == 0)
        #expect(await server.stop().status == 0)
    }

    @Test func aSocketThatAKilledServerLeftIsNoServer() async throws {
        let binary = try NexusBinary()
        try await imported(binary)
        let server = try await NexusServer(binary)
        server.process.signal(SIGKILL)
        _ = await server.process.result()
        #expect(FileManager.default.fileExists(atPath: binary.data.appending(path: "nexus.sock").path))

        let status = try await binary.run(["status", "--json"])

        #expect(status.status == 0, "\(status.errors)")
        #expect(try status.json()["isServed"] as? Bool == false)
    }

    @Test func aSecondCommandSaysThatTheFirstIsAtWork() async throws {
        let gate = StubGate()
        let stub = try StubServer { _ in StubResponse(steps: [.gate(gate)]) }
        let binary = try NexusBinary()
        try await imported(binary)
        let first = try binary.start([
            "ingest", "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
            "--set", "embedding.model=e", "--set", "embedding.dimensions=2",
        ])
        while stub.requests.isEmpty, first.isRunning { try await Task.sleep(for: .milliseconds(5)) }

        let second = try await binary.run(["status"])

        #expect(second.status == 2)
        #expect(second.errors.contains("in use by another process"), "\(second.errors)")
        #expect(second.errors.split(separator: "\n").count == 1, "\(second.errors)")
        first.signal(SIGINT)
        #expect(await first.result().status != 0)
        #expect(try await binary.run(["status"]).status == 0)
    }

    @Test func aCommandThatIsBrokenOffLeavesNothingBehindInTheServer() async throws {
        let gate = StubGate()
        let stub = try StubServer { request in
            let reply = StubResponse.embeddings(for: request, dimensions: 8)
            return StubResponse(steps: [.gate(gate)] + reply.steps)
        }
        let binary = try NexusBinary()
        let server = try await NexusServer(
            binary,
            [
                "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
                "--set", "embedding.model=e", "--set", "embedding.dimensions=8",
            ])
        try await imported(binary)
        let lines = (0..<200).map {
            #"{"id": "n\#($0)", "conversationId": "dock", "senderId": "ada", "text": "crane \#($0)", "#
                + #""timestamp": "2026-01-01T10:00:00Z"}"#
        }
        let file = try binary.write("more.jsonl", lines.joined(separator: "\n"))
        #expect(try await binary.run(["import", file]).status == 0)
        let ingest = try binary.start(["ingest"])
        // The server's own batch waits in one request, the command's in the other.
        while stub.requests.count < 2, ingest.isRunning { try await Task.sleep(for: .milliseconds(5)) }

        ingest.signal(SIGINT)
        _ = await ingest.result()
        gate.open()

        var pending: Int?
        while pending != 0 {
            let status = try await binary.run(["status", "--json"]).json()
            let queue = (status["generations"] as? [[String: Any]])?.first?["queue"] as? [String: Any]
            pending = queue?["pendingCount"] as? Int
        }
        #expect(await server.stop().status == 0)
    }
}
