import CoreMetrics

/// Counts requests: how many are in work, how long each took, by route.
///
/// A route is told by its pattern, so that labels never hold what a client sent.
struct RequestMetrics: Sendable {
    /// The route of requests to paths that nothing answers at.
    static let noRoute = "none"
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    let factory: any MetricsFactory

    /// Takes note that a request begins or, with -1, ends.
    func countActive(_ change: Double, method: String) {
        Meter(
            label: "http_server_active_requests", dimensions: [("http_request_method", Self.label(ofMethod: method))],
            factory: factory
        ).increment(by: change)
    }

    /// Takes note of a request that is over.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - route: The pattern of its path; nil where there is none.
    ///   - status: What it was answered; nil when its client did not take the answer to its end.
    ///   - duration: How long it took.
    func note(method: String, route: String?, status: Int?, duration: Duration) {
        Recorder(
            label: "http_server_request_duration_seconds",
            dimensions: [
                ("http_request_method", Self.label(ofMethod: method)), ("http_route", route ?? Self.noRoute),
                ("status_class", status.map { "\($0 / 100)xx" } ?? "client_gone"),
            ], factory: factory
        ).record(duration / .seconds(1))
    }

    /// Takes note of a request that failed, by the stable word that its client is told.
    func note(_ failure: Failure) {
        Counter(label: "nexus_request_failures_total", dimensions: [("code", failure.code)], factory: factory)
            .increment()
    }

    /// Takes note that a stream of an answer begins or, with -1, ends.
    func countStreams(_ change: Double) {
        Meter(label: "nexus_answer_streams", factory: factory).increment(by: change)
    }

    /// Takes note of how many questions there are.
    func note(_ counts: (running: Int, waiting: Int)) {
        for (state, count) in [("running", counts.running), ("waiting", counts.waiting)] {
            Meter(label: "nexus_questions_active", dimensions: [("state", state)], factory: factory).set(count)
        }
    }

    private static func label(ofMethod method: String) -> String {
        methods.contains(method) ? method : "other"
    }
}
