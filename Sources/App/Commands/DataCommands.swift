import ArgumentParser
import ChatCore
import Ingest

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
