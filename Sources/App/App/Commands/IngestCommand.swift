import ArgumentParser
import ChatCore

/// `nexus ingest`.
struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest", abstract: "Embeds waiting messages, with or without a running server.",
        subcommands: [Run.self, Failed.self, Retry.self], defaultSubcommand: Run.self)
}

extension IngestCommand {
    /// `nexus ingest` without a subcommand.
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Embeds waiting messages (the default).")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the counts as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                try await EmbeddingOutcome.show(try await session.perform(.ingest), asJSON: json)
            }
        }
    }

    /// `nexus ingest failed`.
    struct Failed: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the messages that could not be embedded and were given up, with the reason.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the messages as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let outcome = try await CommandSession(settings: try await common.settings()).perform(.listFailed)
                guard case .failedMessages(let messages) = outcome else { throw Failures.unexpectedReply }
                if json { try Console.printJSON(messages) } else { Rendering.show(messages) }
            }
        }
    }

    /// `nexus ingest retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts messages that were given up back into the queue.",
            discussion: "A running server embeds them at once. Without a server, run nexus ingest.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "CONVERSATION/MESSAGE, as in nexus ingest failed; none for all.") var ids: [String] = []

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                guard case .retried(let count) = try await session.perform(.retryFailed(names: ids)) else {
                    throw Failures.unexpectedReply
                }
                Console.print("put back: \(count)")
            }
        }
    }
}

private enum EmbeddingOutcome {
    static func show(_ outcome: OperatorOutcome, asJSON: Bool) async throws {
        guard case .embedded(let queue) = outcome else { throw Failures.unexpectedReply }
        if asJSON { try Console.printJSON(queue) } else { Rendering.show(queue) }
        if queue.failedCount > 0 { throw ExitCode(1) }
    }
}
