import ArgumentParser
import ChatCore
import Foundation
import Ingest

/// `nexus import`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes in histories in JSON lines; taking one in again changes nothing.",
        discussion: """
            Each line is a conversation ({"id", "name", "kind", "participants": [{"id", "name"}]}) or a message \
            ({"id", "conversationId", "senderId", "senderName", "text", "timestamp"}); conversations come first. \
            Lines that cannot be taken are listed with their number and the reason, all others are stored.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "Files of JSON lines.", completion: .file()) var files: [String]
    @Option(help: "What the source of the people's ids is called; see nexus users.") var source = "import"
    @Flag(help: "Print the counts as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let session = CommandSession(settings: try await common.settings())
            let paths = files.map { URL(filePath: $0).absoluteURL.path }
            let outcome = try await session.perform(
                .importHistory(files: paths, source: source), createsFolder: true)
            guard case .imported(let report, let waiting) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(report) } else { Rendering.show(report, waiting: waiting) }
            if report.rejectedLines > 0 { throw ExitCode(1) }
        }
    }
}

/// `nexus ingest`.
struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest", abstract: "Embeds what waits in the queue, without a server or beside one.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Print the counts as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let session = CommandSession(settings: try await common.settings())
            try await EmbeddingOutcome.show(try await session.perform(.ingest), asJSON: json)
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
