import ArgumentParser
import Assistant
import ChatCore

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
            let command = OperatorCommand.suggestReplies(
                try QuestionOptions.identifier(conversation, option: "the conversation"),
                asker: try QuestionOptions.identifier(name, option: "--as"))
            guard case .suggested(let suggested) = try await CommandSession(settings: settings).perform(command) else {
                throw Failures.unexpectedReply
            }
            if json { try Console.printJSON(suggested) } else { Rendering.show(suggested) }
            if suggested.replies.isEmpty { throw ExitCode(1) }
        }
    }
}
