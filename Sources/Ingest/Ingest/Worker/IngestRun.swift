import ChatCore
import Logging

/// One run of the worker over the queue: it claims pages, keeps requests open and stores results, all three at the same
/// time.
///
/// New messages go first, for the generation that serves and then for the others; then the backlog in the same order.
/// Everything is decided here, in one task; other tasks do the work and report to it.
struct IngestRun {
    /// The report of a task.
    enum Event: Sendable {
        /// There may be something to do.
        case wake
        /// The awaited time has come.
        case due(ContinuousClock.Instant)
        case claimed(Result<IngestIntake, any Error>, drain: Int)
        case answered(BatchAnswer)
        /// A task could not read the store.
        case broken(any Error)
        case probed(EmbeddingGeneration, Result<EmbeddingUsage, ModelServiceError>)
        case stored(Result<CommitBatch.Outcome, any Error>)
        case switched(Result<Bool, any Error>)
        case measured(GenerationNumber, Result<EmbeddingUsage, any Error>)
    }

    let context: IngestContext
    let post: @Sendable (Event) -> Void
    let endsWhenIdle: Bool

    var buffers: [GenerationBuffer] = []
    var traffic: [ModelServiceName: ServiceTraffic] = [:]
    var results = CommitBatch()
    var isClaiming = false
    var isStoring = false
    var isSwitching = false
    var isMeasuring = false
    /// The generations whose scale this run has measured, or tried to.
    var measurements: [GenerationNumber: ScaleAttempt] = [:]
    /// Whether the queue may have changed since the last claim began.
    var isStale = true
    /// Whether a generation pauses because of its fill rate.
    var isPaced = false
    var drain = 0
    /// When a busy service, or a generation with a fill rate, is to be worked on again.
    var resumption: ContinuousClock.Instant?
    /// A generation that may be complete.
    var switchable: EmbeddingGeneration?
    /// When the next retry is due, or the next lease ends.
    var nextDue: Timestamp?
    /// The earliest time that a task waits for.
    var alarm: ContinuousClock.Instant?

    private init(context: IngestContext, endsWhenIdle: Bool, post: @escaping @Sendable (Event) -> Void) {
        self.context = context
        self.endsWhenIdle = endsWhenIdle
        self.post = post
    }

    /// Works until it is cancelled, or until nothing more can be done now.
    ///
    /// - Parameters:
    ///   - context: The parts of the worker.
    ///   - endsWhenIdle: Whether it ends when nothing more can be done.
    ///   - started: Receives the function that wakes the run.
    ///   - progress: Called after each transaction with the affected generations.
    /// - Throws: ``RepositoryError``, `CancellationError`, errors of `progress`; claimed items are given back.
    static func work(
        in context: IngestContext, endsWhenIdle: Bool,
        started: (@escaping @Sendable () -> Void) -> Void, progress: (EmbeddingGeneration) async throws -> Void
    ) async throws {
        try await context.giveBackAll()
        context.budget.dropReservations()
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let post: @Sendable (Event) -> Void = { continuation.yield($0) }
        started { post(.wake) }
        let result = await withDiscardingTaskGroup { group -> Result<Void, any Error> in
            defer { group.cancelAll() }
            group.addTask {
                await context.health.changed.repeating(failed: { _ in }) {
                    post(.wake)
                    return nil
                }
            }
            var run = IngestRun(context: context, endsWhenIdle: endsWhenIdle, post: post)
            do {
                try await run.follow(events, group: &group, progress: progress)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        // When the store fails here too, the next run tries again.
        try? await context.giveBackAll()
        try result.get()
    }

    private mutating func follow(
        _ events: AsyncStream<Event>, group: inout DiscardingTaskGroup,
        progress: (EmbeddingGeneration) async throws -> Void
    ) async throws {
        post(.wake)
        for await event in events {
            for generation in try take(event) { try await progress(generation) }
            try Task.checkCancellation()
            advance(&group)
            guard isSettled else { continue }
            context.drains.complete(drain)
            if endsWhenIdle { return }
        }
        throw CancellationError()
    }

    /// Whether nothing more can be done now.
    private var isSettled: Bool {
        !isClaiming && !isStoring && !isSwitching && !isMeasuring && !isStale && !isPaced && results.isEmpty
            && buffers.allSatisfy(\.isEmpty)
            && traffic.values.allSatisfy(\.isIdle)
    }
}

// MARK: - Events

extension IngestRun {
    /// Processes an event; returns the generations for which something was stored.
    private mutating func take(_ event: Event) throws -> [EmbeddingGeneration] {
        switch event {
        case .wake: isStale = true
        case .due(let instant):
            if alarm == instant { alarm = nil }
            if let time = resumption, time <= .now { resumption = nil }
            isStale = true
        case .claimed(let result, let drain):
            isClaiming = false
            take(try result.get(), drain: drain)
        case .answered(let answer): take(answer)
        case .broken(let error): throw error
        case .probed(let generation, let result): take(result, of: generation)
        case .switched(let result):
            isSwitching = false
            // Another generation serves now, so the order of work has changed.
            if try result.get() { isStale = true }
        case .measured(let generation, let result):
            isMeasuring = false
            try take(result, ofScaleOf: generation)
        case .stored(let result):
            isStoring = false
            let outcome = try result.get()
            let grown = buffers.map(\.generation).filter { outcome.counts[$0.number] != nil }
            // Messages edited in the meantime wait again, and a generation that is being filled may be complete.
            if outcome.passedOver || grown.contains(where: { $0.state == .filling }) { isStale = true }
            return grown
        }
        return []
    }

    /// Takes the end of a measurement: what a service did not do now is tried later, and a refused text never again.
    private mutating func take(
        _ result: Result<EmbeddingUsage, any Error>, ofScaleOf generation: GenerationNumber
    ) throws {
        do {
            results.add(try result.get(), of: generation)
        } catch let error as ModelServiceError {
            context.logger.warning(
                "The scale of an embedding model could not be measured", metadata: ["error": "\(error.code)"])
            guard error.isTransient || error.opensCircuit else { return }
            let delay = context.settings.scaleDelay
            measurements[generation]?.fail(at: .now, delay: delay)
        }
    }

    private mutating func take(_ intake: IngestIntake, drain: Int) {
        self.drain = drain
        isPaced = intake.delay != nil
        resumption = intake.delay.map { .now + $0 }
        nextDue = intake.nextDue
        var known = Dictionary(uniqueKeysWithValues: buffers.map { ($0.generation.number, $0) })
        buffers = intake.generations.map { generation in
            var buffer = known.removeValue(forKey: generation.number) ?? GenerationBuffer(generation)
            buffer.renew(generation)
            buffer.append(intake.messages[generation.number] ?? [], settings: context.settings)
            buffer.mayHaveMore = !intake.exhausted.contains(generation.number)
            return buffer
        }
        for var buffer in known.values { results.release(buffer.removeAll()) }
        switchable =
            buffers.first { buffer in
                buffer.generation.state == .filling
                    && context.lifecycle.maySwitch(
                        to: buffer.generation, isIdle: buffer.isEmpty && !context.health.isOpen(buffer.service))
            }?.generation
        if !intake.generations.isEmpty { context.health.keep(Set(intake.generations.map(\.service))) }
    }

    private mutating func take(_ answer: BatchAnswer) {
        let (order, service) = (answer.order, answer.order.generation.service)
        results.add(answer)
        if let reservation = order.reservation {
            context.budget.settle(reservation, used: answer.usage.tokenCount, at: context.now())
        }
        if answer.isRefused {
            traffic[service]?.countUnsent()
        } else if let failure = traffic[service]?.recordAnswer(answer.failure, sentIn: order.epoch, at: .now) {
            fail(service, with: failure)
        } else if answer.failure == nil {
            recordSuccess(of: service)
        } else {
            resumption = traffic[service]?.resumesAt
        }
        guard !answer.undone.isEmpty || !answer.continued.isEmpty else { return }
        let place = buffers.firstIndex { $0.generation.number == order.generation.number }
        if let place, !context.health.isOpen(service) {
            buffers[place].putBack(answer.undone, isBacklog: order.isBacklog, settings: context.settings)
            buffers[place].append(answer.continued, settings: context.settings)
        } else {
            results.release((answer.undone + answer.continued).map(\.item))
        }
    }

    private mutating func take(
        _ result: Result<EmbeddingUsage, ModelServiceError>, of generation: EmbeddingGeneration
    ) {
        traffic[generation.service]?.isProbing = false
        switch result {
        case .success(let usage):
            results.add(usage, of: generation.number)
            recordSuccess(of: generation.service)
        // It took the request and did not fail.
        case .failure(.slow): recordSuccess(of: generation.service)
        case .failure(let error): fail(generation.service, with: error)
        }
    }

    private mutating func recordSuccess(of service: ModelServiceName) {
        guard context.health.isOpen(service) else { return }
        context.health.recordSuccess(of: service)
        traffic[service]?.open()
        isStale = true
        context.logger.notice("Embedding continues")
    }

    /// Pauses a service and gives back its claimed items.
    private mutating func fail(_ service: ModelServiceName, with error: ModelServiceError) {
        if !context.health.isOpen(service) {
            context.logger.warning("Embedding is paused", metadata: ["error": "\(error.code)"])
        }
        context.health.recordFailure(error, of: service)
        for place in buffers.indices where buffers[place].service == service {
            results.release(buffers[place].removeAll())
        }
    }

}
