import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// The folder of Synapse's `export-data`: objects one behind the other, without ids of events.
@Suite struct SynapseHistoryTests {
    private let bench: HistoryBench
    private static let conversation: ConversationID = "matrix-!r:home.test"
    private static let (ada, ben) = ("@ada:home.test", "@ben:home.test")

    /// The ids of events in a room, as another program computed them.
    private struct IDs {
        let room: String
        let (lamp, answer, thread, secret): (String, String, String, String)
    }

    private static let old = IDs(
        room: "!r:home.test", lamp: "$LjHv3sKyFKOBtk2MpqnOAo6VWv3OcUMtTaWz5G-nEoY",
        answer: "$yL2x7J_46waFN0eaJupJCoyo-PEOwwHM2OD13POBgp4", thread: "$_GeSK14c7-jBsAk-ksyJQAF2bkPb4xgigvvwt0siaMQ",
        secret: "$xd48_vZara01p1EOiLKIucBWndar9MoRVnvXr-fi5a0")
    private static let new = IDs(
        room: "!rVjJR5qeUvdEQ-sHHFX7ToR0r3oGd9BeuuT-6iNvagA", lamp: "$di_vj_B-DU32l_iLTPp1SFsu-Br9l-XX5BfQB7Ret78",
        answer: "$HXE4cu8Z3kSIngfDS5yeNSvcGLauIwwFgx9AOJ0xXN4", thread: "$iBg2sNgIbJkpi-ML6XV2l6fOrHznNocAo2zD6IfHvxc",
        secret: "$sNJL-3W3TXg00pRqjC_3W6Xr6Z0PEtT8UrrHYiBE3eU")

    init() throws {
        bench = try HistoryBench()
    }

    /// An event as Synapse writes it; `number` gives its time, depth and hash.
    private static func event(
        _ number: Int, _ type: String, _ sender: String, _ content: String, in room: String?, more: String = ""
    ) -> String {
        #"{"auth_events": ["$a"], "prev_events": ["$p"], "type": "\#(type)", "sender": "\#(sender)", "content": \#(content), "#
            + #""depth": \#(number), "hashes": {"sha256": "x\#(number)"}, "origin_server_ts": \#(1_700_000_000_000 + number * 1_000), "#
            + #""unsigned": {"age": 5}, "signatures": {"home.test": {"ed25519:a": "s"}}"#
            + (room.map { #", "room_id": "\#($0)""# } ?? "") + more + "}"
    }

    private static func edit(of id: String, _ text: String) -> String {
        #"{"msgtype": "m.text", "body": "* \#(text)", "m.new_content": {"msgtype": "m.text", "body": "\#(text)"}, "#
            + #""m.relates_to": {"rel_type": "m.replace", "event_id": "\#(id)"}}"#
    }

    private static func relation(_ text: String, _ relation: String) -> String {
        #"{"msgtype": "m.text", "body": "\#(text)", "m.relates_to": \#(relation)}"#
    }

    /// The beginning of a room: its creation, people, name and rule.
    private static func state(_ ids: IDs, version: Int, visibility: String = "shared") -> [String] {
        let creation = #"{"creator": "\#(ada)", "room_version": "\#(version)"}"#
        let key = #", "state_key": """#
        return [
            event(1, "m.room.create", ada, creation, in: version < 12 ? ids.room : nil, more: key),
            event(
                2, "m.room.member", ada, #"{"membership": "join", "displayname": "Ada"}"#, in: ids.room,
                more: #", "state_key": "\#(ada)""#),
            event(3, "m.room.name", ada, #"{"name": "Lamps"}"#, in: ids.room, more: key),
            event(
                4, "m.room.history_visibility", ada, #"{"history_visibility": "\#(visibility)"}"#, in: ids.room,
                more: key),
            event(
                5, "m.room.member", ben,
                #"{"membership": "join", "displayname": "B\u00e9n \u2603 \ud83d\udca1"}"#, in: ids.room,
                more: #", "state_key": "\#(ben)""#),
        ]
    }

    private static func messages(_ ids: IDs, version: Int) -> [String] {
        let answered = #"{"event_id": "\#(ids.lamp)"}"#
        let thread =
            #"{"rel_type": "m.thread", "event_id": "\#(ids.lamp)", "is_falling_back": true, "#
            + #""m.in_reply_to": {"event_id": "\#(ids.answer)"}}"#
        let isNew = version >= 11
        return [
            event(
                6, "m.room.message", ada, #"{"msgtype": "m.text", "body": "lamp 3 is out \"{\\\u00e9\u0001"}"#,
                in: ids.room),
            event(7, "m.room.message", ada, edit(of: ids.lamp, "lamp 4 is out"), in: ids.room),
            event(8, "m.room.message", ben, relation("I go", #"{"m.in_reply_to": \#(answered)}"#), in: ids.room),
            event(9, "m.room.message", ada, relation("thanks", thread), in: ids.room),
            // A deleted message is empty, and has no word about that; its edits keep their text.
            event(10, "m.room.message", ben, "{}", in: ids.room),
            event(11, "m.room.message", ben, edit(of: ids.secret, "secret edit"), in: ids.room),
            event(
                12, "m.room.redaction", ben, isNew ? #"{"redacts": "\#(ids.secret)"}"# : "{}", in: ids.room,
                more: isNew ? "" : #", "redacts": "\#(ids.secret)""#),
        ]
    }

    private func write(_ events: [String], of ids: IDs, to name: String = "events") throws {
        try bench.write(events.joined(), to: "export/rooms/\(ids.room)/\(name)")
    }

    private var export: URL { bench.folder.appending(path: "export") }

    @Test(arguments: [10, 12]) func editsAnswersAndDeletionsFindTheirMessages(version: Int) async throws {
        let ids = version < 12 ? Self.old : Self.new
        try write(Self.state(ids, version: version) + Self.messages(ids, version: version), of: ids)
        try bench.write(#"{"displayname": "Ada"}"#, to: "export/user_data/profile")
        let result = try await bench.run(export)

        #expect(result.refusals == [])
        #expect(result.report.deletedMessages == 1)
        let id = ConversationID(rawValue: "matrix-\(ids.room)")
        let messages = try await bench.messages(in: id, asker: "matrix-@ada:home.test")
        #expect(messages.map(\.text) == ["lamp 4 is out", "I go", "thanks"])
        #expect(messages.map(\.key.messageID.rawValue) == [ids.lamp, ids.answer, ids.thread])
        #expect(messages.map(\.replyToID?.rawValue) == [nil, ids.lamp, nil])
        #expect(messages.map(\.threadRootID?.rawValue) == [nil, nil, ids.lamp])
        #expect(messages.map(\.senderName) == ["Ada", "Bén ☃ 💡", "Ada"])
        let roster = try await bench.roster(of: id, asker: "matrix-@ada:home.test")
        #expect(roster.conversation.name == "Lamps")
        #expect(roster.conversation.history == .all && roster.conversation.visibility == .members)
        #expect(roster.members.map(\.userID) == ["matrix-@ada:home.test", "matrix-@ben:home.test"])

        let change = try await bench.store.latestChange()
        _ = try await bench.run(export)
        #expect(try await bench.store.latestChange() == change)
    }

    /// The person of the export came later, so the room's beginning is a state in another file.
    @Test func theStateBeforeAGapGivesNamesAndRights() async throws {
        try write(Self.state(Self.old, version: 10, visibility: "joined"), of: Self.old, to: "state/$gap")
        let eve = Self.event(
            6, "m.room.member", "@eve:home.test", #"{"membership": "join", "displayname": "Eve"}"#, in: Self.old.room,
            more: #", "state_key": "@eve:home.test""#)
        try write([eve] + Self.messages(Self.old, version: 10).dropFirst(2), of: Self.old)
        let result = try await bench.run(export)

        #expect(result.refusals == [])
        let roster = try await bench.roster(of: Self.conversation, asker: "matrix-@eve:home.test")
        #expect(roster.conversation.name == "Lamps")
        #expect(roster.members.map(\.displayName) == ["Ada", "Bén ☃ 💡", "Eve"])
        #expect(roster.conversation.history == .joined)
        let texts = try await bench.messages(in: Self.conversation, asker: "matrix-@eve:home.test").map(\.text)
        #expect(texts == ["I go", "thanks"])
    }

    @Test func aFileOfEventsAloneIsRecognized() async throws {
        try write(Self.state(Self.old, version: 10) + Self.messages(Self.old, version: 10), of: Self.old)
        let file = export.appending(path: "rooms/\(Self.old.room)/events")
        let summary = try await bench.preview(file)
        #expect(summary.files.map(\.format) == [.synapse])
        #expect(summary.conversations.map(\.messageCount) == [3])
    }

    @Test func aFileThatBreaksOffIsReadToItsEnd() async throws {
        let text = (Self.state(Self.old, version: 10) + Self.messages(Self.old, version: 10).prefix(4)).joined()
        try bench.write(String(text.dropLast(40)), to: "export/rooms/\(Self.old.room)/events")
        let result = try await bench.run(export)
        #expect(result.rejects.count == 1)
        let messages = try await bench.messages(in: Self.conversation, asker: "matrix-@ada:home.test")
        #expect(messages.map(\.text) == ["lamp 4 is out", "I go"])
    }

    /// Rooms of old versions allow such numbers, which canonical JSON has not.
    @Test func aNumberThatIsNotWholeIsNoReasonToLeaveAMessageOut() async throws {
        let place = Self.event(
            60, "m.room.message", "@ada:home.test", #"{"msgtype": "m.text", "body": "at the quay", "level": 1.5}"#,
            in: Self.old.room)
        try write(Self.state(Self.old, version: 10) + Self.messages(Self.old, version: 10) + [place], of: Self.old)
        let result = try await bench.run(export)
        #expect(result.rejects.isEmpty)
        let messages = try await bench.messages(in: Self.conversation, asker: "matrix-@ada:home.test")
        #expect(messages.last?.text == "at the quay")
    }

    @Test func whatIsNoEventIsReported() async throws {
        let events = Self.state(Self.old, version: 10) + ["{\"a\": }", "x"] + Self.messages(Self.old, version: 10)
        try write(events, of: Self.old)
        let result = try await bench.run(export)
        #expect(result.rejects.count >= 1)
        let messages = try await bench.messages(in: Self.conversation, asker: "matrix-@ada:home.test")
        #expect(messages.map(\.text) == ["lamp 4 is out", "I go", "thanks"])
    }

    @Test func aRoomAndItsSuccessorAreOneConversation() async throws {
        let key = #", "state_key": """#
        let tombstone = Self.event(
            20, "m.room.tombstone", Self.ada, #"{"replacement_room": "!n:home.test", "body": "moved"}"#,
            in: Self.old.room,
            more: key)
        try write(
            Self.state(Self.old, version: 10) + Self.messages(Self.old, version: 10) + [tombstone], of: Self.old)
        let next = IDs(room: "!n:home.test", lamp: "", answer: "", thread: "", secret: "")
        let creation = #"{"creator": "\#(Self.ada)", "room_version": "10", "predecessor": {"room_id": "!r:home.test"}}"#
        try write(
            [
                Self.event(19, "m.room.create", Self.ada, creation, in: next.room, more: key),
                Self.event(
                    21, "m.room.member", Self.ada, #"{"membership": "join", "displayname": "Ada"}"#, in: next.room,
                    more: #", "state_key": "\#(Self.ada)""#),
                Self.event(22, "m.room.name", Self.ada, #"{"name": "New lamps"}"#, in: next.room, more: key),
                Self.event(23, "m.room.message", Self.ada, #"{"msgtype": "m.text", "body": "here"}"#, in: next.room),
            ], of: next)
        _ = try await bench.run(export)

        let messages = try await bench.messages(in: Self.conversation, asker: "matrix-@ada:home.test")
        #expect(messages.map(\.text) == ["lamp 4 is out", "I go", "thanks", "here"])
        let roster = try await bench.roster(of: Self.conversation, asker: "matrix-@ada:home.test")
        #expect(roster.conversation.name == "New lamps")
    }

    @Test func aRoomWithoutANameIsNamedByItsPeople() async throws {
        var events = Self.state(Self.old, version: 10)
        events.remove(at: 2)
        try write(events + Self.messages(Self.old, version: 10), of: Self.old)
        let summary = try await bench.preview(export)
        #expect(summary.conversations.map(\.name) == ["Ada, Bén ☃ 💡"])
    }
}
