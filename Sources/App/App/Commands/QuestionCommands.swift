import ArgumentParser
import ChatCore
import NexusModel

/// `nexus search`.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds messages that a user may see.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: QuestionOptions
    @Argument(help: "The text to search for.") var text: String
    @Flag(help: "Print the messages as JSON.") var json = false
    @Flag(help: "Explain the rank of each message.") var explain = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            var fields = try options.fields(of: text, settings: settings)
            fields.body["query"] = .string(text)
            fields.body["explain"] = .bool(explain)
            let request = APIRequest("POST", ["search"], user: fields.asker, body: fields.body)
            let messages = try await CommandSession(settings: settings).send(request)
                .value(APIPage<ChatSearchResult.Found>.self).elements
            if json { try Console.printJSON(messages) } else { Rendering.show(messages) }
            if messages.isEmpty { throw ExitCode(1) }
        }
    }
}

/// `nexus timeline`.
struct TimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Lists what messages that a user may see state about a subject, and what was replaced.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: QuestionOptions
    @Argument(help: "The subject: a few words, or a question.") var subject: String
    @Flag(help: "Print the timeline as JSON, as POST /v1/timeline does.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            var fields = try options.fields(of: subject, settings: settings)
            fields.body["subject"] = .string(subject)
            // A timeline has as many entries as there are.
            fields.body.removeValue(forKey: "topK")
            let request = APIRequest("POST", ["timeline"], user: fields.asker, body: fields.body)
            let timeline: ChatTimeline = try await CommandSession(settings: settings).send(request).value()
            if json { try Console.printJSON(timeline) } else { Rendering.show(timeline) }
            if timeline.entries.isEmpty { throw ExitCode(1) }
        }
    }
}

/// `nexus ask`.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Answers a question from the messages that a user may see, with its sources.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: QuestionOptions
    @Option(help: "Ask in this thread of the user, after its earlier turns.") var thread: String?
    @Argument(help: "The question.") var text: String
    @Flag(help: "Print the answer as JSON, as POST /v1/ask does.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            var fields = try options.fields(of: text, settings: settings)
            fields.body["question"] = .string(text)
            let thread: ThreadID? = try thread.map { try QuestionOptions.identifier($0, option: "--thread") }
            fields.body["threadId"] = thread.map { .string($0.rawValue) }
            var request = APIRequest("POST", ["ask"], user: fields.asker, body: fields.body)
            request.streams = !json
            let answer: ChatAnswer = try await CommandSession(settings: settings).send(request).value()
            if json { try Console.printJSON(answer) } else { Rendering.showSources(of: answer) }
            if answer.sources.isEmpty { throw ExitCode(1) }
        }
    }
}
