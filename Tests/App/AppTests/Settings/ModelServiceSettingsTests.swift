import Foundation
import TestSupport
import Testing

/// Settings of model services, from each source.
@Suite(.hangGuard) struct ModelServiceSettingsTests {
    private static let service = [
        "--set", "embedding.provider=compatible", "--set", "embedding.base-url=http://127.0.0.1:9/v1",
        "--set", "embedding.model=multilingual-e5-small-q4",
    ]

    enum Source: CaseIterable {
        case flag, environment, dotEnv, file
    }

    private func config(_ values: [String: String], from source: Source, also: [String] = []) async throws -> RunResult
    {
        let binary = try NexusBinary()
        var arguments = ["config", "--json"] + Self.service + also
        var environment: [String: String] = [:]
        let variables = values.map { ("NEXUS_" + $0.uppercased().map { $0.isLetter ? String($0) : "_" }.joined(), $1) }
        switch source {
        case .flag: arguments += values.flatMap { ["--set", "\($0)=\($1)"] }
        case .environment: environment = Dictionary(variables) { $1 }
        case .dotEnv: try binary.write(".env", variables.map { "\($0)=\($1)\n" }.joined())
        case .file:
            let members = values.map { (String($0.dropFirst("embedding.".count)), $1) }
            let data = try JSONSerialization.data(withJSONObject: ["embedding": Dictionary(members) { $1 }])
            try binary.write("nexus.json", String(decoding: data, as: UTF8.self))
        }
        return try await binary.run(arguments, environment: environment)
    }

    @Test(arguments: Source.allCases) func anEmptyPrefixSwitchesThePresetOff(source: Source) async throws {
        let result = try await config(
            ["embedding.query-prefix": "", "embedding.passage-prefix": ""], from: source)

        let settings = try result.json()
        #expect(settings["embedding.query-prefix"] as? String == "")
        #expect(settings["embedding.passage-prefix"] as? String == "")
    }

    @Test(arguments: Source.allCases) func onePrefixLeavesTheOtherAsItIs(source: Source) async throws {
        let settings = try await config(["embedding.passage-prefix": ""], from: source).json()

        #expect(settings["embedding.query-prefix"] as? String == "query: ")
        #expect(settings["embedding.passage-prefix"] as? String == "")
    }

    /// An empty value of a source comes before a value of the next one.
    @Test func anEmptyFlagComesBeforeTheEnvironment() async throws {
        let binary = try NexusBinary()

        let result = try await binary.run(
            ["config", "--json", "--set", "embedding.query-prefix="] + Self.service,
            environment: ["NEXUS_EMBEDDING_QUERY_PREFIX": "ask: "])

        #expect(try result.json()["embedding.query-prefix"] as? String == "")
    }

    @Test func aServerThatIsToldTheInputTypeGetsNoPresetPrefix() async throws {
        let settings = try await config(
            ["embedding.input-type": "query/passage", "embedding.passage-prefix": "p: "], from: .file
        ).json()

        #expect(settings["embedding.query-prefix"] as? String == "")
        #expect(settings["embedding.passage-prefix"] as? String == "p: ")
    }

    @Test func theBuiltInEncodersModelIsChosenWithItsPrefixes() async throws {
        let binary = try NexusBinary()
        func settings(_ values: String...) async throws -> [String: Any] {
            try await binary.run(["config", "--json"] + values.flatMap { ["--set", $0] }).json()
        }

        let usual = try await settings()
        #expect(usual["embedding.model"] as? String == "all-MiniLM-L6-v2")
        #expect(usual["embedding.query-prefix"] as? String == "")
        let multilingual = try await settings("embedding.model=multilingual-e5-small")
        #expect(multilingual["embedding.model"] as? String == "multilingual-e5-small")
        #expect(multilingual["embedding.query-prefix"] as? String == "query: ")
        #expect(multilingual["embedding.passage-prefix"] as? String == "passage: ")
        let own = try await settings("embedding.model=multilingual-e5-small", "embedding.passage-prefix=")
        #expect(own["embedding.passage-prefix"] as? String == "")
    }

    @Test func anUnknownModelOfTheBuiltInEncoderIsRefused() async throws {
        let result = try await NexusBinary().run(["config", "--set", "embedding.model=text-embedding-3-small"])

        #expect(result.status == 64)
        #expect(
            result.errors.contains("neither all-MiniLM-L6-v2 nor multilingual-e5-small, and there is no folder"),
            "\(result.errors)")
        let outside = try await NexusBinary().run(["config", "--set", "embedding.model=../models"])
        #expect(outside.status == 64)
        #expect(outside.errors.contains("nor the name of a folder"), "\(outside.errors)")
    }

    @Test func theBuiltInEncoderReadsAFolderOfTheOperators() async throws {
        let binary = try NexusBinary()
        let config = #"""
            {"model_type": "bert", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
             "intermediate_size": 96, "vocab_size": 30, "max_position_embeddings": 64, "layer_norm_eps": 1e-12}
            """#
        for (name, config) in [("my-e5-base", config), ("modern", config.replacing("bert", with: "modernbert"))] {
            let folder = binary.folder.appending(path: "models/\(name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(config.utf8).write(to: folder.appending(path: "config.json"))
        }
        func run(_ model: String, _ command: String...) async throws -> RunResult {
            try await binary.run(command + ["--set", "model.dir=models", "--set", "embedding.model=\(model)"])
        }

        let settings = try await run("my-e5-base", "config", "--json").json()
        #expect(settings["embedding.model"] as? String == "my-e5-base")
        #expect(settings["embedding.query-prefix"] as? String == "query: ", "known by its name")
        let lacking = try await run("my-e5-base", "embedding", "check")
        #expect(lacking.status == 2)
        #expect(lacking.errors.contains("tokenizer.json is missing or cannot be read"), "\(lacking.errors)")
        let modern = try await run("modern", "config")
        #expect(modern.status == 64)
        #expect(modern.errors.contains("the type modernbert is not supported, only bert"), "\(modern.errors)")
    }

    @Test func anOutputTypeIsAFieldAndItsNumbers() async throws {
        let known = try await config(
            [
                "embedding.output-type": "embedding_type=binary",
                "embedding.input-type": "task=retrieval.query/retrieval.passage",
            ],
            from: .flag)
        #expect(known.status == 0, "\(known.errors)")
        let other = try await config(["embedding.output-type": "int4"], from: .flag)
        #expect(other.status == 64)
        #expect(other.errors.contains("embedding.output-type"), "\(other.errors)")
    }

    @Test func anInputTypeIsTwoWords() async throws {
        let result = try await config(["embedding.input-type": "query"], from: .flag)

        #expect(result.status == 64)
        #expect(result.errors.contains("embedding.input-type"))
    }

    @Test(arguments: [("http://10.0.0.7/v1", "600"), ("https://api.example.com/v1", "120")])
    func theFirstWordMayTakeLongerNearby(address: String, seconds: String) async throws {
        let chat = ["--set", "chat.provider=compatible", "--set", "chat.base-url=\(address)", "--set", "chat.model=m"]

        let settings = try await config([:], from: .flag, also: chat).json()
        let own = try await config([:], from: .flag, also: chat + ["--set", "chat.first-token-seconds=7"]).json()

        #expect(settings["chat.first-token-seconds"] as? String == seconds)
        #expect(own["chat.first-token-seconds"] as? String == "7")
    }
}

/// A language model that is slow.
@Suite(.hangGuard) struct SlowModelTests {
    private static func settings(_ stub: StubServer) -> [String] {
        ["--set", "chat.provider=compatible", "--set", "chat.base-url=\(stub.baseURL)/v1", "--set", "chat.model=c"]
    }

    /// The first answer never begins; the others come at once.
    private static func stub() throws -> StubServer {
        try StubServer { $0.number == 1 ? .eventStream([.hang]) : .chatStream(["Nine."]) }
    }

    @Test func oneSlowAnswerKeepsNobodyElseFromTheModel() async throws {
        let stub = try Self.stub()
        let server = try await NexusServer(
            try NexusBinary(),
            Self.settings(stub) + ["--set", "chat.first-token-seconds=1", "--set", "chat.fallback=error"])

        let slow = try await server.send("POST", "/v1/ask", ["question": "When?"], user: "ada")
        let next = try await server.send("POST", "/v1/ask", ["question": "When?"], user: "bob")
        let ready = try await server.send("GET", "/ready")
        _ = await server.stop()

        #expect(slow.status == 504)
        #expect(slow.json["code"] as? String == "model_slow")
        #expect((slow.json["detail"] as? String)?.contains("is still reading") == true)
        #expect(next.json["answer"] as? String == "Nine.")
        #expect(next.json["notices"] as? [String] == ["uncited"])
        #expect(ready.json["notes"] as? [String] ?? [] == [])
        await stub.waitForDisconnect()
    }

    /// An answer in one piece is streamed from the model all the same, and ends with its client.
    @Test func theRequestToTheModelEndsWhenTheClientLeaves() async throws {
        let stub = try Self.stub()
        let server = try await NexusServer(try NexusBinary(), Self.settings(stub))

        let asking = Task { try? await server.send("POST", "/v1/ask", ["question": "When?"], user: "ada").status }
        await stub.waitForRequests(1)
        asking.cancel()
        await stub.waitForDisconnect()
        _ = await server.stop()

        #expect(stub.requests.first?.json["stream"] as? Bool == true)
    }
}
