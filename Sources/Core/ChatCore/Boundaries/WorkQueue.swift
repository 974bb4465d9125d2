/// A message to embed for one generation.
public struct WorkItem: Hashable, Sendable {
    /// The message.
    public let messageKey: MessageKey
    /// The version of its text: an edit increments it, and results for an earlier version are discarded.
    public let revision: Int
    /// The generation.
    public let generation: GenerationNumber
    /// The sender's name.
    public let senderName: String
    /// See ``Message/searchableText``.
    public let searchableText: String
    /// How many tries failed.
    public let attempts: Int
    /// Whether it comes from a history or a re-embedding, so that it waits for new messages.
    public let isBacklog: Bool

    public init(
        messageKey: MessageKey, revision: Int, generation: GenerationNumber, senderName: String,
        searchableText: String, attempts: Int, isBacklog: Bool = false
    ) {
        self.messageKey = messageKey
        self.revision = revision
        self.generation = generation
        self.senderName = senderName
        self.searchableText = searchableText
        self.attempts = attempts
        self.isBacklog = isBacklog
    }
}

/// A message whose passages have vectors.
public struct EmbeddedMessage: Hashable, Sendable {
    /// The claimed item.
    public let item: WorkItem
    /// Its passages; none when it has nothing to embed.
    public let passages: [PassageDraft]

    public init(item: WorkItem, passages: [PassageDraft]) {
        self.item = item
        self.passages = passages
    }
}

/// An item that failed, with its next state.
public struct ParkedItem: Hashable, Sendable {
    /// The claimed item.
    public let item: WorkItem
    /// A stable code of the failure; see ``ModelServiceError/code``.
    public let errorCode: String
    /// A description for operators; never contains text of a message or of a service's answer.
    public let errorReason: String
    /// When to try again; nil for only on an operator's request.
    public let retryAt: Timestamp?

    public init(item: WorkItem, errorCode: String, errorReason: String = "", retryAt: Timestamp?) {
        self.item = item
        self.errorCode = errorCode
        self.errorReason = errorReason
        self.retryAt = retryAt
    }
}

/// Progress of a generation, for callers that wait for it.
public struct QueueStatus: Hashable, Sendable, Codable {
    /// Messages to embed: embedded, waiting and given-up ones.
    public var embeddableCount: Int
    /// Messages with vectors in the requested generation.
    public var embeddedCount: Int
    /// Messages that wait or are being embedded.
    public var pendingCount: Int
    /// Messages that were given up.
    public var failedCount: Int
    /// Messages that have something to embed but are in excluded conversations; not counted above.
    public var excludedCount: Int
    /// When the oldest waiting message was queued.
    public var oldestPending: Timestamp?

    public init(
        embeddableCount: Int, embeddedCount: Int, pendingCount: Int, failedCount: Int, excludedCount: Int = 0,
        oldestPending: Timestamp?
    ) {
        self.embeddableCount = embeddableCount
        self.embeddedCount = embeddedCount
        self.pendingCount = pendingCount
        self.failedCount = failedCount
        self.excludedCount = excludedCount
        self.oldestPending = oldestPending
    }

    public init(_ coverage: EmbeddingCoverage, oldestPending: Timestamp?) {
        self.init(
            embeddableCount: coverage.embeddedCount + coverage.waitingCount + coverage.failedCount,
            embeddedCount: coverage.embeddedCount, pendingCount: coverage.waitingCount,
            failedCount: coverage.failedCount, excludedCount: coverage.excludedCount, oldestPending: oldestPending)
    }
}

/// The messages that wait for their vectors, by generation.
///
/// All calls throw ``RepositoryError``. A claimed item is leased: if it is neither committed nor parked before the
/// lease ends, it can be claimed again.
public protocol WorkQueue: Sendable {
    /// Leases the next items of a generation: new messages before backlog, first tries before repeated ones, newest
    /// message first.
    ///
    /// - Parameters:
    ///   - limit: The most items.
    ///   - generation: The generation of the items.
    ///   - includesBacklog: Whether backlog is included.
    ///   - lease: When the items can be claimed again.
    ///   - moment: The present time.
    /// - Returns: The items.
    /// - Throws: ``RepositoryError``.
    func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem]

    /// Returns vectors of texts that were embedded before in a generation; unknown texts have none.
    ///
    /// A hash is deleted with its passage, so deleted texts are unknown.
    ///
    /// - Parameters:
    ///   - contentHashes: See ``PassageDraft/contentHash``.
    ///   - generation: The generation of the vectors.
    /// - Returns: A vector for each known hash.
    /// - Throws: ``RepositoryError``.
    func vectors(ofContents contentHashes: Set<[UInt8]>, in generation: GenerationNumber) async throws
        -> [[UInt8]: [Float]]

    /// Stores passages and vectors, removes the items from the queue and counts the embedding usage, in one
    /// transaction.
    ///
    /// An item whose message was edited or deleted since is skipped. A message with nothing to embed is recorded as
    /// such.
    ///
    /// - Parameters:
    ///   - messages: The embedded messages.
    ///   - usage: The usage by generation, including failed messages.
    ///   - moment: The present time; the usage counts on its day.
    /// - Returns: How many messages were stored.
    /// - Throws: ``RepositoryError``.
    func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int

    /// Puts failed items back into the queue, or gives them up, in one transaction.
    func park(_ items: [ParkedItem], at moment: Timestamp) async throws

    /// Extends the leases of items; items that are no longer leased are skipped.
    func renew(_ items: [WorkItem], until lease: Timestamp) async throws

    /// Ends leases without counting a try, at an orderly stop.
    func release(_ items: [WorkItem]) async throws

    /// Ends all leases because the only process that could hold them has ended.
    func releaseAllLeases() async throws

    /// Puts failed items of a generation back into the queue, all of them or those of `messages`; returns how many.
    func retryFailed(of generation: GenerationNumber, only messages: Set<MessageKey>?, at moment: Timestamp)
        async throws -> Int

    /// Returns the given-up items of a generation, the latest first.
    func failedItems(of generation: GenerationNumber) async throws -> [FailedItem]

    /// Counts all messages by their state in a generation, each state separately.
    func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage

    /// Counts the embedding usage of questions, by generation.
    ///
    /// - Parameters:
    ///   - usage: The usage.
    ///   - moment: The present time; the usage counts on its day.
    /// - Throws: ``RepositoryError``.
    func countQuestions(_ usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp) async throws

    /// Returns the embedding usage on a day and in total, for each generation that used anything.
    ///
    /// - Parameter day: See ``Timestamp/day``.
    /// - Returns: One value per generation, by its number.
    /// - Throws: ``RepositoryError``.
    func usage(on day: Int) async throws -> [GenerationUsage]

    /// Returns when the oldest item of a generation that waits or is being embedded was queued; nil when there is none.
    func oldestWaiting(of generation: GenerationNumber) async throws -> Timestamp?

    /// Returns how many items of a generation wait or are being embedded; cheap, while ``coverage(of:)`` counts all
    /// messages.
    func pendingCount(of generation: GenerationNumber) async throws -> Int

    /// Returns the earliest time after `moment` at which a failed item of a generation is due or a lease ends; nil when
    /// there is none.
    func nextDue(of generation: GenerationNumber, after moment: Timestamp) async throws -> Timestamp?

    /// Returns the codes of given-up items with their counts.
    func failures(of generation: GenerationNumber) async throws -> [String: Int]
}

extension WorkQueue {
    /// Leases the next items, backlog included.
    public func claim(_ limit: Int, for generation: GenerationNumber, until lease: Timestamp, at moment: Timestamp)
        async throws -> [WorkItem]
    {
        try await claim(limit, for: generation, includingBacklog: true, until: lease, at: moment)
    }

    /// Stores embedded messages without usage; returns how many.
    public func commit(_ messages: [EmbeddedMessage], at moment: Timestamp) async throws -> Int {
        try await commit(messages, usage: [:], at: moment)
    }

    /// Returns the progress of a generation.
    public func status(of generation: GenerationNumber) async throws -> QueueStatus {
        QueueStatus(try await coverage(of: generation), oldestPending: try await oldestWaiting(of: generation))
    }

    /// Puts all failed items of a generation back into the queue; returns how many.
    public func retryFailed(of generation: GenerationNumber, at moment: Timestamp) async throws -> Int {
        try await retryFailed(of: generation, only: nil, at: moment)
    }
}

/// The embedding generations of a data folder.
public protocol GenerationRepository: Sendable {
    /// Returns all generations, oldest first.
    func generations() async throws -> [EmbeddingGeneration]

    /// Begins a generation and queues all messages that it covers, in one transaction; or continues
    /// ``GenerationPlan/existing(among:)``. If that one is being filled, it gets the share and rate of the plan.
    ///
    /// The first one of a data folder serves at once; a later one is `filling`, and replaces another filling one.
    func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration

    /// Lets a generation serve, in one transaction; the previous one becomes standby, without a snapshot file.
    ///
    /// An unknown or retired generation is ``RepositoryError/invalid(field:reason:)``.
    func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws

    /// Removes the rate limit of a generation because its initial backlog is embedded; later messages are not limited.
    func endFill(of generation: GenerationNumber) async throws

    /// Stores what cosines say in a generation's space, with a change of the generation in the log.
    ///
    /// An unknown or retired generation is ``RepositoryError/invalid(field:reason:)``.
    func setScale(_ scale: CosineScale, of generation: GenerationNumber) async throws

    /// Retires a generation that does not serve, with its queue entries and vectors, and frees their space.
    ///
    /// The queue entries are deleted at once, the vectors step by step; dropping a retired generation again completes
    /// an interrupted deletion. The serving one is ``RepositoryError/conflict(_:)``, unless it is unusable, see
    /// ``EmbeddingSpace/isUsable``; an unknown one is ``RepositoryError/invalid(field:reason:)``.
    func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws
}

extension GenerationRepository {
    /// Begins a generation with default options; see ``beginGeneration(_:at:)``.
    public func beginGeneration(_ space: EmbeddingSpace, baseURL: String?, refilling: Bool, at moment: Timestamp)
        async throws -> EmbeddingGeneration
    {
        try await beginGeneration(GenerationPlan(space: space, baseURL: baseURL, refilling: refilling), at: moment)
    }
}
