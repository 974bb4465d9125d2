import Foundation
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct ServerTests {
    private static let members = [["userId": "ada", "name": "Ada"], ["userId": "bob", "name": "Bob"]]

    private func conversation(_ server: NexusServer) async throws {
        let made = try await server.send(
            "POST", "/v1/conversations", ["id": "dock", "name": "Dock", "members": Self.members], user: "ada")
        try #require(made.status == 201, "\(made.json)")
    }

    private func waitUntilFound(_ server: NexusServer, _ query: String, user: String) async throws -> [[String: Any]] {
        while true {
            let reply = try await server.send("POST", "/v1/search", ["query": query], user: user)
            let results = try #require(reply.json["results"] as? [[String: Any]], "\(reply.json)")
            if !results.isEmpty { return results }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func aPostedMessageIsFoundAndCitedAndAnswersSurviveARestart() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary)
        try await conversation(server)

        let posted = try await server.send(
            "POST", "/v1/conversations/dock/messages",
            ["id": "m1", "senderId": "ada", "text": "The crane is repaired on Thursday"], user: "ada")
        #expect(posted.status == 201, "\(posted.json)")
        let found = try await waitUntilFound(server, "When is the crane repaired?", user: "bob")
        #expect(found.map { $0["messageId"] as? String } == ["m1"])
        let asked = try await server.send(
            "POST", "/ragQuery", ["data": ["question": "When is the crane repaired?", "userId": "bob"]])
        let result = try #require(asked.json["result"] as? [String: Any], "\(asked.json)")
        let source = try #require((result["sources"] as? [[String: Any]])?.first)
        #expect(source["messageId"] as? String == "m1")
        #expect(source["number"] as? Int == 1)
        let ended = await server.stop()
        #expect(ended.status == 0, "\(ended.errors)")

        let next = try await NexusServer(binary)
        #expect(try await waitUntilFound(next, "crane", user: "bob").count == 1)
        _ = await next.stop()
    }

    @Test func commandsGoThroughTheServerThatOwnsTheFolder() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary)

        let imported = try await binary.run([
            "import", "--json", NexusBinary.sample.appending(path: "conversations.jsonl").path,
            NexusBinary.sample.appending(path: "messages.jsonl").path,
        ])
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try await binary.run(["ingest"]).status == 0)
        let status = try await binary.run(["status", "--json"]).json()
        #expect(status["isServed"] as? Bool == true)
        let asked = try await binary.run(["ask", "--user", "mara", "--json", "When does the Hamburg pilot go live?"])
        let sources = try #require(asked.json()["sources"] as? [[String: Any]])
        #expect(sources.contains { $0["messageId"] as? String == "general-074" })
        let replies = try await binary.run(["replies", "general", "--as", "mara", "--json"])
        #expect(replies.status == 1)
        #expect(try replies.json()["reason"] as? String == "no_language_model")
        let stranger = try await binary.run(["replies", "general", "--as", "nobody"])
        #expect(stranger.status == 2)
        #expect(stranger.output.isEmpty)
        let over = try await server.send(
            "POST", "/v1/ask", ["question": "When does the Hamburg pilot go live?"], user: "mara")
        #expect((over.json["sources"] as? [[String: Any]])?.count == sources.count)

        let second = try await binary.run(["serve", "--port", "0"])
        #expect(second.status == 2)
        #expect(second.errors.contains("in use"), "\(second.errors)")
        _ = await server.stop()
        let alone = try await binary.run(["status", "--json"]).json()
        #expect(alone["isServed"] as? Bool == false)
    }

    @Test func aDataFolderDeepDownHasItsSocketToo() async throws {
        let binary = try NexusBinary()
        let name = String(repeating: "deep", count: 20)
        let arguments = ["--data", "\(name)/\(name)/data"]
        let server = try await NexusServer(binary, arguments)

        let status = try await binary.run(["status", "--json"] + arguments)

        #expect(status.status == 0, "\(status.errors)")
        #expect(try status.json()["isServed"] as? Bool == true)
        let mode = try FileManager.default.attributesOfItem(
            atPath: binary.folder.appending(path: "\(name)/\(name)/data/nexus.sock").path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        _ = await server.stop()
    }

    @Test func aServerWaitsForACommandThatIsAtItsEnd() async throws {
        let binary = try NexusBinary()
        try FileManager.default.createDirectory(at: binary.data, withIntermediateDirectories: true)
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = [binary.data.appending(path: "lock").path, "sleep", "0.5"]
        try holder.start()

        let server = try await NexusServer(binary)

        #expect(try await server.send("GET", "/health").status == 200)
        _ = await server.stop()
        holder.waitUntilExit()
    }

    @Test func aPortInUseIsSaidAndTheFolderIsFreeAgain() async throws {
        let first = try NexusBinary()
        let server = try await NexusServer(first)
        let port = try #require(server.url.split(separator: ":").last)

        let second = try NexusBinary()
        let refused = try await second.run(["serve", "--port", String(port)])

        #expect(refused.status == 2)
        #expect(refused.errors.contains("\(port)"), "\(refused.errors)")
        #expect(refused.errors.contains("in use"), "\(refused.errors)")
        _ = await server.stop()
    }

    @Test func aRemoteServiceEmbedsAndAnswers() async throws {
        let stub = try StubServer { request in
            if request.target.hasSuffix("/embeddings") { return .embeddings(for: request, dimensions: 8) }
            return .chat("The crane is repaired on Thursday [1].")
        }
        let binary = try NexusBinary()
        let settings = [
            "--set", "provider=compatible", "--set", "base-url=\(stub.baseURL)/v1", "--set", "api-key=canary-key",
            "--set", "embedding.model=e", "--set", "chat.model=c",
        ]
        let server = try await NexusServer(binary, settings)
        try await conversation(server)
        _ = try await server.send(
            "POST", "/v1/conversations/dock/messages",
            ["id": "m1", "senderId": "ada", "text": "The crane is repaired on Thursday"], user: "ada")
        _ = try await waitUntilFound(server, "crane", user: "bob")

        let asked = try await server.send("POST", "/v1/ask", ["question": "When is the crane repaired?"], user: "bob")

        #expect(asked.json["answer"] as? String == "The crane is repaired on Thursday [1].")
        let citation = try #require((asked.json["citations"] as? [[String: Any]])?.first)
        #expect(citation["messageId"] as? String == "m1")
        #expect(stub.requests.allSatisfy { $0.header("Authorization") == "Bearer canary-key" })
        let ended = await server.stop()
        #expect(!ended.errors.contains("canary-key"))
        #expect(!ended.errors.contains("crane"))
    }

    @Test func aWrongKeyAndADeadServiceAreErrorsAndTheServerLivesOn() async throws {
        let stub = try StubServer { _ in .openAIError(401, code: "invalid_api_key") }
        let binary = try NexusBinary()
        let settings = [
            "--set", "chat.provider=compatible", "--set", "chat.base-url=\(stub.baseURL)/v1",
            "--set", "chat.model=c", "--set", "chat.api-key=canary-key", "--set", "chat.fallback=error",
        ]
        let server = try await NexusServer(binary, settings)
        try await conversation(server)

        let refused = try await server.send("POST", "/v1/ask", ["question": "When is the crane repaired?"], user: "bob")
        #expect(refused.status == 502, "\(refused.json)")
        #expect(refused.json["code"] as? String == "model_unauthorized", "\(refused.json)")
        stub.refuse()
        #expect(try await server.send("GET", "/health").status == 200)
        // The probe notices that it is another trouble by now.
        while (try await server.send("GET", "/ready").json["notes"] as? [String]) != ["model_unreachable"] {
            try await Task.sleep(for: .milliseconds(20))
        }
        let callable = try await server.send("POST", "/ragQuery", ["data": ["question": "When?", "userId": "bob"]])
        #expect(callable.status == 503, "\(callable.json)")
        #expect(((callable.json["error"] as? [String: Any])?["status"] as? String) == "UNAVAILABLE")
        _ = await server.stop()

        let asked = try await binary.run(["ask", "--user", "bob"] + settings + ["When?"])
        #expect(asked.status == 2)
        #expect(asked.errors.contains("cannot be reached"), "\(asked.errors)")
        #expect(!asked.errors.contains("canary-key"))
    }

    @Test func anotherEmbedderIsNotUsedUntilReembedded() async throws {
        let stub = try StubServer { .embeddings(for: $0, dimensions: 8) }
        let binary = try NexusBinary()
        let first = try await NexusServer(binary)
        try await conversation(first)
        _ = try await first.send(
            "POST", "/v1/conversations/dock/messages",
            ["id": "m1", "senderId": "ada", "text": "The crane is repaired on Thursday"], user: "ada")
        _ = try await waitUntilFound(first, "crane", user: "bob")
        _ = await first.stop()

        let settings = [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
            "--set", "embedding.model=e",
        ]
        let second = try await NexusServer(binary, settings)
        #expect(try await waitUntilFound(second, "crane", user: "bob").count == 1)
        #expect(stub.requests.isEmpty)
        #expect(second.process.errorText.contains("nexus reembed"), "\(second.process.errorText)")
        let reembedded = try await binary.run(["reembed", "--json"] + settings)
        #expect(reembedded.status == 0, "\(reembedded.errors)")
        #expect(try await waitUntilFound(second, "crane", user: "bob").count == 1)
        #expect(!stub.requests.isEmpty)
        let status = try await binary.run(["status", "--json"] + settings).json()
        let models = try #require(status["generations"] as? [[String: Any]]).map { $0["model"] as? String }
        #expect(models == ["all-MiniLM-L6-v2", "e"])
        _ = await second.stop()
    }
}
