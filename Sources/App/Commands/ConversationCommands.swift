import ArgumentParser
import Assistant
import ChatCore
import HTTPAPI
import Prompting
import Retrieval

/// Who asks the assistant inside a conversation, and how the answer is shown.
struct ConversationOptions: ParsableArguments {
    @Option(
        name: [.customLong("as"), .customLong("user")], help: "Who asks; the setting http.default-user otherwise.")
    var user: String?

    @Option(name: .long, help: "The IANA name of the asker's time zone; the conversation's otherwise.")
    var timeZone: String?

    @Flag(help: "Print the answer as JSON, as the HTTP API does.") var json = false

    /// Sends a question or the wish for a summary, and shows the answer.
    ///
    /// - Parameters:
    ///   - action: The last segment of the route's path.
    ///   - conversation: The conversation's id.
    ///   - body: The fields of the request.
    ///   - settings: Know the data folder and the default user.
    func show(
        _ action: String, of conversation: String, _ body: [String: JSONValue?], settings: NexusSettings
    ) async throws {
        let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
        var body = body
        body["timeZone"] = try ItemOptions.zone(timeZone).map { .string($0) }
        var request = APIRequest(
            "POST", ["conversations", id.rawValue, action], user: try ItemOptions.asker(user, settings), body: body)
        request.streams = !json
        let answer: AnswerWire = try await CommandSession(settings: settings).send(request).value()
        if json { try Console.printJSON(answer) } else { Rendering.showSources(of: answer) }
        if answer.noAnswerReason == .nothingInScope { throw ExitCode(1) }
    }
}

/// `nexus assistant`.
struct AssistantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assistant", abstract: "Answers a question from the messages of one conversation.",
        discussion: "Without a question what was asked there before is shown, oldest first.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ConversationOptions
    @Argument(help: "The conversation's id.") var conversation: String
    @Argument(help: "What is asked.") var text: String?
    @Flag(help: "Print the prompts that people are offered.") var suggestions = false
    @Flag(help: "Forget what was asked there before.") var clear = false

    func validate() throws {
        guard [text != nil, suggestions, clear].count(where: { $0 }) <= 1 else {
            throw ValidationError("give a question, --suggestions or --clear")
        }
    }

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            if suggestions { return try suggest(settings) }
            guard let text else { return try await exchange(settings) }
            try QuestionOptions.check(text)
            try await options.show("assistant", of: conversation, ["text": .string(text)], settings: settings)
        }
    }

    private func suggest(_ settings: NexusSettings) throws {
        let suggestions = PromptBuilder(library: try PromptLibrary(overrides: settings.promptsFolder)).suggestions
        if options.json { return try Console.printJSON(suggestions) }
        for suggestion in suggestions { Console.print("\(suggestion.title)\n    \(suggestion.text)") }
    }

    private func exchange(_ settings: NexusSettings) async throws {
        let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
        let asker = try ItemOptions.asker(options.user, settings)
        let place = ["conversations", id.rawValue, "assistant"]
        let turns = try await CommandSession(settings: settings).withAPI { client -> [TurnWire] in
            guard !clear else {
                _ = try await client.send(APIRequest("DELETE", place, user: asker)).content()
                return []
            }
            let request = APIRequest(place, user: asker, query: [("limit", "200")])
            return try await client.all(request, from: "before").reversed()
        }
        if options.json { try Console.printJSON(turns) } else { Rendering.show(turns) }
    }
}

/// `nexus summarize`.
struct SummarizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summarize", abstract: "Summarizes a conversation, or some of its messages.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ConversationOptions
    @Argument(help: "The conversation's id.") var conversation: String
    @Option(name: .long, help: "Only messages of this time or later (ISO 8601).") var since: String?
    @Option(name: .long, help: "Only messages behind this one, given by its id.") var after: String?
    @Flag(help: "Only what the asker has not read: messages of others; needs --after, the last one read, or --since.")
    var unread = false
    @Option(name: .long, help: "Only the thread that begins with this message.") var thread: String?
    @Option(name: .long, help: "Only messages of this person.") var person: String?

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            guard !unread || after != nil || since != nil else {
                throw ValidationError("--unread needs --after or --since")
            }
            _ = try QuestionOptions.moment(since, option: "--since")
            let after: MessageID? = try after.map { try QuestionOptions.identifier($0, option: "--after") }
            let thread: MessageID? = try thread.map { try QuestionOptions.identifier($0, option: "--thread") }
            let person: UserID? = try person.map { try QuestionOptions.identifier($0, option: "--person") }
            let body: [String: JSONValue?] = [
                "since": since.map { .string($0) }, "after": after.map { .string($0.rawValue) },
                "unread": .bool(unread), "threadId": thread.map { .string($0.rawValue) },
                "senderId": person.map { .string($0.rawValue) },
            ]
            try await options.show("summary", of: conversation, body, settings: settings)
        }
    }
}

/// `nexus replies`.
struct RepliesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replies", abstract: "Suggests replies of a user to the last message of a conversation.")

    @OptionGroup var common: CommonOptions
    @Option(
        name: [.customLong("as"), .customLong("user")], help: "Who replies; the setting http.default-user otherwise.")
    var user: String?
    @Argument(help: "The conversation's id.") var conversation: String
    @Flag(help: "Print the replies as JSON, as POST /v1/conversations/{id}/smart-replies does.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            guard let name = user ?? settings.defaultUser else {
                throw ValidationError("who replies? Give --as, or set http.default-user")
            }
            let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
            let request = APIRequest(
                "POST", ["conversations", id.rawValue, "smart-replies"],
                user: try QuestionOptions.identifier(name, option: "--as"), body: [:])
            let suggested: SmartReplies = try await CommandSession(settings: settings).send(request).value()
            if json { try Console.printJSON(suggested) } else { Rendering.show(suggested) }
            if suggested.replies.isEmpty { throw ExitCode(1) }
        }
    }
}
