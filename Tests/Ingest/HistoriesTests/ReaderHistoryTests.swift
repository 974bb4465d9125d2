import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Who may read what after imports, and after later ones.
@Suite struct ReaderHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private func reads(_ user: UserID) async throws -> [String] {
        try await bench.store.permitted(SearchScope(asker: user, conversations: .all), at: Self.now).map(\.id.rawValue)
    }

    private static let now = Timestamp(microseconds: 1_900_000_000_000_000)

    // MARK: Slack

    private func slack(_ folder: String, members: String, day: String = "2016-01-15") throws -> URL {
        try bench.write(
            #"""
            [{"id": "U1", "name": "ada", "team_id": "T1"}, {"id": "U2", "name": "ben", "team_id": "T1"},
             {"id": "U3", "name": "gus", "team_id": "T1", "is_restricted": true},
             {"id": "U4", "name": "ula", "team_id": "T1", "is_ultra_restricted": true},
             {"id": "U5", "name": "fay", "team_id": "T2"}, {"id": "U6", "name": "bot", "team_id": "T1", "is_bot": true}]
            """#, to: "\(folder)/users.json")
        try bench.write(
            #"[{"id": "C1", "name": "pier", "is_channel": true, "created": 1452000000, "members": ["U1", "U3", "U5", "U9"]}, "#
                + #"{"id": "C2", "name": "proj-x", "is_channel": true, "created": 1452000000, "members": ["U1"]}]"#,
            to: "\(folder)/channels.json")
        try bench.write(
            #"[{"id": "G1", "name": "office", "created": 1452000000, "members": [\#(members)]}]"#,
            to: "\(folder)/groups.json")
        try bench.write(
            #"[{"user": "U8", "text": "from outside", "ts": "1452837318.000001"}]"#, to: "\(folder)/proj-x/\(day).json")
        return bench.folder.appending(path: folder)
    }

    @Test func guestsAndPeopleOfOtherWorkspacesReadTheChannelsTheyAreIn() async throws {
        _ = try await bench.run(try slack("a", members: #""U1", "U2""#))

        #expect(try await reads("slack-U2") == ["slack-C1", "slack-C2", "slack-G1"])
        #expect(try await reads("slack-U3") == ["slack-C1"])
        #expect(try await reads("slack-U4") == [])
        #expect(try await reads("slack-U5") == ["slack-C1"])
        #expect(try await reads("slack-U6") == [])
        // In a channel, or an author, but in no list of the workspace.
        #expect(try await reads("slack-U8") == [])
        #expect(try await reads("slack-U9") == ["slack-C1"])
    }

    @Test func aLaterExportEndsMembershipsAndAnOlderOneDoesNot() async throws {
        _ = try await bench.run(try slack("a", members: #""U1", "U2""#))
        _ = try await bench.run(try slack("b", members: #""U2", "U4""#, day: "2016-02-01"))

        #expect(try await reads("slack-U1") == ["slack-C1", "slack-C2"])
        #expect(try await reads("slack-U4") == ["slack-G1"])
        let left = try await bench.store.roster(of: "slack-G1").members.first { $0.userID == "slack-U1" }?.leftAt
        #expect(left == Timestamp(iso8601: "2016-02-02T00:00:00Z"))

        _ = try await bench.run(try slack("a", members: #""U1", "U2", "U5""#))
        #expect(try await reads("slack-U1") == ["slack-C1", "slack-C2"])
        #expect(try await reads("slack-U4") == ["slack-G1"])
        #expect(try await reads("slack-U5") == ["slack-C1"])

        _ = try await bench.run(try slack("c", members: #""U1", "U2""#, day: "2016-03-01"))
        #expect(try await reads("slack-U1") == ["slack-C1", "slack-C2", "slack-G1"])
        #expect(try await reads("slack-U4") == [])
    }

    @Test func whoWasLetInByHandStaysWhateverExportsSay() async throws {
        _ = try await bench.run(try slack("a", members: #""U1", "U2""#))
        let fay = Member(userID: "slack-U5", displayName: "Fay", joinedAt: Self.now)
        try await bench.store.setMember(fay, in: "slack-G1", source: "api", at: Self.now)
        try await bench.store.removeMember(
            "slack-U2", from: "slack-G1", at: Timestamp(microseconds: 1_800_000_000_000_000))

        _ = try await bench.run(try slack("b", members: #""U1", "U2""#, day: "2016-02-01"))

        #expect(try await reads("slack-U5") == ["slack-C1", "slack-G1"])
        #expect(try await reads("slack-U2") == ["slack-C1", "slack-C2"])
    }

    // MARK: Mattermost

    private func mattermost(_ name: String, created: String, ben: String) throws -> URL {
        func user(_ name: String, _ teams: String, roles: String = "system_user") -> String {
            #"{"type": "user", "user": {"username": "\#(name)", "roles": "\#(roles)", "teams": [\#(teams)]}}"#
        }
        func team(_ name: String, _ channels: String, roles: String = "team_user") -> String {
            #"{"name": "\#(name)", "roles": "\#(roles)", "channels": [\#(channels)]}"#
        }
        let lines = [
            #"{"type": "version", "version": 1, "info": {"created": "\#(created)"}}"#,
            #"{"type": "team", "team": {"name": "board", "type": "I", "allow_open_invite": false}}"#,
            #"{"type": "team", "team": {"name": "yard", "type": "O", "allow_open_invite": true}}"#,
            #"{"type": "channel", "channel": {"team": "board", "name": "town-square", "display_name": "Town Square", "type": "O"}}"#,
            #"{"type": "channel", "channel": {"team": "yard", "name": "town-square", "display_name": "Town Square", "type": "O"}}"#,
            #"{"type": "channel", "channel": {"team": "yard", "name": "crane", "display_name": "Crane", "type": "P"}}"#,
            user("zora", team("board", #"{"name": "town-square"}"#)), user("ben", ben),
            user("ada", team("yard", #"{"name": "crane"}"#)),
            user("gus", team("yard", #"{"name": "crane"}"#, roles: "team_guest"), roles: "system_guest"),
            #"{"type": "post", "post": {"team": "board", "channel": "town-square", "user": "zora", "#
                + #""message": "we sell", "create_at": 1600000000001}}"#,
        ]
        return try bench.write(lines.joined(separator: "\n"), to: name)
    }

    @Test func openChannelsAreForTheMembersOfTheirTeam() async throws {
        let yard = #"{"name": "yard", "roles": "team_user", "channels": []}"#
        let result = try await bench.run(try mattermost("a.jsonl", created: "2024-01-01T00:00:00Z", ben: yard))

        #expect(result.refusals == [])
        #expect(try await reads("mattermost-zora") == ["mattermost-board:town-square"])
        #expect(try await reads("mattermost-ben") == ["mattermost-yard:town-square"])
        #expect(try await reads("mattermost-ada") == ["mattermost-yard:crane", "mattermost-yard:town-square"])
        #expect(try await reads("mattermost-gus") == ["mattermost-yard:crane"])
        #expect(try await reads("stranger") == [])
        let names = [
            try await bench.store.roster(of: "mattermost-board:town-square").conversation.name,
            try await bench.store.roster(of: "mattermost-yard:town-square").conversation.name,
        ]
        #expect(names == ["Town Square (board)", "Town Square (yard)"])

        // An export of which something cannot be read takes nobody away. Then Ben leaves the team, and an older export
        // does not bring him back.
        _ = try await bench.run(try mattermost("c.jsonl", created: "2024-01-15T00:00:00Z", ben: #"{"name": 5"#))
        #expect(try await reads("mattermost-ben") == ["mattermost-yard:town-square"])
        _ = try await bench.run(try mattermost("b.jsonl", created: "2024-02-01T00:00:00Z", ben: ""))
        #expect(try await reads("mattermost-ben") == [])
        _ = try await bench.run(try mattermost("a.jsonl", created: "2024-01-01T00:00:00Z", ben: yard))
        #expect(try await reads("mattermost-ben") == [])
    }

    // MARK: Element

    private func room(_ name: String, _ events: [String]) throws -> URL {
        try bench.write(
            #"{"room_name": "Lamps", "messages": [\#(events.joined(separator: ","))]}"#, to: name)
    }

    private static func membership(_ person: String, _ state: String, at second: Int, more: String = "") -> String {
        #"{"type": "m.room.member", "room_id": "!r:x", "sender": "@ada:x", "state_key": "@\#(person):x", "#
            + #""origin_server_ts": \#(1_700_000_000_000 + second * 1_000), "#
            + #""content": {"membership": "\#(state)", "displayname": "\#(person)"}\#(more)}"#
    }

    private static func text(_ id: String, by person: String, at second: Int) -> String {
        #"{"type": "m.room.message", "room_id": "!r:x", "event_id": "$\#(id)", "sender": "@\#(person):x", "#
            + #""origin_server_ts": \#(1_700_000_000_000 + second * 1_000), "content": {"msgtype": "m.text", "body": "x"}}"#
    }

    @Test func whoLeftOrWasBannedReadsNothingAndWhoJoinedReads() async throws {
        let first = [
            Self.membership("ada", "join", at: 0), Self.membership("carol", "join", at: 1),
            Self.membership("dan", "invite", at: 2), Self.membership("dan", "leave", at: 3),
            Self.text("1", by: "carol", at: 4),
        ]
        _ = try await bench.run(try room("a.json", first))
        #expect(try await reads("element-@ada:x") == ["element-!r:x"])
        #expect(try await reads("element-@carol:x") == ["element-!r:x"])
        #expect(try await reads("element-@dan:x") == [])

        let later =
            first + [
                Self.membership("eve", "join", at: 5), Self.membership("carol", "leave", at: 6),
                Self.membership("eve", "ban", at: 7), Self.membership("ada", "join", at: 8),
            ]
        _ = try await bench.run(try room("b.json", later))
        #expect(try await reads("element-@carol:x") == [])
        #expect(try await reads("element-@eve:x") == [])
        #expect(try await reads("element-@ada:x") == ["element-!r:x"])
        let members = try await bench.store.roster(of: "element-!r:x").members
        #expect(
            members.first { $0.userID == "element-@carol:x" }?.leftAt == Timestamp(milliseconds: 1_700_000_006_000))

        // The older export again, then one in which she is back.
        _ = try await bench.run(try room("a.json", first))
        #expect(try await reads("element-@carol:x") == [])
        _ = try await bench.run(try room("c.json", later + [Self.membership("carol", "join", at: 9)]))
        #expect(try await reads("element-@carol:x") == ["element-!r:x"])
    }

    @Test func pollsAreReadAndNotesOnUnreadableMessagesAreNot() async throws {
        let events = [
            #"{"type": "m.poll.start", "room_id": "!r:x", "event_id": "$1", "sender": "@ada:x", "origin_server_ts": "#
                + #"1700000000000, "content": {"m.poll": {"question": {"m.text": [{"body": "Which lamp?"}]}, "#
                + #""answers": [{"m.id": "a", "m.text": [{"body": "three"}]}, {"m.id": "b", "m.text": [{"body": "four"}]}]}}}"#,
            #"{"type": "org.matrix.msc3381.poll.start", "room_id": "!r:x", "event_id": "$2", "sender": "@ada:x", "#
                + #""origin_server_ts": 1700000001000, "content": {"org.matrix.msc3381.poll.start": "#
                + #"{"question": {"org.matrix.msc1767.text": "When?"}, "answers": [{"id": "a", "org.matrix.msc1767.text": "now"}]}}}"#,
            #"{"type": "m.room.message", "room_id": "!r:x", "event_id": "$3", "sender": "@ada:x", "origin_server_ts": "#
                + #"1700000002000, "content": {"msgtype": "m.bad.encrypted", "body": "** Unable to decrypt: no session **"}}"#,
        ]

        let result = try await bench.run(try room("a.json", events))

        let texts = try await bench.messages(in: "element-!r:x", asker: "element-@ada:x").map(\.text)
        #expect(texts == ["Which lamp?\n• three\n• four", "When?\n• now"])
        #expect(result.report.skipped == [.empty: 1])
    }
}
