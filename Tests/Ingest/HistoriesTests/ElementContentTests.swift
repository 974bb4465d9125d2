import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Edits, deletions and odd events of Matrix rooms.
@Suite struct ElementContentTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    /// An event of a second of the room's life.
    private static func event(
        _ second: Int, _ content: String, type: String = "m.room.message", by sender: String = "ada", more: String = ""
    ) -> String {
        #"{"type": "\#(type)", "event_id": "$\#(second)", "room_id": "!r:x", "sender": "@\#(sender):x", "#
            + #""origin_server_ts": \#(1_700_000_000_000 + second * 1_000), "content": \#(content)\#(more)}"#
    }

    private static func text(_ body: String) -> String { #"{"msgtype": "m.text", "body": "\#(body)"}"# }

    private static func edit(of second: Int, _ new: String) -> String {
        #"{"msgtype": "m.text", "body": "* x", "m.new_content": \#(new), "#
            + #""m.relates_to": {"rel_type": "m.replace", "event_id": "$\#(second)"}}"#
    }

    private static func redaction(_ second: Int, of target: Int) -> String {
        event(second, #"{"redacts": "$\#(target)"}"#, type: "m.room.redaction")
    }

    private func run(_ events: [String]) async throws -> (messages: [Message], report: ImportReport) {
        let file = try bench.write(
            #"{"room_name": "Weir", "messages": [\#(events.joined(separator: ","))]}"#, to: "room.json")
        let result = try await bench.run(file)
        #expect(result.refusals == [])
        return (try await bench.messages(in: "element-!r:x", asker: "element-@ada:x"), result.report)
    }

    private static func poll(_ question: String, _ answers: String..., stable: Bool) -> String {
        if stable {
            let list = answers.map { #"{"m.id": "a", "m.text": [{"body": "\#($0)"}]}"# }.joined(separator: ",")
            return #"{"m.poll": {"question": {"m.text": [{"body": "\#(question)"}]}, "answers": [\#(list)]}}"#
        }
        let list = answers.map { #"{"id": "a", "org.matrix.msc1767.text": "\#($0)"}"# }.joined(separator: ",")
        return
            #"{"org.matrix.msc3381.poll.start": {"question": {"org.matrix.msc1767.text": "\#(question)"}, "answers": [\#(list)]}}"#
    }

    @Test(arguments: [true, false]) func editedPollsAskTheNewQuestion(isStable: Bool) async throws {
        let type = isStable ? "m.poll.start" : "org.matrix.msc3381.poll.start"
        let new = Self.poll("Which evening?", "Tue", "Wed", stable: isStable)

        let (messages, report) = try await run([
            Self.event(1, Self.poll("Which day?", "Mon", stable: isStable), type: type),
            Self.event(2, Self.edit(of: 1, new), type: type),
        ])

        #expect(messages.map(\.text) == ["Which evening?\n• Tue\n• Wed"])
        #expect(messages.map(\.editedAt) == [Timestamp(milliseconds: 1_700_000_002_000)])
        #expect(report.skipped == [.change: 1])
    }

    @Test func editedCaptionsStayCaptions() async throws {
        let file = { (caption: String) in
            #"{"msgtype": "m.image", "filename": "gate.jpg", "body": "\#(caption)", "url": "mxc://x/1"}"#
        }

        let (messages, _) = try await run([
            Self.event(1, file("the old gate")), Self.event(2, Self.edit(of: 1, file("the new gate"))),
        ])

        #expect(messages.map(\.text) == [""])
        #expect(messages[0].attachments == [Message.Attachment(name: "gate.jpg", caption: "the new gate")])
    }

    @Test func aDeletedEditDoesNotCount() async throws {
        let (messages, _) = try await run([
            Self.event(1, Self.text("at 5")), Self.event(2, Self.edit(of: 1, Self.text("at 6"))),
            Self.event(3, Self.edit(of: 1, Self.text("at 7"))), Self.redaction(4, of: 3),
            Self.event(11, Self.text("north")),
            Self.event(
                12, Self.edit(of: 11, Self.text("south")),
                more: #", "unsigned": {"redacted_because": {"origin_server_ts": 1700000020000}}"#),
        ])

        #expect(messages.map(\.text) == ["at 6", "north"])
        #expect(messages.map(\.editedAt) == [Timestamp(milliseconds: 1_700_000_002_000), nil])
    }

    @Test func theEditInTheMessageItselfCounts() async throws {
        func bundled(_ second: Int, _ text: String, by sender: String = "ada") -> String {
            #", "unsigned": {"m.relations": {"m.replace": \#(Self.event(second, Self.edit(of: 1, Self.text(text)), by: sender))}}"#
        }

        let (messages, _) = try await run([
            Self.event(1, Self.text("at 5"), more: bundled(5, "at 6")),
            Self.event(2, Self.text("east"), more: bundled(6, "forged", by: "eve")),
            Self.event(3, Self.text("one"), more: bundled(7, "two")), Self.redaction(8, of: 7),
            Self.event(4, Self.text("low"), more: bundled(9, "lower")),
            Self.event(10, Self.edit(of: 4, Self.text("lowest"))),
        ])

        #expect(messages.map(\.text) == ["at 6", "east", "one", "lowest"])
        #expect(messages[0].editedAt == Timestamp(milliseconds: 1_700_000_005_000))
    }

    @Test func theTextOfADeletedMessageIsNotBroughtBackByItsEdits() async throws {
        let (messages, report) = try await run([
            Self.event(1, "{}", more: #", "unsigned": {"redacted_because": {"origin_server_ts": 1700000003000}}"#),
            Self.event(2, Self.edit(of: 1, Self.text("secret"))), Self.event(4, Self.text("kept")),
        ])

        #expect(messages.map(\.text) == ["kept"])
        #expect(report.deletedMessages == 1)
    }

    @Test func checksOfKeysAndCallsAreNoMessages() async throws {
        let (messages, report) = try await run([
            Self.event(1, #"{"msgtype": "m.key.verification.request", "body": "Ada wants to verify your key"}"#),
            Self.event(2, #"{"body": "accept"}"#, type: "m.key.verification.accept"),
            Self.event(3, #"{"body": "ring"}"#, type: "m.call.invite"), Self.event(4, Self.text("hello")),
        ])

        #expect(messages.map(\.text) == ["hello"])
        #expect(report.skipped == [.notice: 3])
    }

    @Test func unknownKindsKeepTheirTextAndAreNamed() async throws {
        let (messages, report) = try await run([
            Self.event(1, #"{"msgtype": "org.example.tide", "body": "3 m at 18:04"}"#),
            Self.event(2, #"{"body": "a note"}"#, type: "org.example.note"),
            Self.event(3, #"{"body": "no kind"}"#),
            Self.event(
                4, #"{"m.poll": {"shape": 5}, "m.text": [{"body": "Which day? Mon, Tue"}]}"#, type: "m.poll.start"),
        ])

        #expect(messages.map(\.text) == ["3 m at 18:04", "a note", "no kind", "Which day? Mon, Tue"])
        #expect(
            report.notes.compactMap(\.name) == [
                "matrix message org.example.tide", "matrix event org.example.note", "matrix message m.poll.start",
            ])
    }
}
