/// Checks when failed services are back, so that no user's request has to find out.
public struct ServiceProbe: Sendable {
    private let health: ServiceHealth
    private let timeLimit: Duration
    private let probes: [ModelServiceName: @Sendable () async throws -> Void]

    /// - Parameters:
    ///   - health: Knows which services are down.
    ///   - timeLimit: When a probe that did not fail until then counts as a success; longer than a connection may take.
    ///   - probes: One small request per service.
    public init(
        health: ServiceHealth, timeLimit: Duration = .seconds(20),
        probes: [ModelServiceName: @Sendable () async throws -> Void]
    ) {
        self.health = health
        self.timeLimit = timeLimit
        self.probes = probes
    }

    /// Probes until the task is cancelled.
    public func run() async {
        await health.changed.repeating(failed: { _ in }) {
            await probeDue()
            return health.nextProbe(of: probes.keys).map { max(.milliseconds(1), $0 - .now) }
        }
    }

    /// Probes all services that are due, at the same time.
    public func probeDue() async {
        await withDiscardingTaskGroup { group in
            for (service, probe) in probes where health.isProbeDue(of: service) {
                group.addTask { await self.probe(service, by: probe) }
            }
        }
    }

    private func probe(_ service: ModelServiceName, by probe: @escaping @Sendable () async throws -> Void) async {
        do {
            try await withTimeLimit(timeLimit) { try await probe() }
            health.recordSuccess(of: service)
        } catch is TimeLimitExceeded {
            // It took the request and did not fail: it works, though slowly.
            health.recordSuccess(of: service)
        } catch let failure as ModelServiceError where failure.opensCircuit {
            health.recordFailure(failure, of: service)
        } catch is ModelServiceError {
            // The service answers, though with an error.
            health.recordSuccess(of: service)
        } catch {}
    }
}
