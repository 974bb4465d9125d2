import ArgumentParser
import ChatCore
import Connectors
import MessageStore

/// `nexus connections`.
struct ConnectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections", abstract: "Manages the connections to Matrix, Mattermost and Slack.",
        discussion: """
            Credentials are settings; see docs/connect-matrix.md, connect-mattermost.md and connect-slack.md. A \
            connection is named matrix, mattermost or slack.
            """,
        subcommands: [
            List.self, Test.self, Pause.self, Resume.self, LeaveOut.self, TakeIn.self, Disconnect.self,
            Links.self, Unlink.self,
        ], defaultSubcommand: List.self)

    /// `nexus connections list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the connections and their rooms, with what was left out and why.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the connections as JSON.") var json = false

        func run() async throws {
            try await ConnectionsCommand.show(.listConnections, common, asJSON: json)
        }
    }

    /// `nexus connections test`.
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Calls the server with the configured credentials.",
            discussion: "Exit codes: 0 all work, 2 one does not.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String
        @Flag(help: "Print the result as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                guard
                    case .connectionTested(let checks) = try await session.perform(.testConnection(source: connection))
                else { throw Failures.unexpectedReply }
                if json {
                    try Console.printJSON(checks)
                } else {
                    for check in checks {
                        let verdict = check.isWorking ? "works" : "does not work"
                        Console.print(Console.printable("\(check.setting) \(verdict): \(check.detail)"))
                    }
                }
                if checks.contains(where: { !$0.isWorking }) { throw ExitCode(2) }
            }
        }
    }

    /// `nexus connections pause`.
    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pauses a connection: it neither reads nor answers until it is resumed, also after a restart.",
            discussion: """
                What is stored stays readable. Nexus does not hear meanwhile who leaves a room: these people read what \
                is stored until the connection is resumed.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String

        func run() async throws {
            try await ConnectionsCommand.show(.setConnection(source: connection, isActive: false), common)
        }
    }

    /// `nexus connections resume`.
    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resumes a connection, or connects again what was disconnected, and reads what was missed.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String

        func run() async throws {
            try await ConnectionsCommand.show(.setConnection(source: connection, isActive: true), common)
        }
    }

    /// `nexus connections leave-out`.
    struct LeaveOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave-out",
            abstract: "Leaves out a room: nothing of it is read, and nobody reads it in Nexus.",
            discussion: "What is stored stays until it is erased (nexus erase --conversation ID).")

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String
        @Argument(help: "The id of the room, as nexus connections shows it.") var room: String

        func run() async throws {
            try await ConnectionsCommand.show(
                .setRoom(source: connection, room: room, isLeftOut: true), common)
        }
    }

    /// `nexus connections take-in`.
    struct TakeIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "take-in", abstract: "Reads a room again that was left out, from its beginning.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String
        @Argument(help: "The id of the room, as nexus connections shows it.") var room: String

        func run() async throws {
            try await ConnectionsCommand.show(
                .setRoom(source: connection, room: room, isLeftOut: false), common)
        }
    }

    /// `nexus connections disconnect`.
    struct Disconnect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a connection and erases everything that came from there, permanently.",
            discussion: """
                It erases the conversations with their messages, files, vectors and answers, and the names of people \
                who have nothing else in Nexus. Imports of exports stay. Without --yes it only counts. Backups are not \
                changed, and nothing is deleted in the other chat. If it ends early, the same command completes it.

                Exit codes: 0 erased, 1 not confirmed, 2 failed, or remains were found.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String
        @Flag(help: "Confirm the erasure.") var yes = false
        @Flag(help: "Print the report as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                let outcome = try await session.perform(.disconnect(source: connection, isConfirmed: yes))
                guard case .erased(let report) = outcome else { throw Failures.unexpectedReply }
                if json { try Console.printJSON(report) } else { Rendering.show(report) }
                guard let proof = report.proof else { throw ExitCode(1) }
                if !proof.remains.isEmpty { throw ExitCode(2) }
            }
        }
    }

    /// `nexus connections links`.
    struct Links: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the people of other chats who are joined with accounts.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the links as JSON.") var json = false

        func run() async throws {
            try await ConnectionsCommand.showLinks(.listLinks, common, asJSON: json)
        }
    }

    /// `nexus connections unlink`.
    struct Unlink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends the link of a person of another chat: the account reads nothing of that person any more.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "matrix, mattermost or slack.") var connection: String
        @Argument(help: "The person's id, as nexus connections links shows it.") var person: String

        func run() async throws {
            try await ConnectionsCommand.showLinks(.endLink(source: connection, author: person), common)
        }
    }

    fileprivate static func showLinks(
        _ command: OperatorCommand, _ common: CommonOptions, asJSON: Bool = false
    ) async throws {
        try await Failures.reported {
            let session = CommandSession(settings: try await common.settings())
            guard case .links(let links) = try await session.perform(command) else { throw Failures.unexpectedReply }
            if asJSON { return try Console.printJSON(links) }
            for link in links {
                let way = link.way == .email ? "mail address" : "code"
                let person = link.name.map { "\(link.authorID) (\($0))" } ?? link.authorID
                Console.print(
                    Console.printable(
                        "\(link.source): \(person) is \(link.userID.rawValue), by \(way), since \(link.linkedAt.iso8601)"
                    ))
            }
            if links.isEmpty { Console.note("nobody is joined with an account") }
        }
    }

    fileprivate static func show(
        _ command: OperatorCommand, _ common: CommonOptions, asJSON: Bool = false
    ) async throws {
        try await Failures.reported {
            let session = CommandSession(settings: try await common.settings())
            guard case .connections(let all) = try await session.perform(command) else {
                throw Failures.unexpectedReply
            }
            if asJSON { return try Console.printJSON(all) }
            for line in all.flatMap(\.lines) { Console.print(Console.printable(line)) }
        }
    }
}
