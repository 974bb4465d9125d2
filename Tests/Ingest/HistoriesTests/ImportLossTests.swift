import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// What exports say beside plain texts.
@Suite struct ImportLossTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    @Test func fieldsOfAttachmentsAndSharedMessagesAreTextInSlack() async throws {
        try bench.write(#"[{"id": "U1", "name": "ada"}]"#, to: "e/users.json")
        try bench.write(#"[{"id": "C1", "name": "pier", "members": ["U1"]}]"#, to: "e/channels.json")
        try bench.write(
            #"""
            [{"subtype": "bot_message", "bot_id": "B1", "username": "Jira", "text": "", "ts": "1452837318.1", "attachments": [
               {"title": "DOCK-7", "fields": [{"title": "Priority", "value": "High"}, {"value": "open"}, {"title": "Points", "value": 3}]}]},
             {"user": "U1", "text": "see this", "ts": "1452837319.1", "attachments": [
               {"is_share": true, "author_name": "Ben", "text": "the crane is out"}, {"title": "Preview", "text": "of a link"}]}]
            """#, to: "e/pier/2016-01-15.json")

        _ = try await bench.run(bench.folder.appending(path: "e"))

        let texts = try await bench.messages(in: "slack-C1", asker: "slack-U1").map(\.text)
        #expect(texts == ["DOCK-7\nPriority: High\nopen\nPoints: 3", "see this\nthe crane is out"])
    }

    @Test func momentsOfDiscordAreTimes() async throws {
        let file = try bench.write(
            #"{"guild": {"id": "0"}, "channel": {"id": "1", "type": "DirectTextChat"}, "messages": [{"id": "1", "#
                + #""timestamp": "2023-11-14T22:13:20+00:00", "author": {"id": "5", "name": "Ada"}, "#
                + #""content": "until <t:1700000000:R> or <t:1700000060> or <t:99999999999999>"}]}"#, to: "d.json")

        _ = try await bench.run(file)

        let roster = try await bench.roster(of: "discord-1", asker: "discord-5")
        #expect(
            try await bench.messages(in: "discord-1", asker: "discord-5").map(\.text) == [
                "until 2023-11-14 22:13 UTC or 2023-11-14 22:14 UTC or <t:99999999999999>"
            ])
        #expect(roster.conversation.createdAt == Timestamp(iso8601: "2023-11-14T22:13:20Z"))
        #expect(roster.members.map(\.joinedAt) == [roster.conversation.createdAt])
    }

    @Test func aChatOfTwoOnWhatsAppIsDirectAndNamesLoseTheirTilde() async throws {
        let file = try bench.write(
            """
            [01.02.23, 10:00:00] ~ Anna: hallo
            [01.02.23, 10:01:00] Ben: \u{200E}Rechnung.pdf • \u{200E}2 Seiten \u{200E}Dokument weggelassen
            """, to: "export/_chat.txt")

        let result = try await bench.run(file)
        let id = try await bench.chat(file)

        #expect(result.report.insertedMessages == 2)
        let roster = try await bench.roster(of: id, asker: bench.person("Ben", in: id))
        #expect(roster.conversation.kind == .direct)
        #expect(roster.members.map(\.displayName) == ["Ben", "Anna"])
        let messages = try await bench.messages(in: id, asker: bench.person("Ben", in: id))
        #expect(messages.map(\.senderName) == ["Anna", "Ben"])
        #expect(messages[1].attachments == [Message.Attachment(name: "Rechnung.pdf")])
        // Dots stand between day and month, whatever else could be read.
        #expect(messages[0].timestamp == Timestamp(iso8601: "2023-02-01T10:00:00Z"))
        #expect(roster.conversation.createdAt == messages[0].timestamp)
    }

    @Test func aGroupThatTheApplicationNamedStaysAGroup() async throws {
        let text = "01.02.23, 10:00 - Ada: one\n01.02.23, 10:01 - Ben: two"
        let group = try await bench.preview(try bench.write(text, to: "WhatsApp Chat mit Crew.txt"))
        let pair = try await bench.preview(try bench.write(text, to: "WhatsApp Chat mit Ada.txt"))

        #expect(group.conversations.map(\.kind) == [.group])
        #expect(pair.conversations.map(\.kind) == [.direct])
    }

    @Test func aRepetitionLeavesTheTimesThatWereFound() async throws {
        let lines =
            #"{"id": "own", "participants": [{"id": "a"}]}"# + "\n"
            + #"{"id": "1", "conversationId": "own", "senderId": "a", "text": "x", "timestamp": 1700000000000}"#
        let file = try bench.write(lines, to: "own.jsonl")
        _ = try await bench.run(file)
        let change = try await bench.store.latestChange()

        _ = try await bench.run(file)

        #expect(try await bench.store.latestChange() == change)
    }
}
