import ArgumentParser
import ChatCore
import NexusModel

/// `nexus turns`.
struct TurnsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turns", abstract: "Manages a user's past questions with their answers.",
        subcommands: [List.self, Feedback.self, Trace.self])

    /// `nexus turns list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the turns, newest first.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Option(help: "The most turns.") var limit = 20
        @Flag(help: "Print them as JSON.") var json = false

        func validate() throws {
            guard limit >= 1 else { throw ValidationError("--limit must be 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                let turns = try await owner.withAPI(common) { client, user in
                    let request = APIRequest(["turns"], user: user, query: [("limit", "\(min(limit, 200))")])
                    return try await client.all(request, from: "before", limit: limit, as: ChatTurn.self)
                }
                if json { try Console.printJSON(turns) } else { Rendering.show(turns) }
                if turns.isEmpty { throw ExitCode(1) }
            }
        }
    }

    /// `nexus turns feedback`.
    struct Feedback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stores feedback on an answer; it replaces earlier feedback.")

        /// The feedback.
        enum Verdict: String, ExpressibleByArgument, CaseIterable {
            case up
            case down
            case none
        }

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The turn's id.") var id: String
        @Argument(help: "up, down, or none to delete the feedback.") var verdict: Verdict
        @Option(help: "Why.") var reason: String?

        func run() async throws {
            try await Failures.reported {
                let id: TurnID = try ItemOptions.identifier(id)
                let turn = try await owner.withAPI(common) { client, user in
                    let place = ["turns", id.rawValue]
                    guard verdict == .none else {
                        let body: [String: JSONValue?] = [
                            "rating": .string(verdict.rawValue), "reason": reason.map { .string($0) },
                        ]
                        let request = APIRequest("POST", place + ["feedback"], user: user, body: body)
                        return try await client.send(request).value(ChatTurn.self)
                    }
                    _ = try await client.send(APIRequest("DELETE", place + ["feedback"], user: user)).content()
                    return try await client.send(APIRequest(place, user: user)).value(ChatTurn.self)
                }
                Rendering.show([turn])
            }
        }
    }

    /// `nexus turns trace`.
    struct Trace: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows how an answer was made, as JSON: ids, ranks, scores, durations.",
            discussion: "With --user it shows the view of that user, including the searched question.")

        @OptionGroup var common: CommonOptions
        @Option(name: .long, help: "The user who asked.") var user: String?
        @Argument(help: "The turn's id.") var id: String

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                let id: TurnID = try ItemOptions.identifier(id)
                let request = APIRequest(
                    ["turns", id.rawValue, "trace"], user: try user.map { try ItemOptions.identifier($0) })
                try Console.printJSON(try await session.send(request).value(ChatTrace.self))
            }
        }
    }
}
