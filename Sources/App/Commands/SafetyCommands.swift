import ArgumentParser
import ChatCore
import Foundation
import MessageStore

/// `nexus backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a backup of the data folder as it is at one moment, with or without a running server.",
        discussion: """
            The folder must not exist, or be empty. It holds texts and vectors, readable by its owner only; what is \
            erased later stays in it.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The folder to be made.", completion: .directory) var folder: String
    @Flag(help: "Print the manifest as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let session = CommandSession(settings: try await common.settings())
            let path = URL(filePath: folder).absoluteURL.path
            guard case .backedUp(let manifest) = try await session.perform(.backup(folder: path)) else {
                throw Failures.unexpectedReply
            }
            if json { try Console.printJSON(manifest) } else { Rendering.show(manifest, verb: "backed up", at: path) }
        }
    }
}

/// `nexus restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Puts a backup into a data folder that no server owns.",
        discussion: """
            The backup is checked first: its manifest, its digest, the integrity of the database. If the command ends \
            early the folder is as it was, or the next command completes it. Messages that were erased after the \
            backup was made come back: erase them again.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The folder of the backup.", completion: .directory) var folder: String
    @Flag(help: "Replace what the data folder holds.") var replace = false
    @Flag(help: "Print the manifest as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            let manifest = try BackupRestore.run(
                from: URL(filePath: folder), to: settings.dataFolder, replacing: replace)
            let path = settings.dataFolder.path
            if json { try Console.printJSON(manifest) } else { Rendering.show(manifest, verb: "restored", at: path) }
        }
    }
}

/// `nexus erase`.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases a user or a conversation for good, and looks for what was erased in every file.",
        discussion: """
            Texts, attachments, vectors, reactions, questions with their answers, names and memberships go; each \
            message leaves its ids behind, so that it does not come back when a history is imported again. Without \
            --yes it only says what would go. Backups are not touched.

            Exit codes: 0 erased, 1 not confirmed, 2 something was found afterwards or it failed.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "The id of the user.") var user: String?
    @Option(help: "The id of the conversation.") var conversation: String?
    @Flag(help: "Do it.") var yes = false
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
            guard let id = UserID(validating: id) else { throw ValidationError("this cannot be the id of a user") }
            return .user(id)
        case (nil, let id?):
            guard let id = ConversationID(validating: id) else {
                throw ValidationError("this cannot be the id of a conversation")
            }
            return .conversation(id)
        default: throw ValidationError("give either --user or --conversation")
        }
    }
}
