import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Groups of Telegram that became supergroups, and who may read chats by their type.
@Suite struct TelegramMigrationTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static func text(_ id: Int, _ text: String, from user: Int, at second: Int, more: String = "") -> String {
        #"{"id": \#(id), "type": "message", "date_unixtime": "\#(1_700_000_000 + second)", "from": "Person \#(user)", "#
            + #""from_id": "user\#(user)", "text": "\#(text)"\#(more)}"#
    }

    private static func notice(_ id: Int, _ action: String, at second: Int, title: String = "Buoys") -> String {
        #"{"id": \#(id), "type": "service", "date_unixtime": "\#(1_700_000_000 + second)", "actor": "Ada", "#
            + #""action": "\#(action)", "title": "\#(title)", "text": ""}"#
    }

    private static func chat(_ id: Int, _ type: String, _ messages: [String], name: String = "Buoys") -> String {
        #"{"name": "\#(name)", "type": "\#(type)", "id": \#(id), "messages": [\#(messages.joined(separator: ","))]}"#
    }

    private func run(_ chats: String...) async throws -> HistoryBench.Result {
        let list = chats.joined(separator: ",")
        return try await bench.run(
            try bench.write(
                #"{"personal_information": {"user_id": 1}, "chats": {"list": [\#(list)]}}"#, to: "result.json"))
    }

    private static let group = chat(
        7, "private_group",
        [
            text(1, "before", from: 1, at: 0), text(2, "yes", from: 2, at: 1, more: #", "reply_to_message_id": 1"#),
            notice(3, "migrate_to_supergroup", at: 10),
        ])

    @Test func aGroupAndItsSupergroupAreOneConversation() async throws {
        let supergroup = Self.chat(
            99, "private_supergroup",
            [Self.notice(1, "migrate_from_group", at: 11), Self.text(2, "after", from: 1, at: 20)], name: "Buoys 2")

        let result = try await run(Self.group, supergroup)

        #expect(result.report.newConversations == 1)
        let messages = try await bench.messages(in: "telegram-channel99", asker: "telegram-user2")
        #expect(messages.map(\.text) == ["before", "yes", "after"])
        #expect(messages.map(\.key.messageID) == ["-999999999", "-999999998", "2"])
        #expect(messages[1].replyToID == "-999999999")
        #expect(messages.map { $0.url == nil } == [true, true, false])
        #expect(try await bench.store.roster(of: "telegram-channel99").conversation.name == "Buoys 2")
    }

    @Test(arguments: ["public", "late", "renamed", "newcomer"])
    func otherSupergroupsStayApart(kind: String) async throws {
        let title = kind == "renamed" ? "Lamps" : "Buoys"
        let writer = kind == "newcomer" ? 3 : 1
        let supergroup = Self.chat(
            99, kind == "public" ? "public_supergroup" : "private_supergroup",
            [
                Self.notice(1, "migrate_from_group", at: kind == "late" ? 5_000 : 11, title: title),
                Self.text(2, "after", from: writer, at: 6_000),
            ])

        let result = try await run(Self.group, supergroup)

        #expect(result.report.newConversations == 2)
        #expect(try await bench.messages(in: "telegram-chat7", asker: "telegram-user2").count == 2)
        await #expect(throws: RepositoryError.noSuchConversation("telegram-chat7")) {
            _ = try await bench.messages(in: "telegram-chat7", asker: "telegram-user3")
        }
    }

    @Test(arguments: [
        ("public_supergroup", Conversation.Visibility.everyone, 0), ("public_channel", .everyone, 0),
        ("private_channel", .members, 0), ("private_supergroup", .members, 0), ("public_wall", .members, 1),
        ("", .members, 1),
    ])
    func onlyKnownWordsOpenAChat(type: String, visibility: Conversation.Visibility, noteCount: Int) async throws {
        let file = try bench.write(Self.chat(7, type, [Self.text(1, "x", from: 1, at: 0)]), to: "result.json")

        let result = try await bench.run(file, options: HistoryOptions(format: .telegram))

        let roster = try await bench.store.roster(of: "telegram-channel7")
        #expect(roster.conversation.visibility == visibility)
        #expect(result.report.notes.filter { $0.kind == .membersOnly }.count == noteCount)
    }
}
