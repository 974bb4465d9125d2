import ArgumentParser
import ChatCore
import Foundation
import MessageStore

/// `nexus conversations`.
struct ConversationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversations", abstract: "Lists conversations with their ids, and shows who may read them.",
        subcommands: [List.self, Show.self])

    /// `nexus conversations list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all conversations, by id.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the conversations as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                guard case .conversations(let found) = try await session.perform(.listConversations) else {
                    throw Failures.unexpectedReply
                }
                if json { try Console.printJSON(found) } else { found.forEach { Rendering.show($0) } }
                if found.isEmpty {
                    Console.note("no conversations: add some with nexus import")
                    throw ExitCode(1)
                }
            }
        }
    }

    /// `nexus conversations show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a conversation with its members.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The conversation's id.") var conversation: String
        @Flag(help: "Print the conversation as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let id: ConversationID = try QuestionOptions.identifier(conversation, option: "the conversation")
                let session = CommandSession(settings: try await common.settings())
                guard case .conversation(let report) = try await session.perform(.showConversation(id)) else {
                    throw Failures.unexpectedReply
                }
                if json { try Console.printJSON(report) } else { Rendering.show(report) }
            }
        }
    }
}

extension Rendering {
    static func show(_ place: ConversationOverview) {
        let name = place.name.map { " \"\($0)\"" } ?? ""
        let last = place.lastMessageAt.map { ", last \($0.iso8601.prefix(16))Z" } ?? ""
        let source = place.source.map { ", from \($0)" } ?? ""
        Console.print(
            Console.printable(
                "\(place.id.rawValue)\(name) (\(place.kind.rawValue), \(readers(of: place))): "
                    + "\(place.messageCount) messages, \(place.memberCount) members\(last)\(source)"))
    }

    private static func readers(of place: ConversationOverview) -> String {
        place.visibility == .everyone ? "open to everyone but guests" : "for its members"
    }

    static func show(_ report: ConversationReport) {
        show(report.conversation)
        for person in report.people {
            let kind = person.kind == .member ? "" : " (\(person.kind.rawValue))"
            let left = person.leftAt.map { ", left \($0.iso8601.prefix(10))" } ?? ""
            Console.print(Console.printable("  \(person.userId.rawValue)  \(person.name)\(kind)\(left)"))
        }
    }
}
