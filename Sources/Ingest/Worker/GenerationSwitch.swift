import ChatCore
import Logging
import Synchronization

/// Lets a generation serve when enough of it is embedded and its index is ready.
final class GenerationSwitch: Sendable {
    /// How long not to count again how much is embedded, for a generation that serves before it is complete.
    private static let countInterval = Duration.seconds(1)

    private let store: any WorkQueue & GenerationRepository
    private let isPrepared: @Sendable (EmbeddingGeneration) async throws -> Bool
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let nextCount = Mutex<Timestamp?>(nil)

    /// Joins what switching needs.
    init(
        store: any WorkQueue & GenerationRepository,
        isPrepared: @escaping @Sendable (EmbeddingGeneration) async throws -> Bool,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.isPrepared = isPrepared
        self.now = now
        self.logger = logger
    }

    /// Switches to a filling generation when it is its time.
    ///
    /// - Parameters:
    ///   - generation: One that is being filled.
    ///   - isIdle: Whether nothing of it is due; while it is worked on, counting is left out most of the time.
    /// - Returns: Whether it serves now.
    /// - Throws: ``RepositoryError``.
    func switchIfComplete(_ generation: EmbeddingGeneration, isIdle: Bool) async throws -> Bool {
        guard isIdle || (generation.switchShare < 1 && isTimeToCount()) else { return false }
        let status = try await store.status(of: generation.number)
        guard Self.isEnough(status, share: generation.switchShare), try await isPrepared(generation) else {
            return false
        }
        try await store.switchTo(generation.number, at: now())
        logger.info(
            "A new embedding generation serves",
            metadata: ["generation": "\(generation.number.rawValue)", "embedding.model": "\(generation.space.model)"])
        return true
    }

    /// Whether nothing waits, or as much is embedded as was asked for.
    ///
    /// A generation of which not a single message could be embedded may not serve.
    private static func isEnough(_ status: QueueStatus, share: Double) -> Bool {
        guard status.pendingCount > 0 else { return status.embeddedCount > 0 || status.failedCount == 0 }
        return share < 1 && status.embeddedCount > 0
            && Double(status.embeddedCount) >= share * Double(status.embeddableCount)
    }

    private func isTimeToCount() -> Bool {
        let moment = now()
        return nextCount.withLock { next in
            if let next, moment < next { return false }
            next = moment + Self.countInterval
            return true
        }
    }
}
