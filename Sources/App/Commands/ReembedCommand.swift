import ArgumentParser
import ChatCore
import Foundation

/// `nexus reembed`.
struct ReembedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reembed",
        abstract: "Embeds everything anew, then switches to the new vectors.",
        discussion: """
            The old vectors serve until the new ones are complete, and stand by afterwards: nexus generations lists, \
            compares, switches and drops them. Stopped, it goes on where it was. Beside a running server the server does \
            it, with its own settings for what is not given here; a key is only ever sent to the address that it was \
            configured for.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "The model; the configured one otherwise.") var model: String?
    @Option(help: "Components of a vector, for models that can give several.") var dimensions: Int?
    @Option(help: "Where the model's service is; the configured one otherwise.") var baseURL: String?
    @Option(help: "The most messages a second, so that searches keep their speed.") var rate: Double?
    @Option(help: "Leave older messages out: a day (2025-10-23) or a moment (ISO 8601).") var since: String?
    @Option(help: "Switch as soon as this part is embedded, above 0 and at most 1.") var switchAt = 1.0
    @Flag(help: "Tell what it would take, and do nothing.") var dryRun = false
    @Flag(help: "Print the counts as JSON.") var json = false

    func validate() throws {
        guard dimensions.map({ (1...16_384).contains($0) }) ?? true else {
            throw ValidationError("--dimensions: 1 to 16384")
        }
        guard rate.map({ $0 > 0 && $0.isFinite }) ?? true else { throw ValidationError("--rate: above 0") }
        guard switchAt > 0, switchAt <= 1 else { throw ValidationError("--switch-at: above 0, at most 1") }
        guard model.map({ !$0.isEmpty }) ?? true else { throw ValidationError("--model: the name is empty") }
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
        guard let address = NexusSettings.serviceAddress(baseURL) else {
            throw ValidationError("--base-url: an http or https address")
        }
        return address
    }

    private func moment() throws -> Timestamp? {
        guard let since else { return nil }
        guard let moment = Timestamp(iso8601: since) ?? Timestamp(iso8601: since + "T00:00:00Z") else {
            throw ValidationError("--since: a day such as 2025-10-23, or a time such as 2025-10-23T10:30:00Z")
        }
        return moment
    }
}
