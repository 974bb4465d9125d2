public import ArgumentParser
public import ChatCore
import HTTPAPI

/// Which item is meant, and who changes it.
struct ItemChangeOptions: ParsableArguments {
    @Option(name: .long, help: "Who changes it; the setting http.default-user otherwise.") var user: String?
    @Argument(help: "What it is.") var kind: ExtractedItem.Kind
    @Argument(help: "The item's id.") var id: String

    /// Changes the item.
    func perform(
        _ action: OperatorCommand.ItemChange.Action, common: CommonOptions
    ) async throws -> [ExtractedItem] {
        let settings = try await common.settings()
        let change = OperatorCommand.ItemChange(
            asker: try ItemOptions.asker(user, settings), kind: kind, id: try ItemOptions.identifier(id),
            action: action)
        let outcome = try await CommandSession(settings: settings).perform(.changeItem(change))
        guard case .items(let items, _) = outcome else { throw Failures.unexpectedReply }
        return items
    }
}

/// `nexus items`.
struct ItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "Changes an action item, a decision or a deadline, or takes it away.",
        discussion: "What a person changes is never overwritten, what was taken away does not come back.",
        subcommands: [Edit.self, Delete.self])

    /// `nexus items edit`.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Changes an item and prints it.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: ItemChangeOptions
        @Option(help: "What is to be done, was decided, or is due.") var text: String?
        @Option(help: "The id of the member whose it is; empty for nobody.") var person: String?
        @Option(help: "By when (ISO 8601); empty for no date.") var due: String?
        @Option(help: "Whether it is done.") var status: ExtractedItem.Status?
        @Flag(help: "Print it as JSON, as the HTTP API does.") var json = false

        func run() async throws {
            try await Failures.reported {
                let items = try await options.perform(.edit(try edit()), common: common)
                if json { try Console.printJSON(items.map { ItemWire($0) }) } else { Rendering.show(items) }
            }
        }

        private func edit() throws -> OperatorCommand.ItemChange.Edit {
            guard text != nil || person != nil || due != nil || status != nil else {
                throw ValidationError("nothing to change: give --text, --person, --due or --status")
            }
            guard options.kind != .decision || (due == nil && status == nil) else {
                throw ValidationError("a decision has no --due and no --status")
            }
            return OperatorCommand.ItemChange.Edit(
                text: text, hasPerson: person != nil,
                personID: try person.flatMap { $0.isEmpty ? nil : try ItemOptions.identifier($0) },
                hasDue: due != nil,
                due: try QuestionOptions.moment(due.flatMap { $0.isEmpty ? nil : $0 }, option: "--due"),
                status: status)
        }
    }

    /// `nexus items delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes an item away for good.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var options: ItemChangeOptions

        func run() async throws {
            try await Failures.reported { _ = try await options.perform(.dismiss, common: common) }
        }
    }
}

extension ExtractedItem.Kind: ExpressibleByArgument {}
extension ExtractedItem.Status: ExpressibleByArgument {}
