import ArgumentParser
import ChatCore
import Foundation

/// `nexus users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Maps authors of imported histories to users, and sets the kinds of users.",
        subcommands: [List.self, Map.self, Kind.self])

    /// `nexus users list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the authors of all sources, and the users whose kind was set.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the authors as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let outcome = try await CommandSession(settings: try await common.settings()).perform(.listUsers)
                guard case .users(let identities, let users) = outcome else { throw Failures.unexpectedReply }
                if json { return try Console.printJSON(identities) }
                Rendering.show(identities)
                for user in users where user.isStated {
                    Console.print(Console.printable("\(user.id.rawValue) is a \(user.kind.rawValue), set by hand"))
                }
            }
        }
    }

    /// `nexus users kind`.
    struct Kind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the kind of a user: guests and bots read only conversations that they are members of.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String
        @Argument(help: "member, guest or bot; or imported, to use the kind from imports again.") var kind: String

        func run() async throws {
            try await Failures.reported {
                guard let userID = UserID(validating: user) else {
                    throw ValidationError("the user's id is empty, too long or has control characters")
                }
                let wanted = UserKind(rawValue: kind)
                guard wanted != nil || kind == "imported" else {
                    throw ValidationError("the kind must be member, guest, bot or imported")
                }
                let session = CommandSession(settings: try await common.settings())
                guard case .userKind(let present) = try await session.perform(.setUserKind(userID, wanted)) else {
                    throw Failures.unexpectedReply
                }
                Console.print("\(Console.printable(user)) is a \(present.rawValue)")
            }
        }
    }

    /// `nexus users map`.
    struct Map: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Maps authors to users, who get their memberships and messages.",
            discussion: """
                Give the ids of one author and one user, or map many authors. --by-email maps each author of an import \
                to the user whose id is the author's mail address in lower case. --csv reads a file whose first line \
                names the columns source,externalId,userId or email,userId. Many authors are mapped all or none.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The source, as given at the import; with --by-email the default is all sources.")
        var source: String?
        @Flag(help: "Map every author with a mail address to the user with this address as id.") var byEmail = false
        @Option(help: "Map the authors in the lines of this file.", completion: .file()) var csv: String?
        @Argument(help: "The author's id in the source.") var author: String?
        @Argument(help: "The user's id.") var user: String?

        func validate() throws {
            let ways = [byEmail, csv != nil, author != nil || user != nil].count { $0 }
            guard ways == 1, (author == nil) == (user == nil) else {
                throw ValidationError("give an author and a user, or --by-email, or --csv with a file")
            }
        }

        func run() async throws {
            try await Failures.reported {
                let command = try command()
                let session = CommandSession(settings: try await common.settings())
                switch try await session.perform(command) {
                case .mapped(let count):
                    Console.print(
                        "\(Console.printable(author ?? "")) is \(Console.printable(user ?? "")): \(count) messages")
                case .mappedUsers(let lines, let count):
                    for line in lines {
                        Console.print(Console.printable("\(line.author)  ->  \(line.userID.rawValue)"))
                    }
                    Console.print("mapped: \(lines.count) authors, \(count) messages")
                    if lines.isEmpty { throw ExitCode(1) }
                default: throw Failures.unexpectedReply
                }
            }
        }

        private func command() throws -> OperatorCommand {
            if byEmail { return .mapUsersByEmail(source: source) }
            if let csv {
                guard let data = FileManager.default.contents(atPath: csv),
                    let text = String(data: data, encoding: .utf8)
                else { throw OperatorFailure(message: "\(csv) cannot be read as text in UTF-8") }
                return .mapUsers(try MappingFile.read(text))
            }
            guard let userID = UserID(validating: user ?? "") else {
                throw ValidationError("the user's id is empty, too long or has control characters")
            }
            return .mapUser(Identity(source: source ?? "import", externalID: author ?? "", userID: userID))
        }
    }
}
