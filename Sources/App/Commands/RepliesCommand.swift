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
