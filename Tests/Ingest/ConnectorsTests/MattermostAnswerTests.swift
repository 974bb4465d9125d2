import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

private typealias World = MattermostWorld

/// Questions in channels, and answers that are sent there.
@Suite(.hangGuard) struct MattermostAnswerTests {
    @Test(arguments: [
        ("@nexus when is it?", "@nexus when is it?"), ("@Nexus: when is it?", "@nexus when is it?"),
        ("So when is it, @nexus?", "@nexus So when is it, @nexus?"), ("@nexus2 when?", "@nexus2 when?"),
        ("mail me@nexus.test", "mail me@nexus.test"), ("nexus is slow", "nexus is slow"),
    ]) func aMentionBecomesAQuestionToTheAssistant(said: String, stored: String) async throws {
        try await World.with { world in
            world.makeRoom()
            world.home.addUser("gitgitgitgitgitgitgitgitgi", isBot: true)
            try await world.connect()
            world.say(said, by: World.ada)
            world.say(said, by: "gitgitgitgitgitgitgitgitgi")
            try await world.deliver()

            let messages = try #require(try await world.messages(for: World.ada))
            #expect(messages.map(\.text) == [stored, said])
            #expect(messages.map(\.kind) == [.text, .bot])
        }
    }

    @Test func whatSomebodyWritesToTheBotAloneIsAQuestion() async throws {
        try await World.with { world in
            let direct = "directdirectdirectdirectdi"
            world.home.makeChannel(direct, [World.ada, StubMattermost.bot], type: "D")
            world.home.say("When is it?", by: World.ada, in: direct)
            try await world.deliver()

            let id = ConversationID(rawValue: "mattermost-\(direct)")
            let page = try await world.store.page(
                of: id, asker: World.user(World.ada), before: nil, limit: 10,
                at: world.clock.now())
            #expect(page.map(\.text) == ["@nexus When is it?"])
            let roster = try await world.store.roster(of: id)
            #expect(roster.conversation.kind == .direct)
        }
    }

    private static let text = "It is on 4 March, says @ada [1].\n\n[1] Ada, 2025-10-09"

    @Test func anAnswerIsInTheThreadWithLinksAndNotifiesNobody() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let source = world.say("The release is on 4 March.", by: World.ada)
            let question = world.say("@nexus when?", by: World.bob)
            try await world.deliver()
            let answer = world.answer(Self.text, to: question, citing: source)
            // The reply to the first attempt is lost, and the server no longer knows the request.
            world.home.onNextCreation { $0.forgetPending() }
            #expect(try await world.connector.deliver(answer) == false)
            #expect(try await world.connector.deliver(answer) == true)

            #expect(world.shownAnswers().count == 1)
            let post = try #require(world.home.posts(of: World.room).last)
            #expect(post.root == question)
            #expect(
                post.text == """
                    It is on 4 March, says @\u{200B}ada [1].

                    [1] [Ada, 2025-10-09](https://chat.test/crew/pl/\(source))
                    """)
            let stored = try #require(try await world.messages(for: World.ada)?.first)
            #expect(stored.url == "https://chat.test/crew/pl/\(source)")
        }
    }

    @Test func anAnswerThatMayNotBeDeletedLosesItsText() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let question = world.say("@nexus when?", by: World.bob)
            try await world.deliver()
            var answer = world.answer(Self.text, to: question, citing: question)
            #expect(try await world.connector.deliver(answer) == true)
            world.home.fail("DELETE /api/v4/posts", .status(403))
            world.home.fail("/patch", .status(403))
            answer = answer.withdrawn(at: world.clock.now())
            #expect(try await world.connector.deliver(answer) == false)
            #expect(world.shownAnswers().map(\.text).contains { $0.contains("4 March") })

            world.home.fail("DELETE /api/v4/posts", .status(403))
            #expect(try await world.connector.deliver(answer) == true)
            #expect(world.shownAnswers().map(\.text) == ["(This answer was removed.)", MentionWithdrawal.text])
        }
    }
}
