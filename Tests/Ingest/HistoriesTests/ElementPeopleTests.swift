import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Members, names and successions of Matrix rooms.
@Suite struct ElementPeopleTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static func event(
        _ second: Int, _ type: String, _ content: String, room: String = "!r:x", by sender: String = "ada",
        key: String? = nil, before: String? = nil
    ) -> String {
        let state = key.map { #", "state_key": "\#($0)""# } ?? ""
        let unsigned = before.map { #", "unsigned": {"prev_content": \#($0)}"# } ?? ""
        return #"{"type": "\#(type)", "event_id": "$\#(room.dropFirst().prefix(1))\#(second)", "room_id": "\#(room)", "#
            + #""sender": "@\#(sender):x", "origin_server_ts": \#(1_700_000_000_000 + second * 1_000), "#
            + #""content": \#(content)\#(state)\#(unsigned)}"#
    }

    private static func member(
        _ second: Int, _ person: String, _ state: String, name: String? = nil, room: String = "!r:x",
        before: String? = nil
    ) -> String {
        event(
            second, "m.room.member", #"{"membership": "\#(state)", "displayname": "\#(name ?? person)"}"#, room: room,
            by: person, key: "@\(person):x", before: before.map { #"{"membership": "\#($0)"}"# })
    }

    private static func text(_ second: Int, _ body: String, by sender: String, room: String = "!r:x") -> String {
        event(second, "m.room.message", #"{"msgtype": "m.text", "body": "\#(body)"}"#, room: room, by: sender)
    }

    private static func rule(_ second: Int, _ rule: String, key: String? = "", room: String = "!r:x") -> String {
        event(second, "m.room.join_rules", #"{"join_rule": "\#(rule)"}"#, room: room, key: key)
    }

    @discardableResult
    private func write(_ events: [String], to path: String = "room.json", name: String = "Lamps") throws -> URL {
        try bench.write(#"{"room_name": "\#(name)", "messages": [\#(events.joined(separator: ","))]}"#, to: path)
    }

    // MARK: Who may read

    @Test(arguments: [
        (["public"], Conversation.Visibility.everyone), (["invite"], .members), (["knock"], .members),
        (["restricted"], .members), (["public", "invite"], .members), (["invite", "public"], .everyone),
        (["new_rule"], .members),
    ])
    func onlyAPublicRoomIsOpen(rules: [String], visibility: Conversation.Visibility) async throws {
        let events = rules.enumerated().map { Self.rule($0.offset, $0.element) }

        let result = try await bench.run(try write(events + [Self.text(9, "hello", by: "ada")]))

        #expect(try await bench.store.roster(of: "element-!r:x").conversation.visibility == visibility)
        #expect(result.report.notes == [])
    }

    @Test func aRuleThatIsNoStateOpensNothingAndTheLatestCounts() async throws {
        let forged = [Self.rule(1, "invite"), Self.rule(2, "public", key: nil), Self.rule(3, "public", key: "x")]
        _ = try await bench.run(try write(forged + [Self.text(9, "hello", by: "ada")]))
        #expect(try await bench.store.roster(of: "element-!r:x").conversation.visibility == .members)

        let unordered = [Self.rule(5, "invite"), Self.rule(1, "public"), Self.text(9, "hello", by: "ada")]
        _ = try await bench.run(try write(unordered))
        #expect(try await bench.store.roster(of: "element-!r:x").conversation.visibility == .members)
    }

    @Test func aRoomThatDoesNotSayIsForMembersAndReported() async throws {
        let result = try await bench.run(try write([Self.text(1, "hello", by: "ada")]))

        #expect(try await bench.store.roster(of: "element-!r:x").conversation.visibility == .members)
        #expect(result.report.notes.map(\.kind) == [.membersOnly])
    }

    @Test func whoNeverJoinedIsNoMember() async throws {
        let events = [
            Self.member(1, "ada", "join"), Self.member(2, "bob", "invite"),
            Self.member(3, "cyd", "invite"), Self.member(4, "cyd", "leave", before: "invite"),
            Self.member(5, "dan", "ban"), Self.member(6, "dan", "leave", before: "ban"),
            Self.member(7, "eve", "knock"), Self.member(8, "eve", "leave", before: "knock"),
            Self.member(9, "fay", "leave", before: "join"), Self.text(10, "once here", by: "gil"),
            Self.member(11, "hal", "leave"),
        ]

        _ = try await bench.run(try write(events))

        let members = try await bench.store.roster(of: "element-!r:x").members
        #expect(members.map(\.userID.rawValue) == ["ada", "fay", "gil"].map { "element-@\($0):x" })
        #expect(members.map { $0.leftAt == nil } == [true, false, true])
        #expect(
            try await bench.store.identities().map(\.externalID) == ["ada", "fay", "gil"].map { "element-@\($0):x" })
    }

    @Test func aMembershipEndsWhenThePersonLeft() async throws {
        let events = [
            Self.member(1, "ada", "join"), Self.member(2, "ben", "join"),
            Self.member(5, "ben", "leave", before: "join"),
            Self.member(7, "ben", "invite", before: "leave"), Self.member(9, "ben", "leave", before: "invite"),
            Self.member(2, "cyd", "join"), Self.member(4, "cyd", "ban", before: "join"),
            Self.member(8, "cyd", "leave", before: "ban"),
        ]

        _ = try await bench.run(try write(events + [Self.text(10, "x", by: "ada")]))

        let left = try await bench.store.roster(of: "element-!r:x").members.map(\.leftAt)
        #expect(left == [nil, Timestamp(milliseconds: 1_700_000_005_000), Timestamp(milliseconds: 1_700_000_004_000)])
    }

    // MARK: Names

    @Test func earlierNamesAreAliases() async throws {
        let events = [
            Self.member(1, "ada", "join"), Self.member(2, "ben", "join", name: "Ben Quist"),
            Self.text(3, "the pump is mine", by: "ben"), Self.member(4, "ben", "join", name: "BQ"),
            Self.member(5, "ben", "join", name: "BQ (on leave)"),
        ]

        _ = try await bench.run(try write(events))

        let ben = try await bench.store.roster(of: "element-!r:x").members.last
        #expect(ben?.displayName == "BQ (on leave)")
        #expect(ben?.aliases == ["Ben Quist", "BQ"])
    }

    // MARK: Rooms that continue others

    private static let old = "!a:x"
    private static let new = "!b:x"

    private func writeRooms(
        oldMore: [String] = [], newMore: [String] = [], tombstone: String = new, predecessor: String = old
    ) throws -> URL {
        try write(
            [
                Self.rule(0, "invite", room: Self.old), Self.member(1, "ada", "join", room: Self.old),
                Self.member(2, "ben", "join", room: Self.old), Self.text(3, "before", by: "ben", room: Self.old),
            ] + oldMore + [
                Self.event(
                    10, "m.room.tombstone", #"{"replacement_room": "\#(tombstone)"}"#, room: Self.old, key: "")
            ], to: "rooms/old.json", name: "Lamps")
        try write(
            [
                Self.event(
                    11, "m.room.create", #"{"predecessor": {"room_id": "\#(predecessor)"}}"#, room: Self.new, key: ""),
                Self.rule(12, "invite", room: Self.new), Self.member(13, "ada", "join", room: Self.new),
                Self.text(14, "after", by: "ada", room: Self.new),
            ] + newMore, to: "rooms/new.json", name: "Lamps 2")
        return bench.folder.appending(path: "rooms")
    }

    @Test func aRoomAndItsSuccessorAreOneConversation() async throws {
        let result = try await bench.run(try writeRooms())

        #expect(result.report.newConversations == 1)
        #expect(result.report.notes == [])
        let messages = try await bench.messages(in: "element-!a:x", asker: "element-@ada:x")
        #expect(messages.map(\.text) == ["before", "after"])
        let roster = try await bench.store.roster(of: "element-!a:x")
        #expect(roster.conversation.name == "Lamps 2")
        #expect(roster.members.map(\.userID) == ["element-@ada:x", "element-@ben:x"])
        #expect(
            roster.members.map(\.joinedAt) == [1, 2].map { Timestamp(milliseconds: 1_700_000_000_000 + $0 * 1_000) })
        // Ben did not follow.
        #expect(roster.members.map(\.leftAt) == [nil, Timestamp(milliseconds: 1_700_000_010_000)])
        #expect(messages.map { $0.url?.contains("%21b") } == [false, true])

        let again = try await bench.run(try writeRooms())
        #expect(again.report.unchangedMessages == 2)
    }

    @Test func threeRoomsAreOneConversation() async throws {
        let tombstone = Self.event(
            20, "m.room.tombstone", #"{"replacement_room": "!c:x"}"#, room: Self.new, key: "")
        let folder = try writeRooms(newMore: [tombstone])
        try write(
            [
                Self.event(21, "m.room.create", #"{"predecessor": {"room_id": "!b:x"}}"#, room: "!c:x", key: ""),
                Self.member(22, "ada", "join", room: "!c:x"), Self.text(23, "last", by: "ada", room: "!c:x"),
            ], to: "rooms/third.json", name: "Lamps 3")

        let result = try await bench.run(folder)

        #expect(result.report.newConversations == 1)
        let texts = try await bench.messages(in: "element-!a:x", asker: "element-@ada:x").map(\.text)
        #expect(texts == ["before", "after", "last"])
    }

    @Test(arguments: [("!c:x", "!a:x"), ("!b:x", "!c:x")])
    func oneSideAloneJoinsNoRooms(tombstone: String, predecessor: String) async throws {
        let result = try await bench.run(try writeRooms(tombstone: tombstone, predecessor: predecessor))

        #expect(result.report.newConversations == 2)
        #expect(result.report.notes.map(\.kind) == [.apart])
        #expect(try await bench.messages(in: "element-!a:x", asker: "element-@ben:x").map(\.text) == ["before"])
        await #expect(throws: RepositoryError.noSuchConversation("element-!b:x")) {
            _ = try await bench.messages(in: "element-!b:x", asker: "element-@ben:x")
        }
    }

    @Test func whoCameOnlyAfterwardsDoesNotReadTheEarlierRoom() async throws {
        let cyd = [
            Self.member(15, "cyd", "join", room: Self.new), Self.text(16, "new here", by: "cyd", room: Self.new),
        ]

        for _ in 1...2 {
            let result = try await bench.run(try writeRooms(newMore: cyd))

            #expect(result.report.notes == [])
            let read = { (user: UserID) in
                try await bench.messages(in: "element-!a:x", asker: user).map(\.text)
            }
            #expect(try await read("element-@ada:x") == ["before", "after", "new here"])
            #expect(try await read("element-@cyd:x") == ["after", "new here"])
        }
    }

    @Test func anOpenRoomAndAClosedOneStayApart() async throws {
        let rule = Self.rule(13, "public", room: Self.new)

        let result = try await bench.run(try writeRooms(newMore: [rule]))

        #expect(result.report.newConversations == 2)
        #expect(result.report.notes.map(\.kind) == [.apart])
    }

    @Test func theOperatorMayContinueAConversation() async throws {
        let folder = try writeRooms()
        let options = HistoryOptions(conversationID: "element-!a:x")

        _ = try await bench.run(folder.appending(path: "old.json"))
        let result = try await bench.run(folder.appending(path: "new.json"), options: options)

        #expect(result.report.newConversations == 0)
        #expect(result.report.notes == [])
        #expect(
            try await bench.messages(in: "element-!a:x", asker: "element-@ada:x").map(\.text) == ["before", "after"])
    }
}
