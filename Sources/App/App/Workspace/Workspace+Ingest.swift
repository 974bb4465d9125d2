import ChatCore
import Foundation
import Ingest
import MessageStore

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

    /// Lists the messages that were given up, the latest first.
    func failedMessages() async throws -> [FailedMessage] {
        var failed: [FailedMessage] = []
        for generation in try await store.generations() where generation.state != .retired {
            failed += try await store.failedItems(of: generation.number).map { FailedMessage($0) }
        }
        return failed
    }

    /// Puts messages that were given up back into the queue.
    ///
    /// - Parameter names: See ``FailedMessage/name``; empty for all.
    /// - Returns: The number of queue entries that were put back.
    /// - Throws: ``OperatorFailure`` if no message with one of the names was given up.
    func retryFailed(_ names: [String]) async throws -> Int {
        let wanted = Set(names)
        var unknown = wanted
        var chosen: [(generation: GenerationNumber, keys: Set<MessageKey>)] = []
        for generation in try await store.generations() where generation.state != .retired {
            let items = try await store.failedItems(of: generation.number).map { FailedMessage($0) }
                .filter { wanted.isEmpty || wanted.contains($0.name) }
            unknown.subtract(items.map(\.name))
            chosen.append((generation.number, Set(items.map(\.key))))
        }
        if let name = unknown.min() {
            throw OperatorFailure(message: "\(name) was not given up: see nexus ingest failed")
        }
        var count = 0
        for (generation, keys) in chosen {
            count += try await store.retryFailed(
                of: generation, only: wanted.isEmpty ? nil : keys, at: now())
        }
        worker.wake()
        return count
    }
}
