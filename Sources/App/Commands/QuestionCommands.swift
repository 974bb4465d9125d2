import ArgumentParser
import HTTPAPI

/// `nexus search`.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds messages among those that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: QuestionOptions
    @Argument(help: "What to look for.") var text: String
    @Flag(help: "Print the messages as JSON.") var json = false
    @Flag(help: "Say how each message came to its place.") var explain = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            var question = try options.question(text, settings: settings)
            question.explains = explain
            let outcome = try await CommandSession(settings: settings).perform(.search(question))
            guard case .found(let messages) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(messages) } else { Rendering.show(messages) }
            if messages.isEmpty { throw ExitCode(1) }
        }
    }
}

/// `nexus ask`.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Answers a question from the messages that a user may see, with its sources.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: QuestionOptions
    @Option(help: "Ask within this thread of the user: its turns come before the question.") var thread: String?
    @Argument(help: "The question.") var text: String
    @Flag(help: "Print the answer as JSON, as POST /v1/ask does.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            var question = try options.question(text, settings: settings)
            question.streams = !json
            question.threadID = try thread.map { try QuestionOptions.identifier($0, option: "--thread") }
            let outcome = try await CommandSession(settings: settings).perform(.ask(question))
            guard case .answered(let answer) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(answer) } else { Rendering.showSources(of: answer) }
            if answer.sources.isEmpty { throw ExitCode(1) }
        }
    }
}
