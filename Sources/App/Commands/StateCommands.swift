import ArgumentParser
import ChatCore
import Foundation

/// `nexus status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tells what a data folder holds and how far the embedding is.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Print the state as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let outcome = try await CommandSession(settings: try await common.settings()).perform(.status)
            guard case .status(let status) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(status) } else { Rendering.show(status) }
        }
    }
}

/// `nexus doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks for what is wrong: libraries, model, database, services.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Print the findings as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let outcome = try await CommandSession(settings: try await common.settings()).perform(.doctor)
            guard case .examined(let findings) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(findings) } else { Rendering.show(findings) }
            if findings.contains(where: { $0.verdict == .bad }) { throw ExitCode(2) }
        }
    }
}

/// `nexus users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Joins authors of imported histories to users.",
        subcommands: [List.self, Map.self])

    /// `nexus users list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the authors of all sources.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the authors as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let outcome = try await CommandSession(settings: try await common.settings()).perform(.listUsers)
                guard case .users(let identities) = outcome else { throw Failures.unexpectedReply }
                if json { try Console.printJSON(identities) } else { Rendering.show(identities) }
            }
        }
    }

    /// `nexus users map`.
    struct Map: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says which user an author is: memberships and messages become the user's.")

        @OptionGroup var common: CommonOptions
        @Option(help: "The source, as given at the import.") var source = "import"
        @Argument(help: "The author's id in the source.") var author: String
        @Argument(help: "The user's id.") var user: String

        func run() async throws {
            try await Failures.reported {
                guard let userID = UserID(validating: user) else {
                    throw ValidationError("the user's id is empty, too long or has control characters")
                }
                let identity = Identity(source: source, externalID: author, userID: userID)
                let session = CommandSession(settings: try await common.settings())
                guard case .mapped(let count) = try await session.perform(.mapUser(identity)) else {
                    throw Failures.unexpectedReply
                }
                Console.print("\(Console.printable(author)) is \(Console.printable(user)): \(count) messages")
            }
        }
    }
}
