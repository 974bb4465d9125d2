package import CoreMetrics
import Synchronization

/// The metrics of requests: the number in progress, and the duration of each by route.
///
/// The label of a route is its pattern, so labels never contain text of a client. Each server has one value; metrics
/// that are used with each request are looked up once.
package final class RequestMetrics: Sendable {
    private struct DurationKey: Hashable {
        let method: String
        let route: String
        /// Nil if the client did not read the whole response.
        let statusClass: Int?
    }

    /// The route of requests to unknown paths.
    static let noRoute = "none"
    private static let otherMethod = "other"
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let factory: any MetricsFactory
    /// Requests in progress, by method.
    private let active: [String: Meter]
    private let durations = Mutex<[DurationKey: Recorder]>([:])

    package init(factory: any MetricsFactory) {
        self.factory = factory
        active = Dictionary(
            uniqueKeysWithValues: Self.methods.union([Self.otherMethod]).map { method in
                let labels = [("http_request_method", method)]
                return (method, Meter(label: "http_server_active_requests", dimensions: labels, factory: factory))
            })
    }

    /// Counts the start of a request or, with -1, its end.
    func countActive(_ change: Double, method: String) {
        (active[method] ?? active[Self.otherMethod])?.increment(by: change)
    }

    /// Counts a finished request.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - route: The pattern of its path; nil if there is none.
    ///   - status: The status of the response; nil if the client did not read all of it.
    ///   - duration: How long it took.
    func count(method: String, route: String?, status: Int?, duration: Duration) {
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
}
