import CoreMetrics

/// The metrics of what requests ask for: failures, streams of answers, and questions.
final class APIMetrics: Sendable {
    private let factory: any MetricsFactory
    private let streams: Meter

    init(factory: any MetricsFactory) {
        self.factory = factory
        streams = Meter(label: "nexus_answer_streams", factory: factory)
    }

    /// Counts a failed request, by the code of the failure.
    func count(_ failure: Failure) {
        Counter(label: "nexus_request_failures_total", dimensions: [("code", failure.code)], factory: factory)
            .increment()
    }

    /// Counts the start of a stream of an answer or, with -1, its end.
    func countStreams(_ change: Double) { streams.increment(by: change) }

    /// Records the numbers of questions.
    func count(_ counts: (running: Int, waiting: Int)) {
        for (state, count) in [("running", counts.running), ("waiting", counts.waiting)] {
            Meter(label: "nexus_questions_active", dimensions: [("state", state)], factory: factory).set(count)
        }
    }
}
