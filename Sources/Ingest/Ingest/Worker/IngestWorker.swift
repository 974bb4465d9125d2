package import ChatCore
package import CoreMetrics
package import Logging
import ServiceLifecycle
import Synchronization

/// Embeds the messages in the queue: first for the generation that serves, then for generations that are being filled;
/// switches to the latter when they are complete.
///
/// Only the process that owns the data folder runs a worker, so leases of an earlier process are ended at the start.
package final class IngestWorker: Service {
    /// A function in a structure: each access to one that is the value of a `Mutex` itself adds a layer to it, and calls
    /// get slower and slower.
    private struct Wake: Sendable {
        let call: @Sendable () -> Void
    }

    private let context: IngestContext
    /// Wakes the current run of the service, if there is one.
    private let wakeRun = Mutex<Wake?>(nil)

    /// - Parameters:
    ///   - store: The queue and the generations.
    ///   - embedders: Make the vectors.
    ///   - settings: How it works.
    ///   - health: Knows which services work; shared with the code that embeds questions.
    ///   - tokens: The count of the day's tokens that all nodes share; without it one that begins at 0.
    ///   - prepare: Reads the rows of a generation before it serves, so that searches need not wait for them.
    ///   - probe: Shows what cosines say in the space of a generation; nil measures no space.
    ///   - metrics: Counts its work.
    ///   - now: The present time.
    ///   - logger: Receives failures and switches; never texts.
    package init(
        store: any IngestStore, embedders: any EmbedderSource, settings: IngestSettings = IngestSettings(),
        health: ServiceHealth = ServiceHealth(), tokens: any SharedTokenCount = LocalTokenCount(),
        prepare: @escaping @Sendable (EmbeddingGeneration) async throws -> Void = { _ in },
        probe: ScaleProbe? = nil,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        context = IngestContext(
            store: store, embedders: embedders, settings: settings, health: health, now: now, logger: logger,
            budget: TokenBudget(cap: settings.dailyTokenCap, shared: tokens), pace: FillPace(now: now),
            lifecycle: GenerationLifecycle(
                store: store, embedders: embedders, health: health, prepare: prepare, probe: probe, now: now,
                logger: logger),
            meter: IngestMeter(factory: metrics))
    }

    /// Queues every message for a new generation in the configured embedder's space, or continues one that was begun
    /// and not completed; the worker fills it and switches to it.
    ///
    /// - Returns: The generation that is being filled.
    /// - Throws: ``ModelServiceError``, ``RepositoryError``.
    package func reembed() async throws -> EmbeddingGeneration {
        let embedders = context.embedders
        return try await reembed(
            GenerationPlan(
                space: try await embedders.configured.space(), baseURL: embedders.configuredBaseURL,
                requestsDimensions: embedders.configuredRequestsDimensions))
    }

    /// Begins the generation of a plan, or continues it; the worker fills it and switches to it.
    ///
    /// - Parameter plan: Describes the generation.
    /// - Returns: The generation that is being filled.
    /// - Throws: ``RepositoryError``.
    package func reembed(_ plan: GenerationPlan) async throws -> EmbeddingGeneration {
        let generation = try await context.store.beginGeneration(plan, at: context.now())
        wake()
        return generation
    }

    /// Why an embedding service does not work at present; nil when all work, or none was needed yet.
    ///
    /// Services that only standby generations use are left out.
    package var serviceTrouble: ModelServiceError? {
        context.health.failures.filter { !context.spareServices.contains($0.key) }.values.min { $0.code < $1.code }
    }

    /// Whether the day's tokens are used up, so that the backlog waits for the next day (UTC).
    package var isBacklogCapped: Bool { context.budget.isSpent(at: context.now()) }

    /// Messages per second that were embedded over the last minute; 0 when there were none.
    package func rate(of generation: GenerationNumber) -> Double {
        context.rates.rate(of: generation, at: context.now())
    }

    /// Works until the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.work()
        }
    }

    /// Looks for due work at once.
    package func wake() { wakeRun.withLock { $0 }?.call() }

    /// Looks for due work if the changes may have made some; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?) {
        let concerns = changes?.contains { change in
            switch change.subject {
            case .message, .conversation, .generation: true
            case .embedded, .retired, .items, .threads, .membership, .receipt, .personal, .erased, .connections: false
            }
        }
        if concerns ?? true { wake() }
    }

    private func work() async {
        var pause = StorePause(limit: context.settings.pauseLimit)
        var hasReleased = !context.settings.ownsLeasesAtStart
        while !Task.isCancelled {
            do {
                if !hasReleased { try await context.store.releaseAllLeases() }
                hasReleased = true
                try await IngestRun.work(in: context, endsWhenIdle: false) { wake in
                    wakeRun.withLock { $0 = Wake(call: wake) }
                } progress: { _ in
                    pause.end()
                }
            } catch is CancellationError {
                break
            } catch {
                // A disk may have room for claims but not for commits: every try then costs a call of the service.
                context.logger.error("The store does not work", metadata: ["error": "\(Self.word(for: error))"])
                try? await Task.sleep(for: pause.next())
            }
        }
        wakeRun.withLock { $0 = nil }
    }

    private static func word(for error: any Error) -> String {
        switch error {
        case RepositoryError.storageFull: "storage_full"
        case RepositoryError.storageReadOnly: "storage_read_only"
        case RepositoryError.storageDamaged: "storage_damaged"
        default: "\(type(of: error))"
        }
    }

    /// Embeds until nothing more can be done now: here, or by waiting for the running service.
    ///
    /// - Parameter progress: Called from time to time with a generation that grew.
    /// - Throws: ``ModelServiceError`` when a service does not work; the remaining messages stay queued.
    ///   ``RepositoryError``.
    package func drain(progress: (EmbeddingGeneration) async throws -> Void) async throws {
        context.health.endPauses()
        if let wake = wakeRun.withLock({ $0 }) {
            try await follow(wake.call, progress: progress)
        } else {
            try await IngestRun.work(in: context, endsWhenIdle: true, started: { _ in }, progress: progress)
        }
        if let serviceTrouble { throw serviceTrouble }
    }

    /// Waits until the running service has done all possible work.
    private func follow(
        _ wake: @Sendable () -> Void, progress: (EmbeddingGeneration) async throws -> Void
    ) async throws {
        let drain = context.drains.request()
        wake()
        while !context.drains.isComplete(drain) {
            try await Task.sleep(for: .milliseconds(50))
            let generations = try await context.store.generations()
            if let generation = generations.last(where: { $0.state == .filling || $0.state == .serving }) {
                try await progress(generation)
            }
        }
    }
}

/// The pause after a store failure: half a second, doubled with every failure up to a limit.
private struct StorePause {
    private let limit: Duration
    private var length: Duration = .milliseconds(250)

    init(limit: Duration) {
        self.limit = limit
    }

    mutating func next() -> Duration {
        length = min(limit, length * 2)
        return length
    }

    mutating func end() {
        self = StorePause(limit: limit)
    }
}
