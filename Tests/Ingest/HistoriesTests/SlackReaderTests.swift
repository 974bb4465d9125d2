import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Who may read what of Slack, whatever an entry of its lists says.
@Suite struct SlackReaderTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    /// Writes an export with one entry of a list; its folder may have messages.
    private func export(
        _ entry: String, list: String = "channels.json", folder: String = "dock", more: String = ""
    ) throws -> URL {
        try bench.write(
            #"[{"id": "U1", "name": "ada"}, {"id": "U2", "name": "ben"}, {"id": "U3", "name": "cy"}]"#,
            to: "e/users.json")
        try bench.write("[\(entry)]", to: "e/\(list)")
        try bench.write(
            #"[{"user": "U1", "text": "the crane is sold", "ts": "1452837318.000002"}\#(more)]"#,
            to: "e/\(folder)/2016-01-15.json")
        return bench.folder.appending(path: "e")
    }

    private func isSeen(_ id: ConversationID, by user: UserID) async throws -> Bool {
        let scope = SearchScope(asker: user, conversations: .all)
        return try await bench.store.permitted(scope, at: Timestamp(microseconds: 1_900_000_000_000_000))
            .contains { $0.id == id }
    }

    private static let members = #""name": "dock", "members": ["U1", "U2"]"#

    @Test(arguments: [
        #""id": "C1", "is_channel": true"#, #""id": "C1", "is_channel": true, "is_private": false, "is_mpim": false"#,
        #""id": "C1", "is_channel": true, "is_group": null, "is_shared": true"#,
    ])
    func aChannelThatCallsItselfOneIsOpen(signs: String) async throws {
        let result = try await bench.run(try export("{\(signs), \(Self.members)}"))

        #expect(try await isSeen("slack-C1", by: "slack-U3"))
        #expect(result.report.notes == [])
    }

    @Test(arguments: [
        ("C1", #""is_channel": true, "is_private": true"#), ("C1", #""is_channel": true, "is_group": true"#),
        ("C1", #""is_channel": true, "is_im": true"#), ("C1", #""is_channel": true, "is_mpim": true"#),
        ("G1", #""is_channel": true"#), ("D1", #""is_channel": true"#), ("C1", #""is_channel": true, "user": "U2""#),
        ("G1", #""created": 1"#), ("D1", #""is_im": true, "is_channel": true, "is_private": false"#),
    ])
    func theStrictestSignWins(id: String, signs: String) async throws {
        let result = try await bench.run(try export(#"{"id": "\#(id)", \#(signs), \#(Self.members)}"#))

        let conversation = ConversationID(rawValue: "slack-\(id)")
        #expect(try await isSeen(conversation, by: "slack-U3") == false)
        #expect(try await isSeen(conversation, by: "slack-U1"))
        #expect(result.report.insertedMessages == 1)
        #expect(result.report.notes == [])
    }

    @Test(arguments: [
        #""id": "C1""#, #""id": "C1", "is_private": false"#, #""id": "C1", "is_channel": false"#,
        #""id": "C1", "is_channel": "true""#, #""id": "C1", "is_channel": true, "is_private": "false""#,
        #""id": "X1", "is_channel": true"#,
    ])
    func whatCannotBeToldIsForMembersAndIsReported(signs: String) async throws {
        let folder = try export("{\(signs), \(Self.members)}")
        let id = ConversationID(rawValue: "slack-" + (signs.contains("X1") ? "X1" : "C1"))

        let report = try await bench.run(folder).report
        let preview = try await bench.preview(folder)

        #expect(try await isSeen(id, by: "slack-U3") == false)
        #expect(try await isSeen(id, by: "slack-U2"))
        #expect(report.notes.map(\.kind) == [.membersOnly])
        #expect(report.notes.map(\.count) == [1])
        #expect(preview.notes == report.notes)
        #expect(preview.conversations.map(\.visibility) == [.members])
    }

    @Test func theOperatorMaySayThatChannelsAreOpenButNotAgainstAnotherSign() async throws {
        let options = HistoryOptions(areChannelsOpen: true)
        let entries = [
            #"{"id": "C1", "name": "dock", "members": ["U1"]}"#,
            #"{"id": "C2", "name": "office", "is_private": true, "members": ["U1"]}"#,
            #"{"id": "G3", "name": "old", "members": ["U1"]}"#,
            #"{"id": "C4", "name": "odd", "is_private": 1, "members": ["U1"]}"#,
        ]

        let result = try await bench.run(try export(entries.joined(separator: ",")), options: options)

        let scope = SearchScope(asker: "slack-U3", conversations: .all)
        let seen = try await bench.store.permitted(scope, at: Timestamp(microseconds: 1_900_000_000_000_000))
        #expect(seen.map(\.id) == ["slack-C1"])
        #expect(result.report.notes.map(\.count) == [1])
    }

    @Test(arguments: ["D7", "mpdm-ada--ben-1"]) func chatsInTheListOfChannelsAreDirect(folder: String) async throws {
        let id = folder == "D7" ? "D7" : "C7"
        let signs = folder == "D7" ? #""is_im": true, "user": "U2""# : #""is_mpim": true, "name": "\#(folder)""#
        _ = try await bench.run(try export(#"{"id": "\#(id)", \#(signs), "members": ["U1"]}"#, folder: folder))

        let roster = try await bench.roster(of: ConversationID(rawValue: "slack-\(id)"), asker: "slack-U1")
        #expect(roster.conversation.kind == .direct)
        #expect(roster.conversation.name == nil)
        #expect(roster.members.map(\.userID) == (folder == "D7" ? ["slack-U1", "slack-U2"] : ["slack-U1"]))
    }

    @Test func aConversationInTwoListsIsReadByThoseOfTheStricterOne() async throws {
        try bench.write(#"[{"id": "C1", "name": "dock", "members": ["U1"]}]"#, to: "e/groups.json")
        let folder = try export(#"{"id": "C1", "is_channel": true, "name": "dock", "members": ["U1", "U2"]}"#)

        _ = try await bench.run(folder)

        #expect(try await isSeen("slack-C1", by: "slack-U1"))
        #expect(try await isSeen("slack-C1", by: "slack-U2") == false)
    }

    @Test func aFolderOfTwoConversationsBelongsToTheClosedOne() async throws {
        try bench.write(#"[{"id": "G1", "name": "dock", "members": ["U1"]}]"#, to: "e/groups.json")
        let folder = try export(#"{"id": "C1", "is_channel": true, "name": "dock", "members": ["U1", "U2"]}"#)

        _ = try await bench.run(folder)

        #expect(try await bench.messages(in: "slack-G1", asker: "slack-U1").count == 1)
        #expect(try await bench.messages(in: "slack-C1", asker: "slack-U1").isEmpty)
    }

    @Test func aChannelThatWasMadePrivateIsForItsMembers() async throws {
        let entry = #"{"id": "C1", "is_channel": true, "name": "dock", "members": ["U1", "U2"]}"#
        let notice =
            #", {"subtype": "channel_convert_to_private", "user": "U1", "text": "", "ts": "1452837319.000002"}"#
        let back = #", {"subtype": "channel_convert_to_public", "user": "U1", "text": "", "ts": "1452837320.000002"}"#

        _ = try await bench.run(try export(entry, more: notice))
        #expect(try await isSeen("slack-C1", by: "slack-U3") == false)
        #expect(try await isSeen("slack-C1", by: "slack-U2"))

        _ = try await bench.run(try export(entry, more: notice + back))
        #expect(try await isSeen("slack-C1", by: "slack-U3"))
    }
}
