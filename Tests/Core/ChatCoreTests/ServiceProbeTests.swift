import ChatCore
import Synchronization
import Testing

@Suite struct ServiceProbeTests {
    private let service = ModelServiceName(baseURL: "http://x", model: "m")

    /// Health in which a probe is due at once.
    private func health() -> ServiceHealth {
        let start = ContinuousClock.now
        let count = Mutex(0)
        return ServiceHealth(now: {
            start
                + .seconds(
                    count.withLock { count in
                        count += 1
                        return count
                    })
        })
    }

    @Test func aServiceThatWorksIsNotProbed() async {
        let asked = Mutex(0)
        let probe = ServiceProbe(health: health(), probes: [service: { asked.withLock { $0 += 1 } }])
        await probe.probeDue()
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func aGoodProbeClosesTheCircuit() async {
        let health = health()
        health.recordFailure(.failed(status: 500), of: service)
        await ServiceProbe(health: health, probes: [service: {}]).probeDue()
        #expect(!health.isOpen(service))
    }

    @Test func aFailedProbeKeepsItOpen() async {
        let health = health()
        health.recordFailure(.failed(status: 500), of: service)
        let probe = ServiceProbe(
            health: health, probes: [service: { throw ModelServiceError.unauthorized(status: 401) }])
        await probe.probeDue()
        #expect(health.failures[service] == .unauthorized(status: 401))
    }

    @Test func aProbeThatNeitherEndsNorFailsFindsASlowServiceAtWork() async {
        let health = health()
        health.recordFailure(.failed(status: 500), of: service)
        let probe = ServiceProbe(
            health: health, timeLimit: .zero, probes: [service: { try await Task.sleep(for: .seconds(600)) }])
        await probe.probeDue()
        #expect(!health.isOpen(service))
    }
}
