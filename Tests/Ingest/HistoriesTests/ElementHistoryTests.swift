import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct ElementHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static func event(
        _ id: String, _ content: String, type: String = "m.room.message", sender: String = "@ada:example.org",
        more: String = ""
    ) -> String {
        #"{"type": "\#(type)", "event_id": "$\#(id)", "room_id": "!r:example.org", "sender": "\#(sender)", "#
            + #""origin_server_ts": 170000000000\#(id.utf8.last.map { $0 % 10 } ?? 0), "content": \#(content)\#(more)}"#
    }

    private static let events = [
        event(
            "a1", #"{"membership": "join", "displayname": "Ada"}"#, type: "m.room.member",
            more: #", "state_key": "@ada:example.org", "unsigned": {"prev_content": {"membership": "join"}}"#),
        event("a2", #"{"msgtype": "m.text", "body": "lamp 3 is out"}"#),
        event(
            "a3",
            #"{"msgtype": "m.text", "body": "> <@ada:example.org> lamp 3 is out\n> still\n\nI go", "#
                + #""m.relates_to": {"m.in_reply_to": {"event_id": "$a2"}}}"#, sender: "@ben:example.org"),
        event(
            "a4",
            #"{"msgtype": "m.text", "body": "* lamp 4 is out", "m.new_content": {"msgtype": "m.text", "#
                + #""body": "lamp 4 is out"}, "m.relates_to": {"rel_type": "m.replace", "event_id": "$a2"}}"#),
        event(
            "a5",
            #"{"msgtype": "m.text", "body": "* fake", "m.new_content": {"body": "fake"}, "#
                + #""m.relates_to": {"rel_type": "m.replace", "event_id": "$a2"}}"#, sender: "@ben:example.org"),
        event(
            "a6",
            #"{"msgtype": "m.text", "body": "bulb is here", "m.relates_to": {"rel_type": "m.thread", "#
                + #""event_id": "$a2", "is_falling_back": true, "m.in_reply_to": {"event_id": "$a3"}}}"#),
        event(
            "b3",
            #"{"msgtype": "m.text", "body": "* forged", "m.new_content": {"body": "forged"}, "#
                + #""m.relates_to": {"rel_type": "m.replace", "event_id": "$a6"}}"#, sender: "@ben:example.org"),
        event("a7", #"{"msgtype": "m.text", "body": "secret by mistake"}"#),
        event("a8", "{}", type: "m.room.redaction", more: #", "redacts": "$a7""#),
        event("a9", "{}", more: #", "unsigned": {"redacted_because": {"origin_server_ts": 1700000000099}}"#),
        event(
            "b0",
            #"{"msgtype": "m.image", "body": "the lamp", "filename": "lamp.jpg", "info": {"mimetype": "image/jpeg"}}"#),
        event("b1", #"{"m.relates_to": {"rel_type": "m.annotation", "key": "👍"}}"#, type: "m.reaction"),
        event("b2", #"{"msgtype": "m.notice", "body": "> quoted by hand"}"#),
        #"{"type": "m.room.message", "sender": "@ada:example.org", "content": {"msgtype": "m.text", "body": "x"}}"#,
    ]

    private func file(_ name: String = "matrix.json") throws -> URL {
        try bench.write(
            #"{"room_name": "Lamps", "room_creator": "@ada:example.org", "topic": "", "export_date": "1.1.2024", "#
                + #""exported_by": "@ada:example.org", "messages": [\#(Self.events.joined(separator: ","))]}"#, to: name
        )
    }

    @Test func appliesEditsAndDeletionsAndTellsAnswersFromThreads() async throws {
        let result = try await bench.run(try file())

        #expect(result.refusals == ["14: missing field \"event_id\""])
        #expect(result.report.deletedMessages == 2)
        #expect(result.report.skipped == [.notice: 1, .change: 5])
        let messages = try await bench.messages(in: "element-!r:example.org", asker: "element-@ada:example.org")
            .sorted { $0.key.messageID < $1.key.messageID }
        #expect(messages.map(\.key.messageID) == ["$a2", "$a3", "$a6", "$b0", "$b2"])
        #expect(messages.map(\.text) == ["lamp 4 is out", "I go", "bulb is here", "", "> quoted by hand"])
        #expect(messages.map(\.senderName) == ["Ada", "@ben:example.org", "Ada", "Ada", "Ada"])
        #expect(messages.map(\.replyToID) == [nil, "$a2", nil, nil, nil])
        #expect(messages.map(\.threadRootID) == [nil, nil, "$a2", nil, nil])
        #expect(messages.map(\.kind) == [.text, .text, .text, .text, .bot])
        #expect(messages[0].timestamp == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(messages[0].editedAt == Timestamp(milliseconds: 1_700_000_000_002))
        #expect(messages[0].url == "https://matrix.to/#/%21r%3Aexample.org/%24a2")
        #expect(
            messages[3].attachments == [Message.Attachment(name: "lamp.jpg", type: "image/jpeg", caption: "the lamp")])
        let roster = try await bench.roster(of: "element-!r:example.org", asker: "element-@ada:example.org")
        #expect(roster.conversation.name == "Lamps")
        #expect(roster.members.map(\.displayName) == ["Ada", "@ben:example.org"])
    }

    @Test func aRepetitionChangesNothing() async throws {
        _ = try await bench.run(try file())
        let change = try await bench.store.latestChange()

        let again = try await bench.run(try file("again.json"))

        #expect(again.report.unchangedMessages == 5)
        #expect(again.report.deletedMessages == 2)
        #expect(try await bench.store.latestChange() == change)
    }
}
