import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

/// What an answer said before it changed is nowhere at the source any more.
extension ConnectorContract {
    /// A room with a question to which an answer was delivered.
    private static func ask(_ world: World, isSent: Bool = true) async throws -> Message {
        world.makeRoom()
        try await world.connect()
        let question = world.say("@nexus when?", by: World.bob)
        try await world.deliver()
        let answer = world.answer("The code is 4711 [1].", to: question, citing: question)
        if isSent {
            #expect(try await world.connected.deliver(answer) == true)
            try await world.deliver()
        }
        return answer
    }

    private static func expectWithdrawal(_ world: World, of answer: Message) {
        #expect(world.keptAnswers() == [MentionWithdrawal.text])
        #expect(world.shownAnswers().map(\.root) == [answer.threadRootID?.rawValue])
    }

    static var removals: [ConnectorContract] { completeRemovals + interruptedRemovals }

    private static var completeRemovals: [ConnectorContract] {
        [
            ConnectorContract("a changed answer is sent again in its thread, and nothing keeps the earlier text") {
                world in
                let answer = try await ask(world)
                let counted = try await world.counts().values.reduce(0, +)
                #expect(world.keptAnswers() == ["The code is 4711 [1]."])
                let withdrawn = answer.withdrawn(at: world.clock.now())
                #expect(try await world.connected.deliver(withdrawn) == true)
                expectWithdrawal(world, of: answer)
                let ids = world.shownAnswers().map(\.id)

                // The delivery was not settled.
                for isRestarted in [false, true] {
                    if isRestarted { try world.restart() }
                    #expect(try await world.connected.deliver(withdrawn) == true)
                    #expect(world.shownAnswers().map(\.id) == ids)
                }
                try await world.deliver()
                try await world.compare()
                #expect(try await world.texts(for: World.ada)?.count == 1)
                #expect(try await world.counts().values.reduce(0, +) > counted)
                #expect(
                    try await world.counts().filter { $0.key != .reaction }.values.reduce(0, +) == world.sourceCount)

                // Its second change, and its deletion after a restart.
                world.clock.advance(by: .seconds(1))
                var digest = withdrawn
                (digest.text, digest.editedAt) = ("What is left.", world.clock.now())
                #expect(try await world.connected.deliver(digest) == true)
                #expect(world.keptAnswers() == ["What is left."])
                try world.restart()
                digest.deletedAt = world.clock.now()
                #expect(try await world.connected.deliver(digest) == true)
                #expect(world.keptAnswers().isEmpty)
                #expect(try await world.connected.deliver(digest) == true)
            },
            ConnectorContract("an answer without a thread changes like one with it") { world in
                world.makeRoom()
                try await world.connect()
                var digest = Message(
                    key: MessageKey(conversationID: World.conversation, messageID: "nexus-2"), senderID: "nexus",
                    senderName: "Nexus", text: "one\ntwo", kind: .assistant, timestamp: world.clock.now())
                #expect(try await world.connected.deliver(digest) == true)
                (digest.text, digest.editedAt) = ("one", world.clock.now())
                for _ in 1...2 {
                    #expect(try await world.connected.deliver(digest) == true)
                    #expect(world.keptAnswers() == ["one"])
                    try world.restart()
                }
                digest.deletedAt = world.clock.now()
                #expect(try await world.connected.deliver(digest) == true)
                #expect(world.keptAnswers().isEmpty)
            },
            ConnectorContract("an answer that changes after a week is only removed") { world in
                let answer = try await ask(world)
                world.clock.advance(by: .seconds(8 * 86_400))
                #expect(try await world.connected.deliver(answer.withdrawn(at: world.clock.now())) == true)
                #expect(world.keptAnswers().isEmpty)
            },
            ConnectorContract("an answer that somebody else removed does not come back") { world in
                let answer = try await ask(world)
                world.delete(world.shownAnswers()[0].id, by: World.ada)
                try await world.deliver()
                for _ in 1...2 {
                    #expect(world.keptAnswers().isEmpty)
                    world.clock.advance(by: .seconds(1))
                    #expect(try await world.connected.deliver(answer.withdrawn(at: world.clock.now())) == true)
                }
                #expect(world.keptAnswers().isEmpty)
            },
        ]
    }

    private static var interruptedRemovals: [ConnectorContract] {
        [
            ConnectorContract("a change that was not sent is sent after a restart, without what it removes") { world in
                let answer = try await ask(world)
                let withdrawn = answer.withdrawn(at: world.clock.now())
                world.failSending()
                #expect(try await world.connected.deliver(withdrawn) == false)
                #expect(world.keptAnswers().isEmpty)
                try world.restart()
                try await world.deliver()
                #expect(try await world.connected.deliver(withdrawn) == true)
                expectWithdrawal(world, of: answer)
            },
            ConnectorContract("a removal that failed is repeated, and nothing is sent before it") { world in
                let answer = try await ask(world)
                let withdrawn = answer.withdrawn(at: world.clock.now())
                world.failRemoving()
                #expect(try await world.connected.deliver(withdrawn) == false)
                #expect(world.keptAnswers() == ["The code is 4711 [1]."])
                try world.restart()
                #expect(try await world.connected.deliver(withdrawn) == true)
                expectWithdrawal(world, of: answer)
            },
            ConnectorContract("an answer whose reply was lost is removed too") { world in
                let answer = try await ask(world, isSent: false)
                world.loseSending()
                #expect(try await world.connected.deliver(answer) == false)
                #expect(world.keptAnswers() == ["The code is 4711 [1]."])
                let withdrawn = answer.withdrawn(at: world.clock.now())
                world.loseSending()
                #expect(try await world.connected.deliver(withdrawn) == false)
                expectWithdrawal(world, of: answer)
                #expect(try await world.connected.deliver(withdrawn) == true)
                expectWithdrawal(world, of: answer)
            },
            ConnectorContract("an answer that changed before it was sent is sent as it is") { world in
                let answer = try await ask(world, isSent: false)
                #expect(try await world.connected.deliver(answer.withdrawn(at: world.clock.now())) == true)
                expectWithdrawal(world, of: answer)
            },
            ConnectorContract("an answer in a room that Nexus left is removed when it is back") { world in
                let answer = try await ask(world)
                world.removeNexus()
                try await world.deliver()
                try await world.compare()
                let withdrawn = answer.withdrawn(at: world.clock.now())
                #expect(try await world.connected.deliver(withdrawn) == false)
                try await world.connect()
                try await world.compare()
                #expect(try await world.connected.deliver(withdrawn) == true)
                expectWithdrawal(world, of: answer)
            },
        ]
    }
}
