import ChatCore
import Testing

@Suite struct DailyTokensTests {
    @Test func whatIsUnderWayCountsAsUsed() throws {
        var tokens = DailyTokens(limit: 100)

        let firstWish = tokens.reserve(60, on: 1)
        let first = try #require(firstWish)
        #expect(tokens.remainingCount(on: 1) == 40)
        let tooMuch = tokens.reserve(41, on: 1)
        #expect(tooMuch == nil)
        let secondWish = tokens.reserve(40, on: 1)
        let second = try #require(secondWish)
        #expect(tokens.remainingCount(on: 1) == 0)
        #expect(!tokens.isUsedUp(on: 1))
        tokens.settle(first, used: 10, on: 1)
        #expect(tokens.remainingCount(on: 1) == 50)
        tokens.settle(second, used: 0, on: 1)

        #expect(tokens.remainingCount(on: 1) == 90)
        #expect(tokens.usedCount == 10)
        #expect(tokens.reservedCount == 0)
    }

    @Test func countsThatDoNotFitStayAtTheLargestNumber() throws {
        var tokens = DailyTokens(limit: 100)
        tokens.begin(1, used: .max)

        let first = tokens.reserveBeyondLimit(.max, on: 1)
        let second = tokens.reserveBeyondLimit(.max, on: 1)
        tokens.settle(first, used: .max, on: 1)
        tokens.settle(second, used: .max, on: 1)

        #expect(tokens.usedCount == .max)
        #expect(tokens.reservedCount == 0)
        #expect(tokens.remainingCount(on: 1) == 0)
        #expect(EmbeddingUsage(tokenCount: .max) + EmbeddingUsage(tokenCount: 1) == EmbeddingUsage(tokenCount: .max))
    }

    @Test func moreThanWasExpectedIsCountedInFull() throws {
        var tokens = DailyTokens(limit: 100)

        let wish = tokens.reserve(10, on: 1)
        let reservation = try #require(wish)
        tokens.settle(reservation, used: 130, on: 1)

        #expect(tokens.remainingCount(on: 1) == 0)
        #expect(tokens.usedCount == 130)
        #expect(tokens.isUsedUp(on: 1))
        #expect(!tokens.isUsedUp(on: 2))
        let (more, nothing) = (tokens.reserve(1, on: 1), tokens.reserve(0, on: 1))
        #expect(more == nil)
        #expect(nothing?.tokenCount == 0)
    }

    @Test func aNewDayBeginsWithWhatIsUnderWay() throws {
        var tokens = DailyTokens(limit: 100)
        tokens.begin(1, used: 70)
        #expect(tokens.remainingCount(on: 1) == 30)

        let wish = tokens.reserve(30, on: 1)
        let reservation = try #require(wish)
        #expect(tokens.remainingCount(on: 2) == 70)
        tokens.settle(reservation, used: 25, on: 2)

        #expect(tokens.day == 2)
        #expect(tokens.usedCount == 25)
        #expect(tokens.remainingCount(on: 2) == 75)
    }

    @Test func withoutALimitEverythingIsCountedAndNothingRefused() throws {
        var tokens = DailyTokens(limit: nil)

        let wish = tokens.reserve(.max, on: 1)
        let reservation = try #require(wish)
        tokens.settle(reservation, used: 5, on: 1)

        #expect(tokens.usedCount == 5)
        #expect(tokens.remainingCount(on: 1) == .max)
    }

    @Test func whatIsSentAnywayMayGoBeyondTheLimit() {
        var tokens = DailyTokens(limit: 10)

        let reservation = tokens.reserveBeyondLimit(15, on: 1)
        #expect(tokens.remainingCount(on: 1) == 0)
        tokens.dropReservations()

        #expect(reservation.tokenCount == 15)
        #expect(tokens.remainingCount(on: 1) == 10)
    }
}
