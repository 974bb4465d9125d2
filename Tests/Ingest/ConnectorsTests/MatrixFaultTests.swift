import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

private typealias World = MatrixWorld

/// Faults of the homeserver, and of this process.
@Suite(.hangGuard) struct MatrixFaultTests {
    private func fill(_ world: MatrixWorld) -> [String] {
        world.home.makeRoom(World.room, [World.ada, World.bob])
        return (1...9).map { world.home.say("line \($0)", by: World.ada, in: World.room) }
    }

    @Test func aWrongTokenIsRefused() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.setMember(StubHomeserver.bot, in: World.room, "invite")
            let body = try #require(world.home.transactions().first)

            for token in ["", "homeserver-toke", "homeserver-tokens", StubHomeserver.serviceToken] {
                #expect(await world.send(body, token: token).status == 403)
            }
            #expect(await world.connector.take(authorization: nil, body: body).status == 403)
            #expect(world.connector.answer(authorization: nil, isPing: true).status == 403)
            #expect(world.home.requests.isEmpty)
        }
    }

    @Test func aRepeatedTransactionStoresNothingTwiceAndALaterDeletionCounts() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.invite()
            let id = world.home.say("once", by: World.bob, in: World.room)
            let body = try #require(world.home.transactions(keeps: true).first)
            for _ in 0..<3 { #expect(await world.send(body).status == 200) }
            #expect(try await world.texts(for: World.ada)?.filter { $0 == "once" }.count == 1)

            // The homeserver reads the event again when it repeats the transaction.
            world.home.delete(id, by: World.bob, in: World.room)
            let again = try #require(world.home.transactions().first)
            #expect(await world.send(again).status == 200)
            #expect(try await world.texts(for: World.ada)?.contains("once") == false)
            #expect(await world.send(body).status == 200)
            #expect(try await world.texts(for: World.ada)?.contains("once") == false)
        }
    }

    @Test func readingContinuesAfterAKillWhereItStopped() async throws {
        try await World.with { world in
            _ = fill(world)
            // The first page is stored, and the second one fails.
            world.home.setMember(StubHomeserver.bot, in: World.room, "invite")
            try await world.deliver()
            world.home.onNextPage { $0.fail("messages", .status(502)) }
            _ = try await world.connector.advance()
            let before = try #require(try await world.texts(for: World.ada)).count
            #expect(before > 0 && before < 9)

            try world.restart()
            let pages = world.home.requests.filter { $0.hasSuffix("messages") }.count
            try await world.read()
            #expect(try await world.texts(for: World.ada) == (1...9).map { "line \($0)" })
            let left = world.home.events(of: World.room).count - 4
            #expect(world.home.requests.filter { $0.hasSuffix("messages") }.count - pages == (left + 3) / 4)
            #expect(try await world.counts().values.reduce(0, +) == world.home.events(of: World.room).count)
        }
    }

    @Test func whatChangesWhileAPageIsReadIsNotUndoneByThePage() async throws {
        try await World.with { world in
            let ids = fill(world)
            let edit = world.home.edit(ids[7], "to be taken back", by: World.ada, in: World.room)
            world.home.setMember(StubHomeserver.bot, in: World.room, "invite")
            try await world.deliver()
            let connector = world.connector
            let token = "Bearer \(StubHomeserver.homeserverToken)"
            let clock = world.clock
            world.home.onNextPage { home in
                clock.advance(by: .milliseconds(10))
                home.edit(ids[8], "newer", by: World.ada, in: World.room)
                home.delete(edit, by: World.ada, in: World.room)
                home.say("live", by: World.bob, in: World.room)
                let bodies = home.transactions()
                let done = DispatchSemaphore(value: 0)
                Task.detached {
                    for body in bodies { _ = await connector.take(authorization: token, body: body) }
                    done.signal()
                }
                done.wait()
            }
            try await world.read()

            let texts = try #require(try await world.texts(for: World.ada))
            #expect(texts == (1...8).map { "line \($0)" } + ["newer", "live"])
        }
    }

    @Test func aLimitIsAWaitWithATime() async throws {
        try await World.with { world in
            _ = fill(world)
            world.home.setMember(StubHomeserver.bot, in: World.room, "invite")
            try await world.deliver()
            world.home.fail("messages", .limited(milliseconds: 90_000))
            let start = world.clock.now()
            try await world.read()

            #expect(world.clock.now() - start >= .seconds(90))
            #expect(try await world.texts(for: World.ada)?.count == 9)

            // Longer than a call may wait: the operator sees until when.
            world.home.setMember(StubHomeserver.bot, in: World.room, "leave")
            world.home.setMember(StubHomeserver.bot, in: World.room, "join")
            try await world.deliver()
            world.home.fail("messages", .limited(milliseconds: 7_200_000))
            let pause = try await world.connector.advance()
            #expect(pause.map { $0 > .seconds(7_100) } == true)
            let end = (world.clock.now() + .seconds(7_200)).iso8601
            #expect(try await world.connector.report()[0].contains("waiting until \(end)"))
        }
    }

    @Test func aFailedCallOfTheListChangesNoOtherMember() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.invite()
            _ = try await world.store.map(
                Identity(
                    source: MatrixSettings.source, externalID: "matrix-\(World.bob)", userID: "robert"),
                at: world.clock.now())
            world.home.setMember(World.bob, in: World.room, "leave")
            world.home.fail("state", .status(502))
            let body = try #require(world.home.transactions(keeps: true).first)
            #expect(await world.send(body).status == 503)
            let asRobert = { () async throws -> Int? in
                try? await world.store.page(
                    of: World.conversation, asker: "robert", before: nil, limit: 10, at: world.clock.now()
                ).count
            }
            #expect(try await asRobert() == nil)
            #expect(try await world.texts(for: World.ada)?.count == 9)

            // Back again: the membership is that of the source, not one that was ended by hand.
            world.home.setMember(World.bob, in: World.room, "join")
            try await world.deliver()
            #expect(try await asRobert() == 9)
        }
    }

    @Test func aSourceThatIsAwayChangesNothingThatIsStored() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.invite()
            world.home.refuse()
            world.clock.advance(by: .seconds(700))
            _ = try await world.connector.advance()

            #expect(try await world.texts(for: World.bob)?.count == 9)
            #expect(try await world.connector.report()[0].contains("cannot be reached"))
            world.home.admit()
            world.clock.advance(by: .seconds(700))
            _ = try await world.connector.advance()
            #expect(try await world.connector.report()[0].contains("cannot be reached") == false)
        }
    }

    @Test func whoLeftWhileNexusWasAwayIsGoneAfterTheFirstComparison() async throws {
        try await World.with { world in
            _ = fill(world)
            try await world.invite()
            world.home.setMember(World.bob, in: World.room, "leave")
            _ = world.home.transactions()
            try world.restart()
            _ = try await world.connector.advance()

            #expect(try await world.texts(for: World.bob) == nil)
            #expect(try await world.texts(for: World.ada)?.count == 9)
        }
    }

    @Test(arguments: [false, true]) func erasedContentIsNotReadAgain(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            let ids = fill(world)
            world.home.react("👍", to: ids[0], by: World.bob, in: World.room)
            try await world.invite()
            _ = try await world.store.erase(.user(World.user(World.bob)), at: world.clock.now())
            let authors = try await world.store.inspect(
                "SELECT author_id FROM connector_events WHERE author_id IS NOT NULL")
            #expect(authors.isEmpty)

            _ = try await world.store.erase(.conversation(World.conversation), at: world.clock.now())
            #expect(try await world.store.inspect("SELECT id FROM connector_events").isEmpty)
            for isRestarted in [false, true] {
                if isRestarted { try world.restart() }
                world.home.say("later", by: World.ada, in: World.room)
                world.home.setMember(World.eve, in: World.room, isRestarted ? "leave" : "join")
                try await world.deliver()
                world.clock.advance(by: .seconds(700))
                try await world.read()
                #expect(try await world.texts(for: World.ada) ?? [] == [])
                #expect(try await world.store.inspect("SELECT display_name FROM members").isEmpty)
            }
        }
    }
}
