import ChatCore
import HTTPAPI
import TestSupport
import Testing

struct FeedTicketTests {
    @Test func aTicketIsGoodOnceAndForThirtySeconds() throws {
        let tickets = FeedTickets()
        let first = try #require(tickets.make(for: "ada", at: .second(0)))
        let second = try #require(tickets.make(for: "ada", at: .second(0)))

        #expect(first != second && first.count == 64)
        #expect(tickets.take(first, at: .second(29))?.user == "ada")
        #expect(tickets.take(first, at: .second(29)) == nil)
        #expect(tickets.take(second, at: .second(30)) == nil)
        #expect(tickets.take("unknown", at: .second(1)) == nil)
    }

    @Test func theTicketsOfAnErasedUserAreGone() throws {
        let tickets = FeedTickets()
        let gone = try #require(tickets.make(for: "ada", at: .second(0)))
        let kept = try #require(tickets.make(for: "bob", at: .second(0)))

        tickets.forget("ada")

        #expect(tickets.take(gone, at: .second(1)) == nil)
        #expect(tickets.take(kept, at: .second(1))?.user == "bob")
    }

    @Test func thereIsALimitThatEndsWithTheTickets() {
        let tickets = FeedTickets()
        for _ in 0..<10_000 { #expect(tickets.make(for: "ada", at: .second(0)) != nil) }

        #expect(tickets.make(for: "bob", at: .second(1)) == nil)
        #expect(tickets.make(for: "bob", at: .second(31)) != nil)
    }
}
