import ChatCore
import Foundation
import Ingest
import MessageStore
import UseCases

extension Workspace {
    /// Returns the embedding progress of every generation that is not retired, oldest first.
    func embeddingReports() async throws -> [EmbeddingReport] {
        let moment = now()
        do {
            try await storeQuestionUsage()
        } catch let error as RepositoryError where error.isAboutStorage {
            // Reported elsewhere; the counts are stored once the disk can be written.
        }
        let usage = try await store.usage(on: moment.day)
        var reports: [EmbeddingReport] = []
        for generation in try await store.generations() where generation.state != .retired {
            reports.append(
                EmbeddingReport(
                    of: generation, coverage: try await store.coverage(of: generation.number),
                    oldestWaiting: try await store.oldestWaiting(of: generation.number),
                    messagesPerSecond: worker.rate(of: generation.number),
                    failures: try await store.failures(of: generation.number),
                    usage: usage.first { $0.generation == generation.number },
                    pricePerMillion: settings.embedding.pricePerMillion, isBacklogPaused: worker.isBacklogCapped,
                    at: moment))
        }
        return reports
    }
}
