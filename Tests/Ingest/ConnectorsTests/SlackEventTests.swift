import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing
import Transport

private typealias World = SlackWorld

/// The live connection: envelopes, repeats, and connections that take over from each other.
@Suite(.hangGuard) struct SlackEventTests {
    @Test func eventsAreStoredAsTheyComeWithoutReadingHistory() async throws {
        try await World.with { world in
            world.makeRoom()
            let first = world.say("first", by: World.ada)
            let second = world.say("second", by: World.ada)
            try await world.connect()
            let calls = world.home.callCount("conversations.history")
            world.edit(first, "first!", by: World.ada)
            world.delete(second, by: World.ada)
            world.home.react("tada", to: first, by: World.bob)
            let root = world.say("third", by: World.bob)
            world.say("reply", by: World.ada, inThreadOf: root)
            try await world.follow()

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map(\.text) == ["first!", "third", "reply"])
            #expect(messages[0].reactions == [Message.Reaction(emoji: "🎉", userIDs: [World.user(World.bob)])])
            #expect(messages[2].threadRootID?.rawValue == root)
            #expect(world.home.callCount("conversations.history") == calls)
        }
    }

    @Test func everythingIsAcknowledgedAlsoWhatIsNotUnderstood() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let count = world.home.acknowledged.count
            world.home.send(["type": .string("shared_channel_invite_accepted")])
            world.home.send(["type": .string("message")])
            world.home.send(["type": .string("message"), "channel": .string("C0NOWHERE"), "text": .string("?")])
            try await world.follow()

            #expect(world.home.acknowledged.count == count + 3)
        }
    }

    @Test func whatWasNotAcknowledgedComesAgainAndIsStoredOnce() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let forgetful = try World.connector(
                world.home, world.store, try CurlTransport(), world.clock, losesAcknowledgements: true)
            world.say("one", by: World.ada)
            world.say("two", by: World.bob)
            try await forgetful.follow()
            try await forgetful.follow()
            #expect(try await world.texts(for: World.ada) == ["one", "two"])
            try await world.deliver()
            #expect(try await world.texts(for: World.ada) == ["one", "two"])
            #expect(try await world.counts().values.reduce(0, +) == world.sourceCount)
        }
    }

    @Test func aRepeatOfAnEarlierStateReplacesNoLaterOne() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let id = world.say("before", by: World.ada)
            let event: [String: JSONValue] = [
                "type": .string("message"), "channel": .string(World.room), "user": .string(World.ada),
                "ts": .string(id), "text": .string("before"),
            ]
            world.edit(id, "after", by: World.ada)
            // Sent again with another id, after the edit.
            world.home.send(event, id: "Ev-again")
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == ["after"])

            world.delete(id, by: World.ada)
            world.home.send(event, id: "Ev-once-more")
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == [])
        }
    }

    @Test func editsAndDeletionsMayComeBeforeTheMessage() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let message: [String: JSONValue] = [
                "type": .string("message"), "user": .string(World.ada), "ts": .string("1760000900.000100"),
            ]
            var edited = message
            edited["text"] = .string("edited")
            edited["edited"] = .object(["user": .string(World.ada), "ts": .string("1760000901.000000")])
            var first = message
            (first["text"], first["channel"]) = (.string("first"), .string(World.room))
            var later = first
            (later["ts"], later["text"]) = (.string("1760000910.000100"), .string("deleted before it came"))
            world.home.send([
                "type": .string("message"), "subtype": .string("message_changed"), "channel": .string(World.room),
                "message": .object(edited), "ts": .string("1760000902.000000"),
            ])
            world.home.send([
                "type": .string("message"), "subtype": .string("message_deleted"), "channel": .string(World.room),
                "deleted_ts": .string("1760000910.000100"), "ts": .string("1760000911.000000"),
            ])
            world.home.send(first)
            world.home.send(later)
            try await world.follow()

            #expect(try await world.texts(for: World.ada) == ["edited"])
        }
    }

    @Test func aNewConnectionTakesOverWithoutLoss() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let (opened, calls) = (
                world.home.callCount("apps.connections.open"), world.home.callCount("conversations.history")
            )
            world.say("before", by: World.ada)
            world.home.askForRefresh()
            world.say("late on the former one", by: World.ada)
            world.home.keepOnOldConnection()
            world.say("on the new one", by: World.ada)
            try await world.follow()

            #expect(
                Set(try await world.texts(for: World.ada) ?? [])
                    == ["before", "late on the former one", "on the new one"])
            #expect(world.home.callCount("apps.connections.open") == opened + 2)
            #expect(world.home.callCount("conversations.history") == calls)
        }
    }

    @Test(arguments: ["link_disabled", "too_many_websockets"]) func aConnectionThatIsRefusedIsNotReplacedAtOnce(
        reason: String
    ) async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let opened = world.home.callCount("apps.connections.open")
            world.home.askForRefresh(reason)
            try await world.follow()

            #expect(world.home.callCount("apps.connections.open") == opened + 1)
            #expect(try await world.connector.report()[0].contains("no live connection"))
        }
    }

    @Test func eventsOfOtherWorkspacesAreLeftOut() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let event: [String: JSONValue] = [
                "type": .string("message"), "channel": .string(World.room), "user": .string(World.ada),
                "ts": .string("1760000900.000100"), "text": .string("elsewhere"),
            ]
            world.home.send(event, authorizedFor: ["T0OTHER"])
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == [])

            // A channel of two workspaces: the event is for both.
            world.home.send(event, authorizedFor: ["T0OTHER", StubSlack.team])
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == ["elsewhere"])
        }
    }

    @Test(arguments: [false, true]) func reactionsBeginAndEndAsTheyCome(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            world.makeRoom()
            let id = world.say("line", by: World.ada)
            world.home.react("tada", to: id, by: World.ada)
            try await world.connect()
            world.home.react("tada", to: id, by: World.bob)
            world.home.react("heart", to: id, by: World.bob)
            world.home.react("tada", to: id, by: World.ada, isRemoved: true)
            try await world.follow()
            let reactions = try #require(try await world.messages(for: World.ada)?.first?.reactions)
            #expect(
                reactions.reduce(into: [:]) { $0[$1.emoji] = $1.userIDs } == [
                    "🎉": [World.user(World.bob)], "❤️": [World.user(World.bob)],
                ])
            world.home.react("tada", to: id, by: World.ada)
            try await world.follow()
            let all = try #require(try await world.messages(for: World.ada)?.first?.reactions)
            #expect(all.first { $0.emoji == "🎉" }?.userIDs.count == 2)
            // Slack's list says the same.
            try await world.read()
            #expect(try await world.messages(for: World.ada)?.first?.reactions.map(\.userIDs.count).sorted() == [1, 2])
        }
    }

    @Test func aMessageWhoseMembersCannotBeReadComesLater() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            world.say("live", by: World.ada)
            world.home.fail("conversations.members", .status(502))
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == [])
            try await world.read()
            #expect(try await world.texts(for: World.ada) == ["live"])
        }
    }
}
