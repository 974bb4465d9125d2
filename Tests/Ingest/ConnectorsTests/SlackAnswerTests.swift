import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

private typealias World = SlackWorld

/// Questions in channels, texts, and answers that are sent there.
@Suite(.hangGuard) struct SlackAnswerTests {
    private static let mention = "<@\(StubSlack.bot)>"

    @Test(arguments: [
        ("\(mention) when is it?", "@nexus when is it?"), ("\(mention): when is it?", "@nexus when is it?"),
        ("So when is it, \(mention)?", "@nexus So when is it, @nexus?"),
        ("<@U0BOB> when is it?", "@Bob when is it?"), ("nexus is slow", "nexus is slow"),
    ]) func aMentionBecomesAQuestionToTheAssistantOnce(said: String, stored: String) async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            world.home.say(said, by: World.ada, in: World.room)
            world.home.say(said, by: "B0HOOK", in: World.room, subtype: "bot_message", botName: "CI")
            try await world.follow()

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.first?.text == stored)
            #expect(messages.map(\.kind) == [.text, .bot])
            #expect(messages.last?.senderName == "CI")
            #expect(messages.last?.text.hasPrefix("@nexus So") == false)
        }
    }

    @Test func whatSomebodyWritesToTheAppAloneIsAQuestion() async throws {
        try await World.with { world in
            world.home.makeChannel("D0ADA", [World.ada, StubSlack.bot], kind: "im")
            world.home.say("When is it?", by: World.ada, in: "D0ADA")
            try await world.deliver()

            let page = try await world.store.page(
                of: "slack-D0ADA", asker: World.user(World.ada), before: nil, limit: 10, at: world.clock.now())
            #expect(page.map(\.text) == ["@nexus When is it?"])
            #expect(try await world.store.roster(of: "slack-D0ADA").conversation.kind == .direct)
        }
    }

    @Test func textsAreReadAsInExports() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            world.home.say(
                "see <#C0PLANS|plans>, <https://a.test/x|the page> &amp; <@U0BOB>", by: "B0HOOK", in: World.room,
                subtype: "bot_message", botName: "CI")
            world.home.say("", by: World.ada, in: World.room, files: ["plan.pdf"])
            world.home.say("", by: World.ada, in: World.room)
            try await world.follow()

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map(\.text) == ["see #channel-c0plans, the page (https://a.test/x) & @Bob", ""])
            #expect(messages.last?.attachments.map(\.name) == ["plan.pdf"])
            #expect(try await world.counts()[.empty] == 1)
            let id = try #require(messages.first?.key.messageID.rawValue)
            #expect(
                messages.first?.url == "https://crew.slack.test/archives/C0PLANS/p\(id.replacing(".", with: ""))")
        }
    }

    private static let text = "It is **on 4 March**, says <!here> & <@U0ADA> [1].\n\n[1] Ada, 2025-10-09"

    @Test func anAnswerIsInTheThreadWithLinksAndNotifiesNobody() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let root = world.say("About the release:", by: World.ada)
            let source = world.say("The release is on 4 March.", by: World.ada, inThreadOf: root)
            let question = world.say("@nexus when?", by: World.bob)
            try await world.deliver()
            let answer = world.answer(Self.text, to: question, citing: source)
            world.home.loseNextCreation()
            #expect(try await world.connector.deliver(answer) == false)
            #expect(try await world.connector.deliver(answer) == true)

            #expect(world.shownAnswers().count == 1)
            let post = try #require(world.home.posts(of: World.room).last)
            #expect(post.root == question)
            let link = "https://crew.slack.test/archives/C0PLANS/p\(source.replacing(".", with: ""))"
            #expect(
                post.text == """
                    It is *on 4 March*, says <!here> & <@U0ADA> [1].

                    [1] <\(link)?thread_ts=\(root)&cid=C0PLANS|Ada, 2025-10-09>
                    """)
            let sent = try #require(world.home.requests.last { $0.contains("chat.postMessage") })
            #expect(sent.hasPrefix("POST"))
            #expect(world.home.lastText("chat.postMessage")?.contains("&lt;!here&gt; &amp; &lt;@U0ADA&gt;") == true)
        }
    }

    /// Asks in a new room; returns the answer, which was not sent yet.
    private func answerToQuestion(in world: SlackWorld) async throws -> Message {
        world.makeRoom()
        try await world.connect()
        let question = world.say("@nexus when?", by: World.bob)
        try await world.deliver()
        return world.answer(Self.text, to: question, citing: question)
    }

    @Test func anAnswerThatAKilledProcessSentIsNotSentAgain() async throws {
        try await World.with { world in
            let answer = try await answerToQuestion(in: world)
            world.home.loseNextCreation()
            #expect(try await world.connector.deliver(answer) == false)
            world.clock.advance(by: .seconds(1))
            try world.restart()
            #expect(try await world.connector.deliver(answer) == true)
            #expect(world.shownAnswers().count == 1)
        }
    }

    @Test func anAnswerThatMayNotBeDeletedLosesItsText() async throws {
        try await World.with { world in
            var answer = try await answerToQuestion(in: world)
            #expect(try await world.connector.deliver(answer) == true)
            world.home.fail("chat.delete", .error("compliance_exports_prevent_deletion"))
            world.home.fail("chat.update", .error("edit_window_closed"))
            answer = answer.withdrawn(at: world.clock.now())
            #expect(try await world.connector.deliver(answer) == false)
            #expect(world.shownAnswers().map(\.text).contains { $0.contains("4 March") })

            world.home.fail("chat.delete", .error("compliance_exports_prevent_deletion"))
            #expect(try await world.connector.deliver(answer) == true)
            #expect(world.shownAnswers().map(\.text) == ["(This answer was removed.)", MentionWithdrawal.text])
        }
    }

    @Test func anAnswerWaitsForAPermission() async throws {
        try await World.with { world in
            let answer = try await answerToQuestion(in: world)
            world.home.fail("chat.postMessage", .error("missing_scope"))
            #expect(try await world.connector.deliver(answer) == false)
            #expect(try await world.connector.deliver(answer) == true)
            #expect(world.shownAnswers().count == 1)
        }
    }
}
