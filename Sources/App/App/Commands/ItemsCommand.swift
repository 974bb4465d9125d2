public import ArgumentParser
public import ChatCore
import NexusModel

/// The item, and the user who changes it.
struct ItemChangeOptions: ParsableArguments {
    @Option(name: .long, help: "The user who changes it; the default is http.default-user.") var user: String?
    @Option(name: .long, help: "The id of the item's conversation.") var conversation: String
    @Argument(help: "The item's kind.") var kind: ExtractedItem.Kind
    @Argument(help: "The item's id.") var id: String

    /// Sends a request about the item.
    func send(_ method: String, _ body: [String: JSONValue?]?, common: CommonOptions) async throws -> APIResponse {
        let settings = try await common.settings()
        let conversation: ConversationID = try ItemOptions.identifier(conversation)
        let id: ItemID = try ItemOptions.identifier(id)
        return try await CommandSession(settings: settings).send(
            APIRequest(
                method, ["conversations", conversation.rawValue, kind.segment, id.rawValue],
                user: try ItemOptions.asker(user, settings), body: body))
    }
}

/// `nexus items`.
struct ItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "Changes or deletes an action item, a decision or a deadline.",
        discussion: "An extraction never overwrites a person's change, and never restores a deleted item.",
        subcommands: [Edit.self, Delete.self])

    /// `nexus items edit`.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Changes an item and prints it.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: ItemChangeOptions
        @Option(help: "The new text.") var text: String?
        @Option(help: "The id of the member in charge; empty for nobody.") var person: String?
        @Option(help: "The due time (ISO 8601); empty for none.") var due: String?
        @Option(help: "The new status.") var status: ExtractedItem.Status?
        @Flag(help: "Print it as JSON, as the HTTP API does.") var json = false

        func run() async throws {
            try await Failures.reported {
                let item: ChatItem = try await options.send("PATCH", try edit(), common: common).value()
                if json { try Console.printJSON([item]) } else { Rendering.show([item], of: options.kind) }
            }
        }

        private func edit() throws -> [String: JSONValue?] {
            guard text != nil || person != nil || due != nil || status != nil else {
                throw ValidationError("nothing to change: give --text, --person, --due or --status")
            }
            guard options.kind != .decision || (due == nil && status == nil) else {
                throw ValidationError("a decision has no --due and no --status")
            }
            let person: UserID? = try person.flatMap { $0.isEmpty ? nil : try ItemOptions.identifier($0) }
            _ = try QuestionOptions.moment(due.flatMap { $0.isEmpty ? nil : $0 }, option: "--due")
            return [
                "text": text.map { .string($0) },
                "personId": self.person.map { _ in person.map { .string($0.rawValue) } ?? .null },
                "due": due.map { $0.isEmpty ? .null : .string($0) },
                "status": status.map { .string($0.rawValue) },
            ]
        }
    }

    /// `nexus items delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes an item permanently.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: ItemChangeOptions

        func run() async throws {
            try await Failures.reported { _ = try await options.send("DELETE", nil, common: common).content() }
        }
    }
}

extension ExtractedItem.Kind: ExpressibleByArgument {}
extension ExtractedItem.Status: ExpressibleByArgument {}
