import ChatCore
import Ingest

/// The progress of embedding, with its cost.
struct EmbeddingReports: Sendable {
    let store: any WorkQueue & GenerationRepository
    let usage: QuestionUsage
    let worker: IngestWorker
    /// The price of a million tokens; nil if it is unknown.
    let pricePerMillion: Double?
    let now: @Sendable () -> Timestamp

    /// Returns the embedding progress of every generation that is not retired, oldest first.
    func all() async throws -> [EmbeddingReport] {
        let moment = now()
        do {
            try await usage.store()
        } catch let error as RepositoryError where error.isAboutStorage {
            // Reported elsewhere; the counts are stored once the disk can be written.
        }
        let stored = try await store.usage(on: moment.day)
        var reports: [EmbeddingReport] = []
        for generation in try await store.generations() where generation.state != .retired {
            reports.append(
                EmbeddingReport(
                    of: generation, coverage: try await store.coverage(of: generation.number),
                    oldestWaiting: try await store.oldestWaiting(of: generation.number),
                    messagesPerSecond: worker.rate(of: generation.number),
                    failures: try await store.failures(of: generation.number),
                    usage: stored.first { $0.generation == generation.number },
                    pricePerMillion: pricePerMillion, isBacklogPaused: worker.isBacklogCapped,
                    at: moment))
        }
        return reports
    }
}
