import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct MattermostHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let lines = [
        #"{"type": "version", "version": 1}"#,
        #"{"type": "team", "team": {"name": "yard", "display_name": "Yard", "type": "O"}}"#,
        #"{"type": "channel", "channel": {"team": "yard", "name": "crane", "display_name": "Crane", "type": "O"}}"#,
        #"{"type": "channel", "channel": {"team": "yard", "name": "office", "display_name": "Office", "type": "P"}}"#,
        #"{"type": "user", "user": {"username": "ada", "email": "ada@example.org", "first_name": "Ada", "#
            + #""last_name": "Quist", "teams": [{"name": "yard", "channels": [{"name": "crane"}, {"name": "office"}]}]}}"#,
        #"{"type": "user", "user": {"username": "ben", "email": "ben@example.org", "nickname": "Benny", "#
            + #""teams": [{"name": "yard", "channels": [{"name": "crane"}]}]}}"#,
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "ada", "message": "is it oiled?", "#
            + #""create_at": 1600000000001, "edit_at": 1600000005000, "reactions": [{"user": "ben", "emoji_name": "ok", "#
            + #""create_at": 1600000001000}, {"user": "ada", "emoji_name": "ok", "create_at": 1600000002000}], "#
            + #""replies": [{"user": "ben", "message": "yes, today", "create_at": 1600000010000, "#
            + #""attachments": [{"path": "data/2020/oil.png"}]}, {"message": "by nobody", "create_at": 1}]}}"#,
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "ben", "message": "joined", "#
            + #""type": "system_join_channel", "create_at": 1600000020000}}"#,
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "clock", "message": "", "#
            + #""props": {"from_bot": "true", "attachments": [{"title": "Shift", "text": "begins at six"}]}, "#
            + #""create_at": 1600000030000}}"#,
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "ben", "message": "twice", "#
            + #""create_at": 1600000040000}}"#,
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "ben", "message": "twice", "#
            + #""create_at": 1600000040000}}"#,
        #"{"type": "post", "post": {"team": "yard", "channel": "lost", "user": "ben", "message": "where?", "#
            + #""create_at": 1600000040000}}"#,
        #"{"type": "direct_channel", "direct_channel": {"members": ["ben", "ada"]}}"#,
        #"{"type": "direct_post", "direct_post": {"channel_members": ["ada", "ben"], "user": "ada", "#
            + #""message": "the key is with you", "create_at": 1600000050000}}"#,
        #"{"type": "emoji", "emoji": {"name": "crane"}}"#, "", "half a li",
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": 5.5, "create_at": 1}}"#,
    ]

    private func file(_ name: String = "export.jsonl") throws -> URL {
        try bench.write(Self.lines.joined(separator: "\n"), to: name)
    }

    @Test func readsChannelsPeoplePostsAndReplies() async throws {
        let result = try await bench.run(try file())

        #expect(result.report.newConversations == 3)
        #expect(result.report.insertedMessages == 6)
        #expect(result.report.skipped == [.notice: 1])
        #expect(
            result.refusals == [
                "7: reply: missing field \"user\"", "12: unknown conversation", "17: not valid JSON",
                "18: field \"user\" has the wrong type",
            ])
        let messages = try await bench.messages(in: "mattermost-yard:crane", asker: "mattermost-ada")
        #expect(messages.map(\.text) == ["is it oiled?", "yes, today", "Shift\nbegins at six", "twice", "twice"])
        #expect(messages.map(\.senderName) == ["Ada Quist", "Benny", "clock", "Benny", "Benny"])
        #expect(messages.map(\.kind) == [.text, .text, .bot, .text, .text])
        #expect(messages[0].timestamp == Timestamp(milliseconds: 1_600_000_000_001))
        #expect(messages[0].editedAt == Timestamp(milliseconds: 1_600_000_005_000))
        #expect(
            messages[0].reactions == [Message.Reaction(emoji: "🆗", userIDs: ["mattermost-ben", "mattermost-ada"])])
        #expect(messages[1].threadRootID == messages[0].key.messageID)
        #expect(messages[1].attachments == [Message.Attachment(name: "oil.png")])
        #expect(Set(messages.map(\.key.messageID)).count == 5)
        #expect(
            try await bench.lines(in: "mattermost-direct:ada,ben", asker: "mattermost-ben") == [
                "2020-09-13T12:27:30 Ada Quist: the key is with you"
            ])
    }

    @Test func keepsWhoMayReadAndWhoIsWho() async throws {
        _ = try await bench.run(try file())

        let crane = try await bench.roster(of: "mattermost-yard:crane", asker: "mattermost-ada")
        #expect(crane.conversation.visibility == .members)
        #expect(crane.conversation.name == "Crane")
        #expect(crane.members.map(\.userID) == ["mattermost-ada", "mattermost-ben"])
        let office = try await bench.roster(of: "mattermost-yard:office", asker: "mattermost-ada")
        #expect(office.conversation.visibility == .members)
        #expect(office.members.map(\.userID) == ["mattermost-ada"])
        let direct = try await bench.roster(of: "mattermost-direct:ada,ben", asker: "mattermost-ada")
        #expect(direct.conversation.kind == .direct)
        #expect(direct.members.map(\.displayName) == ["Ada Quist", "Benny"])
        #expect(
            try await bench.store.identities().map { "\($0.externalID) \($0.name ?? "-") \($0.email ?? "-")" } == [
                "mattermost-ada Ada Quist ada@example.org", "mattermost-ben Benny ben@example.org",
                "mattermost-clock - -",
            ])
    }

    @Test func aRepetitionChangesNothing() async throws {
        _ = try await bench.run(try file())
        let change = try await bench.store.latestChange()

        let result = try await bench.run(try file("again/export.jsonl"))

        #expect(result.report.unchangedMessages == 6)
        #expect(result.report.insertedMessages + result.report.updatedMessages == 0)
        #expect(try await bench.store.latestChange() == change)
    }

    @Test func anotherSourceIsAnotherWorld() async throws {
        _ = try await bench.run(try file())

        let result = try await bench.run(try file(), options: HistoryOptions(source: "old-yard"))

        #expect(result.report.newConversations == 3)
        #expect(result.report.insertedMessages == 6)
        #expect(try await bench.messages(in: "old-yard-yard:crane", asker: "old-yard-ada").count == 5)
    }
}
