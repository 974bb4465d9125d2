import ChatCore
import Logging

/// What was claimed in one go, for all generations.
struct IngestIntake: Sendable {
    /// The generations that are kept up to date, in the order in which they are served.
    private(set) var generations: [EmbeddingGeneration] = []
    /// What was claimed, by generation.
    private(set) var messages: [GenerationNumber: [PreparedMessage]] = [:]
    /// The generations whose queue held no more than was wanted.
    private(set) var exhausted: Set<GenerationNumber> = []

    /// Claims; begins the first generation of a data folder, and switches to one that is complete.
    ///
    /// - Parameters:
    ///   - waiting: How much claimed backlog waits already, by generation.
    ///   - context: The parts of the worker.
    /// - Returns: What was claimed.
    /// - Throws: ``RepositoryError``; what was claimed before stands in the ledger.
    @concurrent static func claiming(
        besides waiting: [GenerationNumber: Int], in context: IngestContext
    ) async throws -> IngestIntake {
        var intake = IngestIntake()
        intake.generations = try await current(in: context)
        try await learnSpending(of: intake.generations, in: context)
        for generation in intake.generations where !context.health.isOpen(generation.service) {
            do {
                _ = try await context.embedders.embedder(for: generation)
            } catch let error as ModelServiceError {
                context.health.noteFailure(error, of: generation.service)
                continue
            }
            try await intake.claim(for: generation, waitingCount: waiting[generation.number] ?? 0, in: context)
        }
        return intake
    }

    private mutating func claim(
        for generation: EmbeddingGeneration, waitingCount: Int, in context: IngestContext
    ) async throws {
        let pageCount = context.settings.pageCount
        let isCapped = generation.service.baseURL != nil && context.budget.isSpent(at: context.now())
        let includesBacklog = !isCapped && waitingCount < pageCount
        let limit = includesBacklog ? pageCount - waitingCount : pageCount
        let items = try await Self.claim(limit, for: generation, includesBacklog: includesBacklog, in: context)
        if items.count < limit, includesBacklog || isCapped { exhausted.insert(generation.number) }
        messages[generation.number] = items.map { PreparedMessage($0) }
        if items.isEmpty, generation.state == .filling {
            try await Self.switchIfComplete(generation, in: context)
        }
    }

    /// Reads what was spent on a day that has just begun for this process.
    private static func learnSpending(
        of generations: [EmbeddingGeneration], in context: IngestContext
    ) async throws {
        guard let day = context.budget.unknownDay(at: context.now()) else { return }
        let local = Set(generations.filter { $0.service.baseURL == nil }.map(\.number))
        let usage = try await context.store.usage(on: day).filter { !local.contains($0.generation) }
        context.budget.begin(day, spent: usage.reduce(0) { $0 + $1.today.tokenCount })
    }

    /// Claims without regard to a cancellation, so that nothing is leased that is not in the ledger.
    private static func claim(
        _ limit: Int, for generation: EmbeddingGeneration, includesBacklog: Bool, in context: IngestContext
    ) async throws -> [WorkItem] {
        try await Task {
            let moment = context.now()
            let items = try await context.store.claim(
                limit, for: generation.number, includingBacklog: includesBacklog,
                until: moment + context.settings.lease, at: moment)
            context.ledger.add(items)
            return items
        }.value
    }

    private static func current(in context: IngestContext) async throws -> [EmbeddingGeneration] {
        var all = try await context.store.generations()
        if all.isEmpty {
            try await begin(in: context)
            all = try await context.store.generations()
        }
        let order: [EmbeddingGeneration.State] = [.serving, .standby, .filling]
        return order.flatMap { state in all.filter { $0.state == state } }
    }

    /// Begins the first generation of a data folder; a service may have to be asked for its dimensions.
    private static func begin(in context: IngestContext) async throws {
        let (embedders, health) = (context.embedders, context.health)
        let service = ModelServiceName(baseURL: embedders.configuredBaseURL, model: nil)
        guard !health.isOpen(service) || health.isProbeDue(of: service) else { return }
        do {
            let space = try await embedders.configured.space()
            health.noteSuccess(of: service)
            _ = try await context.store.beginGeneration(
                space, baseURL: embedders.configuredBaseURL, refilling: false, at: context.now())
        } catch let error as ModelServiceError {
            health.noteFailure(error, of: service)
        }
    }

    /// Switches to a filled generation, unless not one message of it could be embedded.
    private static func switchIfComplete(
        _ generation: EmbeddingGeneration, in context: IngestContext
    ) async throws {
        guard try await context.store.pendingCount(of: generation.number) == 0 else { return }
        let status = try await context.store.status(of: generation.number)
        guard status.pendingCount == 0, status.embeddedCount > 0 || status.failedCount == 0 else { return }
        try await context.store.switchTo(generation.number, at: context.now())
        context.logger.info(
            "A new embedding generation serves",
            metadata: ["generation": "\(generation.number.rawValue)", "embedding.model": "\(generation.space.model)"])
    }
}
