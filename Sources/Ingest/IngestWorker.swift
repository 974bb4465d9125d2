import AsyncAlgorithms
public import ChatCore
public import Logging
public import ServiceLifecycle
import Synchronization

/// Embeds what waits in the queue: what serves first, then generations that are being filled; switches to the latter
/// when they are complete.
///
/// Only the process that owns the data folder runs one, so leases of an earlier life are ended at the start.
public final class IngestWorker: Service {
    /// What a worker needs of a store.
    public typealias WorkStore = WorkQueue & GenerationRepository

    private let store: any WorkStore
    private let embedders: any EmbedderSource
    private let settings: IngestSettings
    private let signal: WakeSignal
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let trouble = Mutex<ModelServiceError?>(nil)
    private let roundsInWork = Mutex(0)
    private let generationSwitch: GenerationSwitch
    private let pace: FillPace

    /// Joins what the worker needs.
    ///
    /// - Parameters:
    ///   - store: The queue and the generations.
    ///   - embedders: What makes the vectors.
    ///   - settings: How it works.
    ///   - signal: Wakes it.
    ///   - isPrepared: Whether searches can take over a generation at once; asked again and again until they can.
    ///   - now: The present time.
    ///   - logger: Told of failures and switches, never of texts.
    public init(
        store: any WorkStore, embedders: any EmbedderSource, settings: IngestSettings = IngestSettings(),
        signal: WakeSignal = WakeSignal(),
        isPrepared: @escaping @Sendable (EmbeddingGeneration) async throws -> Bool = { _ in true },
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.embedders = embedders
        self.settings = settings
        self.signal = signal
        self.now = now
        self.logger = logger
        generationSwitch = GenerationSwitch(store: store, isPrepared: isPrepared, now: now, logger: logger)
        pace = FillPace(now: now)
    }

    /// Queues every message for a new generation in the configured embedder's space, or goes on with one that was
    /// begun and not completed; the worker fills it and switches to it.
    ///
    /// - Returns: The generation that grows.
    /// - Throws: ``ModelServiceError``, ``RepositoryError``.
    public func reembed() async throws -> EmbeddingGeneration {
        try await reembed(
            GenerationPlan(
                space: try await embedders.configured.space(), baseURL: embedders.configuredBaseURL,
                requestsDimensions: embedders.configuredRequestsDimensions))
    }

    /// Begins the generation that a plan asks for, or goes on with it; the worker fills it and switches to it.
    ///
    /// - Parameter plan: What it shall be.
    /// - Returns: The generation that grows.
    /// - Throws: ``RepositoryError``.
    public func reembed(_ plan: GenerationPlan) async throws -> EmbeddingGeneration {
        let generation = try await store.beginGeneration(plan, at: now())
        signal.wake()
        return generation
    }

    /// Why the embedding service does not work at present; nil when it does, or was not needed yet.
    public var serviceTrouble: ModelServiceError? { trouble.withLock { $0 } }

    /// Works until the service group shuts down.
    public func run() async throws {
        try await store.releaseAllLeases()
        await cancelWhenGracefulShutdown { await self.work() }
    }

    private func work() async {
        let ticks = merge(
            signal.signals, AsyncTimerSequence(interval: settings.pollInterval, clock: .continuous).map { _ in })
        var pauses: [GenerationNumber?: Pause] = [:]
        var storePause: Pause?
        signal.wake()
        for await _ in ticks where storePause?.isOver ?? true {
            while !Task.isCancelled {
                do {
                    if storePause != nil { try await endLeases() }
                    try await drain(besides: Set(pauses.filter { !$0.value.isOver }.keys)) {
                        pauses[$0.number] = nil
                        storePause = nil
                    }
                    storePause = nil
                    break
                } catch let failure as GenerationFailure {
                    pauses[failure.generation, default: Pause(limit: settings.pauseLimit)].lengthen()
                    logger.warning("Embedding is paused", metadata: ["error": "\(failure.error.code)"])
                } catch is CancellationError {
                    return
                } catch {
                    // A disk may have room to claim and none to commit: every try costs a call of the service.
                    storePause = storePause ?? Pause(limit: settings.pauseLimit)
                    storePause?.lengthen()
                    logger.error("The store does not work", metadata: ["error": "\(type(of: error))"])
                    break
                }
            }
        }
    }

    /// Ends the leases that a failing store did not take back, unless a batch is in work.
    private func endLeases() async throws {
        guard roundsInWork.withLock({ $0 == 0 }) else { return }
        try await store.releaseAllLeases()
    }

    /// Embeds until nothing is due.
    ///
    /// - Parameter progress: Called after every batch with the generation that it was for.
    /// - Throws: ``ModelServiceError`` when a service does not work; what waits goes on waiting.
    ///   ``RepositoryError``.
    public func drain(progress: (EmbeddingGeneration) async throws -> Void) async throws {
        do {
            try await drain(besides: [], progress: progress)
        } catch let failure as GenerationFailure {
            throw failure.error
        }
    }

    /// Embeds until nothing is due in the generations that are not `paused`; nil among them stands for beginning one.
    private func drain(
        besides paused: Set<GenerationNumber?>, progress: (EmbeddingGeneration) async throws -> Void
    ) async throws {
        if !paused.contains(nil) { try await attributing(to: nil) { try await begin() } }
        while try await workedOnce(besides: paused, progress: progress) {}
        if paused.isEmpty { trouble.withLock { $0 = nil } }
    }

    /// Runs `body`; a service that does not work is remembered, and joined with the generation that needed it.
    private func attributing<Result>(
        to generation: GenerationNumber?, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as ModelServiceError {
            trouble.withLock { $0 = error }
            throw GenerationFailure(generation: generation, error: error)
        }
    }

    /// Waits until no batch is in work, whoever began it: the service's own loop works beside ``drain(progress:)``.
    public func waitUntilIdle() async throws {
        while roundsInWork.withLock({ $0 > 0 }) { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Begins the first generation of a data folder.
    private func begin() async throws {
        guard try await store.generations().isEmpty else { return }
        let space = try await embedders.configured.space()
        let plan = GenerationPlan(
            space: space, baseURL: embedders.configuredBaseURL,
            requestsDimensions: embedders.configuredRequestsDimensions, refilling: false)
        _ = try await store.beginGeneration(plan, at: now())
    }

    /// Embeds one batch, of the first generation that has one due; returns whether any had, or will have soon.
    private func workedOnce(
        besides paused: Set<GenerationNumber?>, progress: (EmbeddingGeneration) async throws -> Void
    ) async throws -> Bool {
        var delay: Duration?
        for generation in try await generationsAtWork() where !paused.contains(generation.number) {
            try Task.checkCancellation()
            if let wait = pace.delay(of: generation) {
                delay = wait
                continue
            }
            let outcome = try await attributing(to: generation.number) { try await round(of: generation) }
            if outcome.claimedCount > 0 {
                pace.note(outcome.claimedCount, of: generation)
                try await progress(generation)
            }
            if generation.state == .filling {
                _ = try await generationSwitch.switchIfComplete(generation, isIdle: outcome.claimedCount == 0)
            }
            if outcome.claimedCount > 0 { return true }
        }
        guard let delay else { return false }
        // Not to the end: what people write meanwhile goes first.
        try await Task.sleep(for: min(delay, .milliseconds(50)))
        return true
    }

    private func round(of generation: EmbeddingGeneration) async throws -> IngestRound.Outcome {
        roundsInWork.withLock { $0 += 1 }
        defer { roundsInWork.withLock { $0 -= 1 } }
        var settings = settings
        settings.batchItemCount = pace.limit(settings.batchItemCount, of: generation)
        return try await IngestRound(queue: store, settings: settings, now: now)
            .run(generation, with: embedders.embedder(for: generation))
    }

    private func generationsAtWork() async throws -> [EmbeddingGeneration] {
        let generations = try await store.generations()
        let order: [EmbeddingGeneration.State] = [.serving, .standby, .filling]
        return order.flatMap { state in generations.filter { $0.state == state } }
    }
}

/// A service that does not work, and the generation that needs it; nil before the first.
private struct GenerationFailure: Error {
    let generation: GenerationNumber?
    let error: ModelServiceError
}

/// How long to leave a failing service or store alone: half a second, doubled with every failure up to a limit.
private struct Pause {
    private let limit: Duration
    private var length: Duration?
    private var end = ContinuousClock.now

    init(limit: Duration) {
        self.limit = limit
    }

    var isOver: Bool { ContinuousClock.now >= end }

    mutating func lengthen() {
        let next = min(limit, (length ?? .milliseconds(250)) * 2)
        length = next
        end = .now + next
    }
}
