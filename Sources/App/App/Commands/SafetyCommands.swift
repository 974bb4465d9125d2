import ArgumentParser
import ChatCore
import Foundation
import MessageStore
import SQLiteStore

/// `nexus backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a consistent backup of the data folder, with or without a running server.",
        discussion: """
            The folder must be empty or not exist. It holds texts and vectors, readable by its owner only. Data that \
            is erased later stays in the backup.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The folder to create.", completion: .directory) var folder: String
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
            early, the folder is unchanged, or the next command completes the restore. Messages that were erased after \
            the backup was made come back: erase them again.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The folder of the backup.", completion: .directory) var folder: String
    @Flag(help: "Replace the content of the data folder.") var replace = false
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
