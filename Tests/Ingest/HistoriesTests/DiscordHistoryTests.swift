import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct DiscordHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let ada = #"{"id": "10", "name": "ada", "discriminator": "0000", "nickname": "Ada", "isBot": false}"#
    private static let bot = #"{"id": "20", "name": "tide", "isBot": true}"#

    private static func file(_ messages: [String], type: String = "GuildTextChat") -> String {
        #"{"guild": {"id": "1", "name": "Harbor"}, "channel": {"id": "2", "type": "\#(type)", "category": "Work", "#
            + #""name": "tides", "topic": null}, "dateRange": {"after": null}, "exportedAt": "2024-01-01T00:00:00Z", "#
            + #""messages": [\#(messages.joined(separator: ","))], "messageCount": \#(messages.count)}"#
    }

    private static let messages = [
        #"{"id": "100", "type": "Default", "timestamp": "2023-05-01T08:00:00.1234567+02:00", "timestampEdited": null, "#
            + #""content": "ask <@10> or <@!99>, 1 < 2 <:anchor:55>", "author": \#(ada), "attachments": [{"id": "7", "#
            + #""url": "https://example.org/t.png", "fileName": "t.png", "fileSizeBytes": 5}], "mentions": [\#(ada)], "#
            + #""reactions": [{"emoji": {"id": "", "name": "⚓", "code": "anchor"}, "count": 1, "users": [\#(ada)]}]}"#,
        #"{"id": "101", "type": "Reply", "timestamp": "2023-05-01T06:01:00+00:00", "#
            + #""timestampEdited": "2023-05-01T06:02:00+00:00", "content": "at six", "author": \#(ada), "#
            + #""reference": {"messageId": "100", "channelId": "2", "guildId": "1"}}"#,
        #"{"id": "102", "type": "Default", "timestamp": "2023-05-01T06:03:00+00:00", "content": "", "author": \#(bot), "#
            + #""embeds": [{"title": "High water", "description": "at 18:04", "fields": [{"name": "Level", "value": "3 m"}]}]}"#,
        #"{"id": "103", "type": "ChannelPinnedMessage", "timestamp": "2023-05-01T06:04:00+00:00", "#
            + #""content": "Pinned a message.", "author": \#(ada), "reference": {"messageId": "100"}}"#,
        #"{"id": "104", "type": "Default", "timestamp": "2023-05-01T06:05:00+00:00", "content": "", "author": \#(ada), "#
            + #""reference": {"type": "Forward", "messageId": "5", "channelId": "3"}, "#
            + #""forwardedMessage": {"content": "from elsewhere", "attachments": [{"fileName": "e.pdf"}]}}"#,
        #"{"id": "105", "type": "Default", "timestamp": "yesterday", "content": "x", "author": \#(ada)}"#,
        #"{"id": "107", "type": "Reply", "timestamp": "2023-05-01T06:06:00+00:00", "content": "to you there", "#
            + #""author": \#(ada), "reference": {"messageId": "100", "channelId": "3", "guildId": "1"}}"#,
        #"{"id": "106", "type": "Default", "timestamp": "2023-05-01T06:05:00+00:00", "content": "x"}"#,
    ]

    @Test func readsAChannel() async throws {
        let result = try await bench.run(try bench.write(Self.file(Self.messages), to: "Harbor - tides.json"))

        #expect(
            result.refusals == [
                "6: field \"timestamp\": not a time such as 2025-10-23T10:30:00Z", "8: missing field \"author\"",
            ])
        #expect(result.report.skipped == [.notice: 1])
        let messages = try await bench.messages(in: "discord-2", asker: "discord-10")
        #expect(
            messages.map(\.text) == [
                "ask @Ada or <@!99>, 1 < 2 :anchor:", "at six", "High water\nat 18:04\nLevel: 3 m", "from elsewhere",
                "to you there",
            ])
        #expect(messages.map(\.kind) == [.text, .text, .bot, .text, .text])
        #expect(messages.map(\.replyToID) == [nil, "100", nil, nil, nil])
        #expect(messages[0].timestamp == Timestamp(microseconds: 1_682_920_800_123_456))
        #expect(messages[0].attachments == [Message.Attachment(name: "t.png")])
        #expect(messages[0].reactions == [Message.Reaction(emoji: "⚓", userIDs: ["discord-10"])])
        #expect(messages[1].editedAt == Timestamp(iso8601: "2023-05-01T06:02:00Z"))
        #expect(messages[3].attachments == [Message.Attachment(name: "e.pdf")])
        #expect(messages[1].url == "https://discord.com/channels/1/2/101")
        let roster = try await bench.roster(of: "discord-2", asker: "discord-10")
        #expect(roster.conversation.name == "Harbor #tides")
        #expect(roster.conversation.visibility == .members)
        #expect(roster.members.map(\.displayName) == ["Ada", "tide"])
        #expect(try await bench.store.identities().map(\.isBot) == [false, true])
    }

    @Test func severalFilesOfOneChannelBecomeOneConversation() async throws {
        let first = try bench.write(Self.file([Self.messages[0]]), to: "d/tides [part 1].json")
        try bench.write(Self.file([Self.messages[1]]), to: "d/tides [part 2].json")
        try bench.write("no chat", to: "d/notes.md")

        let result = try await bench.run(first.deletingLastPathComponent())
        let again = try await bench.run(first)

        #expect(result.report.newConversations == 1)
        #expect(result.report.insertedMessages == 2)
        #expect(result.report.skipped == [.otherFile: 1])
        #expect(again.report.unchangedMessages == 1)
        #expect(try await bench.messages(in: "discord-2", asker: "discord-10").map(\.key.messageID) == ["100", "101"])
    }

    @Test func aDirectChatHasNoName() async throws {
        _ = try await bench.run(try bench.write(Self.file([Self.messages[0]], type: "DirectTextChat"), to: "d.json"))

        let conversation = try await bench.roster(of: "discord-2", asker: "discord-10").conversation
        #expect(conversation.kind == .direct)
        #expect(conversation.name == nil)
    }

    @Test func aFileWithoutItsChannelIsRefused() async throws {
        let file = try bench.write(#"{"guild": {}, "messages": [\#(Self.messages[0])]}"#, to: "d.json")

        let result = try await bench.run(file)

        #expect(result.refusals == ["-: missing field \"channel\""])
        #expect(result.report.insertedMessages == 0)
    }
}
