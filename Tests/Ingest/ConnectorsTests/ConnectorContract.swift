import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

/// What every connector promises, on a server with faults on demand.
struct ConnectorContract<World: ConnectorWorld>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable (World) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (World) async throws -> Void) {
        (testDescription, self.check) = (description, check)
    }

    static var all: [ConnectorContract] {
        completeness + changes + membership + faults + answers + removals + files + connections + links
            + refusedRemovals
    }

    /// A room of Ada and Bob with nine messages.
    @discardableResult
    private static func fill(_ world: World) -> [String] {
        world.makeRoom()
        return (1...9).map { world.say("line \($0)", by: World.ada) }
    }

    private static var lines: [String] { (1...9).map { "line \($0)" } }

    // MARK: Nothing is skipped

    private static var completeness: [ConnectorContract] {
        [
            ConnectorContract("a room comes with its history, its name and its people") { world in
                fill(world)
                try await world.connect()
                #expect(try await world.texts(for: World.ada) == lines)
                #expect(try await world.texts(for: World.eve) == nil)
                let roster = try await world.store.roster(of: World.conversation)
                #expect(roster.members.map(\.displayName).sorted() == ["Ada", "Bob"])
                #expect(roster.conversation.name?.isEmpty == false)
            },
            ConnectorContract("everything of the source is counted once") { world in
                let ids = fill(world)
                world.edit(ids[0], "line one", by: World.ada)
                try await world.connect()
                world.say("live", by: World.bob)
                world.say("reply", by: World.bob, inThreadOf: ids[3])
                world.delete(ids[2], by: World.ada)
                try await world.deliver()
                let counted = try await world.counts().filter { $0.key != .reaction }
                #expect(counted.values.reduce(0, +) == world.sourceCount)
                #expect(counted[.message] == 11)
                try await world.compare()
                #expect(try await world.counts().filter { $0.key != .reaction } == counted)
            },
            ConnectorContract("reading continues after a kill where it stopped, beside what is written now") { world in
                fill(world)
                world.failAfterOnePage()
                try await world.connect()
                let before = try #require(try await world.texts(for: World.ada)).count
                #expect(before > 0 && before < 9)
                world.say("live", by: World.bob)
                try await world.deliver()
                try world.restart()
                try await world.compare()
                #expect(try await world.texts(for: World.ada) == lines + ["live"])
                #expect(
                    try await world.counts().filter { $0.key != .reaction }.values.reduce(0, +) == world.sourceCount)
            },
        ]
    }

    // MARK: Edits and deletions arrive

    private static func change(_ world: World, _ ids: [String]) {
        world.edit(ids[0], "line one", by: World.ada)
        world.edit(ids[0], "line one!", by: World.ada)
        world.edit(ids[1], "a secret edit", by: World.ada)
        world.delete(ids[1], by: World.ada)
        world.react(to: ids[3], by: World.bob)
    }

    private static var changes: [ConnectorContract] {
        [true, false].map { isLive in
            let place = isLive ? "live" : "in history"
            return ConnectorContract("edits, deletions and reactions give the same \(place)") { world in
                let ids = fill(world)
                if isLive { try await world.connect() }
                change(world, ids)
                if isLive { try await world.deliver() } else { try await world.connect() }
                let messages = try #require(try await world.messages(for: World.ada))
                #expect(messages.map(\.text) == ["line one!"] + lines[2...])
                #expect(messages[0].editedAt != nil)
                #expect(messages[2].reactions == [Message.Reaction(emoji: "👍", userIDs: [World.user(World.bob)])])
                #expect(try await !world.store.inspect("SELECT text FROM messages").contains("a secret edit"))
            }
        } + [
            ConnectorContract("what changed while Nexus was away arrives") { world in
                let ids = fill(world)
                try await world.connect()
                change(world, ids)
                world.say("meanwhile", by: World.bob)
                world.loseDeliveries()
                try world.restart()
                try await world.deliver()
                try await world.compare()
                let messages = try #require(try await world.messages(for: World.ada))
                #expect(messages.map(\.text) == ["line one!"] + lines[2...] + ["meanwhile"])
                #expect(messages[2].reactions.map(\.emoji) == ["👍"])
            }
        ]
    }

    // MARK: Membership takes effect

    private static var membership: [ConnectorContract] {
        [
            ConnectorContract("people who leave read nothing at once") { world in
                fill(world)
                try await world.connect()
                #expect(try await world.texts(for: World.bob)?.count == 9)
                world.leave(World.bob)
                world.say("among us", by: World.ada)
                try await world.deliver()
                #expect(try await world.texts(for: World.bob) == nil)
                world.join(World.bob)
                try await world.deliver()
                #expect(try await world.texts(for: World.bob) == lines + ["among us"])
            },
            ConnectorContract("people who left while Nexus was away read nothing after the first comparison") { world in
                fill(world)
                try await world.connect()
                world.leave(World.bob)
                world.join(World.eve)
                world.loseDeliveries()
                try world.restart()
                try await world.compare()
                #expect(try await world.texts(for: World.bob) == nil)
                #expect(try await world.texts(for: World.eve) == lines)
                #expect(try await world.texts(for: World.ada) == lines)
            },
        ]
    }

    // MARK: Limits and failures

    private static var faults: [ConnectorContract] {
        [
            ConnectorContract("a limit is a wait with a time") { world in
                fill(world)
                world.limit(seconds: 90)
                let start = world.clock.now()
                try await world.connect()
                #expect(world.clock.now() - start >= .seconds(90))
                #expect(try await world.texts(for: World.ada) == lines)
            },
            ConnectorContract("a limit that is too long is shown with its end") { world in
                fill(world)
                world.limit(seconds: 7_200)
                try await world.connect()
                let line = try await world.connected.report()[0]
                #expect(line.contains("waiting until"), "\(line)")
                world.clock.advance(by: .seconds(7_200))
                try await world.compare()
                #expect(try await world.texts(for: World.ada) == lines)
                #expect(try await !world.connected.report()[0].contains("waiting"))
            },
            ConnectorContract("a source that is away changes nothing that is stored") { world in
                fill(world)
                try await world.connect()
                world.goAway()
                try await world.compare()
                #expect(try await world.texts(for: World.bob) == lines)
                #expect(try await world.connected.report()[0].contains("cannot be reached"))
                world.comeBack()
                try await world.compare()
                #expect(try await !world.connected.report()[0].contains("cannot be reached"))
                #expect(try await world.texts(for: World.bob) == lines)
            },
            ConnectorContract("an erased conversation is not read again") { world in
                fill(world)
                try await world.connect()
                _ = try await world.store.erase(.conversation(World.conversation), at: world.clock.now())
                for isRestarted in [false, true] {
                    if isRestarted { try world.restart() }
                    world.say("later", by: World.ada)
                    world.leave(World.bob)
                    try await world.deliver()
                    try await world.compare()
                    #expect(try await world.texts(for: World.ada) ?? [] == [])
                    #expect(try await world.store.inspect("SELECT id FROM connector_events").isEmpty)
                    #expect(try await world.store.inspect("SELECT display_name FROM members").isEmpty)
                    world.join(World.bob)
                }
            },
        ]
    }

    // MARK: Answers

    private static var answers: [ConnectorContract] {
        [
            ConnectorContract("an answer is sent once, and follows its edit and its deletion") { world in
                world.makeRoom()
                try await world.connect()
                let question = world.say("@nexus when?", by: World.bob)
                try await world.deliver()
                var answer = Message(
                    key: MessageKey(conversationID: World.conversation, messageID: "nexus-1"), senderID: "nexus",
                    senderName: "Nexus", text: "On Friday [1].", kind: .assistant, timestamp: world.clock.now(),
                    replyToID: MessageID(rawValue: question), threadRootID: MessageID(rawValue: question))
                #expect(try await world.connected.deliver(answer) == true)
                try world.restart()
                #expect(try await world.connected.deliver(answer) == true)
                let sent = world.shownAnswers()
                #expect(sent.map(\.text) == ["On Friday [1]."])
                // It comes back, and is no message.
                try await world.deliver()
                try await world.compare()
                #expect(try await world.texts(for: World.ada)?.count == 1)
                #expect(try await world.counts()[.answer] == 1)

                answer = answer.withdrawn(at: world.clock.now())
                #expect(try await world.connected.deliver(answer) == true)
                #expect(world.shownAnswers().map(\.text) == [MentionWithdrawal.text])
                answer.deletedAt = world.clock.now()
                #expect(try await world.connected.deliver(answer) == true)
                #expect(world.shownAnswers().isEmpty)
            },
            ConnectorContract("an answer waits for a server that is away") { world in
                world.makeRoom()
                try await world.connect()
                let question = world.say("@nexus when?", by: World.bob)
                try await world.deliver()
                let answer = Message(
                    key: MessageKey(conversationID: World.conversation, messageID: "nexus-1"), senderID: "nexus",
                    senderName: "Nexus", text: "On Friday.", kind: .assistant, timestamp: world.clock.now(),
                    replyToID: MessageID(rawValue: question), threadRootID: MessageID(rawValue: question))
                world.goAway()
                #expect(try await world.connected.deliver(answer) == false)
                world.comeBack()
                #expect(try await world.connected.deliver(answer) == true)
                #expect(world.shownAnswers().map(\.text) == ["On Friday."])
                let other = Message.sample("somewhere", "m1", by: "nexus", "no room")
                #expect(try await world.connected.deliver(other) == nil)
            },
        ]
    }
}

@Suite(.hangGuard) struct ConnectorContractTests {
    @Test(arguments: ConnectorContract<MatrixWorld>.all, [false, true])
    func matrixKeeps(_ contract: ConnectorContract<MatrixWorld>, inPostgres: Bool) async throws {
        try await MatrixWorld.with(inPostgres: inPostgres, contract.check)
    }

    @Test(arguments: ConnectorContract<MattermostWorld>.all, [false, true])
    func mattermostKeeps(_ contract: ConnectorContract<MattermostWorld>, inPostgres: Bool) async throws {
        try await MattermostWorld.with(inPostgres: inPostgres, contract.check)
    }

    @Test(arguments: ConnectorContract<SlackRequestWorld>.all, [false, true])
    func slackOverHTTPKeeps(_ contract: ConnectorContract<SlackRequestWorld>, inPostgres: Bool) async throws {
        try await SlackRequestWorld.with(inPostgres: inPostgres, contract.check)
    }

    @Test(arguments: ConnectorContract<SlackWorld>.all, [false, true])
    func slackKeeps(_ contract: ConnectorContract<SlackWorld>, inPostgres: Bool) async throws {
        try await SlackWorld.with(inPostgres: inPostgres, contract.check)
    }
}
