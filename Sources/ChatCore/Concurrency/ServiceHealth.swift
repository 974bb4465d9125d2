import Synchronization

/// A model service as the health of services is kept: one model at one address.
public struct ModelServiceName: Hashable, Sendable {
    /// Where it is; nil for the model in this process.
    public let baseURL: String?
    /// The model's name there; nil before it is known.
    public let model: String?

    public init(baseURL: String?, model: String?) {
        self.baseURL = baseURL
        self.model = model
    }
}

/// Which services are known not to work: a circuit breaker for each, shared by all that call them.
///
/// A failure of the service as a whole opens its circuit. Whoever probes asks ``isProbeDue(of:)``: the pauses before it
/// grow from the first to the longest. The first success closes the circuit. Others ask ``failure(of:)`` and do without
/// the service meanwhile; a failure that nobody confirmed for a while is no longer known.
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
    /// Signalled when a service failed, or when pauses end, so that somebody may have to probe.
    public let changed = WorkSignal()

    /// Makes a value that knows of no failure.
    ///
    /// - Parameters:
    ///   - firstPause: The pause after the first failure; doubled with each that follows.
    ///   - pauseLimit: The longest pause, but for a service's own wish.
    ///   - now: The present instant.
    ///   - jitter: Returns a number in 0..<1; pauses are shorter by up to a quarter of themselves.
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

    /// Why a service does not work; nil when it does, as far as is known.
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
    ///   - error: Why the service as a whole does not work.
    ///   - service: Which.
    public func noteFailure(_ error: ModelServiceError, of service: ModelServiceName) {
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
    public func noteSuccess(of service: ModelServiceName) {
        circuits.withLock { $0[service] = nil }
    }

    /// Ends all pauses: somebody wants to know now.
    public func endPauses() {
        let moment = now()
        circuits.withLock { circuits in
            for service in circuits.keys { circuits[service]?.probeAt = moment }
        }
        changed.signal()
    }

    /// Forgets all services but some: nobody uses the others any longer.
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
