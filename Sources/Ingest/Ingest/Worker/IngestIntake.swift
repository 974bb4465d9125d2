import ChatCore
import Logging

/// The result of one claim for all generations.
struct IngestIntake: Sendable {
    /// The generations that are kept up to date, in order of priority.
    private(set) var generations: [EmbeddingGeneration] = []
    /// The claimed messages by generation.
    private(set) var messages: [GenerationNumber: [PreparedMessage]] = [:]
    /// The generations whose queue contained no more than was wanted.
    private(set) var exhausted: Set<GenerationNumber> = []
    /// How long a generation with a rate limit must pause; nil for none.
    private(set) var delay: Duration?

    /// When the next retry is due, or the next lease ends; nil when there is neither.
    private(set) var nextDue: Timestamp?

    /// Renews the leases of earlier claims, and claims more.
    ///
    /// - Parameters:
    ///   - waiting: How much claimed backlog already waits, by generation.
    ///   - context: The parts of the worker.
    /// - Returns: The claimed messages.
    /// - Throws: ``RepositoryError``; earlier claims are in the ledger.
    @concurrent static func claiming(
        besides waiting: [GenerationNumber: Int], in context: IngestContext
    ) async throws -> IngestIntake {
        // Renewed and claimed as of one moment: claimed items are not given out again, even if the machine was
        // suspended for longer than a lease.
        let moment = context.now()
        try await context.renewLeases(at: moment)
        var intake = IngestIntake()
        intake.generations = try await context.lifecycle.current()
        context.spareServices.renew(for: intake.generations)
        try await context.budget.learn(at: context.now())
        for generation in intake.generations where !context.health.isOpen(generation.service) {
            let limit: PassageLimit
            do {
                limit = try await context.embedders.embedder(for: generation).passageLimit()
            } catch let error as ModelServiceError {
                context.health.recordFailure(error, of: generation.service)
                continue
            }
            try await context.givenUp.retry(of: generation.number, in: context.store, at: moment)
            let waitingCount = waiting[generation.number] ?? 0
            let items = try await intake.claim(for: generation, waitingCount: waitingCount, at: moment, in: context)
            intake.messages[generation.number] = items.map { PreparedMessage($0, limit: limit) }
            let due = try await context.store.nextDue(of: generation.number, after: moment)
            intake.nextDue = [intake.nextDue, due].compactMap { $0 }.min()
        }
        return intake
    }

    private mutating func claim(
        for generation: EmbeddingGeneration, waitingCount: Int, at moment: Timestamp, in context: IngestContext
    ) async throws -> [WorkItem] {
        let (pageCount, pace) = (context.settings.pageCount, context.pace)
        let isCapped = generation.service.baseURL != nil && context.budget.isSpent(at: context.now())
        let delay = pace.delay(of: generation)
        let includesBacklog = !isCapped && delay == nil && waitingCount < pageCount
        let limit = includesBacklog ? pace.limit(pageCount - waitingCount, of: generation) : pageCount
        let items = try await Self.claim(
            limit, for: generation, includesBacklog: includesBacklog, at: moment, in: context)
        context.meter.count(items.count, .claimed)
        pace.count(items.count { $0.isBacklog }, of: generation)
        if let delay = delay ?? (items.count < limit ? nil : pace.delay(of: generation)) {
            self.delay = min(delay, self.delay ?? delay)
        } else if items.count < limit, includesBacklog || isCapped {
            exhausted.insert(generation.number)
        }
        let isFilled =
            includesBacklog && waitingCount == 0 && items.count < limit && !items.contains(where: \.isBacklog)
        if isFilled { try await context.lifecycle.endFill(of: generation) }
        return items
    }

    /// Claims even when cancelled, so that nothing is leased that is not in the ledger.
    private static func claim(
        _ limit: Int, for generation: EmbeddingGeneration, includesBacklog: Bool, at moment: Timestamp,
        in context: IngestContext
    ) async throws -> [WorkItem] {
        try await withoutCancellation {
            let items = try await context.store.claim(
                limit, for: generation.number, includingBacklog: includesBacklog,
                until: moment + context.settings.lease, at: moment)
            context.ledger.add(items)
            return items
        }
    }
}
