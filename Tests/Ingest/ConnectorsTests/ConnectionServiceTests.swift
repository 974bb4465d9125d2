import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing
import Transport

private typealias World = SlackWorld

/// Connectors that run while administrators let them.
@Suite(.hangGuard) struct ConnectionServiceTests {
    private func wait(until isDone: () async throws -> Bool) async throws {
        while try await !isDone() { await shortPause() }
    }

    @Test(arguments: [false, true]) func aDecisionTakesEffectWhileTheServiceRuns(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            world.makeRoom()
            world.home.addMember(StubSlack.bot, to: World.room)
            world.say("one", by: World.ada)
            let connector = try World.connector(
                world.home, world.store, try CurlTransport(), world.clock, staysOpen: true)
            let files = ConnectorFileService(
                connector: connector, store: world.store, limits: FileLimits(), makeID: { UUID().uuidString },
                now: world.clock.now, logger: .silent)
            let service = ConnectionService(
                connector: connector, files: files, store: world.store, logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                try await wait { try await world.texts(for: World.ada) == ["one"] }

                try await world.store.setConnection(to: World.source, isActive: false, at: world.clock.now())
                service.follow([Change(number: ChangeNumber(rawValue: 1), conversationID: nil, subject: .connections)])
                world.say("two", by: World.ada)
                // It forgets everything when it has stopped.
                try await wait { try await connector.report()[0].contains("paused") }
                #expect(try await world.texts(for: World.ada) == ["one"])

                try await world.store.setConnection(to: World.source, isActive: true, at: world.clock.now())
                service.follow([Change(number: ChangeNumber(rawValue: 2), conversationID: nil, subject: .connections)])
                try await wait { try await world.texts(for: World.ada) == ["one", "two"] }

                _ = try await world.store.setLeftOut(World.room, of: World.source, true, at: world.clock.now())
                service.follow(nil)
                try await wait { try await connector.openRooms().isEmpty }
                #expect(try await world.texts(for: World.ada) == nil)
                group.cancelAll()
            }
        }
    }

    @Test func decisionsThatMakeNoSenseAreRefused() async throws {
        try await World.with { world in
            let (store, source, moment) = (world.store, World.source, world.clock.now())
            #expect(try await store.connection(to: source) == .first)
            try await store.setConnection(to: source, isActive: true, at: moment)
            #expect(try await store.connection(to: source) == .first)
            try await store.setConnection(to: source, isActive: false, at: moment)
            #expect(try await store.connection(to: source).version == 1)
            #expect(try await store.connection(to: "matrix").state == .active)
            _ = try await store.beginDisconnecting(source, at: moment)
            for isActive in [false, true] {
                await #expect(throws: RepositoryError.self) {
                    try await store.setConnection(to: source, isActive: isActive, at: moment)
                }
            }
            try await store.endDisconnecting(source, at: moment)
            try await store.setConnection(to: source, isActive: false, at: moment)
            #expect(try await store.connection(to: source).state == .disconnected)
        }
    }

    @Test func sourcesWithoutSettingsAreShown() async throws {
        try await World.with { world in
            world.makeRoom()
            world.say("one", by: World.ada)
            try await world.connect()
            let slack = try await UnconfiguredConnection(source: "slack").overview(in: world.store)
            #expect(!slack.isConfigured && slack.rooms.map(\.id) == [World.room])
            #expect(slack.rooms.first?.state == .complete && slack.rooms.first?.name?.isEmpty == false)
            let matrix = try await UnconfiguredConnection(source: "matrix").overview(in: world.store)
            #expect(matrix.rooms.isEmpty && matrix.lines == ["matrix: not connected: there are no settings"])
        }
    }
}
