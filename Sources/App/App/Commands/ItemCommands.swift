import ArgumentParser
import ChatCore
import Foundation
import NexusModel
import Prompting

/// The options of lists of extracted items.
struct ItemOptions: ParsableArguments {
    @Option(name: .long, help: "The user who asks; the default is http.default-user.")
    var user: String?

    @Option(name: .long, help: "Only this conversation.")
    var conversation: String?

    @Flag(name: .long, help: "First read the conversation's new messages with the language model.")
    var extract = false

    @Option(
        name: .long,
        help: "The IANA name of the time zone for words such as \"Friday\"; the default is the conversation's.")
    var timeZone: String?

    @Flag(help: "Print them as JSON, as the HTTP API does.")
    var json = false

    /// Returns the asker.
    static func asker(_ name: String?, _ settings: NexusSettings) throws -> UserID {
        guard let name = name ?? settings.defaultUser else {
            throw ValidationError("the user is missing: give --user, or set http.default-user")
        }
        return try identifier(name)
    }

    /// Checks the name of a zone.
    static func zone(_ name: String?) throws -> String? {
        if let name, !PromptDate.isTimeZone(name) {
            throw ValidationError("--time-zone must be the IANA name of a time zone, such as Europe/Berlin")
        }
        return name
    }

    /// Checks an id.
    static func identifier<Subject>(_ text: String) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(validating: text) else {
            throw ValidationError("an id has 1 to \(Identifier<Subject>.byteLimit) bytes and no control characters")
        }
        return id
    }

    /// Shows the items, after reading new messages if `extract` is true.
    ///
    /// - Parameters:
    ///   - kind: The kind of items.
    ///   - filter: Parameters of the list.
    ///   - settings: The settings, for the data folder and the default user.
    /// - Throws: `ValidationError`, ``OperatorFailure``; `ExitCode` 1 if there are no items.
    func show(
        _ kind: ExtractedItem.Kind, _ filter: [(name: String, value: String?)] = [], settings: NexusSettings
    ) async throws {
        guard !extract || conversation != nil else { throw ValidationError("--extract needs --conversation") }
        let asker = try Self.asker(user, settings)
        let id: ConversationID? = try conversation.map(Self.identifier)
        let place = (id.map { ["conversations", $0.rawValue] } ?? []) + [kind.segment]
        let zone: JSONValue? = try Self.zone(timeZone).map { .string($0) }
        let items = try await CommandSession(settings: settings).withAPI { client -> [ChatItem] in
            if extract {
                let request = APIRequest("POST", place + ["extract"], user: asker, body: ["timeZone": zone])
                Rendering.showCounts(try await client.send(request).value(ChatExtraction.self))
            }
            return try await client.all(
                APIRequest(place, user: asker, query: [("limit", "200")] + filter), from: "after")
        }
        if json { try Console.printJSON(items) } else { Rendering.show(items, of: kind) }
        if items.isEmpty {
            Console.note("no items of this kind" + (extract ? "" : "; --extract reads new messages first"))
            throw ExitCode(1)
        }
    }
}

extension ExtractedItem.Kind {
    /// The segment of the API's paths.
    var segment: String {
        switch self {
        case .actionItem: "action-items"
        case .decision: "decisions"
        case .deadline: "deadlines"
        }
    }
}

/// `nexus action-items`.
struct ActionItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "action-items", abstract: "Lists action items in the conversations that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions
    @Flag(help: "Only the asker's action items.") var mine = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            try await options.show(.actionItem, [("assignee", mine ? "me" : nil)], settings: settings)
        }
    }
}

/// `nexus decisions`.
struct DecisionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions", abstract: "Lists decisions in the conversations that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions
    @Argument(help: "A topic that they must be about; the default is all decisions.") var text: String?

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            try await options.show(.decision, [("q", text)], settings: settings)
        }
    }
}

/// `nexus deadlines`.
struct DeadlinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deadlines", abstract: "Lists deadlines in the conversations that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions
    @Flag(help: "Only the asker's deadlines.") var mine = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            try await options.show(.deadline, [("assignee", mine ? "me" : nil)], settings: settings)
        }
    }
}

/// `nexus priorities`.
struct PrioritiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "priorities", abstract: "Judges how urgent a user's unread messages are.")

    @OptionGroup var common: CommonOptions
    @Option(name: .long, help: "The user who asks; the default is http.default-user.") var user: String?
    @Option(name: .long, help: "The conversation.") var conversation: String
    @Option(name: .long, help: "The id of the last message that was read.") var after: String?
    @Option(name: .long, help: "The time since which nothing was read (ISO 8601), instead of --after.") var since:
        String?
    @Option(name: .long, help: "The IANA name of the reader's time zone.") var timeZone: String?
    @Flag(help: "Print the messages as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            let id: ConversationID = try ItemOptions.identifier(conversation)
            let after: MessageID? = try after.map { try ItemOptions.identifier($0) }
            try checkStart()
            let body: [String: JSONValue?] = [
                "after": after.map { .string($0.rawValue) }, "since": since.map { .string($0) },
                "timeZone": try ItemOptions.zone(timeZone).map { .string($0) },
            ]
            let request = APIRequest(
                "POST", ["conversations", id.rawValue, "priorities"], user: try ItemOptions.asker(user, settings),
                body: body)
            let messages = try await CommandSession(settings: settings).send(request)
                .value(APIPage<MessagePriority>.self).elements
            if json { try Console.printJSON(messages) } else { Rendering.show(messages) }
            if messages.isEmpty { throw ExitCode(1) }
        }
    }

    private func checkStart() throws {
        guard (after == nil) != (since == nil) else { throw ValidationError("give --after or --since") }
        _ = try QuestionOptions.moment(since, option: "--since")
    }
}
