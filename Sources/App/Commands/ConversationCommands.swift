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

    /// Joins the options.
    func question(_ text: String?, in conversation: String, settings: NexusSettings) throws -> ConversationQuestion {
        ConversationQuestion(
            text: text, conversationID: try QuestionOptions.identifier(conversation, option: "the conversation"),
            asker: try ItemOptions.asker(user, settings), timeZone: try ItemOptions.zone(timeZone), streams: !json)
    }

    /// Performs the request and shows the answer.
    func show(_ question: ConversationQuestion, settings: NexusSettings) async throws {
        let outcome = try await CommandSession(settings: settings).perform(.assist(question))
        guard case .answered(let answer) = outcome else { throw Failures.unexpectedReply }
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
            try await options.show(
                try options.question(text, in: conversation, settings: settings), settings: settings)
        }
    }

    private func suggest(_ settings: NexusSettings) throws {
        let suggestions = PromptBuilder(library: try PromptLibrary(overrides: settings.promptsFolder)).suggestions
        if options.json { return try Console.printJSON(suggestions) }
        for suggestion in suggestions { Console.print("\(suggestion.title)\n    \(suggestion.text)") }
    }

    private func exchange(_ settings: NexusSettings) async throws {
        let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
        let request = OperatorCommand.ThreadRequest(
            asker: try ItemOptions.asker(options.user, settings),
            action: clear ? .clearExchange(id) : .showExchange(id))
        let outcome = try await CommandSession(settings: settings).perform(.threads(request))
        guard case .turns(let turns) = outcome else { throw Failures.unexpectedReply }
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
            var question = try options.question(nil, in: conversation, settings: settings)
            question.filter = ConversationFilter(
                since: try QuestionOptions.moment(since, option: "--since").map { Timestamp(microseconds: $0) },
                after: try after.map { try QuestionOptions.identifier($0, option: "--after") }, isUnread: unread,
                threadRootID: try thread.map { try QuestionOptions.identifier($0, option: "--thread") },
                senderID: try person.map { try QuestionOptions.identifier($0, option: "--person") })
            try await options.show(question, settings: settings)
        }
    }
}
