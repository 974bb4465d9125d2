import CoreMetrics
import Tracing

/// Counts what the worker does and how long it takes.
struct IngestMeter: Sendable {
    /// A step of the work.
    enum Step: String {
        case claim = "ingest_claim"
        case embed = "ingest_embed"
        case store = "ingest_store"
    }

    /// What became of messages.
    enum Outcome: String {
        case claimed
        case embedded
        /// Put aside, for a while or for good.
        case parked
    }

    let factory: any MetricsFactory

    /// Carries out a step, and takes note of how long it took; in a span of its own where it works on messages, for the
    /// queue is looked at again and again.
    func measuring<Value>(_ step: Step, _ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer {
            Recorder(label: "nexus_stage_duration_seconds", dimensions: [("stage", step.rawValue)], factory: factory)
                .record((.now - start) / .seconds(1))
        }
        guard step != .claim else { return try await body() }
        return try await withSpan(step.rawValue) { _ in try await body() }
    }

    /// Counts messages.
    func count(_ count: Int, _ outcome: Outcome) {
        guard count > 0 else { return }
        Counter(
            label: "nexus_ingest_messages_total", dimensions: [("outcome", outcome.rawValue)], factory: factory
        ).increment(by: count)
    }
}
