import ArgumentParser
import Assistant
import ChatCore
import NexusModel
import Prompting
import Retrieval

/// The asker of the assistant inside a conversation, and the form of the answer.
struct ConversationOptions: ParsableArguments {
    @Option(
        name: [.customLong("as"), .customLong("user")], help: "The user who asks; the default is http.default-user.")
    var user: String?

    @Option(name: .long, help: "The IANA name of the asker's time zone; the default is the conversation's.")
    var timeZone: String?

    @Flag(help: "Print the answer as JSON, as the HTTP API does.") var json = false

    /// Sends a question or a request for a summary, and shows the answer.
    ///
    /// - Parameters:
    ///   - action: The last segment of the route's path.
    ///   - conversation: The conversation's id.
    ///   - body: The fields of the request.
    ///   - settings: The settings, for the data folder and the default user.
    /// - Throws: `ValidationError`, ``OperatorFailure``; `ExitCode` 1 if there is nothing in scope.
    func show(
        _ action: String, of conversation: String, _ body: [String: JSONValue?], settings: NexusSettings
    ) async throws {
        let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
        var body = body
        body["timeZone"] = try ItemOptions.zone(timeZone).map { .string($0) }
        var request = APIRequest(
            "POST", ["conversations", id.rawValue, action], user: try ItemOptions.asker(user, settings), body: body)
        request.streams = !json
        let answer: ChatAnswer = try await CommandSession(settings: settings).send(request).value()
        if json { try Console.printJSON(answer) } else { Rendering.showSources(of: answer) }
        if answer.noAnswerReason == .nothingInScope { throw ExitCode(1) }
    }
}

/// `nexus assistant`.
struct AssistantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assistant", abstract: "Answers a question from the messages of one conversation.",
        discussion: "Without a question, the earlier questions there are shown, oldest first.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ConversationOptions
    @Argument(help: "The conversation's id.") var conversation: String
    @Argument(help: "The question.") var text: String?
    @Flag(help: "Print the suggested prompts.") var suggestions = false
    @Flag(help: "Delete the earlier questions there.") var clear = false

    func validate() throws {
        guard [text != nil, suggestions, clear].count(where: { $0 }) <= 1 else {
            throw ValidationError("give only one of: a question, --suggestions, --clear")
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
        let turns = try await CommandSession(settings: settings).withAPI { client -> [ChatTurn] in
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
    @Option(name: .long, help: "Only messages after the one with this id.") var after: String?
    @Flag(help: "Only unread messages of others; needs --after with the last message read, or --since.")
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
        name: [.customLong("as"), .customLong("user")], help: "The user who replies; the default is http.default-user.")
    var user: String?
    @Argument(help: "The conversation's id.") var conversation: String
    @Flag(help: "Print the replies as JSON, as POST /v1/conversations/{id}/smart-replies does.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            guard let name = user ?? settings.defaultUser else {
                throw ValidationError("the user is missing: give --as, or set http.default-user")
            }
            let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
            let request = APIRequest(
                "POST", ["conversations", id.rawValue, "smart-replies"],
                user: try QuestionOptions.identifier(name, option: "--as"), body: [:])
            let suggested: NexusModel.SmartReplies = try await CommandSession(settings: settings).send(request).value()
            if json { try Console.printJSON(suggested) } else { Rendering.show(suggested) }
            if suggested.replies.isEmpty { throw ExitCode(1) }
        }
    }
}
