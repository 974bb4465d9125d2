import ArgumentParser
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
