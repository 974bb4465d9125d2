import Foundation
import TestSupport
import Testing

/// `nexus mcp`: a local program calls the tools of `/mcp` through pipes.
@Suite(.hangGuard) struct MCPCommandTests {
    private static let start = #"""
        {"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
        """#
    private static let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_conversations"}}"#

    private static func binary() async throws -> NexusBinary {
        let binary = try NexusBinary()
        let conversations = [("c1", "ada"), ("c2", "bob")].map {
            #"{"id":"\#($0.0)","members":[{"id":"\#($0.1)"}]}"#
        }
        let file = try binary.write("conversations.jsonl", conversations.joined(separator: "\n"))
        let messages = try binary.write(
            "messages.jsonl",
            #"{"conversationId":"c1","id":"m1","senderId":"ada","timestamp":"2026-10-01T08:00:00Z","text":"Red."}"#)
        let done = try await binary.run(["import", "--data", binary.data.path, file, messages])
        #expect(done.status == 0, "\(done.errors)")
        return binary
    }

    /// Runs the command with these lines; returns the answers by their ids.
    private static func run(
        _ binary: NexusBinary, _ arguments: [String], _ lines: [String]
    ) async throws -> (answers: [String: String], result: RunResult) {
        let input = Pipe()
        let process = try binary.start(["mcp"] + arguments, input: input)
        try input.fileHandleForWriting.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        try input.fileHandleForWriting.close()
        let result = await process.result()
        let answers = try result.output.split(separator: "\n").map { line in
            let fields = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            return ("\(fields["id"] ?? "")", String(line))
        }
        return (Dictionary(answers) { $1 }, result)
    }

    /// Whether an answer has a conversation of this id.
    ///
    /// The line between the data is random: it may hold "c1" itself.
    private static func names(_ id: String, _ answer: String?) -> Bool {
        answer?.contains(#"\"id\":\"\#(id)\""#) == true || answer?.contains(#""id":"\#(id)""#) == true
    }

    @Test func aLocalProgramCallsToolsAsItsUser() async throws {
        let binary = try await Self.binary()
        let note = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#

        let (answers, result) = try await Self.run(
            binary, ["--data", binary.data.path, "--user", "ada"], [Self.start, note, "", "no JSON", Self.list])

        #expect(result.status == 0, "\(result.errors)")
        #expect(answers.count == 3)
        #expect(answers["a"]?.contains(#""name":"nexus""#) == true)
        #expect(Self.names("c1", answers["2"]) && !Self.names("c2", answers["2"]))
        #expect(answers["<null>"]?.contains("-32700") == true)
    }

    @Test func itGoesThroughARunningServer() async throws {
        let binary = try await Self.binary()
        let server = try await NexusServer(binary, ["--set", "embedding.provider=builtin"])
        let prefix = "io.modelcontextprotocol"
        let meta = #"{"\#(prefix)/protocolVersion":"2026-07-28","\#(prefix)/clientCapabilities":{}}"#
        let call = #"{"name":"list_conversations","arguments":{},"_meta":\#(meta)}"#
        let modern = #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":\#(call)}"#
        // The server compares the header with the message.
        let read = #"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"nexus://ä","_meta":\#(meta)}}"#
        for place in [["--data", binary.data.path], ["--url", server.url + "/mcp"]] {
            let (answers, result) = try await Self.run(binary, place + ["--user", "bob"], [modern, read])

            #expect(result.status == 0, "\(result.errors)")
            #expect(Self.names("c2", answers["3"]) && !Self.names("c1", answers["3"]), "\(answers)")
            #expect(answers["3"]?.contains(#""resultType":"complete""#) == true)
            #expect(answers["4"]?.contains("there is no such resource") == true, "\(answers)")
        }
        _ = await server.stop()
    }

    @Test func aServerThatIsNotThereIsAnErrorOfEachCall() async throws {
        let binary = try NexusBinary()

        let (answers, result) = try await Self.run(binary, ["--url", "http://127.0.0.1:1"], [Self.list])

        #expect(result.status == 0)
        #expect(answers["2"]?.contains("the server cannot be reached") == true)
        let wrong = try await binary.run(["mcp", "--url", "chat.example.com"])
        #expect(wrong.status == 64 && wrong.errors.contains("--url must be an address"))
    }
}
