import ArgumentParser
import ChatCore
import MessageStore

/// `nexus erase`.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases a user or a conversation permanently, and searches every file for remains.",
        discussion: """
            The command erases texts, attachments, vectors, reactions, questions with their answers, names and \
            memberships. It keeps the ids of messages, so that a repeated import does not bring them back. Without \
            --yes it only counts. Backups are not changed.

            Exit codes: 0 erased, 1 not confirmed, 2 failed, or remains were found.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "The id of the user.") var user: String?
    @Option(help: "The id of the conversation.") var conversation: String?
    @Flag(help: "Confirm the erasure.") var yes = false
    @Flag(help: "Print the report as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let subject = try subject()
            let session = CommandSession(settings: try await common.settings())
            guard case .erased(let report) = try await session.perform(.erase(subject, isConfirmed: yes)) else {
                throw Failures.unexpectedReply
            }
            if json { try Console.printJSON(report) } else { Rendering.show(report) }
            guard let proof = report.proof else { throw ExitCode(1) }
            if !proof.remains.isEmpty { throw ExitCode(2) }
        }
    }

    private func subject() throws -> ErasureSubject {
        switch (user, conversation) {
        case (let id?, nil):
            guard let id = UserID(validating: id) else { throw ValidationError("this is not the id of a user") }
            return .user(id)
        case (nil, let id?):
            guard let id = ConversationID(validating: id) else {
                throw ValidationError("this is not the id of a conversation")
            }
            return .conversation(id)
        default: throw ValidationError("give either --user or --conversation")
        }
    }
}
