import ArgumentParser
import ChatCore
import HTTPAPI
import Prompting

/// Who wants to see what was taken out of conversations, and where.
struct ItemOptions: ParsableArguments {
    @Option(name: .long, help: "Who asks; the setting http.default-user otherwise.")
    var user: String?

    @Option(name: .long, help: "Only this conversation.")
    var conversation: String?

    @Flag(name: .long, help: "First read the conversation's new messages with the language model.")
    var extract = false

    @Option(
        name: .long, help: "The IANA name of the zone in which people say \"Friday\"; the conversation's otherwise.")
    var timeZone: String?

    @Flag(help: "Print them as JSON, as the HTTP API does.")
    var json = false

    /// Joins the options.
    func request(
        _ kind: ExtractedItem.Kind, question: String? = nil, isOwn: Bool = false, settings: NexusSettings
    ) throws -> OperatorCommand.ItemRequest {
        guard !extract || conversation != nil else { throw ValidationError("--extract needs --conversation") }
        return OperatorCommand.ItemRequest(
            kind: kind, asker: try Self.asker(user, settings), conversationID: try conversation.map(Self.identifier),
            extracts: extract, question: question, isOwn: isOwn, timeZone: try Self.zone(timeZone))
    }

    /// Returns who asks.
    static func asker(_ name: String?, _ settings: NexusSettings) throws -> UserID {
        guard let name = name ?? settings.defaultUser else {
            throw ValidationError("who asks? Give --user, or set http.default-user")
        }
        return try identifier(name)
    }

    /// Checks the name of a zone.
    static func zone(_ name: String?) throws -> String? {
        if let name, !PromptDate.isTimeZone(name) {
            throw ValidationError("--time-zone: not the IANA name of a zone, as Europe/Berlin")
        }
        return name
    }

    /// Takes an id.
    static func identifier<Subject>(_ text: String) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(validating: text) else {
            throw ValidationError("an id has 1 to \(Identifier<Subject>.byteLimit) bytes and no control characters")
        }
        return id
    }

    /// Performs the request and shows what it brought; nothing found is exit code 1.
    func show(_ request: OperatorCommand.ItemRequest, settings: NexusSettings) async throws {
        let outcome = try await CommandSession(settings: settings).perform(.items(request))
        guard case .items(let items, let extraction) = outcome else { throw Failures.unexpectedReply }
        if let extraction { Rendering.note(extraction) }
        if json { try Console.printJSON(items.map { ItemWire($0) }) } else { Rendering.show(items) }
        if items.isEmpty {
            Console.note(
                "nothing of this kind is known" + (request.extracts ? "" : "; --extract reads new messages first"))
            throw ExitCode(1)
        }
    }
}

/// `nexus action-items`.
struct ActionItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "action-items", abstract: "Lists what is to be done in the conversations that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions
    @Flag(help: "Only what the one who asks has to do.") var mine = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            try await options.show(
                try options.request(.actionItem, isOwn: mine, settings: settings), settings: settings)
        }
    }
}

/// `nexus decisions`.
struct DecisionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions", abstract: "Lists what was decided in the conversations that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions
    @Argument(help: "What they have to be about; all decisions otherwise.") var text: String?

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            try await options.show(
                try options.request(.decision, question: text, settings: settings), settings: settings)
        }
    }
}

/// `nexus deadlines`.
struct DeadlinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deadlines", abstract: "Lists what is due in the conversations that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ItemOptions
    @Flag(help: "Only what the one who asks has to keep.") var mine = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            try await options.show(
                try options.request(.deadline, isOwn: mine, settings: settings), settings: settings)
        }
    }
}

/// `nexus priorities`.
struct PrioritiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "priorities", abstract: "Judges how urgent a user's unread messages are.")

    @OptionGroup var common: CommonOptions
    @Option(name: .long, help: "Who asks; the setting http.default-user otherwise.") var user: String?
    @Option(name: .long, help: "The conversation.") var conversation: String
    @Option(name: .long, help: "The id of the last message that was read.") var after: String?
    @Option(name: .long, help: "Since when nothing was read (ISO 8601), in place of --after.") var since: String?
    @Option(name: .long, help: "The IANA name of the reader's time zone.") var timeZone: String?
    @Flag(help: "Print the messages as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            let request = OperatorCommand.PriorityRequest(
                asker: try ItemOptions.asker(user, settings),
                conversationID: try ItemOptions.identifier(conversation),
                after: try after.map { try ItemOptions.identifier($0) }, since: try moment(),
                timeZone: try ItemOptions.zone(timeZone))
            let outcome = try await CommandSession(settings: settings).perform(.priorities(request))
            guard case .priorities(let messages) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(messages) } else { Rendering.show(messages) }
            if messages.isEmpty { throw ExitCode(1) }
        }
    }

    private func moment() throws -> Timestamp? {
        guard (after == nil) != (since == nil) else { throw ValidationError("give --after or --since") }
        guard let since else { return nil }
        guard let moment = Timestamp(iso8601: since) else {
            throw ValidationError("--since: not a time such as 2025-10-23T10:30:00Z")
        }
        return moment
    }
}
