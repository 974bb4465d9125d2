import ArgumentParser
import ChatCore
import NexusModel

/// The owner of threads or turns.
struct OwnerOptions: ParsableArguments {
    @Option(name: .long, help: "Their owner; the default is http.default-user.") var user: String?

    /// Gives `body` a client of the HTTP API, and the owner.
    func withAPI<Value: Sendable>(
        _ common: CommonOptions, _ body: (APIClient, UserID) async throws -> Value
    ) async throws -> Value {
        let settings = try await common.settings()
        let owner = try ItemOptions.asker(user, settings)
        return try await CommandSession(settings: settings).withAPI { try await body($0, owner) }
    }
}

extension APIClient {
    /// Returns the turns of a thread, oldest first.
    fileprivate func turns(of thread: ThreadID, owner: UserID) async throws -> [ChatTurn] {
        let request = APIRequest(
            ["turns"], user: owner, query: [("threadId", thread.rawValue), ("limit", "200")])
        return try await all(request, from: "before").reversed()
    }
}

/// `nexus threads`.
struct ThreadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "threads", abstract: "Manages a user's threads: questions that belong together.",
        discussion: "To ask in a thread, use nexus ask --thread ID.",
        subcommands: [List.self, Create.self, Show.self, Rename.self, Delete.self, Export.self])

    /// `nexus threads list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the threads, the last used first.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Option(help: "The most threads.") var limit = 50
        @Flag(help: "Print them as JSON.") var json = false

        func validate() throws {
            guard limit >= 1 else { throw ValidationError("--limit must be 1 or more") }
        }

        func run() async throws {
            try await Failures.reported {
                let threads = try await owner.withAPI(common) { client, user in
                    let request = APIRequest(["threads"], user: user, query: [("limit", "\(min(limit, 200))")])
                    return try await client.all(request, from: "after", limit: limit, as: ChatThread.self)
                }
                if json { try Console.printJSON(threads) } else { Rendering.show(threads) }
                if threads.isEmpty { throw ExitCode(1) }
            }
        }
    }

    /// `nexus threads create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a thread and prints its id.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Option(help: "The title; the default comes from its first question.") var title: String?

        func run() async throws {
            try await Failures.reported {
                let thread = try await owner.withAPI(common) { client, user in
                    let body = ["title": title.map { JSONValue.string($0) }]
                    return try await client.send(APIRequest("POST", ["threads"], user: user, body: body))
                        .value(ChatThread.self)
                }
                Console.print(thread.id)
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
                let (thread, turns) = try await owner.withAPI(common) { client, user in
                    let request = APIRequest(["threads", id.rawValue], user: user)
                    return (
                        try await client.send(request).value(ChatThread.self),
                        try await client.turns(of: id, owner: user)
                    )
                }
                if json { return try Console.printJSON(turns) }
                Rendering.show([thread])
                Rendering.show(turns)
            }
        }
    }

    /// `nexus threads rename`.
    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Renames a thread.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The thread's id.") var id: String
        @Argument(help: "The title; without one the first question names the thread again.") var title: String?

        func run() async throws {
            try await Failures.reported {
                let id: ThreadID = try ItemOptions.identifier(id)
                let thread = try await owner.withAPI(common) { client, user in
                    let body = ["title": title.map { JSONValue.string($0) }]
                    return try await client.send(APIRequest("PATCH", ["threads", id.rawValue], user: user, body: body))
                        .value(ChatThread.self)
                }
                Rendering.show([thread])
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
                let id: ThreadID = try ItemOptions.identifier(id)
                _ = try await owner.withAPI(common) { client, user in
                    try await client.send(APIRequest("DELETE", ["threads", id.rawValue], user: user)).content()
                }
            }
        }
    }

    /// `nexus threads export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Exports a thread as Markdown.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var owner: OwnerOptions
        @Argument(help: "The thread's id.") var id: String

        func run() async throws {
            try await Failures.reported {
                let id: ThreadID = try ItemOptions.identifier(id)
                let text = try await owner.withAPI(common) { client, user in
                    try await client.send(APIRequest(["threads", id.rawValue, "export"], user: user)).content()
                }
                Console.print(Console.printable(String(decoding: text, as: UTF8.self)))
            }
        }
    }
}
