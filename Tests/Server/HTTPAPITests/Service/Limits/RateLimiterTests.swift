import HTTPAPI
import Synchronization
import Testing

/// A clock that stands until it is moved.
final class HandClock: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 = $0.advanced(by: duration) } }
}

struct RateLimiterTests {
    private let clock = HandClock()

    private func limiter(_ limit: Int) -> RateLimiter {
        RateLimiter(limit: limit, window: .seconds(60), now: { [clock] in clock.now })
    }

    @Test func aFullBucketAllowsItsLimitAtOnceAndThenOneForEachInterval() {
        let limiter = limiter(3)

        let first = (0..<4).map { _ in limiter.take("ada") }
        clock.advance(by: .seconds(19))
        let early = limiter.take("ada")
        clock.advance(by: .seconds(1))
        let late = limiter.take("ada")
        let again = limiter.take("ada")

        #expect(first.map(\.isAllowed) == [true, true, true, false])
        #expect(first.map(\.remaining) == [2, 1, 0, 0])
        #expect(first.map(\.reset) == [20, 40, 60, 60])
        #expect(first.map(\.retryAfter) == [0, 0, 0, 20])
        #expect(early == .init(isAllowed: false, remaining: 0, reset: 41, retryAfter: 1))
        #expect(late == .init(isAllowed: true, remaining: 0, reset: 60, retryAfter: 0))
        #expect(!again.isAllowed)
    }

    @Test func usersHaveBucketsOfTheirOwn() {
        let limiter = limiter(1)

        #expect(limiter.take("ada").isAllowed)
        #expect(!limiter.take("ada").isAllowed)
        #expect(limiter.take("bob").isAllowed)
    }

    @Test func aBucketIsFullAgainAfterItsWindowAndNoFuller() {
        let limiter = limiter(5)
        for _ in 0..<5 { _ = limiter.take("ada") }

        clock.advance(by: .seconds(3_600))

        #expect((0..<6).map { _ in limiter.take("ada").isAllowed } == [true, true, true, true, true, false])
    }

    @Test func overAnHourNoMoreIsAllowedThanTheRate() {
        let limiter = limiter(7)
        var generator = SystemRandomNumberGenerator()
        var allowed = 0

        for _ in 0..<3_600 {
            clock.advance(by: .milliseconds(1_000))
            for _ in 0..<Int.random(in: 0...3, using: &generator) where limiter.take("ada").isAllowed { allowed += 1 }
        }

        #expect((413...427).contains(allowed), "\(allowed)")
    }

    @Test func theNumberOfUsersIsBoundedAndTheEmptiestBucketsStay() {
        let limiter = limiter(10)
        for _ in 0..<10 { _ = limiter.take("greedy") }
        for number in 0..<(2 * RateLimiter.userLimit) {
            _ = limiter.take("user \(number)")
            #expect(limiter.userCount <= RateLimiter.userLimit)
        }

        #expect(!limiter.take("greedy").isAllowed)
    }
}
