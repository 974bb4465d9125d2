import ArgumentParser
import Evaluation
import Foundation

/// `nexus generations`.
struct GenerationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generations", abstract: "Lists, compares, switches and drops sets of vectors.",
        subcommands: [List.self, Switch.self, Drop.self, Compare.self], defaultSubcommand: List.self)

    /// `nexus generations list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the generations with their progress.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print them as JSON.") var json = false

        func run() async throws {
            try await GenerationsCommand.show(.listGenerations, common, asJSON: json)
        }
    }

    /// `nexus generations switch`.
    struct Switch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switches searches to another generation; the old one is kept.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The generation's number.") var number: Int64
        @Flag(help: "Switch even if messages still wait in it.") var force = false
        @Flag(help: "Print it as JSON.") var json = false

        func run() async throws {
            try await GenerationsCommand.show(.switchGeneration(number, isForced: force), common, asJSON: json)
        }
    }

    /// `nexus generations drop`.
    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes the vectors of a generation that does not serve; this cannot be undone.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The generation's number.") var number: Int64

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                guard
                    case .generationDropped(let number, let freed) = try await session.perform(.dropGeneration(number))
                else { throw Failures.unexpectedReply }
                Console.print("generation \(number) was dropped, \(freed / 1_000_000) MB freed")
            }
        }
    }

    /// `nexus generations compare`.
    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answers the same questions with two generations, and compares the results.",
            discussion: """
                overlap@10 is the share of the first ten hits that both have. Rank correlation is Kendall's tau over \
                the hits that both have among the first fifty. recall@10 needs a dataset with evidence.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "A generation's number.") var first: Int64
        @Argument(help: "Another generation's number.") var second: Int64
        @Option(help: "Ask the questions of this dataset; its messages must be imported.", completion: .directory)
        var dataset: String?
        @Option(help: "The messages that a dataset's questions search: conversation (their own) or all.")
        var scope = SearchSystem.Scope.conversation
        @Option(help: "Ask this many of the newest questions, each as its asker.") var recent = 50
        @Flag(help: "Print every question's figures as JSON.") var json = false

        func validate() throws {
            guard (1...10_000).contains(recent) else { throw ValidationError("--recent must be 1 to 10000") }
        }

        func run() async throws {
            try await Failures.reported {
                let request = ComparisonRequest(
                    first: first, second: second, dataset: dataset.map { URL(filePath: $0).absoluteURL.path },
                    recentCount: recent, searchesAll: scope == .all)
                let session = CommandSession(settings: try await common.settings())
                guard case .compared(let comparison) = try await session.perform(.compareGenerations(request)) else {
                    throw Failures.unexpectedReply
                }
                if json { try Console.printJSON(comparison.summary) } else { Rendering.show(comparison) }
            }
        }
    }

    private static func show(_ command: OperatorCommand, _ common: CommonOptions, asJSON: Bool) async throws {
        try await Failures.reported {
            let session = CommandSession(settings: try await common.settings())
            guard case .generations(let reports) = try await session.perform(command) else {
                throw Failures.unexpectedReply
            }
            if asJSON { try Console.printJSON(reports) } else { Rendering.show(reports) }
        }
    }
}
