import ChatCore
import HTTPAPI
import TestSupport
import Testing

struct FeedTicketTests {
    @Test func aTicketIsGoodOnceAndForThirtySeconds() async throws {
        let tickets = FeedTickets()
        let first = try #require(try await tickets.make(for: "ada", at: .second(0)))
        let second = try #require(try await tickets.make(for: "ada", at: .second(0)))

        #expect(first != second && first.count == 64)
        #expect(try await tickets.take(first, at: .second(29))?.user == "ada")
        #expect(try await tickets.take(first, at: .second(29)) == nil)
        #expect(try await tickets.take(second, at: .second(30)) == nil)
        #expect(try await tickets.take("unknown", at: .second(1)) == nil)
    }

    @Test func theTicketsOfAnErasedUserAreGone() async throws {
        let tickets = FeedTickets()
        let gone = try #require(try await tickets.make(for: "ada", at: .second(0)))
        let kept = try #require(try await tickets.make(for: "bob", at: .second(0)))

        try await tickets.forget("ada")

        #expect(try await tickets.take(gone, at: .second(1)) == nil)
        #expect(try await tickets.take(kept, at: .second(1))?.user == "bob")
    }

    @Test func thereIsALimitThatEndsWithTheTickets() async throws {
        let tickets = FeedTickets()
        for _ in 0..<20_000 { #expect(try await tickets.make(for: "ada", at: .second(0)) != nil) }

        #expect(try await tickets.make(for: "bob", at: .second(1)) == nil)
        #expect(try await tickets.make(for: "bob", at: .second(31)) != nil)
    }
}
