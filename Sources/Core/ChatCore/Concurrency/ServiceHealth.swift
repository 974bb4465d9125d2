import Synchronization

/// Identifies a model service for its health: one model at one address.
public struct ModelServiceName: Hashable, Sendable {
    /// The address; nil for the model in this process.
    public let baseURL: String?
    /// The model's name at the service; nil before it is known.
    public let model: String?

    public init(baseURL: String?, model: String?) {
        self.baseURL = baseURL
        self.model = model
    }
}

/// Knows which services are down: a circuit breaker for each, shared by all callers.
///
/// A failure of the service as a whole opens its circuit. The code that probes asks ``isProbeDue(of:)``: the pauses
/// between probes grow from the first to the longest. The first success closes the circuit. Other code asks
/// ``failure(of:)`` and works without the service in the meantime. A failure that was not confirmed for a while is
/// forgotten.
public final class ServiceHealth: Sendable {
    private struct Circuit {
        var error: ModelServiceError
        var pause: Duration
        var probeAt: ContinuousClock.Instant
        var knownUntil: ContinuousClock.Instant
    }

    private let firstPause: Duration
    private let pauseLimit: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let jitter: @Sendable () -> Double
    private let circuits = Mutex<[ModelServiceName: Circuit]>([:])
    /// Signalled when a service failed, or when pauses end, because a probe may be due.
    public let changed = WorkSignal()

    /// - Parameters:
    ///   - firstPause: The pause after the first failure; it doubles with each further failure.
    ///   - pauseLimit: The longest pause, unless a service asks for a longer one.
    ///   - now: The present instant.
    ///   - jitter: Returns a number in 0..<1, which shortens a pause by up to a quarter.
    public init(
        firstPause: Duration = .milliseconds(500), pauseLimit: Duration = .seconds(15),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.firstPause = firstPause
        self.pauseLimit = pauseLimit
        self.now = now
        self.jitter = jitter
    }

    /// Why a service is down; nil when no failure is known.
    public func failure(of service: ModelServiceName) -> ModelServiceError? {
        let moment = now()
        return circuits.withLock { circuits in
            circuits[service].flatMap { $0.knownUntil > moment ? $0.error : nil }
        }
    }

    /// Whether the circuit of a service is open.
    public func isOpen(_ service: ModelServiceName) -> Bool {
        circuits.withLock { $0[service] != nil }
    }

    /// Whether a service that failed should be tried with one request now.
    public func isProbeDue(of service: ModelServiceName) -> Bool {
        let moment = now()
        return circuits.withLock { circuits in circuits[service].map { $0.probeAt <= moment } ?? false }
    }

    /// When the next probe of one of these services is due; nil when all work.
    public func nextProbe(of services: some Sequence<ModelServiceName>) -> ContinuousClock.Instant? {
        circuits.withLock { circuits in services.compactMap { circuits[$0]?.probeAt }.min() }
    }

    /// Opens a circuit, or keeps it open for longer; failures within one pause lengthen it once.
    ///
    /// - Parameters:
    ///   - error: The failure of the service as a whole.
    ///   - service: The service.
    public func recordFailure(_ error: ModelServiceError, of service: ModelServiceName) {
        let moment = now()
        let shortening = 1 - 0.25 * jitter()
        let isNews = circuits.withLock { circuits in
            let open = circuits[service]
            var pause = open.map(\.pause) ?? firstPause
            if let open {
                if open.probeAt <= moment { pause = min(pauseLimit, pause * 2) } else { return false }
            }
            var wait = pause * shortening
            if case .busy(let wish?) = error { wait = max(wait, wish) }
            circuits[service] = Circuit(
                error: error, pause: pause, probeAt: moment + wait, knownUntil: moment + wait + pauseLimit)
            return true
        }
        if isNews { changed.signal() }
    }

    /// Closes a circuit.
    public func recordSuccess(of service: ModelServiceName) {
        circuits.withLock { $0[service] = nil }
    }

    /// Ends all pauses, so that services are probed now.
    public func endPauses() {
        let moment = now()
        circuits.withLock { circuits in
            for service in circuits.keys { circuits[service]?.probeAt = moment }
        }
        changed.signal()
    }

    /// Forgets all services except the given ones because nobody uses the others.
    public func keep(_ services: Set<ModelServiceName>) {
        circuits.withLock { circuits in circuits = circuits.filter { services.contains($0.key) } }
    }

    /// The present failures.
    public var failures: [ModelServiceName: ModelServiceError] {
        circuits.withLock { $0.mapValues(\.error) }
    }
}

extension EmbeddingGeneration {
    /// The service that makes its vectors.
    public var service: ModelServiceName { ModelServiceName(baseURL: baseURL, model: space.model) }
}
