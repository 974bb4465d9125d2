import ChatCore
import Synchronization
import Testing

@Suite struct ServiceHealthTests {
    private final class Instants: Sendable {
        let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: @Sendable () -> ContinuousClock.Instant {
            { self.start + self.passed.withLock { $0 } }
        }

        func pass(_ duration: Duration) { passed.withLock { $0 += duration } }
    }

    private let service = ModelServiceName(baseURL: "http://x", model: "m")
    private let time = Instants()

    private func health(jitter: Double = 0) -> ServiceHealth {
        ServiceHealth(firstPause: .seconds(1), pauseLimit: .seconds(4), now: time.now, jitter: { jitter })
    }

    /// How many quarters of a second pass before a probe is due.
    private func quarters(_ health: ServiceHealth) -> Int {
        for count in 0..<100 {
            if health.isProbeDue(of: service) { return count }
            time.pass(.milliseconds(250))
        }
        return 100
    }

    @Test func pausesGrowToTheLimitAndOneSuccessEndsThem() {
        let health = health()
        var pauses: [Int] = []
        for _ in 0..<5 {
            health.recordFailure(.unreachable(reason: ""), of: service)
            pauses.append(quarters(health))
        }

        #expect(pauses == [4, 8, 16, 16, 16])
        #expect(health.isOpen(service))
        health.recordSuccess(of: service)
        #expect(!health.isOpen(service))
        #expect(!health.isProbeDue(of: service))
        health.recordFailure(.unreachable(reason: ""), of: service)
        #expect(quarters(health) == 4)
    }

    @Test func failuresWithinOnePauseCountOnce() {
        let health = health()

        for _ in 0..<8 { health.recordFailure(.failed(status: 500), of: service) }

        #expect(quarters(health) == 4)
    }

    @Test func jitterShortensAPauseByUpToAQuarter() {
        let health = health(jitter: 1)

        health.recordFailure(.failed(status: 500), of: service)

        #expect(quarters(health) == 3)
    }

    @Test func aServicesOwnWishIsObeyed() {
        let health = health()

        health.recordFailure(.busy(retryAfter: .seconds(9)), of: service)

        #expect(quarters(health) == 36)
    }

    @Test func aFailureThatNobodyConfirmsIsForgottenByThoseWhoAsk() {
        let health = health()
        health.recordFailure(.failed(status: 500), of: service)

        #expect(health.failure(of: service) == .failed(status: 500))
        #expect(health.failure(of: ModelServiceName(baseURL: nil, model: "m")) == nil)
        time.pass(.seconds(5))
        #expect(health.failure(of: service) == nil)
        #expect(health.isOpen(service))
    }

    @Test func whoWantsToKnowNowDoesNotWait() {
        let health = health()
        health.recordFailure(.failed(status: 500), of: service)

        health.endPauses()

        #expect(health.isProbeDue(of: service))
    }
}
