import ChatCore
import HTTPAPI
import Synchronization
import Testing

/// A clock that stands until it is moved.
final class HandClock: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 = $0.advanced(by: duration) } }
}

/// Limits of a server that runs alone.
struct RateLimiterTests {
    private let clock: HandClock
    private let buckets: LocalBuckets

    init() {
        let clock = HandClock()
        self.clock = clock
        buckets = LocalBuckets { clock.now }
    }

    private func limiter(_ limit: Int) -> RateLimiter {
        RateLimiter("requests of", limit: limit, buckets: buckets) { [clock] in clock.now }
    }

    @Test func aFullBucketAllowsItsLimitAtOnceAndThenOneForEachInterval() async {
        let limiter = limiter(3)

        var first: [RateLimiter.Decision] = []
        for _ in 0..<4 { first.append(await limiter.take("ada")) }
        clock.advance(by: .seconds(19))
        let early = await limiter.take("ada")
        clock.advance(by: .seconds(1))
        let late = await limiter.take("ada")
        let again = await limiter.take("ada")

        #expect(first.map(\.isAllowed) == [true, true, true, false])
        #expect(first.map(\.remaining) == [2, 1, 0, 0])
        #expect(first.map(\.reset) == [20, 40, 60, 60])
        #expect(first.map(\.retryAfter) == [0, 0, 0, 20])
        #expect(early == .init(isAllowed: false, remaining: 0, reset: 41, retryAfter: 1))
        #expect(late == .init(isAllowed: true, remaining: 0, reset: 60, retryAfter: 0))
        #expect(!again.isAllowed)
    }

    @Test func usersHaveBucketsOfTheirOwn() async {
        let limiter = limiter(1)

        #expect(await limiter.take("ada").isAllowed)
        #expect(await !limiter.take("ada").isAllowed)
        #expect(await limiter.take("bob").isAllowed)
    }

    @Test func aBucketIsFullAgainAfterItsWindowAndNoFuller() async {
        let limiter = limiter(5)
        for _ in 0..<5 { _ = await limiter.take("ada") }

        clock.advance(by: .seconds(3_600))

        var allowed: [Bool] = []
        for _ in 0..<6 { allowed.append(await limiter.take("ada").isAllowed) }
        #expect(allowed == [true, true, true, true, true, false])
    }

    @Test func overAnHourNoMoreIsAllowedThanTheRate() async {
        let limiter = limiter(7)
        var generator = SystemRandomNumberGenerator()
        var allowed = 0

        for _ in 0..<3_600 {
            clock.advance(by: .milliseconds(1_000))
            for _ in 0..<Int.random(in: 0...3, using: &generator) where await limiter.take("ada").isAllowed {
                allowed += 1
            }
        }

        #expect((413...427).contains(allowed), "\(allowed)")
    }

    @Test func theNumberOfUsersIsBoundedAndTheEmptiestBucketsStay() async {
        let limiter = limiter(10)
        for _ in 0..<10 { _ = await limiter.take("greedy") }
        for number in 0..<(2 * LocalBuckets.countLimit) {
            _ = await limiter.take("user \(number)")
            #expect(buckets.count <= LocalBuckets.countLimit)
        }

        #expect(await !limiter.take("greedy").isAllowed)
    }
}
