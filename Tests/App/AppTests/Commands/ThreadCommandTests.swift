import Foundation
import TestSupport
import Testing

/// Threads, feedback and traces on the command line, with a server and without.
@Suite(.serialized, .hangGuard) struct ThreadCommandTests {
    @Test func asksInAThreadJudgesAndMakesADataset() async throws {
        let dataset = try TinyDataset { request in
            let messages = request.json["messages"] as? [[String: Any]] ?? []
            let prompt = messages.compactMap { $0["content"] as? String }.joined()
            return prompt.contains("Below is a talk") ? "Where is the birthday cake for Edda?" : "It is there [1]."
        }
        let binary = dataset.binary
        let user = ["--user", "bob"]
        let settings = dataset.settings + dataset.chatSettings
        @Sendable func run(_ arguments: [String]) async throws -> RunResult {
            try await binary.run(arguments + settings)
        }
        let files = ["conversations", "messages"].map { dataset.folder.appending(path: "\($0).jsonl").path }
        #expect(try await run(["import"] + files).status == 0)
        #expect(try await run(["ingest"]).status == 0)

        let thread = try await run(["threads", "create"] + user).output.trimmingCharacters(in: .newlines)
        let server = try await NexusServer(binary, settings)
        let first = try await run(["ask", "--thread", thread, "Who hid the birthday cake for Edda?"] + user)
        let second = try await run(["ask", "--thread", thread, "--json", "And where is it?"] + user)
        let foreign = try await run(["ask", "--thread", thread, "Where?", "--user", "ada"])
        let listed = try await run(["threads", "list", "--json"] + user)
        _ = await server.stop()

        #expect(first.status == 0 && second.status == 0, "\(first.errors) \(second.errors)")
        #expect(foreign.status == 2 && foreign.errors.contains("unknown thread \(thread), or not this user's"))
        #expect(listed.output.contains(#""title":"Who hid the birthday cake for Edda?""#))
        #expect(listed.output.contains(#""turnCount":2"#))
        #expect(dataset.prompts.contains { $0.contains("Who hid the birthday cake for Edda?It is there [1].") })
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [String: Any])
        let turn = try #require(answer["turnId"] as? String)

        let renamed = try await run(["threads", "rename", thread, "Cakes"] + user)
        let export = try await run(["threads", "export", thread] + user)
        #expect(renamed.output.hasPrefix("Cakes\n    \(thread), 2 turns, "))
        #expect(export.output.hasPrefix("# Cakes\n\n## "))
        #expect(export.output.contains("\n> And where is it?\n\nIt is there [1].\n\nSources:\n\n- [1] "))

        let shown = try await run(["threads", "show", thread] + user)
        #expect(shown.output.contains("Q: And where is it?\nA: It is there [1].\n    \(turn), "))
        let trace = try await run(["turns", "trace", turn] + user)
        let plain = try await run(["turns", "trace", turn])
        #expect(trace.output.contains("Where is the birthday cake for Edda?"))
        #expect(plain.status == 0 && !plain.output.contains("birthday cake"))
        #expect(plain.output.contains("galley-"))

        let judged = try await run(["turns", "feedback", turn, "up", "--reason", "found it"] + user)
        #expect(judged.output.contains(", up (found it)\n"))
        let out = binary.folder.appending(path: "feedback").path
        let made = try await run(["eval", "from-feedback", out])
        #expect(made.output.contains(": 1 questions, 0 to be labelled, "), "\(made.output) \(made.errors)")
        let line = try String(contentsOfFile: out + "/questions.jsonl", encoding: .utf8)
        #expect(line.contains(#""answer":"It is there.","#))
        #expect(line.contains(#""question":"Where is the birthday cake for Edda?""#))
        let measured = try await binary.run(
            ["eval", "run", "--dataset", out, "--cache", binary.folder.appending(path: "cache").path]
                + dataset.settings)
        #expect(measured.status == 0, "\(measured.errors)")
        #expect(measured.output.contains(": 1 questions over 30 messages"), "\(measured.output)")

        let deleted = try await run(["threads", "delete", thread] + user)
        let none = try await run(["threads", "list"] + user)
        let turns = try await run(["turns", "list"] + user)
        #expect(deleted.status == 0 && none.status == 1 && turns.status == 1)
    }
}
