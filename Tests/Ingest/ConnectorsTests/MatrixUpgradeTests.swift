import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

private typealias World = MatrixWorld

/// An upgraded room stays one conversation.
@Suite(.hangGuard) struct MatrixUpgradeTests {
    private static let next = "!next"

    /// A room of Ada and Bob with two messages, to which Nexus is invited.
    private func connected(_ world: MatrixWorld, visibility: String = "shared") async throws {
        world.home.makeRoom(World.room, [World.ada, World.bob], visibility: visibility)
        for line in 1...2 { world.home.say("old \(line)", by: World.ada, in: World.room) }
        try await world.invite()
    }

    @Test(arguments: [false, true]) func theNewRoomContinuesTheConversation(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            try await connected(world)
            world.home.upgrade(World.room, to: Self.next, by: World.ada)
            world.home.setMember(World.bob, in: Self.next, "join")
            world.home.say("new 1", by: World.bob, in: Self.next)
            try await world.invite(Self.next)
            world.home.say("new 2", by: World.ada, in: Self.next)
            try await world.deliver()

            let all = ["old 1", "old 2", "new 1", "new 2"]
            #expect(try await world.texts(for: World.ada) == all)
            #expect(try await world.texts(for: World.bob) == all)
            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map { $0.url?.contains("%21next") } == [false, false, true, true])
            #expect(
                try await world.store.connectorRooms(of: World.source).map(\.conversationID) == [
                    World.conversation, World.conversation,
                ])
            let report = try await world.connector.report()
            #expect(report.contains { $0.hasPrefix("matrix !plans:") && $0.hasSuffix("continued in !next") })

            // Also after a start, and after reading everything again.
            try world.restart()
            try await world.compare()
            #expect(try await world.texts(for: World.bob) == all)
            #expect(try await world.store.inspect("SELECT id FROM conversations") == ["matrix-!plans"])
        }
    }

    @Test(arguments: ["shared", "joined"]) func eachRoomIsReadByItsOwnPeopleOnly(visibility: String) async throws {
        try await World.with { world in
            try await connected(world, visibility: visibility)
            world.home.upgrade(World.room, to: Self.next, by: World.ada, visibility: visibility)
            world.home.setMember(World.eve, in: Self.next, "join")
            world.home.say("new 1", by: World.ada, in: Self.next)
            try await world.invite(Self.next)

            // Bob is in the old room only, Eve in the new one only.
            #expect(try await world.texts(for: World.ada) == ["old 1", "old 2", "new 1"])
            #expect(try await world.texts(for: World.bob) == nil)
            #expect(try await world.texts(for: World.eve) == ["new 1"])

            // What happens in the old room brings nobody in.
            world.home.setMember(World.bob, in: World.room, "join", name: "Robert")
            world.home.setMember("@mallory:home.test", in: World.room, "join")
            try await world.deliver()
            try await world.compare()
            #expect(try await world.texts(for: World.bob) == nil)
            #expect(try await world.texts(for: "@mallory:home.test") == nil)

            // Bob comes later: he reads the old room again. How much of the new one people read says its own rule.
            let zoe = "@zoe:home.test"
            for person in [World.bob, zoe] { world.home.setMember(person, in: Self.next, "join") }
            world.home.say("new 2", by: World.ada, in: Self.next)
            try await world.deliver()
            let bob = try #require(try await world.texts(for: World.bob))
            #expect(bob.prefix(2) == ["old 1", "old 2"])
            #expect(bob.contains("new 1") == (visibility == "shared"))
            #expect(
                try await world.texts(for: zoe) == (visibility == "shared" ? ["new 1", "new 2"] : ["new 2"]))
            #expect(try await world.texts(for: World.eve) == ["new 1", "new 2"])
        }
    }

    /// Those with enough power can still write in the old room.
    @Test func whatIsWrittenInTheOldRoomLaterIsLeftOut() async throws {
        try await World.with { world in
            try await connected(world)
            let kept = world.home.say("old 3", by: World.ada, in: World.room)
            world.home.upgrade(World.room, to: Self.next, by: World.ada)
            world.home.say("too late 1", by: World.ada, in: World.room)
            try await world.deliver()
            #expect(try await world.texts(for: World.bob)?.last == "too late 1")

            world.home.setMember(World.eve, in: Self.next, "join")
            try await world.invite(Self.next)
            world.home.say("too late 2", by: World.ada, in: World.room)
            world.home.edit(kept, "old three", by: World.ada, in: World.room)
            try await world.deliver()

            #expect(try await world.texts(for: World.ada) == ["old 1", "old 2", "old three"])
            #expect(try await world.texts(for: World.eve) == [])
            let stored = try await world.store.inspect("SELECT text FROM messages")
            #expect(!stored.contains("too late"))
            let counts = try await world.store.connectorCounts(of: World.source)
            #expect(counts.contains(ConnectorCount(room: World.room, kind: .replaced, count: 1)))
            let events = counts.filter { $0.room == World.room }.reduce(0) { $0 + $1.count }
            #expect(events == world.home.events(of: World.room).count)
        }
    }

    @Test func aRoomThatOnlyCallsItselfTheSuccessorIsAnotherConversation() async throws {
        try await World.with { world in
            try await connected(world)
            world.home.makeRoom(Self.next, [World.eve], after: World.room)
            world.home.say("mine now", by: World.eve, in: Self.next)
            try await world.invite(Self.next)

            #expect(try await world.texts(for: World.ada) == ["old 1", "old 2"])
            #expect(try await world.texts(for: World.eve) == nil)
            let ids = try await world.store.connectorRooms(of: World.source).map(\.conversationID)
            #expect(ids == ["matrix-!next", World.conversation])
        }
    }

    @Test func aTombstoneIsFollowedIntoARoomThatLetsNexusIn() async throws {
        try await World.with { world in
            try await connected(world)
            world.home.upgrade(World.room, to: Self.next, by: World.ada, isPublic: true)
            world.home.say("new 1", by: World.ada, in: Self.next)
            try await world.deliver()
            try await world.read()
            #expect(try await world.texts(for: World.ada) == ["old 1", "old 2", "new 1"])
        }
    }

    @Test func aTombstoneFromAnotherServerIsNotFollowed() async throws {
        try await World.with { world in
            try await connected(world)
            world.home.upgrade(World.room, to: Self.next, by: "@mallory:elsewhere.test", isPublic: true)
            try await world.deliver()
            #expect(!world.home.requests.contains { $0.hasSuffix("!next/join") })
            #expect(try await world.texts(for: World.bob) == ["old 1", "old 2"])
        }
    }

    @Test func nobodyReadsAnythingWhenNexusIsRemovedFromTheNewRoom() async throws {
        try await World.with { world in
            try await connected(world)
            world.home.upgrade(World.room, to: Self.next, by: World.ada)
            try await world.invite(Self.next)
            // Leaving the old room changes nothing.
            world.home.setMember(StubHomeserver.bot, in: World.room, "leave")
            try await world.deliver()
            try await world.compare()
            #expect(try await world.texts(for: World.ada) == ["old 1", "old 2"])

            world.home.setMember(StubHomeserver.bot, in: Self.next, "leave")
            try await world.deliver()
            try await world.compare()
            #expect(try await world.texts(for: World.ada) == nil)
            #expect(try await world.texts(for: World.bob) == nil)
        }
    }

    @Test func aSecondUpgradeContinuesTheSameConversation() async throws {
        try await World.with { world in
            try await connected(world)
            world.home.upgrade(World.room, to: Self.next, by: World.ada)
            world.home.setMember(World.eve, in: Self.next, "join")
            try await world.invite(Self.next)
            world.home.say("middle", by: World.ada, in: Self.next)
            try await world.deliver()
            world.home.upgrade(Self.next, to: "!last", by: World.ada)
            for person in [World.bob, World.eve] { world.home.setMember(person, in: "!last", "join") }
            try await world.invite("!last")
            world.home.say("last", by: World.ada, in: "!last")
            try await world.deliver()

            #expect(try await world.texts(for: World.ada) == ["old 1", "old 2", "middle", "last"])
            #expect(try await world.texts(for: World.bob) == ["old 1", "old 2", "last"])
            #expect(try await world.texts(for: World.eve) == ["middle", "last"])
        }
    }

    @Test func aFailureInBetweenIsMadeUpFor() async throws {
        for path in ["!plans/state", "!plans/messages", "!next/state"] {
            try await World.with { world in
                try await connected(world)
                world.home.upgrade(World.room, to: Self.next, by: World.ada)
                world.home.setMember(World.eve, in: Self.next, "join")
                world.home.say("new 1", by: World.ada, in: Self.next)
                try await world.deliver()
                world.home.fail(path, .status(502))
                world.home.setMember(StubHomeserver.bot, in: Self.next, "invite")
                try await world.deliver()
                #expect(try await world.texts(for: World.eve) ?? [] == [])

                try world.restart()
                try await world.compare()
                #expect(try await world.texts(for: World.ada) == ["old 1", "old 2", "new 1"])
                #expect(try await world.texts(for: World.eve) == ["new 1"])
            }
        }
    }

    @Test func anAnswerGoesIntoTheRoomOfItsQuestionAndLinksToTheRoomOfItsSource() async throws {
        try await World.with { world in
            try await connected(world)
            world.home.upgrade(World.room, to: Self.next, by: World.ada)
            try await world.invite(Self.next)
            let source = world.home.events(of: World.room).first { $0.content["body"] == .string("old 1") }?.id ?? ""
            let question = world.home.say("nexus: old?", by: World.ada, in: Self.next)
            let own = world.home.say("new 1", by: World.ada, in: Self.next)
            try await world.deliver()

            var answer = Message.short("matrix-!plans", "a1", by: "nexus", "It is.\n[1] Ada\n[2] Ada")
            answer.kind = .assistant
            (answer.replyToID, answer.threadRootID) = (MessageID(rawValue: question), MessageID(rawValue: question))
            answer.extra = """
                {"nexus":{"sources":[\
                {"number":1,"conversationId":"matrix-!plans","messageId":"\(source)"},\
                {"number":2,"conversationId":"matrix-!plans","messageId":"\(own)"}]}}
                """
            #expect(try await world.connector.deliver(answer) == true)

            let sent = try #require(world.home.events(of: Self.next).last)
            guard case .string(let body)? = sent.content["body"] else { return #expect(Bool(false)) }
            #expect(sent.sender == StubHomeserver.bot)
            #expect(body.contains("[1] Ada https://matrix.to/#/%21plans/"))
            #expect(body.contains("[2] Ada https://matrix.to/#/%21next/"))
            #expect(
                !world.home.events(of: World.room).contains {
                    $0.sender == StubHomeserver.bot && $0.type == "m.room.message"
                })
        }
    }
}
