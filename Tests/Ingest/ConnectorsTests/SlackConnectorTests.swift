import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing
import Transport

private typealias World = SlackWorld

/// What is special in Slack: pages instead of changes, threads apart from history, limits of each method.
@Suite(.hangGuard) struct SlackConnectorTests {
    private func fill(_ world: SlackWorld, count: Int = 9) -> [String] {
        world.makeRoom()
        return (1...count).map { world.say("line \($0)", by: World.ada) }
    }

    private static let lines = (1...9).map { "line \($0)" }

    // MARK: Pages

    @Test func pagesThatAreShortOrEmptyAreNotTheEnd() async throws {
        try await World.with { world in
            world.home.setPageLimit(2)
            _ = fill(world)
            world.home.fail("conversations.history", .emptyPage)
            try await world.connect()

            #expect(try await world.texts(for: World.ada) == Self.lines)
            #expect(try await world.counts().values.reduce(0, +) == world.sourceCount)
            #expect(world.home.requests.contains { $0.contains("cursor=empty") })
        }
    }

    @Test func aPlaceThatSlackNoLongerKnowsIsFoundAgain() async throws {
        try await World.with { world in
            world.home.setPageLimit(2)
            let ids = fill(world)
            for number in 1...5 { world.say("reply \(number)", by: World.bob, inThreadOf: ids[4]) }
            world.home.fail("conversations.history", .emptyPage)
            world.home.fail("conversations.history", .error("invalid_cursor"))
            world.home.fail("conversations.replies", .error("invalid_cursor"))
            try await world.connect()

            #expect(try await world.texts(for: World.ada)?.count == 14)
            #expect(try await world.counts().values.reduce(0, +) == world.sourceCount)
        }
    }

    @Test func repliesAreReadInPagesAndCountedOnce() async throws {
        try await World.with { world in
            world.home.setPageLimit(2)
            let ids = fill(world, count: 3)
            for number in 1...5 { world.say("reply \(number)", by: World.bob, inThreadOf: ids[0]) }
            world.home.say("for all", by: World.bob, in: World.room, root: ids[0], subtype: "thread_broadcast")
            try await world.connect()

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map(\.text).suffix(6) == (1...5).map { "reply \($0)" } + ["for all"])
            #expect(messages.suffix(6).allSatisfy { $0.threadRootID?.rawValue == ids[0] })
            #expect(try await world.counts().values.reduce(0, +) == world.sourceCount)
        }
    }

    @Test func channelsAreReadInTurnNewestFirst() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.makeChannel("C0OTHER", [World.ada, StubSlack.bot])
            for number in 1...9 { world.home.say("other \(number)", by: World.ada, in: "C0OTHER") }
            world.failAfterOnePage()
            world.home.onNextPage { home in
                home.onNextPage { $0.fail("conversations.history", .status(502)) }
            }
            try await world.connect()

            #expect(try await world.texts(for: World.ada) == ["line 7", "line 8", "line 9"])
            let other = try await world.store.page(
                of: "slack-C0OTHER", asker: World.user(World.ada), before: nil, limit: 9, at: world.clock.now())
            #expect(other.map(\.text) == ["other 9", "other 8", "other 7", "other 6"])
        }
    }

    @Test func anImportOfAnExportIsContinued() async throws {
        try await World.with { world in
            let ids = fill(world, count: 3)
            let start = Timestamp(microseconds: 1_750_000_000_000_000)
            let open = Conversation(
                id: World.conversation, visibility: .everyone, name: "plans", createdAt: start, updatedAt: start)
            _ = try await world.store.store(
                [ConversationRoster(conversation: open, members: [])], source: "slack", mode: .importing, at: start)
            let imported = [
                (id: "1750000000.000100", text: "long ago"), (ids[0], "line 1"), (ids[1], "before an edit"),
            ]
            _ = try await world.store.accept(
                imported.map { id, text in
                    Message(
                        key: MessageKey(conversationID: World.conversation, messageID: MessageID(rawValue: id)),
                        senderID: World.user(World.ada), senderName: "Ada", text: text, kind: .text,
                        timestamp: start)
                }, source: "slack", mode: .importing, at: start)
            #expect(try await world.texts(for: World.eve)?.count == 3)
            try await world.connect()

            #expect(try await world.texts(for: World.ada) == ["long ago"] + Self.lines[..<3])
            #expect(try await world.texts(for: World.eve) == nil)
            // What Slack no longer has stays, because it did not come from there.
            try world.restart()
            try await world.deliver()
            #expect(try await world.texts(for: World.ada)?.first == "long ago")
        }
    }

    // MARK: Limits

    /// An app that is sold outside of Slack's directory: one request a minute, few messages in each reply.
    @Test func theStrictLimitIsAWaitBesideWhichEverythingElseGoesOn() async throws {
        try await World.with { world in
            world.home.setPageLimit(3)
            _ = fill(world)
            world.home.onNextPage { $0.fail("conversations.history", .limited(seconds: 60)) }
            world.home.addMember(StubSlack.bot, to: World.room)
            try await world.follow()
            let pause = try await world.connector.advance()

            let end = try #require(world.connector.status.waitingUntil)
            #expect(pause == .seconds(60))
            #expect(end == world.clock.now() + .seconds(60))
            #expect(try await world.connector.report()[0].contains("waiting until \(end.iso8601)"))
            #expect(try await world.texts(for: World.ada) == ["line 8", "line 9"])
            // Meanwhile messages and members come as always, and history is not asked for.
            let calls = world.home.callCount("conversations.history")
            world.say("live", by: World.ada)
            world.leave(World.bob)
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == ["line 8", "line 9", "live"])
            #expect(try await world.texts(for: World.bob) == nil)
            _ = try await world.connector.advance()
            #expect(world.home.callCount("conversations.history") == calls)
            #expect(try await world.connector.report()[0].contains("waiting until"))

            try await world.read()
            #expect(try await world.texts(for: World.ada) == Self.lines + ["live"])
        }
    }

    @Test func underTheStrictLimitChannelsTakeTurns() async throws {
        try await World.with { world in
            world.home.setPageLimit(2)
            for channel in ["C0ALPHA", "C0BETA", "C0GAMMA"] {
                world.home.makeChannel(channel, [World.ada, StubSlack.bot])
                for number in 1...4 { world.home.say("line \(number)", by: World.ada, in: channel) }
            }
            world.home.limitAfterEachPage(seconds: 60)
            try await world.follow()
            var counts: [[Int]] = []
            while let pause = try await world.connector.advance(), pause <= .seconds(60) {
                world.clock.advance(by: pause)
                var present: [Int] = []
                for channel in ["C0ALPHA", "C0BETA", "C0GAMMA"] {
                    let page = try await world.store.page(
                        of: ConversationID(rawValue: "slack-\(channel)"), asker: World.user(World.ada), before: nil,
                        limit: 9, at: world.clock.now())
                    present.append(page.count)
                }
                counts.append(present)
            }
            #expect(
                Array(counts.prefix(6)) == [[2, 0, 0], [2, 2, 0], [2, 2, 2], [4, 2, 2], [4, 4, 2], [4, 4, 4]])
        }
    }

    @Test func aLimitWithoutAStatusIsAWaitToo() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.fail("conversations.replies", .error("ratelimited"))
            world.home.fail("conversations.history", .error("ratelimited"))
            let start = world.clock.now()
            try await world.connect()
            #expect(try await world.texts(for: World.ada) == Self.lines)
            #expect(world.clock.now() - start >= .seconds(30))
        }
    }

    // MARK: Edits

    /// Slack states the time of a message in microseconds, and that of an edit in whole seconds.
    @Test(arguments: [true, false]) func anEditWithinTheSecondOfItsMessageArrives(isLive: Bool) async throws {
        try await World.with { world in
            let ids = fill(world, count: 2)
            try await world.connect()
            for id in ids {
                let second = try #require(Int64(id.prefix { $0 != "." }))
                world.home.setTime(second - 1)
                world.home.edit(id, "edited", files: nil)
                world.home.setTime(second - 1)
                world.home.edit(id, "edited again", files: nil)
            }
            if isLive {
                try await world.follow()
            } else {
                world.loseDeliveries()
                try world.restart()
                try await world.deliver()
            }

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map(\.text) == ["edited again", "edited again"])
            #expect(messages.allSatisfy { $0.editedAt == $0.timestamp })
            // A late repeat of the first event changes nothing.
            let first = try #require(world.home.posts(of: World.room).first { $0.id == ids[0] })
            world.home.send([
                "type": .string("message"), "user": .string(World.ada), "text": .string("line 1"),
                "ts": .string(first.id), "channel": .string(World.room), "channel_type": .string("channel"),
            ])
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == ["edited again", "edited again"])
        }
    }

    // MARK: What was deleted meanwhile

    @Test(arguments: [false, true]) func deletionsInThreadsAreFoundByComparing(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            let ids = fill(world)
            let replies = (1...6).map { world.say("reply \($0)", by: World.bob, inThreadOf: ids[$0 % 3]) }
            try await world.connect()
            #expect(try await world.texts(for: World.ada)?.count == 15)
            // One reply of a thread, all of another one, and a thread as a whole.
            world.delete(replies[0], by: World.bob)
            for reply in [replies[1], replies[4]] { world.delete(reply, by: World.bob) }
            for id in [replies[2], replies[5], ids[0]] { world.delete(id, by: World.ada) }
            world.loseDeliveries()
            try world.restart()
            try await world.deliver()

            #expect(try await world.texts(for: World.ada) == Array(Self.lines[1...]) + ["reply 4"])
        }
    }

    @Test(arguments: [false, true]) func aFirstMessageWithRepliesIsDeletedAlone(isLive: Bool) async throws {
        try await World.with { world in
            let ids = fill(world)
            world.say("reply", by: World.bob, inThreadOf: ids[0])
            try await world.connect()
            world.delete(ids[0], by: World.ada)
            if isLive {
                try await world.follow()
            } else {
                world.loseDeliveries()
                try world.restart()
                try await world.read()
            }

            #expect(try await world.texts(for: World.ada) == Array(Self.lines[1...]) + ["reply"])
        }
    }

    @Test func whatIsRemovedForGoodIsFoundWithinADay() async throws {
        try await World.with { world in
            let ids = fill(world)
            try await world.connect()
            let open = try World.connector(
                world.home, world.store, try CurlTransport(), world.clock, staysOpen: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await open.follow() }
                repeat {
                    _ = try await open.advance()
                } while try await open.report()[0].contains("no live connection")
                // The gap before the connection is compared; from now on nothing is missed.
                _ = try await open.advance()
                for id in [ids[0], ids[4], ids[8]] { world.home.purge(id) }
                world.clock.advance(by: .seconds(700))
                _ = try await open.advance()
                #expect(try await world.texts(for: World.ada) == Self.lines)

                world.clock.advance(by: .seconds(86_400))
                _ = try await open.advance()
                group.cancelAll()
            }
            #expect(try await world.texts(for: World.ada) == Self.lines.filter { !"159".contains($0.last ?? " ") })
        }
    }

    @Test func youngMessagesThatAPageDoesNotHaveAreNotTakenForDeleted() async throws {
        try await World.with { world in
            world.home.setTime(world.clock.now().microseconds / 1_000_000 - 20)
            let ids = fill(world)
            try await world.connect()
            world.home.purge(ids[8])
            try await world.deliver()
            #expect(try await world.texts(for: World.ada) == Self.lines)

            // They are compared again with the next comparison of channels.
            try await world.compare()
            #expect(try await world.texts(for: World.ada) == Array(Self.lines[..<8]))
        }
    }

    @Test func whatSlackHidesFromAWorkspaceWithoutAPlanStays() async throws {
        try await World.with { world in
            let ids = fill(world)
            try await world.connect()
            world.home.setLimitedPlan()
            for id in ids[..<3] { world.home.purge(id) }
            for post in world.home.posts(of: World.room).prefix(3) { world.home.purge(post.id) }
            try await world.deliver()

            #expect(try await world.texts(for: World.ada) == Self.lines)
        }
    }

    // MARK: Refusals

    @Test(arguments: [true, false]) func aTokenThatIsNotKnownSaysWhatToDo(isOfBot: Bool) async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.addMember(StubSlack.bot, to: World.room)
            let wrong = try World.connector(
                world.home, world.store, try CurlTransport(), world.clock,
                botToken: isOfBot ? "xoxb-other" : StubSlack.botToken,
                appToken: isOfBot ? StubSlack.appToken : "xapp-other")
            await #expect(throws: (any Error).self) { try await wrong.follow() }
            _ = try await wrong.advance()
            let setting = isOfBot ? "slack.bot-token" : "slack.app-token"
            let line = try await wrong.report()[0]
            #expect(line.contains("does not know \(setting): it was revoked or is another one"), "\(line)")
        }
    }

    @Test func aPermissionThatIsMissingSaysWhatToDoAndOtherChannelsGoOn() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.makeChannel("C0ALPHA", [World.ada, StubSlack.bot])
            world.home.fail("conversations.history", .error("missing_scope"))
            try await world.connect()

            #expect(try await world.texts(for: World.ada) == Self.lines)
            let line = try await world.connector.report()[0]
            #expect(line.contains("the app lacks channels:history: add it under OAuth & Permissions"), "\(line)")
            try await world.compare()
            #expect(try await !world.connector.report()[0].contains("lacks"))
        }
    }

    @Test func onlyTheChosenChannelsAreRead() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.makeChannel("C0OTHER", [World.ada, StubSlack.bot])
            world.home.addMember(StubSlack.bot, to: World.room)
            let chosen = try World.connector(
                world.home, world.store, try CurlTransport(), world.clock, channels: ["C0OTHER"])
            try await chosen.follow()
            world.say("live", by: World.ada)
            try await chosen.follow()
            _ = try await chosen.advance()

            #expect(try await world.texts(for: World.ada) == nil)
            #expect(try await chosen.report().count == 2)
        }
    }

    // MARK: People

    @Test func guestsAndPeopleOfOtherWorkspacesAreGuests() async throws {
        try await World.with { world in
            world.home.addUser(World.eve, isRestricted: true)
            world.home.addUser("U0FAR", name: "Far", team: "T0OTHER")
            _ = fill(world)
            world.join(World.eve)
            world.join("U0FAR")
            try await world.connect()

            let kinds = try await world.store.identities().reduce(into: [:]) { $0[$1.userID] = $1.kind }
            #expect(kinds[World.user(World.ada)] == .member)
            #expect(kinds[World.user(World.eve)] == .guest)
            #expect(kinds[World.user("U0FAR")] == .guest)
            #expect(try await world.texts(for: "U0FAR") == Self.lines)
            let roster = try await world.store.roster(of: World.conversation)
            #expect(roster.members.map(\.displayName).sorted() == ["Ada", "Bob", "Eve", "Far"])
        }
    }

    @Test func aDeactivatedPersonReadsNothingAtOnce() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.connect()
            world.home.deactivate(World.bob)
            world.home.fail("conversations.members", .status(502))
            try await world.follow()
            #expect(try await world.texts(for: World.bob) == nil)
            #expect(try await world.texts(for: World.ada) == Self.lines)
            try await world.compare()
            #expect(try await world.texts(for: World.bob) == nil)
        }
    }

    @Test func whoLeavesReadsNothingAtOnceEvenIfMembersCannotBeRead() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.connect()
            world.leave(World.bob)
            world.home.fail("conversations.members", .status(502), count: 3)
            try await world.follow()
            #expect(try await world.texts(for: World.bob) == nil)
            #expect(try await world.texts(for: World.ada) == Self.lines)
        }
    }

    @Test(arguments: ["channel", "group"]) func nobodyReadsAChannelThatNexusWasRemovedFrom(kind: String) async throws {
        try await World.with { world in
            world.home.makeChannel(World.room, [World.ada, World.bob], kind: kind)
            let ids = (1...9).map { world.say("line \($0)", by: World.ada) }
            try await world.connect()
            world.leave(StubSlack.bot)
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == nil)
            try await world.read()
            #expect(try await world.connector.report()[1].contains("left: nobody reads it"))

            world.delete(ids[1], by: World.ada)
            world.edit(ids[2], "line three", by: World.ada)
            world.leave(World.bob)
            world.join(StubSlack.bot)
            try await world.deliver()
            #expect(try await world.texts(for: World.ada) == ["line 1", "line three"] + Self.lines[3...])
            #expect(try await world.texts(for: World.bob) == nil)
        }
    }

    @Test func nobodyReadsAChannelThatWasDeleted() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.connect()
            world.home.deleteChannel(World.room)
            try await world.follow()
            #expect(try await world.texts(for: World.ada) == nil)
            try await world.read()
            #expect(try await world.texts(for: World.ada) == nil)
        }
    }
}
