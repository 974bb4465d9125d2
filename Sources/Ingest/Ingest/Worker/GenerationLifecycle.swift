import ChatCore
import Logging
import Synchronization

/// Begins, switches and drops embedding generations when the worker decides it.
final class GenerationLifecycle: Sendable {
    /// How often to count the embedded messages of a generation that serves before it is complete.
    ///
    /// Counting a million takes half a second.
    private static let countInterval = Duration.seconds(10)

    private let store: any IngestStore
    private let embedders: any EmbedderSource
    private let health: ServiceHealth
    private let prepare: @Sendable (EmbeddingGeneration) async throws -> Void
    private let probe: ScaleProbe?
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let nextCount = Mutex<Timestamp?>(nil)

    /// - Parameters:
    ///   - store: The queue and the generations.
    ///   - embedders: The configured embedder makes the first generation.
    ///   - health: Which services work.
    ///   - prepare: Reads the rows of a generation before it serves.
    ///   - probe: The texts that show what cosines say in a space; nil measures no space.
    ///   - now: The present time.
    ///   - logger: Receives switches, and generations that cannot be used.
    init(
        store: any IngestStore, embedders: any EmbedderSource, health: ServiceHealth,
        prepare: @escaping @Sendable (EmbeddingGeneration) async throws -> Void, probe: ScaleProbe?,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.embedders = embedders
        self.health = health
        self.prepare = prepare
        self.probe = probe
        self.now = now
        self.logger = logger
    }

    /// Returns the generations to keep up to date, in order of priority; drops unusable ones, and begins the first one
    /// of a data folder.
    ///
    /// - Throws: ``RepositoryError``.
    func current() async throws -> [EmbeddingGeneration] {
        var all = try await store.generations()
        for generation in all where generation.state != .retired && !generation.space.isUsable {
            logger.error(
                "An embedding generation cannot be used and is dropped",
                metadata: [
                    "generation": "\(generation.number.rawValue)", "dimensions": "\(generation.space.dimensions)",
                ])
            try await store.drop(generation.number, at: now())
            all = try await store.generations()
        }
        if all.allSatisfy({ $0.state == .retired }) {
            try await beginFirst()
            all = try await store.generations()
        }
        let order: [EmbeddingGeneration.State] = [.serving, .standby, .filling]
        return order.flatMap { state in all.filter { $0.state == state } }
    }

    /// The service of the first generation, before there is one.
    var configuredService: ModelServiceName {
        ModelServiceName(baseURL: embedders.configuredBaseURL, model: nil)
    }

    /// Begins the first generation; this may ask a service for its dimensions.
    private func beginFirst() async throws {
        let service = configuredService
        guard !health.isOpen(service) || health.isProbeDue(of: service) else { return }
        do {
            let plan = GenerationPlan(
                space: try await embedders.configured.space(), baseURL: embedders.configuredBaseURL,
                requestsDimensions: embedders.configuredRequestsDimensions, refilling: false)
            health.recordSuccess(of: service)
            _ = try await store.beginGeneration(plan, at: now())
        } catch let error as ModelServiceError {
            health.recordFailure(error, of: service)
        }
    }

    /// Whether the scale of a generation's space is to be measured.
    func needsScale(_ generation: EmbeddingGeneration) -> Bool { probe != nil && generation.scale == nil }

    /// Measures the scale of a generation's space and stores it; nothing for a generation that was retired meanwhile.
    ///
    /// - Parameters:
    ///   - generation: One that needs a scale.
    ///   - batchCount: The most texts of a request: 1 or more.
    /// - Returns: What the requests took.
    /// - Throws: ``ModelServiceError``, ``RepositoryError``.
    func measureScale(of generation: EmbeddingGeneration, batchCount: Int) async throws -> EmbeddingUsage {
        guard let probe else { return EmbeddingUsage() }
        let embedder = try await embedders.embedder(for: generation)
        let measured = try await probe.measure(embedder, in: generation.space, batchCount: batchCount)
        do {
            try await store.setScale(measured.scale, of: generation.number)
        } catch RepositoryError.invalid {
            return measured.usage
        }
        logger.info(
            "The scale of an embedding model was measured",
            metadata: [
                "generation": "\(generation.number.rawValue)", "cosine.mean": "\(measured.scale.mean)",
                "cosine.contrast": "\(measured.scale.contrast)",
            ])
        return measured.usage
    }

    /// Ends the rate limit of a generation whose backlog is embedded.
    func endFill(of generation: EmbeddingGeneration) async throws {
        guard generation.state != .filling, generation.fillRate != nil else { return }
        try await store.endFill(of: generation.number)
    }

    /// Whether to check if a filling generation can serve: when it has no due work, otherwise from time to time.
    func maySwitch(to generation: EmbeddingGeneration, isIdle: Bool) -> Bool {
        isIdle || (generation.switchShare < 1 && isTimeToCount())
    }

    /// Switches to a filling generation if enough of it is embedded; its rows are read first.
    ///
    /// - Returns: Whether it serves now.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    func switchIfComplete(_ generation: EmbeddingGeneration) async throws -> Bool {
        guard try await isFilled(generation) else { return false }
        try await prepare(generation)
        // Messages may have arrived while the rows were read, and the generation may have been dropped.
        guard try await isFilled(generation) else { return false }
        try await store.switchTo(generation.number, at: now())
        logger.info(
            "A new embedding generation serves",
            metadata: ["generation": "\(generation.number.rawValue)", "embedding.model": "\(generation.space.model)"])
        return true
    }

    /// Whether a generation is being filled and is complete, or has the requested share of embedded messages.
    ///
    /// A generation may not serve if not a single message could be embedded for it.
    private func isFilled(_ generation: EmbeddingGeneration) async throws -> Bool {
        let present = try await store.generations().first { $0.number == generation.number }
        guard present?.state == .filling else { return false }
        let status = try await store.status(of: generation.number)
        guard status.pendingCount > 0 else { return status.embeddedCount > 0 || status.failedCount == 0 }
        let share = generation.switchShare
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
