import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

private typealias World = MatrixWorld

@Suite(.hangGuard) struct MatrixConnectorTests {
    /// A room of Ada and Bob with five messages.
    private func fill(_ world: MatrixWorld, visibility: String = "shared") -> [String] {
        world.home.makeRoom(World.room, [World.ada, World.bob], visibility: visibility)
        return (1...5).map { world.home.say("line \($0)", by: World.ada, in: World.room) }
    }

    @Test(arguments: [false, true]) func anInvitationConnectsTheRoomWithItsHistory(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            _ = fill(world)
            try await world.invite()

            #expect(try await world.texts(for: World.ada) == (1...5).map { "line \($0)" })
            #expect(try await world.texts(for: World.eve) == nil)
            let roster = try await world.store.roster(of: World.conversation)
            #expect(roster.members.map(\.displayName) == ["Ada", "Bob"])
            #expect(roster.conversation.name == "Room plans")
        }
    }

    @Test func aSpaceIsNoConversation() async throws {
        try await World.with { world in
            world.home.makeRoom("!space", [World.ada, World.bob], type: "m.space")
            _ = fill(world)
            try await world.invite("!space")
            try await world.invite()
            for isRestarted in [false, true] {
                if isRestarted { try world.restart() }
                world.home.add(
                    "!space", "m.space.child", by: World.ada, key: World.room,
                    ["via": .array([.string("home.test")])])
                world.home.say("said in a space", by: World.ada, in: "!space")
                world.home.setMember(World.eve, in: "!space", "join")
                try await world.deliver()
                try await world.compare()

                #expect(try await world.store.inspect("SELECT id FROM conversations") == [World.conversation.rawValue])
                #expect(try await world.store.inspect("SELECT room_id FROM connector_rooms") == [World.room])
                #expect(try await world.texts(for: World.ada)?.count == 5)
                #expect(try await world.texts(for: World.eve) == nil)
            }
        }
    }

    /// A knock, its refusal, and an invitation are events of people who are not in the room.
    @Test(arguments: [true, false]) func aKnockIsNoMembership(isLive: Bool) async throws {
        try await World.with { world in
            _ = fill(world)
            var isConnected = isLive
            if isConnected { try await world.invite() }
            for membership in ["knock", "leave", "knock", "invite"] {
                world.home.setMember(World.eve, in: World.room, membership, by: World.ada)
                if isConnected { try await world.deliver() } else { try await world.invite() }
                isConnected = true
                #expect(try await world.texts(for: World.eve) == nil, "\(membership)")
                let roster = try await world.store.roster(of: World.conversation)
                #expect(roster.members.map(\.displayName) == ["Ada", "Bob"])
            }
            world.home.setMember(World.eve, in: World.room, "join")
            try await world.deliver()
            #expect(try await world.texts(for: World.eve)?.count == 5)
        }
    }

    @Test(arguments: [false, true]) func everyEventOfTheSourceIsCountedOnce(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            let ids = fill(world)
            world.home.edit(ids[0], "line one", by: World.ada, in: World.room)
            world.home.react("👍", to: ids[1], by: World.bob, in: World.room)
            world.home.add(World.room, "m.room.encrypted", by: World.bob, ["ciphertext": .string("x")])
            world.home.add(World.room, "org.example.game", by: World.bob, ["move": .string("e4")])
            try await world.invite()
            world.home.delete(ids[2], by: World.ada, in: World.room)
            world.home.say("live", by: World.bob, in: World.room)
            try await world.deliver()

            let counts = try await world.counts()
            #expect(counts.values.reduce(0, +) == world.home.events(of: World.room).count)
            #expect(counts[.message] == 6)
            #expect(counts[.edit] == 1)
            #expect(counts[.reaction] == 1)
            #expect(counts[.deletion] == 1)
            #expect(counts[.encrypted] == 1)
            #expect(counts[.unsupported] == 1)
        }
    }

    @Test(arguments: [false, true]) func editsAndReactionsGiveTheSameLiveAsInHistory(inPostgres: Bool) async throws {
        func act(_ home: StubHomeserver, _ ids: [String]) {
            let first = home.edit(ids[0], "line one", by: World.ada, in: World.room)
            home.edit(ids[0], "line one!", by: World.ada, in: World.room)
            home.edit(ids[1], "not mine", by: World.bob, in: World.room)
            let last = home.edit(ids[2], "to be taken back", by: World.ada, in: World.room)
            home.delete(last, by: World.ada, in: World.room)
            home.delete(first, by: World.ada, in: World.room)
            home.react("👍", to: ids[3], by: World.bob, in: World.room)
            let gone = home.react("🎉", to: ids[3], by: World.bob, in: World.room)
            home.delete(gone, by: World.bob, in: World.room)
            home.edit(ids[4], "a secret edit", by: World.ada, in: World.room)
            home.delete(ids[4], by: World.ada, in: World.room)
        }
        var found: [[Message]] = []
        for isLive in [true, false] {
            try await World.with(inPostgres: inPostgres) { world in
                let ids = fill(world)
                if isLive { try await world.invite() }
                act(world.home, ids)
                if isLive { try await world.deliver() } else { try await world.invite() }
                found.append(try #require(try await world.messages(for: World.ada)))
                let stored = try await world.store.inspect("SELECT text FROM messages")
                #expect(!stored.contains("a secret edit"))
            }
        }

        #expect(found[0].map(\.text) == ["line one!", "line 2", "line 3", "line 4"])
        #expect(found[0][3].reactions == [Message.Reaction(emoji: "👍", userIDs: [World.user(World.bob)])])
        let isEdited = found.map { $0.map { $0.editedAt != nil } }
        #expect(isEdited == [[true, false, false, false], [true, false, false, false]])
        // The edits have other times in the two rooms.
        let messages = found.map { messages in
            messages.map { message in
                var message = message
                message.editedAt = nil
                return message
            }
        }
        #expect(messages[0] == messages[1])
    }

    @Test(arguments: [false, true]) func whoIsRemovedReadsNothingAtOnce(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            _ = fill(world)
            try await world.invite()
            #expect(try await world.texts(for: World.bob)?.count == 5)

            world.home.setMember(World.bob, in: World.room, "leave")
            try await world.deliver()
            #expect(try await world.texts(for: World.bob) == nil)

            world.home.setMember(World.bob, in: World.room, "join")
            try await world.deliver()
            #expect(try await world.texts(for: World.bob)?.count == 5)
        }
    }

    @Test func whoIsRemovedReadsNothingAlthoughTheListCannotBeRead() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.invite()
            world.home.setMember(World.bob, in: World.room, "ban")
            world.home.fail("state", .status(502))

            let body = try #require(world.home.transactions(keeps: true).first)
            #expect(await world.send(body).status == 503)
            #expect(try await world.texts(for: World.bob) == nil)
            #expect(await world.send(body).status == 200)
            #expect(try await world.texts(for: World.ada)?.count == 5)
        }
    }

    @Test func aLateJoinDoesNotBringBackWhoHasLeft() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.invite()
            world.home.setMember(World.eve, in: World.room, "join")
            world.home.setMember(World.eve, in: World.room, "leave")

            let bodies = world.home.transactions()
            _ = await world.send(bodies[0])
            #expect(try await world.texts(for: World.eve) == nil)
        }
    }

    @Test(arguments: [false, true]) func whoComesLaterReadsNothingFromBeforeIfTheRoomSaysSo(
        inPostgres: Bool
    ) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            _ = fill(world, visibility: "joined")
            try await world.invite()
            world.home.setMember(World.eve, in: World.room, "join")
            world.home.say("for all", by: World.ada, in: World.room)
            try await world.deliver()

            #expect(try await world.texts(for: World.eve) == ["for all"])
            #expect(try await world.texts(for: World.bob)?.count == 6)
        }
    }

    @Test(arguments: [false, true]) func aRuleThatChangesHoldsForWhatIsWrittenLater(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            _ = fill(world)
            try await world.invite()
            world.home.add(
                World.room, "m.room.history_visibility", by: World.ada, key: "",
                ["history_visibility": .string("joined")], before: ["history_visibility": .string("shared")])
            world.home.say("among us", by: World.ada, in: World.room)
            world.home.setMember(World.eve, in: World.room, "join")
            world.home.say("for all", by: World.ada, in: World.room)
            try await world.deliver()

            #expect(try await world.texts(for: World.eve) == (1...5).map { "line \($0)" } + ["for all"])
            #expect(try await world.texts(for: World.bob)?.count == 7)
        }
    }

    @Test func anInvitationFromAnotherServerIsNotFollowed() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.setMember(StubHomeserver.bot, in: World.room, "invite", by: "@mallory:elsewhere.test")
            try await world.deliver()
            try await world.read()

            #expect(try await world.texts(for: World.ada) == nil)
            #expect(!world.home.requests.contains { $0.hasSuffix("join") })
        }
    }

    @Test func nobodyReadsARoomThatNexusWasRemovedFrom() async throws {
        try await World.with { world in
            let ids = fill(world)
            try await world.invite()
            world.home.setMember(StubHomeserver.bot, in: World.room, "leave")
            try await world.deliver()
            #expect(try await world.texts(for: World.ada) == nil)
            #expect(try await world.connector.report()[1].contains("left: nobody reads it"))

            world.home.delete(ids[1], by: World.ada, in: World.room)
            world.home.edit(ids[2], "line three", by: World.ada, in: World.room)
            world.home.setMember(World.bob, in: World.room, "leave")
            try await world.invite()
            #expect(try await world.texts(for: World.ada) == ["line 1", "line three", "line 4", "line 5"])
            #expect(try await world.texts(for: World.bob) == nil)
        }
    }
}
