import CoreMetrics
import Synchronization

/// Counts requests: how many are in work, how long each took, by route.
///
/// A route is told by its pattern, so that labels never hold what a client sent. One is made for a server; what is
/// counted with each request is looked up once.
final class RequestMetrics: Sendable {
    private struct DurationKey: Hashable {
        let method: String
        let route: String
        /// Nil for a client that did not take the answer to its end.
        let statusClass: Int?
    }

    /// The route of requests to paths that nothing answers at.
    static let noRoute = "none"
    private static let otherMethod = "other"
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let factory: any MetricsFactory
    /// Requests in work, by method.
    private let active: [String: Meter]
    private let streams: Meter
    private let durations = Mutex<[DurationKey: Recorder]>([:])

    /// Makes the counts of a server.
    init(factory: any MetricsFactory) {
        self.factory = factory
        active = Dictionary(
            uniqueKeysWithValues: Self.methods.union([Self.otherMethod]).map { method in
                let labels = [("http_request_method", method)]
                return (method, Meter(label: "http_server_active_requests", dimensions: labels, factory: factory))
            })
        streams = Meter(label: "nexus_answer_streams", factory: factory)
    }

    /// Takes note that a request begins or, with -1, ends.
    func countActive(_ change: Double, method: String) {
        (active[method] ?? active[Self.otherMethod])?.increment(by: change)
    }

    /// Takes note of a request that is over.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - route: The pattern of its path; nil where there is none.
    ///   - status: What it was answered; nil when its client did not take the answer to its end.
    ///   - duration: How long it took.
    func note(method: String, route: String?, status: Int?, duration: Duration) {
        let key = DurationKey(
            method: Self.methods.contains(method) ? method : Self.otherMethod, route: route ?? Self.noRoute,
            statusClass: status.map { $0 / 100 })
        let recorder = durations.withLock { known in
            if let recorder = known[key] { return recorder }
            let new = makeRecorder(key)
            known[key] = new
            return new
        }
        recorder.record(duration / .seconds(1))
    }

    private func makeRecorder(_ key: DurationKey) -> Recorder {
        Recorder(
            label: "http_server_request_duration_seconds",
            dimensions: [
                ("http_request_method", key.method), ("http_route", key.route),
                ("status_class", key.statusClass.map { "\($0)xx" } ?? "client_gone"),
            ], factory: factory)
    }

    /// Takes note of a request that failed, by the stable word that its client is told.
    func note(_ failure: Failure) {
        Counter(label: "nexus_request_failures_total", dimensions: [("code", failure.code)], factory: factory)
            .increment()
    }

    /// Takes note that a stream of an answer begins or, with -1, ends.
    func countStreams(_ change: Double) { streams.increment(by: change) }

    /// Takes note of how many questions there are.
    func note(_ counts: (running: Int, waiting: Int)) {
        for (state, count) in [("running", counts.running), ("waiting", counts.waiting)] {
            Meter(label: "nexus_questions_active", dimensions: [("state", state)], factory: factory).set(count)
        }
    }
}
