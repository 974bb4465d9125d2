import Foundation
import TestSupport
import Testing

/// What is taken out of conversations, on the command line, and how well.
@Suite(.serialized, .hangGuard) struct ItemCommandTests {
    /// Finds two tasks and one decision, by their numbers in the prompt.
    @Sendable private static func model(_ request: StubRequest) -> String {
        let messages = request.json["messages"] as? [[String: Any]] ?? []
        let prompt = messages.compactMap { $0["content"] as? String }.joined()
        func number(_ text: String) -> Int {
            let lines = prompt.split(separator: "\n")
            guard let place = lines.firstIndex(where: { $0.contains("Text: " + text) }) else { return 0 }
            return lines[..<place].last { $0.hasPrefix("[") }
                .flatMap { Int($0.dropFirst().prefix { $0.isNumber }) } ?? 0
        }
        if prompt.contains("List the decisions") {
            return
                #"{"items":[{"message":\#(number("Knives go")),"decision":"Knives are ground in May","decidedBy":null,"#
                + #""supersedes":null,"quote":"Knives go to the grinder in May"}]}"#
        }
        if prompt.contains("Judge how soon") {
            return #"{"items":[{"message":\#(number("Order saffron")),"score":0.8,"reason":"asks for an order"}]}"#
        }
        guard prompt.contains("Order saffron") else { return #"{"items":[]}"# }
        return #"{"items":[{"message":\#(number("Order saffron")),"task":"Order saffron and rice","assignee":"Ada","#
            + #""deadline":null,"priority":"high","quote":"Order saffron and rice"},"#
            + #"{"message":\#(number("No nuts")),"task":"Bake without nuts","assignee":null,"deadline":null,"#
            + #""priority":"medium","quote":"No nuts"}]}"#
    }

    private static let labels = [
        #"{"id":"l1","kind":"action-item","conversationId":"galley","messageIds":["galley-3"],"text":"Order saffron","#
            + #""personId":"bob"}"#,
        #"{"id":"l2","kind":"action-item","conversationId":"galley","messageIds":["galley-9"],"text":"Stack plates"}"#,
        #"{"id":"l3","kind":"decision","conversationId":"galley","messageIds":["galley-4"],"text":"Knives in May"}"#,
    ]

    @Test func itemsAreMeasuredAgainstLabels() async throws {
        let dataset = try TinyDataset(answer: Self.model)
        try dataset.write("items", Self.labels)

        let result = try await dataset.binary.run(
            ["eval", "run", "--task", "action-items", "--json", "items.json"] + dataset.options + dataset.chatSettings)

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("action-item: 2 labelled, 2 found"))
        #expect(result.output.contains("precision 0.5000") && result.output.contains("recall 0.5000"))
        #expect(result.output.contains("assignee accuracy 0.0000"))
        let report = try dataset.json("items.json")
        #expect(report["missed"] as? [String] == ["l2"])
        #expect(report["surplus"] as? [String] == ["galley-8"])
    }

    @Test func aMeasurementNeedsAModelAndLabels() async throws {
        let dataset = try TinyDataset(answer: Self.model)

        let unlabelled = try await dataset.binary.run(
            ["eval", "run", "--task", "decisions"] + dataset.options + dataset.chatSettings)
        try dataset.write("items", Self.labels)
        let modelless = try await dataset.binary.run(["eval", "run", "--task", "decisions"] + dataset.options)

        #expect(unlabelled.status == 2 && unlabelled.errors.contains("items.jsonl cannot be read"))
        #expect(modelless.status == 2 && modelless.errors.contains("no language model is configured"))
    }

    @Test func extractsAndListsWithAServerAndWithout() async throws {
        let dataset = try TinyDataset(answer: Self.model)
        let binary = dataset.binary
        let settings = dataset.settings + dataset.chatSettings
        let files = ["conversations", "messages"].map { dataset.folder.appending(path: "\($0).jsonl").path }
        let imported = try await binary.run(["import"] + files + settings)
        #expect(imported.status == 0, "\(imported.errors)")

        let extracted = try await binary.run(
            ["action-items", "--user", "bob", "--conversation", "galley", "--extract"] + settings)
        #expect(extracted.status == 0, "\(extracted.errors)")
        #expect(extracted.output.contains("[ ] Order saffron and rice (Ada, high)"))
        #expect(extracted.output.contains("galley/galley-3: \"Order saffron and rice\""))
        #expect(extracted.errors.contains("read: 10 messages, 2 new, 0 changed, 0 removed"))

        let server = try await NexusServer(binary, settings)
        let mine = try await binary.run(["action-items", "--user", "ada", "--mine", "--json"] + settings)
        let none = try await binary.run(["action-items", "--user", "eve"] + settings)
        let decided = try await binary.run(
            ["decisions", "--user", "ada", "--conversation", "galley", "--extract", "knives"] + settings)
        let urgent = try await binary.run(
            ["priorities", "--user", "ada", "--conversation", "galley", "--since", "2026-01-01T00:00:00Z"] + settings)
        let listed = try await server.send("GET", "/v1/action-items", user: "bob")
        _ = await server.stop()

        #expect(mine.status == 0 && mine.output.contains(#""task":"Order saffron and rice""#))
        #expect(!mine.output.contains("nuts"))
        #expect(none.status == 1 && none.output.isEmpty)
        #expect(decided.status == 0 && decided.output.contains("Knives are ground in May"))
        #expect(urgent.output.hasPrefix("80  Bob, "), "\(urgent.output)")
        #expect((listed.json["items"] as? [Any])?.count == 2)
    }

    @Test func wrongUsageIsRefused() async throws {
        let binary = try NexusBinary()
        let extract = try await binary.run(["action-items", "--user", "a", "--extract"])
        let both = try await binary.run(
            ["priorities", "--user", "a", "--conversation", "c", "--after", "m", "--since", "2026-01-01T00:00:00Z"])
        #expect(extract.status == 64 && extract.errors.contains("--extract needs --conversation"))
        #expect(both.status == 64 && both.errors.contains("give --after or --since"))
    }
}
