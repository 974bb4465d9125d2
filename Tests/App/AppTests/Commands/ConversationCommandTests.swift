import Foundation
import TestSupport
import Testing

/// The assistant inside a conversation, on the command line.
@Suite(.serialized, .hangGuard) struct ConversationCommandTests {
    private let dataset: TinyDataset
    private let binary: NexusBinary

    init() async throws {
        dataset = try TinyDataset { request in
            let texts = (request.json["messages"] as? [[String: Any]] ?? []).compactMap { $0["content"] as? String }
            guard texts.joined().contains("List the action items") else { return "Saffron and rice [4]." }
            return #"{"items":[{"message":1,"task":"Order saffron","assignee":null,"deadline":null,"#
                + #""priority":"high","quote":"Lentil soup"}]}"#
        }
        binary = dataset.binary
        let files = ["conversations", "messages"].map { dataset.folder.appending(path: "\($0).jsonl").path }
        let imported = try await binary.run(["import"] + files + dataset.settings)
        #expect(imported.status == 0, "\(imported.errors)")
    }

    private func run(_ arguments: String...) async throws -> RunResult {
        try await binary.run(arguments + dataset.settings + dataset.chatSettings)
    }

    @Test func whatWasAskedIsShownUntilItIsForgotten() async throws {
        let answered = try await run("assistant", "galley", "What is to be ordered?", "--as", "ada")
        let shown = try await run("assistant", "galley", "--as", "ada")
        let ofOther = try await run("assistant", "galley", "--as", "bob")
        let foreign = try await run("assistant", "galley", "--as", "eve")
        let cleared = try await run("assistant", "galley", "--clear", "--as", "ada")
        let empty = try await run("assistant", "galley", "--as", "ada")

        #expect(answered.status == 0 && answered.output.hasPrefix("Saffron and rice"), "\(answered.errors)")
        #expect(answered.output.contains("Order saffron and rice"))
        #expect(shown.output.hasPrefix("Q: What is to be ordered?\nA: Saffron and rice [1].\n"), "\(shown.output)")
        #expect(ofOther.status == 0 && ofOther.output.isEmpty)
        #expect(foreign.status == 2 && foreign.output.isEmpty)
        #expect(cleared.status == 0 && empty.status == 0 && empty.output.isEmpty, "\(cleared.errors)")
    }

    @Test func aSummaryIsPrintedWithItsSources() async throws {
        let all = try await run("summarize", "galley", "--as", "ada")
        let ofOne = try await run("summarize", "galley", "--as", "ada", "--person", "bob")
        let unread = try await run("summarize", "galley", "--as", "ada", "--unread")

        #expect(all.status == 0 && all.output.contains("[1] Bob"), "\(all.output) \(all.errors)")
        #expect(ofOne.status == 0 && dataset.prompts.last?.contains("Lentil soup") == false)
        #expect(unread.status == 64)
    }

    @Test func promptsAreOffered() async throws {
        let plain = try await run("assistant", "galley", "--suggestions")
        let both = try await run("assistant", "galley", "What?", "--clear", "--as", "ada")

        #expect(plain.status == 0)
        #expect(plain.output.hasPrefix("Summarize thread\n    "))
        #expect(plain.output.split(separator: "\n").count == 8)
        #expect(both.status == 64)
    }

    @Test func itemsAreChangedAndTakenAway() async throws {
        let found = try await run(
            "action-items", "--user", "bob", "--conversation", "galley", "--extract", "--json")
        let items = try #require(JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]])
        let id = try #require(items.first?["id"] as? String)

        let edited = try await run(
            "items", "edit", "action-item", id, "--conversation", "galley", "--user", "bob", "--text", "Order rice",
            "--person", "ada", "--due",
            "2026-05-01T10:00:00Z", "--status", "done")
        let undone = try await run(
            "items", "edit", "action-item", id, "--conversation", "galley", "--user", "bob", "--person", "", "--due",
            "", "--status", "open")
        let foreign = try await run(
            "items", "edit", "action-item", id, "--conversation", "galley", "--user", "eve", "--status", "done")
        let nothing = try await run("items", "edit", "action-item", id, "--conversation", "galley", "--user", "bob")
        let dated = try await run(
            "items", "edit", "decision", id, "--conversation", "galley", "--user", "bob", "--due",
            "2026-05-01T10:00:00Z")
        let gone = try await run("items", "delete", "action-item", id, "--conversation", "galley", "--user", "bob")
        let left = try await run("action-items", "--user", "bob")

        #expect(edited.output.hasPrefix("[x] Order rice (Ada, by 2026-05-01T10:00:00"), "\(edited)")
        #expect(undone.output.hasPrefix("[ ] Order rice (high)\n"), "\(undone)")
        #expect(foreign.status == 2 && foreign.output.isEmpty)
        #expect(nothing.status == 64 && dated.status == 64)
        #expect(gone.status == 0 && left.status == 1 && left.output.isEmpty, "\(gone.errors)")
    }
}
