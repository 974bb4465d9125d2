import Assistant
import ChatCore
import MessageStore
import TestSupport
import Testing

/// A model in front of which something happens each time.
private struct LateModel: LanguageModel {
    let base: any LanguageModel
    let before: @Sendable () async throws -> Void

    var name: String { base.name }
    var contextTokenCount: Int { base.contextTokenCount }

    func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        try await before()
        try await base.generate(request, deliver: deliver)
    }
}

/// What a model can reach that is made before the fixture.
private actor Late {
    private var action: @Sendable () async throws -> Void = {}

    func set(_ action: @escaping @Sendable () async throws -> Void) { self.action = action }

    func run() async throws { try await action() }
}

@Suite("Who reads an answer in a conversation", .hangGuard)
struct MentionAudienceTests {
    private static let question = "@ai where is the heliotrope crane?"

    @Test func noDirectConversationEntersAnAnswerElsewhere() async throws {
        let model = RepeatingModel(end: "[1] [2] [3]")
        try await MentionFixture.with(model: model) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            try await fixture.make("dm", ["ada", "bob"], kind: .direct)
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("dm", "m1", by: "bob", "The heliotrope crane is hushhush", at: 1))
            try await fixture.write(.short("c", "m2", Self.question, at: 10))
            try await fixture.write(.short("dm", "m3", Self.question, at: 10))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()

            let answer = try #require(try await fixture.answers(in: "c").first)
            #expect(!(answer.text + (answer.extra ?? "")).contains("hushhush"))
            let own = try #require(try await fixture.answers(in: "dm").first)
            #expect(own.text.contains("hushhush"))
            #expect(model.prompts.count { $0.contains("hushhush") } == 1)
        }
    }

    @Test func whoJoinsLaterIsNotShownWhatTheAnswerRestsOnElsewhere() async throws {
        try await MentionFixture.with { fixture in
            try await fixture.make("c", ["ada", "bob"])
            try await fixture.make("d", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("d", "m1", by: "bob", "The heliotrope crane is hushhush", at: 1))
            try await fixture.write(.short("c", "m2", Self.question, at: 10))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            #expect(try await fixture.answers(in: "c").count == 1)

            let eve = Member(userID: "eve", displayName: "Eve", joinedAt: fixture.clock.now())
            try await fixture.store.setMember(eve, in: "c", source: "api", at: fixture.clock.now())
            #expect(try await fixture.answers(in: "c", asker: "eve").isEmpty)
            #expect(try await fixture.answers(in: "c", asker: "bob").count == 1)

            // A follow-up in the thread with her there knows nothing of it, and is answered.
            var next = Message.short("c", "m3", "@ai and what colour is it?", at: 30)
            next.threadRootID = "m2"
            try await fixture.write(next)
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            let shown = try await fixture.answers(in: "c", asker: "eve")
            #expect(shown.map(\.replyToID) == ["m3"])
            #expect(shown.first?.text.contains("hushhush") == false)
        }
    }

    @Test func whoJoinsWhileTheModelWritesIsNotShownTheAnswerAndTheAskerIsTold() async throws {
        let late = Late()
        let model = LateModel(base: RepeatingModel(end: "[1] [2] [3]")) { try await late.run() }
        try await MentionFixture.with(model: model) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            try await fixture.make("d", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("d", "m1", by: "bob", "The heliotrope crane is hushhush", at: 1))
            try await fixture.write(.short("c", "m2", Self.question, at: 10))
            let (store, clock) = (fixture.store, fixture.clock)
            // At each try somebody joins, who is gone again before the next one.
            await late.set {
                let eve = Member(userID: "eve", displayName: "Eve", joinedAt: clock.now())
                try await store.setMember(eve, in: "c", source: "api", at: clock.now())
            }
            for _ in 0..<6 {
                try await store.removeMember("eve", from: "c", at: clock.now())
                clock.advance(by: .seconds(400))
                try await fixture.work()
                #expect(try await fixture.answers(in: "c").allSatisfy { !$0.text.contains("hushhush") })
            }

            let told = try await fixture.answers(in: "c")
            #expect(told.map(\.replyToID) == ["m2"])
            #expect(told.first?.text.contains("people joined") == true)
            #expect(try await fixture.states() == ["failed": 1])
        }
    }

    @Test func whoHasNoTokensLeftIsTold() async throws {
        let model = FakeLanguageModel(replies: [.failure(after: [], .unreachable(reason: "unused"))])
        let spent = LateModel(base: model) { throw DailyTokensUsedUp(retryAfter: 60) }
        try await MentionFixture.with(model: spent) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("c", "m1", Self.question, at: 10))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()

            let told = try await fixture.answers(in: "c")
            #expect(told.map(\.replyToID) == ["m1"])
            #expect(told.first?.text.contains("for today is used up") == true)
            #expect(try await fixture.states() == ["failed": 1])
        }
    }
}
