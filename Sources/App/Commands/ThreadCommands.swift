import ArgumentParser
import ChatCore
import HTTPAPI

/// Whose threads or turns are meant.
struct OwnerOptions: ParsableArguments {
    @Option(name: .long, help: "Whose they are; the setting http.default-user otherwise.") var user: String?

    /// Does something with threads.
    func perform(
        _ action: OperatorCommand.ThreadRequest.Action, common: CommonOptions
    ) async throws -> OperatorOutcome {
        let settings = try await common.settings()
        let request = OperatorCommand.ThreadRequest(asker: try ItemOptions.asker(user, settings), action: action)
        return try await CommandSession(settings: settings).perform(.threads(request))
    }
}

/// `nexus threads`.
struct ThreadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "threads", abstract: "A user's threads: questions that belong together.",
        discussion: "Ask within one with nexus ask --thread ID.",
        subcommands: [List.self, Create.self, Show.self, Rename.self, Delete.self, Export.self])

    /// `nexus threads list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the threads, the last used first.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Option(help: "The most threads.") var limit = 50
        @Flag(help: "Print them as JSON.") var json = false

        func validate() throws {
            guard limit >= 1 else { throw ValidationError("--limit: 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                guard case .threads(let threads) = try await owner.perform(.list(limit: limit), common: common) else {
                    throw Failures.unexpectedReply
                }
                if json { try Console.printJSON(threads) } else { Rendering.show(threads) }
                if threads.isEmpty { throw ExitCode(1) }
            }
        }
    }

    /// `nexus threads create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Begins a thread and prints its id.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Option(help: "What to call it; its first question names it otherwise.") var title: String?

        func run() async throws {
            try await Failures.reported {
                guard case .threads(let made) = try await owner.perform(.create(title: title), common: common),
                    let thread = made.first
                else { throw Failures.unexpectedReply }
                Console.print("\(thread.id)")
            }
        }
    }

    /// `nexus threads show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a thread with its turns.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The thread's id.") var id: String
        @Flag(help: "Print the turns as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let id: ThreadID = try ItemOptions.identifier(id)
                guard case .thread(let thread, let turns) = try await owner.perform(.show(id), common: common) else {
                    throw Failures.unexpectedReply
                }
                if json { return try Console.printJSON(turns) }
                Rendering.show([thread])
                Rendering.show(turns)
            }
        }
    }

    /// `nexus threads rename`.
    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Gives a thread a title.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The thread's id.") var id: String
        @Argument(help: "The title; without one the first question names the thread again.") var title: String?

        func run() async throws {
            try await Failures.reported {
                let id: ThreadID = try ItemOptions.identifier(id)
                let outcome = try await owner.perform(.rename(id, title: title), common: common)
                guard case .threads(let threads) = outcome else { throw Failures.unexpectedReply }
                Rendering.show(threads)
            }
        }
    }

    /// `nexus threads delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a thread with its turns.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The thread's id.") var id: String

        func run() async throws {
            try await Failures.reported {
                _ = try await owner.perform(.delete(try ItemOptions.identifier(id)), common: common)
            }
        }
    }

    /// `nexus threads export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Writes a thread as Markdown.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The thread's id.") var id: String

        func run() async throws {
            try await Failures.reported {
                let id: ThreadID = try ItemOptions.identifier(id)
                guard case .document(let text) = try await owner.perform(.export(id), common: common) else {
                    throw Failures.unexpectedReply
                }
                Console.print(Console.printable(text))
            }
        }
    }
}
