import Assistant
import ChatCore
import Prompting
import Retrieval
import TestSupport
import Testing

@Suite("The exchange with a conversation's assistant", .hangGuard)
struct ConversationExchangeTests {
    private static let talk: [Message] = [
        .short("c", "m1", by: "bob", "We sail on Friday.", at: 1), .short("c", "m2", "I order the rope.", at: 2),
        .short("c", "m3", by: "bob", "And paint?", at: 3),
    ]

    private func turns(_ fixture: ConversationFixture, of user: UserID = "ada") async throws -> [Turn] {
        guard let thread = try await fixture.store.exchange(of: user, in: "c", at: thursday) else { return [] }
        return try await fixture.store.turns(of: user, in: thread.id, before: nil, limit: 99)
    }

    @Test("A question comes after what was asked there before, by the same person")
    func remembers() async throws {
        let fixture = ConversationFixture(
            .text("Bob asks for paint [3]; rope is ordered [2, 3]."), .text("Rope [2]."), .text("Friday [1]."))
        try await fixture.take(Self.talk)

        _ = try await fixture.answer("What is to be bought in the harbor?")
        _ = try await fixture.answer("And who orders the rope for the boat?", as: "bob")
        _ = try await fixture.answer("When does the whole crew sail?")
        _ = try await fixture.answer(nil)

        let prompts = fixture.requests.map { $0.messages.map(\.content) }
        #expect(prompts.map(\.count) == [2, 2, 4, 2])
        #expect(
            Array(prompts[2][1...2]) == [
                "What is to be bought in the harbor?", "Bob asks for paint [1]; rope is ordered [2, 1].",
            ])
        // Summaries are no part of it.
        let kept = try await turns(fixture)
        #expect(kept.map(\.question) == ["When does the whole crew sail?", "What is to be bought in the harbor?"])
        #expect(kept.map(\.answer) == ["Friday [1].", "Bob asks for paint [1]; rope is ordered [2, 1]."])
        #expect(kept[1].sourceKeys == [.of("c", "m3"), .of("c", "m2")])
        #expect(kept.allSatisfy { $0.wholeConversationID == "c" })
        #expect(kept[0].historyIDs == [kept[1].id])
        #expect(try await turns(fixture, of: "bob").map(\.question) == ["And who orders the rope for the boat?"])
    }

    @Test("A failed answer is not kept, and makes no exchange")
    func keepsNoFailure() async throws {
        var fixture = ConversationFixture(.failure(after: [.delta("On")], .failed(status: 500)))
        fixture.fallback = .error
        try await fixture.take(Self.talk)

        await #expect(throws: ModelServiceError.failed(status: 500)) { try await fixture.answer() }

        #expect(try await fixture.store.exchange(of: "ada", in: "c", at: thursday) == nil)
    }

    @Test("What was answered goes with each message of the conversation, cited or not")
    func forgets() async throws {
        let fixture = ConversationFixture(.text("On Friday [1]."))
        try await fixture.take(Self.talk)
        _ = try await fixture.answer("When does the whole crew sail?")

        try await fixture.store.delete(.of("c", "m3"), at: .second(50))
        _ = try await fixture.answer("Who orders the rope for the boat?")

        #expect(try await turns(fixture).map(\.question) == ["Who orders the rope for the boat?", ""])
        #expect(fixture.requests.last?.messages.count == 2)
    }

    @Test("Quoted answers are kept too")
    func keepsQuotations() async throws {
        var fixture = ConversationFixture(.text("never"))
        fixture.searching = FakeSearching(hits: [hit(1, "We sail on Friday.")])
        try await fixture.take(Self.talk)

        let answer = try await fixture.answer(hasModel: false)

        let kept = try #require(try await turns(fixture).first)
        #expect(kept.answer == answer.text)
        #expect(kept.sourceKeys == [key(1)])
    }

    @Test("A turn's trace tells how it came about, without a text")
    func traces() async throws {
        let fixture = ConversationFixture(.text("Friday [1]."))
        try await fixture.take(Self.talk)
        let answer = try await fixture.answer("When does the whole crew sail?")

        let trace = try #require(try await fixture.store.trace(of: answer.turnID, user: "ada", at: thursday))

        #expect(trace.conversationIDs == ["c"])
        #expect(trace.hits.isEmpty)
        #expect(trace.prompts.map(\.name) == ["conversation-assistant", "conversation-question"])
        #expect(trace.model == "fake")
    }
}
