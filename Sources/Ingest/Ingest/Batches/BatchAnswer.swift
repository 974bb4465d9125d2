import ChatCore

/// The result for each message of one request.
struct BatchAnswer: Sendable {
    /// Messages that go out in one request.
    struct Order: Sendable {
        let generation: EmbeddingGeneration
        let isBacklog: Bool
        let messages: [PreparedMessage]
        /// The tokens that its texts are expected to take from the daily budget; nil for the built-in encoder.
        let reservation: DailyTokens.Reservation?
        /// See ``RequestWindow/epoch``.
        let epoch: Int
    }

    let order: Order
    /// Messages with all their vectors.
    private(set) var embedded: [EmbeddedMessage] = []
    /// Messages that fail on their own.
    private(set) var parked: [ParkedItem] = []
    /// Messages that need another turn.
    private(set) var continued: [PreparedMessage] = []
    /// Messages that were not embedded before the service failed.
    private(set) var undone: [PreparedMessage] = []
    /// The cost of the request.
    let usage: EmbeddingUsage
    /// Why the service does not work; nil when it does.
    let failure: ModelServiceError?
    /// Whether nothing was sent because other nodes left too few tokens of the day.
    var isRefused = false

    /// Embeds the messages of an order.
    ///
    /// - Parameters:
    ///   - order: The messages.
    ///   - context: The parts of the worker.
    /// - Returns: The result for each message.
    /// - Throws: ``RepositoryError`` when earlier vectors cannot be looked up, or tokens not counted.
    @concurrent static func to(_ order: Order, in context: IngestContext) async throws -> BatchAnswer {
        // The tokens count on the day on which they are sent.
        let moment = context.now()
        guard try await context.budget.admits(order, at: moment) else {
            var answer = BatchAnswer(order: order, usage: EmbeddingUsage(), failure: nil)
            answer.isRefused = true
            answer.undone = order.messages
            return answer
        }
        let answer: BatchAnswer
        do {
            answer = try await answering(order, in: context)
        } catch {
            try? await context.budget.correct(order, used: 0, at: moment)
            throw error
        }
        try await context.budget.correct(order, used: answer.usage.tokenCount, at: moment)
        return answer
    }

    private static func answering(_ order: Order, in context: IngestContext) async throws -> BatchAnswer {
        let contents = try await BatchContents(
            of: order.messages, in: order.generation.number, from: context.store)
        let batch: BatchEmbedding
        do {
            let embedder = try await context.embedders.embedder(for: order.generation)
            batch = await BatchEmbedding.run(contents.texts, in: order.generation.space, with: embedder)
        } catch {
            let failure = error as? ModelServiceError ?? .unreachable(reason: "cancelled")
            var answer = BatchAnswer(order: order, usage: EmbeddingUsage(), failure: failure)
            answer.undone = order.messages
            return answer
        }
        var answer = BatchAnswer(order: order, usage: batch.usage, failure: batch.failure)
        answer.divide(contents.outcomes(from: batch.outcomes), in: context)
        return answer
    }

    private init(order: Order, usage: EmbeddingUsage, failure: ModelServiceError?) {
        self.order = order
        self.usage = usage
        self.failure = failure
    }

    private mutating func divide(_ outcomes: [BatchEmbedding.TextOutcome], in context: IngestContext) {
        let service = order.generation.service
        var rest = outcomes[...]
        for message in order.messages {
            let own = rest.prefix(message.turn.count)
            rest = rest.dropFirst(own.count)
            var message = message
            let progress = message.finishTurn(own) { context.limits.learn($0, $1, of: service) }
            switch progress {
            case .complete: embedded.append(message.embedded)
            case .unfinished: continued.append(message)
            case .interrupted: undone.append(message)
            case .refused(let error):
                parked.append(Self.parked(message.item, for: error, settings: context.settings, at: context.now()))
            }
        }
    }

    /// Says that even the shortest passage is too long: distinguishes messages that were divided from those that earlier
    /// versions gave up whole.
    static let shortestReason = "the service refuses even \(PassageLimit.leastTokenCount) tokens of it as too long"

    /// Decides the next state of a message that fails on its own while others do not.
    private static func parked(
        _ item: WorkItem, for error: ModelServiceError, settings: IngestSettings, at moment: Timestamp
    ) -> ParkedItem {
        let isWorthRetrying = error.isTransient && item.attempts + 1 < settings.attemptLimit
        let delay = settings.retryDelay * (1 << min(item.attempts, 8))
        return ParkedItem(
            item: item, errorCode: error.code, errorReason: error == .tooLong ? shortestReason : error.explanation,
            retryAt: isWorthRetrying ? moment + delay : nil)
    }
}
