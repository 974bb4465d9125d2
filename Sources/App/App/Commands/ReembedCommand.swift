import ArgumentParser
import ChatCore
import Foundation
import UseCases

/// `nexus reembed`.
struct ReembedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reembed",
        abstract: "Embeds everything again, then switches to the new vectors.",
        discussion: """
            The old vectors serve until the new ones are complete, and are kept afterwards: nexus generations lists, \
            compares, switches and drops them. A stopped run continues where it stopped. A running server does the \
            work itself, with its own settings for options that are not given here. A key is only sent to the address \
            that it was configured for.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "The model; the default is the configured one.") var model: String?
    @Option(help: "The components of a vector, for models with a choice.") var dimensions: Int?
    @Option(help: "The address of the model's service; the default is the configured one.") var baseURL: String?
    @Option(help: "The most messages a second, so that searches keep their speed.") var rate: Double?
    @Option(help: "Leave older messages out: a day (2025-10-23) or a time (ISO 8601).") var since: String?
    @Option(help: "Switch as soon as this share is embedded, above 0 and at most 1.") var switchAt = 1.0
    @Flag(help: "Estimate the effort, and do nothing.") var dryRun = false
    @Flag(help: "Print the counts as JSON.") var json = false

    func validate() throws {
        guard dimensions.map({ (1...16_384).contains($0) }) ?? true else {
            throw ValidationError("--dimensions must be 1 to 16384")
        }
        guard rate.map({ $0 > 0 && $0.isFinite }) ?? true else { throw ValidationError("--rate must be above 0") }
        guard switchAt > 0, switchAt <= 1 else { throw ValidationError("--switch-at must be above 0 and at most 1") }
        guard model.map({ !$0.isEmpty }) ?? true else { throw ValidationError("--model must not be empty") }
        _ = try request()
    }

    func run() async throws {
        try await Failures.reported {
            let settings = try await common.settings()
            switch try await CommandSession(settings: settings).perform(.reembed(request())) {
            case .reembeddingEstimated(var estimate):
                estimate.cost = settings.embedding.pricePerMillion.map { $0 * Double(estimate.tokenCount) / 1_000_000 }
                if json { try Console.printJSON(estimate) } else { Rendering.show(estimate) }
            case .reembedded(let report):
                if json { try Console.printJSON(report) } else { Rendering.show([report]) }
                if report.queue.failedCount > 0 || report.state == .filling { throw ExitCode(1) }
            default: throw Failures.unexpectedReply
            }
        }
    }

    private func request() throws -> ReembedRequest {
        ReembedRequest(
            model: model, dimensions: dimensions, baseURL: try address(), rate: rate,
            since: try moment()?.microseconds, switchShare: switchAt, isDryRun: dryRun)
    }

    private func address() throws -> String? {
        guard let baseURL else { return nil }
        guard let address = Settings.serviceAddress(baseURL) else {
            throw ValidationError("--base-url must be an http or https address")
        }
        return address
    }

    private func moment() throws -> Timestamp? {
        guard let since else { return nil }
        guard let moment = Timestamp(iso8601: since) ?? Timestamp(iso8601: since + "T00:00:00Z") else {
            throw ValidationError("--since must be a day such as 2025-10-23, or a time such as 2025-10-23T10:30:00Z")
        }
        return moment
    }
}
