import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

/// What administrators decide about a connection.
extension ConnectorContract {
    private static var lines: [String] { (1...9).map { "line \($0)" } }

    private static func fill(_ world: World) -> [String] {
        world.makeRoom()
        return (1...9).map { world.say("line \($0)", by: World.ada) }
    }

    /// Begins again as ``ConnectionService`` does after a decision, and reads everything.
    private static func beginAgain(_ world: World) async throws {
        world.connected.forget()
        try await world.deliver()
        try await world.compare()
    }

    /// Lets a connector try what it is not allowed to do.
    private static func tryToRead(_ world: World) async {
        try? await world.deliver()
        try? await world.compare()
    }

    private static func answer(to question: String, at moment: Timestamp) -> Message {
        Message(
            key: MessageKey(conversationID: World.conversation, messageID: "nexus-1"), senderID: "nexus",
            senderName: "Nexus", text: "On Friday.", kind: .assistant, timestamp: moment,
            replyToID: MessageID(rawValue: question), threadRootID: MessageID(rawValue: question))
    }

    static var connections: [ConnectorContract] {
        [
            ConnectorContract("a paused connection takes nothing and answers nothing, and misses nothing later") {
                world in
                let ids = fill(world)
                try await world.connect()
                try await world.store.setConnection(to: World.source, isActive: false, at: world.clock.now())
                world.say("meanwhile", by: World.bob)
                world.edit(ids[0], "line one", by: World.ada)
                world.delete(ids[1], by: World.ada)
                world.leave(World.bob)
                await tryToRead(world)
                #expect(try await world.texts(for: World.ada) == lines)
                #expect(try await world.texts(for: World.bob) == lines)
                let answer = answer(to: ids[3], at: world.clock.now())
                #expect(try await world.connected.deliver(answer) == false)
                #expect(world.shownAnswers().isEmpty)
                #expect(try await world.connected.report()[0].contains("paused"))

                // It is remembered in the store.
                try world.restart()
                await tryToRead(world)
                #expect(try await world.texts(for: World.ada) == lines)

                try await world.store.setConnection(to: World.source, isActive: true, at: world.clock.now())
                try await beginAgain(world)
                #expect(try await world.texts(for: World.ada) == ["line one"] + lines[2...] + ["meanwhile"])
                #expect(try await world.texts(for: World.bob) == nil)
                #expect(try await world.connected.deliver(answer) == true)
                #expect(world.shownAnswers().map(\.text) == ["On Friday."])
                #expect(try await !world.connected.report()[0].contains("paused"))
            },
            ConnectorContract("a room that is left out is read by nobody until it is taken in again") { world in
                let ids = fill(world)
                try await world.connect()
                let isKnown = try await world.store.setLeftOut(
                    World.room, of: World.source, true, at: world.clock.now())
                #expect(isKnown)
                // Before the connector knows.
                #expect(try await world.texts(for: World.ada) == nil)
                world.say("unseen", by: World.ada)
                world.delete(ids[1], by: World.ada)
                for isRestarted in [false, true] {
                    if isRestarted { try world.restart() }
                    try await beginAgain(world)
                    #expect(try await world.texts(for: World.ada) == nil)
                    #expect(try await world.texts(for: World.bob) == nil)
                    #expect(try await !world.store.inspect("SELECT text FROM messages").contains("unseen"))
                    #expect(try await world.connected.openRooms().isEmpty)
                }
                #expect(try await world.connected.report()[1].contains("left out by an administrator"))

                _ = try await world.store.setLeftOut(World.room, of: World.source, false, at: world.clock.now())
                try await beginAgain(world)
                #expect(try await world.texts(for: World.ada) == ["line 1"] + lines[2...] + ["unseen"])
                #expect(try await world.texts(for: World.bob) == ["line 1"] + lines[2...] + ["unseen"])
                #expect(
                    try await world.store.setLeftOut("nowhere", of: World.source, true, at: world.clock.now()) == false)
            },
            ConnectorContract("disconnecting erases everything that came from there") { world in
                let ids = fill(world)
                world.react(to: ids[2], by: World.bob)
                _ = world.send(SentFile(), "the plan", by: World.bob)
                try await world.connect()
                try await world.fetchFiles()
                _ = try await world.store.map(
                    Identity(
                        source: World.source, externalID: World.user(World.ada).rawValue, userID: "ada"),
                    at: world.clock.now())
                let own = ConversationRoster.of("own", ["ada"])
                _ = try await world.store.store([own], source: "api", mode: .posting, at: world.clock.now())
                _ = try await world.store.accept(
                    [Message.sample("own", "m1", by: "ada", "stays")], source: "api", mode: .posting,
                    at: world.clock.now())

                try await disconnect(world) {
                    // A connector of another node has not heard of it.
                    world.say("too late", by: World.ada)
                    await tryToRead(world)
                }
                for query in [
                    "SELECT number FROM connector_rooms", "SELECT id FROM connector_events",
                    "SELECT number FROM remote_files", "SELECT id FROM files",
                    "SELECT source FROM identities WHERE source <> 'api'",
                    "SELECT message_id FROM tombstones",
                ] {
                    #expect(try await world.store.inspect(query).isEmpty, "\(query)")
                }
                #expect(try await world.store.inspect("SELECT id FROM conversations") == ["own"])
                #expect(try await world.store.inspect("SELECT text FROM messages") == ["stays"])
                #expect(try await world.store.inspect("SELECT user_id FROM members") == ["ada"])
                #expect(try await world.store.connection(to: World.source).state == .disconnected)
                await tryToRead(world)
                #expect(try await world.store.inspect("SELECT id FROM conversations") == ["own"])

                // It is connected again, and everything is read again.
                try await world.store.setConnection(to: World.source, isActive: true, at: world.clock.now())
                try await beginAgain(world)
                // Matrix gives the words beside a file to the file.
                let said = try await world.messages(for: World.bob)?.map { $0.attachments.first?.caption ?? $0.text }
                #expect(said == lines + ["the plan", "too late", "too late"])
            },
            ConnectorContract("what was erased before stays erased when a source is connected again") { world in
                fillAnother(world)
                try await world.connect()
                _ = try await world.store.erase(.user(World.user(World.bob)), at: world.clock.now())
                _ = try await world.store.finishErasing(.user(World.user(World.bob)), at: .second(1_000))
                try await disconnect(world) {}
                try await world.store.setConnection(to: World.source, isActive: true, at: world.clock.now())
                try await beginAgain(world)
                #expect(try await world.texts(for: World.ada) == lines)

                _ = try await world.store.erase(.conversation(World.conversation), at: world.clock.now())
                _ = try await world.store.finishErasing(.conversation(World.conversation), at: .second(1_000))
                try await disconnect(world) {}
                try await world.store.setConnection(to: World.source, isActive: true, at: world.clock.now())
                world.say("later", by: World.ada)
                try await beginAgain(world)
                #expect(try await world.texts(for: World.ada) ?? [] == [])
                #expect(try await world.store.inspect("SELECT text FROM messages").isEmpty)
            },
        ]
    }

    private static func fillAnother(_ world: World) {
        _ = fill(world)
        world.say("of an erased person", by: World.bob)
    }

    /// Disconnects as the operator's command does, without indexes; the body runs in its middle.
    private static func disconnect(_ world: World, _ body: () async -> Void) async throws {
        let (store, source) = (world.store, World.source)
        world.clock.advance(by: .milliseconds(10))
        let conversations = try await store.beginDisconnecting(source, at: world.clock.now())
        await body()
        var subjects = conversations.map { ErasureSubject.conversation($0) }
        for subject in subjects {
            _ = try await store.erase(subject, at: world.clock.now())
            #expect(try await store.finishErasing(subject, at: .second(1_000)))
        }
        await body()
        subjects = try await store.peopleOnly(of: source).map { .user($0) }
        for subject in subjects {
            _ = try await store.erase(subject, at: world.clock.now())
            #expect(try await store.finishErasing(subject, at: .second(1_000)))
        }
        try await store.removeRemains(of: source)
        // Killed here, it can only be disconnected again.
        #expect(try await store.connection(to: source).state == .disconnecting)
        await #expect(throws: RepositoryError.self) {
            try await store.setConnection(to: source, isActive: true, at: world.clock.now())
        }
        #expect(try await store.beginDisconnecting(source, at: world.clock.now()).isEmpty)
        try await store.removeRemains(of: source)
        try await store.endDisconnecting(source, at: world.clock.now())
        world.clock.advance(by: .milliseconds(10))
    }
}
