import ArgumentParser
import ChatCore
import HTTPAPI

/// `nexus turns`.
struct TurnsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turns", abstract: "A user's past questions with their answers.",
        subcommands: [List.self, Feedback.self, Trace.self])

    /// `nexus turns list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the turns, newest first.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Option(help: "The most turns.") var limit = 20
        @Flag(help: "Print them as JSON.") var json = false

        func validate() throws {
            guard limit >= 1 else { throw ValidationError("--limit: 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let asker = try ItemOptions.asker(owner.user, settings)
                let turns = try await TurnsCommand.turns(.list(asker: asker, limit: limit), settings)
                if json { try Console.printJSON(turns) } else { Rendering.show(turns) }
                if turns.isEmpty { throw ExitCode(1) }
            }
        }
    }

    /// `nexus turns feedback`.
    struct Feedback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what its asker thinks of an answer; the last word counts.")

        /// What is said.
        enum Verdict: String, ExpressibleByArgument, CaseIterable {
            case up
            case down
            case none
        }

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The turn's id.") var id: String
        @Argument(help: "up, down, or none to take back what was said.") var verdict: Verdict
        @Option(help: "Why.") var reason: String?

        func run() async throws {
            try await Failures.reported {
                let settings = try await common.settings()
                let request = OperatorCommand.TurnRequest.judge(
                    try ItemOptions.identifier(id), asker: try ItemOptions.asker(owner.user, settings),
                    rating: TurnFeedback.Rating(rawValue: verdict.rawValue), reason: reason)
                Rendering.show(try await TurnsCommand.turns(request, settings))
            }
        }
    }

    /// `nexus turns trace`.
    struct Trace: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says how an answer came about, as JSON: ids, ranks, scores, durations.",
            discussion: "With --user as that user sees it, the question that was searched for with it.")

        @OptionGroup var common: CommonOptions
        @Option(name: .long, help: "Who asked.") var user: String?
        @Argument(help: "The turn's id.") var id: String

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                let request = OperatorCommand.TurnRequest.trace(
                    try ItemOptions.identifier(id), asker: try user.map { try ItemOptions.identifier($0) })
                guard case .trace(let trace) = try await session.perform(.turns(request)) else {
                    throw Failures.unexpectedReply
                }
                try Console.printJSON(trace)
            }
        }
    }

    /// Performs a request that brings turns.
    private static func turns(
        _ request: OperatorCommand.TurnRequest, _ settings: NexusSettings
    ) async throws -> [TurnWire] {
        guard case .turns(let turns) = try await CommandSession(settings: settings).perform(.turns(request)) else {
            throw Failures.unexpectedReply
        }
        return turns
    }
}
