import ArgumentParser
import ChatCore
import Foundation

/// `nexus users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Joins authors of imported histories to users, and says who is a guest.",
        subcommands: [List.self, Map.self, Kind.self])

    /// `nexus users list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the authors of all sources, and users whose kind was stated.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the authors as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let outcome = try await CommandSession(settings: try await common.settings()).perform(.listUsers)
                guard case .users(let identities, let users) = outcome else { throw Failures.unexpectedReply }
                if json { return try Console.printJSON(identities) }
                Rendering.show(identities)
                for user in users where user.isStated {
                    Console.print(Console.printable("\(user.id.rawValue) is a \(user.kind.rawValue), as was stated"))
                }
            }
        }
    }

    /// `nexus users kind`.
    struct Kind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what kind of user somebody is: guests and bots read only what they are members of.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String
        @Argument(help: "member, guest or bot; or imported, to leave it to the imports again.") var kind: String

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
            abstract: "Says which users authors are: memberships and messages become the users'.",
            discussion: """
                One author by its id and the user's, or many: with --by-email each author of an import is the user whose \
                id is the author's mail address in lower case; with --csv as a file says, whose first line names the \
                columns source,externalId,userId or email,userId. Of many, all are mapped or none.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The source, as given at the import; with --by-email all sources otherwise.") var source: String?
        @Flag(help: "Users' ids are mail addresses: map every author with an address.") var byEmail = false
        @Option(help: "Map as the lines of this file say.", completion: .file()) var csv: String?
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
