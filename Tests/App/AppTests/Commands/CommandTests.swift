import Foundation
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct CommandTests {
    /// Imports the first messages of the sample and embeds them.
    private func imported(_ binary: NexusBinary, messageCount: Int = 120) async throws {
        let messages = try String(
            contentsOf: NexusBinary.sample.appending(path: "messages.jsonl"), encoding: .utf8
        ).split(separator: "\n").prefix(messageCount)
        let result = try await binary.run([
            "import", NexusBinary.sample.appending(path: "conversations.jsonl").path,
            try binary.write("messages.jsonl", messages.joined(separator: "\n")),
        ])
        try #require(result.status == 0, "\(result.errors)")
        let drained = try await binary.run(["ingest"])
        try #require(drained.status == 0, "\(drained.errors)")
    }

    @Test func theSampleIsImportedEmbeddedAndAnswersItsQuestion() async throws {
        let binary = try NexusBinary()
        try await imported(binary, messageCount: .max)

        let asked = try await binary.run([
            "ask", "--user", "mara", "--json", "When does the Hamburg pilot go live, and why was it moved?",
        ])
        #expect(asked.status == 0, "\(asked.errors)")
        let answer = try asked.json()
        let sources = try #require(answer["sources"] as? [[String: Any]])
        #expect(sources.first?["messageId"] as? String == "general-074")
        #expect((answer["answer"] as? String)?.contains("[1]") == true)

        let again = try await binary.run([
            "import", "--json", NexusBinary.sample.appending(path: "conversations.jsonl").path,
            NexusBinary.sample.appending(path: "messages.jsonl").path,
        ])
        let report = try again.json()
        #expect(report["insertedMessages"] as? Int == 0)
        #expect(report["updatedMessages"] as? Int == 0)
        #expect(report["newConversations"] as? Int == 0)
        #expect(report["rejectedItems"] as? Int == 0)

        let status = try await binary.run(["status", "--json"]).json()
        let generation = try #require((status["generations"] as? [[String: Any]])?.first)
        let queue = try #require(generation["queue"] as? [String: Any])
        #expect(queue["pendingCount"] as? Int == 0)
        #expect(queue["embeddedCount"] as? Int == queue["embeddableCount"] as? Int)
        // One message is long and has three passages.
        #expect(status["searchablePassages"] as? Int == (queue["embeddedCount"] as? Int).map { $0 + 2 })
    }

    @Test func theTimelineOfASubjectIsListed() async throws {
        let binary = try NexusBinary()
        try await imported(binary, messageCount: .max)
        let subject = "go-live of the Hamburg pilot"

        let whole = try await binary.run(["timeline", "--user", "mara", "--json", subject])
        let shown = try await binary.run(["timeline", "--user", "mara", subject])
        let price = try await binary.run([
            "timeline", "--user", "mara", "the new price per berth for existing customers",
        ])
        let early = try await binary.run(["timeline", "--user", "mara", "--json", "--as-of", "2026-09-05", subject])
        let wrong = try await binary.run(["timeline", "--user", "mara", "--as-of", "1 October", subject])

        let entries = try #require(try whole.json()["entries"] as? [[String: Any]])
        #expect(entries.contains { $0["messageId"] as? String == "general-074" && $0["replacedBy"] == nil })
        #expect(shown.output.contains("2026-10-27: The Hamburg pilot now goes live"))
        #expect(price.output.contains("replaced by general general-063"))
        let then = try #require(try early.json()["entries"] as? [[String: Any]])
        #expect(!then.isEmpty)
        #expect(then.allSatisfy { ($0["timestamp"] as? String ?? "z") < "2026-09-06" })
        #expect(wrong.status == 64 && wrong.errors.contains("--as-of must be a day such as 2026-10-01"))
    }

    @Test func aForeignUserFindsNothingOfIt() async throws {
        let binary = try NexusBinary()
        try await imported(binary)

        let stranger = try await binary.run(["search", "--user", "nobody", "Hamburg pilot"])
        #expect(stranger.status == 1)
        #expect(stranger.output.isEmpty)
        let named = try await binary.run([
            "search", "--user", "kenji", "--conversation", "leads", "Hamburg pilot",
        ])
        #expect(named.status == 2)
        #expect(named.errors.contains("none of these conversations"))
        let sender = try await binary.run([
            "search", "--user", "mara", "--json", "--sender", "nnamdi", "Hamburg pilot",
        ])
        let found = try #require(
            JSONSerialization.jsonObject(with: Data(sender.output.utf8)) as? [[String: Any]])
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0["senderId"] as? String == "nnamdi" })
    }

    @Test(arguments: [
        (["search", "--user", "u", "x"], Int32(2), "no data folder"),
        (["status", "--set", "no.such=1"], 64, "unknown setting \"no.such\""),
        (["status", "--set", "http.port=many"], 64, "setting \"http.port\": expected integer 0...65535"),
        (["serve", "--port", "70000"], 64, "setting \"http.port\""),
        (["serve", "--host", "0.0.0.0"], 64, "auth.mode=none serves everybody as anybody"),
        (["serve", "--set", "auth.jwks=keys.json"], 64, "auth.jwks: keys.json does not exist"),
        (
            ["serve", "--set", "auth.jwks=https://keys.example/set"], 64,
            "auth.jwks needs auth.issuer and auth.audience"
        ),
        (["serve", "--set", "auth.jwks=http://keys.example/set"], 64, "begins with https://"),
        (["serve", "--set", "auth.mode=none", "--set", "auth.firebase-project=p"], 64, "auth.mode is none"),
        (["serve", "--set", "auth.issuer=me"], 64, "auth.issuer and auth.audience need"),
        (["keys", "create", "--role", "king"], 64, "king"),
        (["ask", "x"], 64, "the user is missing"),
        (["ask", "--user", "u", "--from", "soon", "x"], 64, "--from"),
        (["replies", "c"], 64, "the user is missing"),
        (["replies", "c", "--as", ""], 64, "--as"),
        (["import"], 64, "Missing expected argument"),
        (["import", "nowhere.jsonl"], 2, "nowhere.jsonl does not exist"),
        (["status", "--config", "nowhere.json"], 64, "does not exist"),
        (["model", "fetch", "--from", "nowhere", "--set", "model.dir=empty"], 2, "no such file or folder"),
        (["status", "--set", "provider=compatible"], 64, "embedding.base-url"),
    ])
    func whatCannotBeIsSaidInOneLine(arguments: [String], status: Int32, text: String) async throws {
        let binary = try NexusBinary()

        let result = try await binary.run(arguments)

        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.output.isEmpty)
        // Nothing waits in the write-ahead log.
        let log = binary.data.appending(path: "nexus.sqlite-wal")
        #expect((try? Data(contentsOf: log))?.isEmpty ?? true)
    }

    @Test(arguments: [
        ["--help"], ["serve", "--help"], ["import", "--help"], ["ingest", "--help"], ["search", "--help"],
        ["ask", "--help"], ["replies", "--help"], ["reembed", "--help"], ["status", "--help"], ["doctor", "--help"],
        ["config", "--help"],
        ["users", "map", "--help"], ["model", "fetch", "--help"],
    ])
    func everyCommandExplainsItself(arguments: [String]) async throws {
        let result = try await NexusBinary().run(arguments)

        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: nexus"))
    }

    @Test func unknownVariablesOfOursAreAWarningAndForeignKeysChangeNothing() async throws {
        let binary = try NexusBinary()

        let unknown = try await binary.run(["config"], environment: ["NEXUS_HTTP_PROT": "1"])
        #expect(unknown.status == 0)
        #expect(unknown.errors.contains("NEXUS_HTTP_PROT"))
        let foreign = try await binary.run(["config", "--json"], environment: ["OPENAI_API_KEY": "sk-canary"])
        #expect(foreign.status == 0)
        #expect(!foreign.output.contains("sk-canary"))
        #expect(try foreign.json()["provider"] as? String == "builtin")
        #expect(try foreign.json()["chat.provider"] as? String == "extractive")
        let keyless = try await binary.run(["serve", "--set", "provider=openai"])
        #expect(keyless.status == 64)
        #expect(keyless.errors.contains("OPENAI_API_KEY"), "\(keyless.errors)")
    }

    @Test func settingsComeInTheirOrderAndSecretsAreMasked() async throws {
        let binary = try NexusBinary()
        try binary.write("nexus.json", #"{"http": {"port": 1, "default-user": "file"}, "api-key": "canary"}"#)
        try binary.write(".env", "NEXUS_HTTP_PORT=2\nNEXUS_CHAT_MODEL=env-file\n")

        let result = try await binary.run(
            ["config", "--set", "log.level=error"], environment: ["NEXUS_HTTP_PORT": "3"])

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("http.port = 3\n"))
        #expect(result.output.contains("http.default-user = file\n"))
        #expect(result.output.contains("chat.model = env-file\n"))
        #expect(result.output.contains("log.level = error\n"))
        #expect(result.output.contains("api-key = ********\n"))
        #expect(!result.output.contains("canary"))
    }

    @Test func aLineOfDotEnvThatWouldBePassedOverIsRefused() async throws {
        let binary = try NexusBinary()
        try binary.write(".env", "# a comment\nexport NEXUS_HTTP_PORT=2\n")

        let result = try await binary.run(["config"])

        #expect(result.status == 64)
        #expect(result.errors == "nexus: settings file .env: lines are NAME=VALUE, without \"export\"\n")
    }

    @Test func aFileInPlaceOfTheDataFolderIsRefused() async throws {
        let binary = try NexusBinary()
        try binary.write("data", "mine")

        let result = try await binary.run(["status"])

        #expect(result.status == 2)
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(try String(contentsOf: binary.data, encoding: .utf8) == "mine")
    }

    @Test func withoutItsModelTheServerSaysSoAndImportsStillWork() async throws {
        let binary = try NexusBinary()
        let nowhere = ["NEXUS_MODEL_DIR": binary.folder.appending(path: "empty").path]

        let served = try await binary.run(["serve", "--port", "0"], environment: nowhere)
        #expect(served.status == 2)
        #expect(served.errors.contains("nexus model fetch"))
        let imported = try await binary.run(
            [
                "import", NexusBinary.sample.appending(path: "conversations.jsonl").path,
                NexusBinary.sample.appending(path: "messages.jsonl").path,
            ], environment: nowhere)
        #expect(imported.status == 0, "\(imported.errors)")
        let drained = try await binary.run(["ingest"], environment: nowhere)
        #expect(drained.status == 2)
        #expect(drained.errors.contains("nexus model fetch"))
        let later = try await binary.run(["ingest", "--json"])
        #expect(later.status == 0, "\(later.errors)")
        #expect(try later.json()["pendingCount"] as? Int == 0)
    }

    @Test func theDoctorFindsNothingWrongHere() async throws {
        let binary = try NexusBinary()
        try await imported(binary)

        let result = try await binary.run(["doctor"])

        #expect(result.status == 0, "\(result.output)")
        for subject in ["BLAS", "sentence model", "database", "embeddings"] {
            #expect(result.output.contains("ok    \(subject)"), "\(result.output)")
        }
    }

    @Test func anAuthorBecomesAUserByMapping() async throws {
        let binary = try NexusBinary()
        try await imported(binary)

        let mapped = try await binary.run(["users", "map", "kenji", "u-4711"])

        #expect(mapped.status == 0, "\(mapped.errors)")
        let found = try await binary.run(["search", "--user", "u-4711", "Hamburg pilot"])
        #expect(found.status == 0, "\(found.errors)")
        #expect(try await binary.run(["search", "--user", "kenji", "Hamburg pilot"]).status == 1)
        let unknown = try await binary.run(["users", "map", "nobody", "u-1"])
        #expect(unknown.status == 2)
        #expect(try await binary.run(["users", "list"]).output.contains("kenji  ->  u-4711"))
    }

    @Test func aFullDiskLosesNothingThatWasStored() async throws {
        let binary = try NexusBinary()
        try await imported(binary)
        let text = String(repeating: "words that fill a disk ", count: 40)
        let lines = (0..<4_000).map { number in
            #"{"id": "big-\#(number)", "conversationId": "general", "senderId": "mara", "text": "\#(text)", "#
                + #""timestamp": "2026-10-20T10:00:00Z"}"#
        }
        let file = try binary.write("big.jsonl", lines.joined(separator: "\n"))

        // Two thousand blocks of 1,024 bytes for each file; SIGXFSZ is ignored, so that writes fail with EFBIG.
        let full = try await binary.run(["import", file], shellPrefix: "trap '' XFSZ; ulimit -f 2000")

        #expect(full.status == 2, "\(full.output) \(full.errors)")
        #expect(full.errors.split(separator: "\n").last?.hasPrefix("nexus: ") == true)
        let asked = try await binary.run(["search", "--user", "mara", "Hamburg pilot"])
        #expect(asked.status == 0, "\(asked.errors)")
        let again = try await binary.run(["import", file])
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await binary.run(["doctor"]).output.contains("ok    database"))
    }
}
