import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Who may read what of a Matrix room, by its rules about history.
@Suite struct ElementRightsTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private enum Step {
        case create
        case publicRoom
        case rule(String, before: String? = nil)
        case member(String, String, before: String? = nil)
        case text(String)
    }

    /// Imports a room with one event a second; returns its id.
    private func room(_ steps: [Step], named name: String = "matrix.json") async throws -> ConversationID {
        let events = steps.enumerated().map { second, step in
            let (type, sender, key, content, before): (String, String, String?, String, String?) =
                switch step {
                case .create: ("m.room.create", "ada", "", "{}", nil)
                case .publicRoom: ("m.room.join_rules", "ada", "", #"{"join_rule": "public"}"#, nil)
                case .rule(let rule, let before):
                    (
                        "m.room.history_visibility", "ada", "", #"{"history_visibility": "\#(rule)"}"#,
                        before.map { #"{"history_visibility": "\#($0)"}"# }
                    )
                case .member(let user, let state, let before):
                    (
                        "m.room.member", "ada", "@\(user):example.org",
                        #"{"membership": "\#(state)", "displayname": "\#(user.capitalized)"}"#,
                        before.map { #"{"membership": "\#($0)"}"# }
                    )
                case .text(let user): ("m.room.message", user, nil, #"{"msgtype": "m.text", "body": "words"}"#, nil)
                }
            return #"{"type": "\#(type)", "event_id": "$\#(second)", "room_id": "!\#(name):example.org", "#
                + #""sender": "@\#(sender):example.org", "origin_server_ts": \#(1_750_000_000_000 + second * 1000), "#
                + #""content": \#(content)"# + (key.map { #", "state_key": "\#($0)""# } ?? "")
                + (before.map { #", "unsigned": {"prev_content": \#($0)}"# } ?? "") + "}"
        }
        let file = try bench.write(
            #"{"room_name": "R", "room_creator": "@ada:example.org", "messages": [\#(events.joined(separator: ","))]}"#,
            to: name)
        _ = try await bench.run(file)
        return try await bench.chat(file)
    }

    /// The seconds of the room that a person may read now.
    private func readable(_ id: ConversationID, by user: String, of count: Int) async throws -> [Int] {
        let roster = try await bench.store.roster(of: id)
        guard let member = roster.members.first(where: { $0.userID.rawValue.contains("@\(user):") }) else { return [] }
        let scope = SearchScope(asker: member.userID, conversations: .only([id]))
        guard let permitted = try await bench.store.permitted(scope, at: .second(100)).first else { return [] }
        return (0..<count).filter { permitted.spans?.contains(.second($0)) ?? true }
    }

    @Test func membersReadTheirOwnTimesUnderJoined() async throws {
        let id = try await room([
            .create, .rule("joined"), .member("ada", "join"), .text("ada"), .member("cy", "join"), .text("ada"),
            .member("cy", "leave"), .text("ada"), .member("cy", "join"), .text("ada"), .member("di", "join"),
            .member("di", "leave"),
        ])

        #expect(try await bench.store.roster(of: id).conversation.history == .joined)
        #expect(try await readable(id, by: "ada", of: 10) == [0] + Array(2..<10))
        #expect(try await readable(id, by: "cy", of: 10) == [0, 4, 5, 8, 9])
        #expect(try await readable(id, by: "di", of: 10) == [])
    }

    @Test(arguments: [("invited", 3), ("joined", 5)])
    func anInvitationCountsUnderInvitedAlone(rule: String, first: Int) async throws {
        let id = try await room([
            .create, .rule(rule), .member("ada", "join"), .member("cy", "invite"), .text("ada"),
            .member("cy", "join", before: "invite"), .text("ada"),
        ])

        #expect(try await readable(id, by: "cy", of: 7) == [0] + Array(first..<7))
    }

    @Test func aRuleCountsForWhatIsWrittenUnderIt() async throws {
        let id = try await room([
            .create, .member("ada", "join"), .text("ada"), .rule("joined"), .text("ada"), .rule("world_readable"),
            .text("ada"), .rule("invited"), .text("ada"), .member("cy", "join"), .rule("shared"), .text("ada"),
        ])

        #expect(try await readable(id, by: "cy", of: 12) == [0, 1, 2, 5, 6, 9, 10, 11])
        #expect(try await readable(id, by: "ada", of: 12) == Array(0..<12))
    }

    @Test func aRoomWithoutARuleIsSharedByItsMembers() async throws {
        let id = try await room([.create, .member("ada", "join"), .text("ada"), .member("cy", "join")])

        let conversation = try await bench.store.roster(of: id).conversation
        #expect(conversation.history == .all)
        #expect(conversation.visibility == .members)
        #expect(try await readable(id, by: "cy", of: 4) == [0, 1, 2, 3])
    }

    @Test func aRuleThatIsNotKnownIsTheStrictest() async throws {
        let id = try await room([
            .create, .member("ada", "join"), .rule("org.example.friends"), .text("ada"), .member("cy", "join"),
            .text("ada"),
        ])

        #expect(try await readable(id, by: "cy", of: 6) == [0, 1, 4, 5])
    }

    @Test func anExportWithoutTheBeginningIsReadByWhoWasThere() async throws {
        let steps: [Step] = [
            .text("ada"), .member("ben", "join", before: "join"), .member("cy", "join"), .text("ada"),
            .member("di", "leave"), .member("di", "join"), .text("ada"),
        ]
        let id = try await room(steps)

        #expect(try await readable(id, by: "ada", of: 7) == Array(0..<7))
        #expect(try await readable(id, by: "ben", of: 7) == Array(0..<7))
        #expect(try await readable(id, by: "cy", of: 7) == Array(2..<7))
        #expect(try await readable(id, by: "di", of: 7) == [0, 1, 2, 3, 5, 6])
        let ruled = try await room(
            [.text("ada"), .rule("joined", before: "shared"), .member("cy", "join"), .text("ada")], named: "b.json")
        #expect(try await readable(ruled, by: "cy", of: 4) == [0, 2, 3])
    }

    /// The case that was found: a public room whose history only members of the time may read.
    @Test func aPublicRoomIsReadAsItsRulesSay() async throws {
        let id = try await room([
            .create, .publicRoom, .rule("joined"), .member("ada", "join"), .text("ada"), .member("cy", "join"),
            .text("ada"),
        ])

        #expect(try await readable(id, by: "cy", of: 7) == [0, 1, 5, 6])
        let stranger = SearchScope(asker: "stranger", conversations: .only([id]))
        let found = try await bench.store.page(of: id, asker: "stranger", before: nil, limit: 9, at: .second(100))
        #expect(found.isEmpty)
        #expect(try await bench.store.permitted(stranger, at: .second(100)).first?.isMember == false)
    }
}
