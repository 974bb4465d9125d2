import Assistant
import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

/// What is answered where guests read along.
@Suite(.hangGuard) struct MentionGuestTests {
    @Test func anAnswerInAnOpenConversationWithAGuestHoldsNothingFromElsewhere() async throws {
        try await MentionFixture.with { fixture in
            try await fixture.make("c", ["ada", "gus"], .everyone)
            try await fixture.make("open", ["bob"], .everyone)
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("open", "m1", by: "bob", "The crane stands at berth nine", at: 1))
            try await fixture.store.setKind(.guest, of: "gus")
            try await fixture.write(.short("c", "m2", "@ai where is the crane?", at: 10))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            let withGuest = try #require(try await fixture.answers(in: "c").first)
            #expect(!withGuest.text.contains("berth nine"))

            try await fixture.store.setKind(.member, of: "gus")
            try await fixture.write(.short("c", "m3", "@ai where is the crane?", at: 30))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            #expect(try await fixture.store.mentionCounts().values.reduce(0, +) == 2)
        }
    }
}
