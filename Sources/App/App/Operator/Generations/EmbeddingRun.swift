import ChatCore
import Ingest
import UseCases

/// Embeds the messages that wait, for `nexus ingest`.
struct EmbeddingRun: Sendable {
    let queue: any WorkQueue
    let worker: IngestWorker
    let generations: EmbeddingGenerations

    /// Embeds until nothing is due, also beside the worker of a server, because leases separate the two.
    ///
    /// - Returns: The progress of the serving generation.
    func run(emit: Emit) async throws -> QueueStatus {
        let pace = Pace(interval: .milliseconds(200))
        try await worker.drain { generation in
            try await pace.whenDue { try await self.report(generation, emit: emit) }
        }
        guard let serving = try await generations.serving() else { return .nothing }
        try await report(serving, emit: emit)
        return try await queue.status(of: serving.number)
    }

    private func report(_ generation: EmbeddingGeneration, emit: Emit) async throws {
        let queue = try await queue.status(of: generation.number)
        try await emit(
            .progress(
                StageProgress(stage: .embedding, done: queue.embeddedCount, total: queue.embeddableCount)))
    }
}

extension QueueStatus {
    /// The status before the first generation.
    fileprivate static let nothing = QueueStatus(
        embeddableCount: 0, embeddedCount: 0, pendingCount: 0, failedCount: 0, oldestPending: nil)
}
