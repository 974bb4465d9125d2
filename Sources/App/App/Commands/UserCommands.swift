import ArgumentParser
import ChatCore
import Foundation
import Glibc
import UseCases

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
                A column conversation says in which conversation the name of a line is meant.

                Exports of some applications have names instead of ids. A name may be that of several people: if it is \
                in several conversations, the command lists them and asks, or needs --yes. --conversation maps the \
                name of one conversation.

                Exit codes: 0 mapped, 1 not confirmed or nobody to map, 2 failed.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The source, as given at the import; with --by-email the default is all sources.")
        var source: String?
        @Flag(help: "Map every author with a mail address to the user with this address as id.") var byEmail = false
        @Option(help: "Map the authors in the lines of this file.", completion: .file()) var csv: String?
        @Option(help: "Map the name in this conversation only.") var conversation: String?
        @Flag(help: "Confirm that a name is one person in all its conversations.") var yes = false
        @Argument(help: "The author's id in the source, or its name.") var author: String?
        @Argument(help: "The user's id.") var user: String?

        func validate() throws {
            let ways = [byEmail, csv != nil, author != nil || user != nil].count { $0 }
            guard ways == 1, (author == nil) == (user == nil) else {
                throw ValidationError("give an author and a user, or --by-email, or --csv with a file")
            }
            guard conversation == nil || author != nil else {
                throw ValidationError("--conversation needs an author and a user")
            }
        }

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                let outcome = try await session.perform(try command(isConfirmed: yes))
                guard case .mappingUnconfirmed(let names) = outcome else { return try show(outcome) }
                guard Self.isSure(names) else { throw ExitCode(1) }
                try show(try await session.perform(try command(isConfirmed: true)))
            }
        }

        private func show(_ outcome: OperatorOutcome) throws {
            switch outcome {
            case .mapped(let count, let conversationCount):
                let places = conversationCount.map { " in \($0) conversation\($0 == 1 ? "" : "s")" } ?? ""
                Console.print(
                    "\(Console.printable(author ?? "")) is \(Console.printable(user ?? "")): \(count) messages\(places)"
                )
            case .mappedUsers(let lines, let count):
                for line in lines {
                    Console.print(Console.printable("\(line.author)  ->  \(line.userID.rawValue)"))
                }
                Console.print("mapped: \(lines.count) authors, \(count) messages")
                if lines.isEmpty { throw ExitCode(1) }
            default: throw Failures.unexpectedReply
            }
        }

        /// The most conversations that are listed.
        private static let placeLimit = 20

        /// Lists the conversations of names, and asks whether each name is one person.
        private static func isSure(_ names: [NamePlaces]) -> Bool {
            let count = Set(names.flatMap(\.places).map(\.id)).count
            let shown = Set(names.map(\.name)).sorted().joined(separator: ", ")
            Console.note(Console.line("\(shown): a name in \(count) conversations"))
            let places = names.flatMap { name in name.places.map { (author: name.author, place: $0) } }
            for (author, place) in places.prefix(placeLimit) {
                let title = place.name.map { " \"\($0)\"" } ?? ""
                Console.note(
                    Console.line("  \(place.id.rawValue)\(title): \(author), \(place.messageCount) messages"))
            }
            if places.count > placeLimit { Console.note("  and \(places.count - placeLimit) more") }
            Console.note("If these are several people, they would read each other's conversations.")
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
                Console.note(
                    "nothing was mapped: repeat with --yes if it is one person, or with --conversation ID for one of them"
                )
                return false
            }
            Console.write("Is it one person? [y/N] ", to: STDERR_FILENO)
            let isSure = ["y", "yes"].contains(readLine()?.lowercased() ?? "")
            if !isSure { Console.note("nothing was mapped") }
            return isSure
        }

        private func command(isConfirmed: Bool) throws -> OperatorCommand {
            if byEmail { return .mapUsersByEmail(source: source) }
            if let csv {
                guard let data = FileManager.default.contents(atPath: csv),
                    let text = String(data: data, encoding: .utf8)
                else { throw OperatorFailure(message: "\(csv) cannot be read as text in UTF-8") }
                return .mapUsers(try MappingFile.read(text), isConfirmed: isConfirmed)
            }
            guard let userID = UserID(validating: user ?? "") else {
                throw ValidationError("the user's id is empty, too long or has control characters")
            }
            let place = try conversation.map { id in
                guard let place = ConversationID(validating: id) else {
                    throw ValidationError("--conversation must be an id")
                }
                return place
            }
            return .mapUser(
                Identity(source: source ?? "import", externalID: author ?? "", userID: userID), conversation: place,
                isConfirmed: isConfirmed)
        }
    }
}
