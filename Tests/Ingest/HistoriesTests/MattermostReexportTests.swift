import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// A second bulk export of Mattermost: posts have no ids, and people have user names, which change.
@Suite struct MattermostReexportTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static func user(_ name: String, _ email: String) -> String {
        #"{"type": "user", "user": {"username": "\#(name)", "email": "\#(email)", "#
            + #""teams": [{"name": "yard", "channels": [{"name": "dock"}]}]}}"#
    }

    private static func post(
        _ user: String, _ text: String, _ time: Int, reactions: String = "[]", replies: String = "[]"
    ) -> String {
        #"{"type": "post", "post": {"team": "yard", "channel": "dock", "user": "\#(user)", "message": "\#(text)", "#
            + #""create_at": \#(1_700_000_000_000 + time), "reactions": \#(reactions), "replies": \#(replies)}}"#
    }

    private static func reply(_ user: String, _ text: String, _ time: Int) -> String {
        #"[{"user": "\#(user)", "message": "\#(text)", "create_at": \#(1_700_000_000_000 + time)}]"#
    }

    private static func direct(_ one: String, _ two: String, _ posts: [(user: String, text: String, time: Int)])
        -> [String]
    {
        [#"{"type": "direct_channel", "direct_channel": {"members": ["\#(one)", "\#(two)"]}}"#]
            + posts.map { post in
                #"{"type": "direct_post", "direct_post": {"channel_members": ["\#(one)", "\#(two)"], "#
                    + #""user": "\#(post.user)", "message": "\#(post.text)", "#
                    + #""create_at": \#(1_700_000_000_000 + post.time)}}"#
            }
    }

    private static let head = [
        #"{"type": "version", "version": 1}"#, #"{"type": "team", "team": {"name": "yard", "type": "O"}}"#,
        #"{"type": "channel", "channel": {"team": "yard", "name": "dock", "display_name": "Dock", "type": "O"}}"#,
    ]

    private static func export(eve: String, with more: [String] = []) -> [String] {
        head + [user("mara", "mara@ex.example"), user(eve, "eve@ex.example")] + more + [
            post("mara", "who moves the crane?", 0, replies: reply(eve, "me", 5)), post("mara", "thanks", 9),
        ] + direct("mara", eve, [(eve, "the code is with me", 20)])
    }

    private func write(_ lines: [String]) throws -> URL {
        try bench.write(lines.joined(separator: "\n"), to: "\(UUID().uuidString)/import.jsonl")
    }

    private func stored(_ id: ConversationID) async throws -> [ImportedLine] {
        try await bench.store.importedLines(of: id, after: .start, limit: 100)
    }

    private static let direct: ConversationID = "mattermost-direct:eve,mara"

    @Test func aUserWithAnotherNameIsTheSamePerson() async throws {
        _ = try await bench.run(try write(Self.export(eve: "eve")))
        let before = try await (stored("mattermost-yard:dock"), stored(Self.direct))
        let file = try write(Self.export(eve: "eve.holt"))

        let preview = try await bench.comparison(file)
        let report = try await bench.run(file).report

        #expect(report.unchangedMessages == 4)
        #expect(report.insertedMessages + report.updatedMessages + report.newConversations == 0)
        #expect(report.renamed.map { "\($0.id) \($0.from) \($0.to)" } == ["mattermost-eve eve eve.holt"])
        #expect(preview.conversations.map(\.id) == ["mattermost-direct:eve,mara", "mattermost-yard:dock"])
        #expect(preview.conversations.map(\.comparison?.same) == [1, 3])
        #expect(try await stored("mattermost-yard:dock") == before.0)
        #expect(try await stored(Self.direct) == before.1)
        let members = try await bench.store.roster(of: Self.direct).members
        #expect(members.map(\.userID) == ["mattermost-eve", "mattermost-mara"])
        #expect(members.first?.aliases.contains("eve") == true)
    }

    @Test func aUserNameThatBecameFreeIsThatOfSomebodyElse() async throws {
        _ = try await bench.run(try write(Self.export(eve: "eve")))
        let second = Self.export(eve: "eve.holt", with: [Self.user("eve", "another@ex.example")])
        let news = Self.direct("eve", "mara", [("eve", "hello, I am new", 900)])

        let report = try await bench.run(try write(second + news)).report

        #expect(report.unchangedMessages == 4)
        #expect(report.insertedMessages == 1)
        #expect(report.newConversations == 1)
        #expect(try await stored(Self.direct).map(\.text) == ["the code is with me"])
        let scope = SearchScope(asker: "mattermost-eve", conversations: .all)
        let readable = try await bench.store.permitted(scope, at: .second(0)).map(\.id)
        #expect(readable == [Self.direct, "mattermost-yard:dock"])
        let dock = try await bench.store.roster(of: "mattermost-yard:dock").members
        #expect(dock.count == 3)
    }

    @Test func aRemovedPostOfAMillisecondOverwritesNothing() async throws {
        let people = Self.head + [Self.user("mara", "mara@ex.example")]
        let posts = ["one", "two", "three"].map { Self.post("mara", $0, 7) }
        _ = try await bench.run(try write(people + posts))
        let before = try await stored("mattermost-yard:dock")

        let report = try await bench.run(try write(people + posts.dropFirst() + [Self.post("mara", "four", 7)])).report

        #expect(report.unchangedMessages == 2)
        #expect(report.insertedMessages == 1)
        #expect(report.updatedMessages == 0)
        #expect(report.missingMessages == 1)
        let after = try await stored("mattermost-yard:dock")
        #expect(after.dropLast() == before[...])
        #expect(after.last?.text == "four")
    }

    @Test func reactionsAndAnswersOfKnownPostsAreTaken() async throws {
        let people = Self.head + [Self.user("mara", "mara@ex.example"), Self.user("eve", "eve@ex.example")]
        _ = try await bench.run(try write(people + [Self.post("mara", "x", 7), Self.post("mara", "lunch?", 7)]))
        let root = try #require(try await stored("mattermost-yard:dock").last)
        // Without the first post, the made-up id of the second one is that of the first.
        let reactions = #"[{"user": "eve", "emoji_name": "soup", "create_at": 1}]"#
        let second =
            people + [
                Self.post("mara", "lunch?", 7, reactions: reactions, replies: Self.reply("eve", "at noon", 8))
            ]

        let report = try await bench.run(try write(second)).report

        #expect(report.updatedMessages == 1)
        #expect(report.insertedMessages == 1)
        let key = MessageKey(conversationID: "mattermost-yard:dock", messageID: root.id)
        let message = try #require(try await bench.store.stored([key])[key])
        #expect(message.text == "lunch?")
        #expect(message.reactions == [Message.Reaction(emoji: ":soup:", userIDs: ["mattermost-eve"])])
        let answer = try #require(try await stored("mattermost-yard:dock").last)
        let answerKey = MessageKey(conversationID: "mattermost-yard:dock", messageID: answer.id)
        #expect(try await bench.store.stored([answerKey])[answerKey]?.threadRootID == root.id)
    }
}
