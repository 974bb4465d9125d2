package import ArgumentParser

/// The command line of Nexus.
package struct NexusCommand: AsyncParsableCommand {
    /// The help of `nexus --help`.
    package static let configuration = CommandConfiguration(
        commandName: "nexus",
        abstract: "Answers questions about a team's chat, and cites the messages behind each answer.",
        discussion: """
            A data folder holds one workspace. While a server owns it, commands that touch data go through the \
            server's local socket; otherwise they open the folder themselves.

            Exit codes: 0 done, 1 nothing found or some lines not imported, 2 failed, 64 wrong usage.
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, ImportCommand.self, ConversationsCommand.self, IngestCommand.self, SearchCommand.self,
            TimelineCommand.self, AskCommand.self, ChatCommand.self, MCPCommand.self,
            ThreadsCommand.self, TurnsCommand.self,
            ActionItemsCommand.self, DecisionsCommand.self, DeadlinesCommand.self, PrioritiesCommand.self,
            ItemsCommand.self,
            AssistantCommand.self, SummarizeCommand.self, RepliesCommand.self, ReembedCommand.self,
            GenerationsCommand.self, EmbeddingCommand.self, StatusCommand.self, DoctorCommand.self,
            ConfigCommand.self,
            AccountsCommand.self, UsersCommand.self, KeysCommand.self, PushKeyCommand.self, BackupCommand.self,
            RestoreCommand.self, MigrateCommand.self, SchemaCommand.self,
            EraseCommand.self, ConnectionsCommand.self, AuditLogCommand.self,
            ModelCommand.self,
            EvalCommand.self, ReadFileCommand.self,
        ])

    /// Makes the command; its parser fills it.
    package init() {}

    /// Runs the command that the process was started with, and ends the process.
    package static func start() async {
        do {
            var command = try parseAsRoot()
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                // The parser would print the usage of the root.
                Console.note("Error: \(error.message)\n\(usageString(for: type(of: command)))")
                exit(withError: ExitCode(64))
            }
        } catch {
            exit(withError: error)
        }
    }
}

/// The version of this program.
enum Version {
    static let text = "0.2.0"
}
