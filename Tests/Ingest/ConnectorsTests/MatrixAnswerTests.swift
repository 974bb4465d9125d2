import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

private typealias World = MatrixWorld

/// Questions in rooms, and answers that are sent there.
@Suite(.hangGuard) struct MatrixAnswerTests {
    private func connect(_ world: MatrixWorld) async throws {
        world.home.makeRoom(World.room, [World.ada, World.bob])
        try await world.invite()
    }

    /// The homeserver refuses for ever, so an administrator has something to do.
    @Test(arguments: [false, true]) func aRefusedRemovalSaysWhy(inPostgres: Bool) async throws {
        try await World.with(inPostgres: inPostgres) { world in
            try await connect(world)
            let question = world.home.say("@nexus:home.test when?", by: World.ada, in: World.room)
            try await world.deliver()
            try await world.answer(question)
            for isSent in [true, false, false, false, true] {
                world.clock.advance(by: .seconds(3_600))
                let moment = world.clock.now()
                let delivery = try #require(
                    try await world.store.claimDelivery(until: moment + .seconds(60), at: moment))
                if !isSent { world.home.fail("/redact/", .status(403)) }
                #expect(try await world.connector.deliver(delivery.answer) == isSent)
                try await world.store.settle(delivery, retryAt: isSent ? nil : moment)
                if delivery.attempts == 1, isSent {
                    world.home.delete(question, by: World.ada, in: World.room)
                    try await world.deliver()
                }
                let texts = try await world.connector.overview().notes.filter { $0.code == .removals }.map(\.text)
                #expect(texts.isEmpty == (delivery.attempts < 3 || isSent))
                #expect(texts.allSatisfy { $0.contains("because the homeserver refuses it (403 ") })
            }
        }
    }

    private static let text = "It is **on <4 March>** [1].\n\n[1] Ada, 2025-10-09"

    /// The content of the last event of Nexus.
    private func lastContent(_ world: MatrixWorld) throws -> [String: JSONValue] {
        try #require(world.home.events(of: World.room).last { $0.sender == StubHomeserver.bot }).content
    }

    @Test(arguments: [
        ("@nexus:home.test when is it?", "@nexus when is it?"), ("Nexus: when is it?", "@nexus when is it?"),
        ("nexus, when is it?", "@nexus when is it?"), ("@Nexus when is it?", "@nexus when is it?"),
        ("So when is it, @nexus:home.test?", "@nexus So when is it, @nexus:home.test?"),
        ("nexuses are many", "nexuses are many"), ("nexus is slow today", "nexus is slow today"),
    ]) func aMentionBecomesAQuestionToTheAssistant(said: String, stored: String) async throws {
        try await World.with { world in
            try await connect(world)
            world.home.say(said, by: World.ada, in: World.room)
            world.home.say(
                said, by: World.bob, in: World.room, ["msgtype": .string("m.notice"), "body": .string(said)])
            try await world.deliver()

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map(\.text) == [stored, said])
            #expect(messages.map(\.kind) == [.text, .bot])
        }
    }

    @Test func anAnswerIsANoticeInTheThreadWithLinksAndIsSentOnce() async throws {
        try await World.with { world in
            try await connect(world)
            let source = world.home.say("The release is on 4 March.", by: World.ada, in: World.room)
            let question = world.home.say("@nexus:home.test when?", by: World.bob, in: World.room)
            try await world.deliver()
            let answer = world.answer(Self.text, to: question, citing: source)
            #expect(try await world.connector.deliver(answer) == true)
            #expect(try await world.connector.deliver(answer) == true)

            let sent = world.home.events(of: World.room).filter {
                $0.sender == StubHomeserver.bot && $0.type == "m.room.message"
            }
            #expect(sent.count == 1)
            let content = try lastContent(world)
            let link = "https://matrix.to/#/%21plans/\(source.replacing("$", with: "%24"))?via=home.test"
            #expect(content["body"] == .string("It is **on <4 March>** [1].\n\n[1] Ada, 2025-10-09 \(link)"))
            #expect(
                content["formatted_body"]
                    == .string(
                        #"It is <strong>on &lt;4 March&gt;</strong> [1].<br><br><a href="\#(link)">[1] Ada, 2025-10-09</a>"#
                    ))
            #expect(content["msgtype"] == .string("m.notice"))
            #expect(
                content["m.relates_to"]
                    == .object([
                        "rel_type": .string("m.thread"), "event_id": .string(question),
                        "is_falling_back": .bool(true), "m.in_reply_to": .object(["event_id": .string(question)]),
                    ]))
            // Its own event comes back, and is no message.
            try await world.deliver()
            #expect(try await world.texts(for: World.ada)?.count == 2)
            #expect(try await world.counts()[.answer] == 1)
        }
    }

    /// Nexus edited answers before: each edit is an event, which stays when only the message is deleted.
    @Test func editsThatAnEarlierVersionMadeGoWithTheAnswer() async throws {
        try await World.with { world in
            try await connect(world)
            let question = world.home.say("@nexus:home.test when?", by: World.bob, in: World.room)
            try await world.deliver()
            let answer = world.answer(Self.text, to: question, citing: question)
            _ = try await world.connector.deliver(answer)
            let first = try #require(world.shownAnswers().first).id
            for number in 1...5 { world.home.edit(first, "text \(number)", by: StubHomeserver.bot, in: World.room) }
            world.home.edit(first, "not by Nexus", by: World.ada, in: World.room)
            try await world.deliver()
            try world.restart()

            #expect(try await world.connector.deliver(answer.withdrawn(at: world.clock.now())) == true)
            #expect(world.keptAnswers() == [MentionWithdrawal.text])
            #expect(world.home.requests.contains { $0.hasSuffix("relations/\(first)/m.replace") })
            try await world.deliver()
            #expect(try await world.counts().values.reduce(0, +) == world.home.events(of: World.room).count)
        }
    }

    @Test func anAnswerWaitsForAHomeserverThatIsAway() async throws {
        try await World.with { world in
            try await connect(world)
            let question = world.home.say("@nexus:home.test when?", by: World.bob, in: World.room)
            try await world.deliver()
            let answer = world.answer(Self.text, to: question, citing: question)
            world.home.fail("send", .status(502))
            #expect(try await world.connector.deliver(answer) == false)
            world.home.fail("send", .status(403))
            #expect(try await world.connector.deliver(answer) == true)
            #expect(try await world.connector.deliver(answer) == true)
            #expect(try lastContent(world)["msgtype"] == .string("m.notice"))

            let other = Message.sample("somewhere", "m1", by: "nexus", "no room")
            #expect(try await world.connector.deliver(other) == nil)
        }
    }
}
