import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing
import Transport

private typealias World = MattermostWorld

/// What is special in Mattermost: numbered events, lists of changes, pages by time, deletions without events.
@Suite(.hangGuard) struct MattermostConnectorTests {
    private func fill(_ world: MattermostWorld, type: String = "O") -> [String] {
        world.home.makeChannel(World.room, [World.ada, World.bob], type: type)
        return (1...9).map { world.say("line \($0)", by: World.ada) }
    }

    private static let lines = (1...9).map { "line \($0)" }

    @Test func aJumpOfTheNumbersIsResumedWithoutLoss() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.connect()
            world.say("one", by: World.ada)
            world.home.loseNextEvent()
            world.say("two", by: World.ada)
            world.say("three", by: World.ada)
            let count = world.home.requests.count

            await #expect(throws: (any Error).self) { try await world.connector.follow() }
            try await world.connector.follow()

            #expect(try await world.texts(for: World.ada) == Self.lines + ["one", "two", "three"])
            // The server still had the events, so nothing was read.
            #expect(world.home.requests.count == count)
            #expect(world.home.handshakes.count == 3)
            #expect(world.home.handshakes[2].contains("connection_id="))
        }
    }

    @Test func aLostConnectionIsReadFromTheLastChangeOn() async throws {
        try await World.with { world in
            let ids = fill(world)
            try await world.connect()
            world.home.forgetConnection()
            world.edit(ids[0], "line one", by: World.ada)
            world.say("meanwhile", by: World.bob)
            let pages = world.home.requests.filter { $0.contains("per_page") && $0.contains("/posts") }.count

            try await world.deliver()

            let texts = try await world.texts(for: World.ada)
            #expect(texts == ["line one"] + Self.lines[1...] + ["meanwhile"])
            #expect(world.home.requests.filter { $0.contains("per_page") && $0.contains("/posts") }.count == pages)
        }
    }

    @Test func repliesAreDeletedWithTheFirstPostOfTheirThread() async throws {
        try await World.with { world in
            let ids = fill(world)
            world.say("reply", by: World.bob, inThreadOf: ids[0])
            try await world.connect()
            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.last?.threadRootID?.rawValue == ids[0])

            world.delete(ids[0], by: World.ada)
            try await world.deliver()

            #expect(try await world.texts(for: World.ada) == Array(Self.lines[1...]))
        }
    }

    @Test(arguments: [false, true]) func moreChangesThanTheServerListsAreAllFound(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            world.home.setChangeLimit(6)
            try world.restart()
            let ids = fill(world)
            try await world.connect()
            world.home.forgetConnection()
            for number in 10...19 { world.say("line \(number)", by: World.ada) }
            world.edit(ids[2], "line three", by: World.ada)
            world.delete(ids[4], by: World.ada)

            try await world.deliver()

            let expected = ["line 1", "line 2", "line three", "line 4"] + (6...19).map { "line \($0)" }
            #expect(try await world.texts(for: World.ada) == expected)
            #expect(
                try await world.counts().filter { $0.key != .reaction }.values.reduce(0, +) == world.sourceCount)
        }
    }

    @Test func postsThatWereRemovedForGoodAreFoundByComparing() async throws {
        try await World.with { world in
            let ids = fill(world)
            try await world.connect()
            world.home.purge(ids[1])
            world.home.purge(ids[7])

            // Four stored posts are compared at a time.
            for _ in 0..<3 { try await world.compare() }

            let left = Self.lines.enumerated().filter { ![1, 7].contains($0.offset) }.map(\.element)
            #expect(try await world.texts(for: World.ada) == left)
        }
    }

    @Test(arguments: [2, 6, 11]) func postsOfOneMomentAreNotSkippedAtTheEndOfAPage(count: Int) async throws {
        try await World.with { world in
            world.home.makeChannel(World.room, [World.ada])
            for number in 1...count { world.home.say("a\(number)", by: World.ada, in: World.room) }
            for number in 1...count {
                world.home.say("b\(number)", by: World.ada, in: World.room, isSameMoment: number > 1)
            }
            world.home.say("c", by: World.ada, in: World.room)
            try await world.connect()

            let expected = (1...count).map { "a\($0)" } + (1...count).map { "b\($0)" } + ["c"]
            #expect(Set(try await world.texts(for: World.ada) ?? []) == Set(expected))
            #expect(try await world.counts().values.reduce(0, +) == world.sourceCount)
        }
    }

    @Test func readingGoesOnIfItsPlaceIsRemovedForGood() async throws {
        try await World.with { world in
            let ids = fill(world)
            world.failAfterOnePage()
            try await world.connect()
            // Reading stopped before the eighth line.
            world.home.purge(ids[7])
            try await world.compare()
            for _ in 0..<3 { try await world.compare() }

            let left = Self.lines.enumerated().filter { $0.offset != 7 }.map(\.element)
            #expect(try await world.texts(for: World.ada) == left)
        }
    }

    @Test func aDeactivatedPersonReadsNothingAtOnce() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.addUser(World.eve, roles: "system_guest")
            world.join(World.eve)
            try await world.connect()
            #expect(try await world.texts(for: World.eve) == Self.lines)
            #expect(try await world.store.identities().first { $0.userID == World.user(World.eve) }?.kind == .guest)

            world.home.deactivate(World.eve)
            // The list cannot be read now.
            world.home.fail("/users?in_channel", .status(502))
            try await world.deliver()
            #expect(try await world.texts(for: World.eve) == nil)
            #expect(try await world.texts(for: World.bob) == Self.lines)
            try await world.compare()
            #expect(try await world.texts(for: World.eve) == nil)
        }
    }

    @Test(arguments: ["O", "P"]) func nobodyReadsAChannelThatNexusWasRemovedFrom(type: String) async throws {
        try await World.with { world in
            let ids = fill(world, type: type)
            try await world.connect()
            world.leave(StubMattermost.bot)
            try await world.deliver()
            #expect(try await world.texts(for: World.ada) == nil)
            #expect(try await world.connector.report()[1].contains("left: nobody reads it"))
            // Nothing is taken for deleted because it may not be read.
            try await world.compare()

            world.delete(ids[1], by: World.ada)
            world.home.purge(ids[3])
            world.edit(ids[2], "line three", by: World.ada)
            world.leave(World.bob)
            world.join(StubMattermost.bot)
            for _ in 0..<3 { try await world.deliver() }
            try await world.compare()
            #expect(try await world.texts(for: World.ada) == ["line 1", "line three"] + Self.lines[4...])
            #expect(try await world.texts(for: World.bob) == nil)
        }
    }

    @Test func aStateThatArrivesLateReplacesNoLaterOne() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.connect()
            let id = world.say("first", by: World.ada)
            world.edit(id, "second", by: World.ada)
            world.home.react("tada", to: id, by: World.bob)
            // The list of changes is read before the events are taken.
            try await world.compare()
            try await world.connector.follow()

            let last = try #require(try await world.messages(for: World.ada)?.last)
            #expect(last.text == "second")
            #expect(last.reactions.map(\.emoji) == ["🎉"])
            world.home.react("tada", to: id, by: World.bob, isRemoved: true)
            try await world.deliver()
            #expect(try await world.messages(for: World.ada)?.last?.reactions == [])
            world.home.react("tada", to: id, by: World.bob)
            try await world.deliver()
            #expect(try await world.messages(for: World.ada)?.last?.reactions.count == 1)
        }
    }

    @Test func aTokenThatIsNotKnownSaysWhatToDo() async throws {
        try await World.with { world in
            _ = fill(world)
            let wrong = try World.connector(
                world.home, world.store, try CurlTransport(), world.clock, token: "another-token")
            _ = try await wrong.advance()
            #expect(try await wrong.report()[0].contains("does not know mattermost.token: make a new one"))
            await #expect(throws: (any Error).self) { try await wrong.follow() }
            #expect(world.home.handshakes.isEmpty)
        }
    }

    @Test func anAccountWithoutChannelsIsNoFailure() async throws {
        try await World.with { world in
            try await world.deliver()
            #expect(try await world.connector.report()[0].hasPrefix("mattermost: 0 rooms of "))
            #expect(try await !world.connector.report()[0].contains("cannot be reached"))
        }
    }

    @Test func whoLeavesTheTeamReadsNothingAtOnce() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.connect()
            world.home.leaveTeam(World.bob)
            world.home.fail("/users?in_channel", .status(502))
            try await world.deliver()
            #expect(try await world.texts(for: World.bob) == nil)
            #expect(try await world.texts(for: World.ada) == Self.lines)
            try await world.compare()
            #expect(try await world.texts(for: World.bob) == nil)
        }
    }

    @Test func manyMembersAreReadInPages() async throws {
        try await World.with { world in
            let people = (1...450).map { "person\($0)" }
            world.home.makeChannel(World.room, people)
            try await world.connect()

            #expect(try await world.store.roster(of: World.conversation).members.count == 450)
        }
    }

    /// A busy channel: what came by events is not asked for again, so a short loss stays short.
    @Test func eventsMoveThePlaceFromWhichChangesAreRead() async throws {
        try await World.with { world in
            world.home.setChangeLimit(8)
            try world.restart()
            _ = fill(world)
            try await world.connect()
            for number in 10...29 { world.say("line \(number)", by: World.ada) }
            try await world.deliver()
            let pages = world.home.requests.filter { $0.contains("/posts?per_page") }.count
            world.home.forgetConnection()
            world.say("meanwhile", by: World.ada)
            try await world.deliver()

            #expect(try await world.texts(for: World.ada)?.last == "meanwhile")
            #expect(world.home.requests.filter { $0.contains("/posts?per_page") }.count == pages)
        }
    }

    @Test func filesAndWhatProgramsSayAreNamed() async throws {
        try await World.with { world in
            world.home.addUser("hookhookhookhookhookhookho", isBot: true)
            _ = fill(world)
            try await world.connect()
            world.home.say("", by: World.ada, in: World.room, files: ["plan.pdf"])
            world.home.say("", by: World.ada, in: World.room)
            world.home.say("for your eyes", by: World.ada, in: World.room, type: "burn_on_read")
            world.home.say(
                "", by: World.bob, in: World.room,
                properties: [
                    "from_webhook": .string("true"), "override_username": .string("CI"),
                    "attachments": .array([.object(["title": .string("Build 7 failed")])]),
                ])
            try await world.deliver()

            let messages = try #require(try await world.messages(for: World.ada)).suffix(2)
            #expect(messages.first?.attachments.map(\.name) == ["plan.pdf"])
            #expect(messages.last?.text == "Build 7 failed")
            #expect(messages.last?.senderName == "CI")
            #expect(messages.last?.kind == .bot)
            #expect(try await world.counts()[.empty] == 1)
            #expect(try await world.counts()[.unsupported] == 1)
        }
    }
}
