/// A message that is to be embedded for one generation.
public struct WorkItem: Hashable, Sendable {
    /// Which message.
    public let messageKey: MessageKey
    /// Which state of its text: an edit counts it up, and what was claimed before is then worth nothing.
    public let revision: Int
    /// For which generation.
    public let generation: GenerationNumber
    /// The writer's name.
    public let senderName: String
    /// See ``Message/searchableText``.
    public let searchableText: String
    /// How often it was tried and failed.
    public let attempts: Int
    /// Whether it is of a history, or embedded anew, so that it waits for what people write now.
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

/// A message whose passages have their vectors.
public struct EmbeddedMessage: Hashable, Sendable {
    /// What was claimed.
    public let item: WorkItem
    /// Its passages; none when it turned out to have nothing to embed.
    public let passages: [PassageDraft]

    public init(item: WorkItem, passages: [PassageDraft]) {
        self.item = item
        self.passages = passages
    }
}

/// What is to become of an item that failed.
public struct ParkedItem: Hashable, Sendable {
    /// What was claimed.
    public let item: WorkItem
    /// A stable word for the failure; see ``ModelServiceError/code``.
    public let errorCode: String
    /// What happened, for an operator; never holds text of a message, or of a service's answer.
    public let errorReason: String
    /// When to try again; nil for never, until an operator says so.
    public let retryAt: Timestamp?

    public init(item: WorkItem, errorCode: String, errorReason: String = "", retryAt: Timestamp?) {
        self.item = item
        self.errorCode = errorCode
        self.errorReason = errorReason
        self.retryAt = retryAt
    }
}

/// How far the embedding is: ``EmbeddingCoverage`` as those see it who wait for a generation.
public struct QueueStatus: Hashable, Sendable, Codable {
    /// Messages that are to be embedded: those that are, those that wait and those that were given up.
    public var embeddableCount: Int
    /// Of those, the ones with vectors in the generation asked for.
    public var embeddedCount: Int
    /// Waiting, or in work.
    public var pendingCount: Int
    /// Given up.
    public var failedCount: Int
    /// Messages that have something to embed, but whose conversations are excluded from it; not counted above.
    public var excludedCount: Int
    /// Since when the oldest waiting one has been waiting.
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

    /// Takes the parts of a coverage that matter here.
    public init(_ coverage: EmbeddingCoverage, oldestPending: Timestamp?) {
        self.init(
            embeddableCount: coverage.embeddedCount + coverage.waitingCount + coverage.failedCount,
            embeddedCount: coverage.embeddedCount, pendingCount: coverage.waitingCount,
            failedCount: coverage.failedCount, excludedCount: coverage.excludedCount, oldestPending: oldestPending)
    }
}

/// The messages that wait for their vectors, and the generations that they wait for.
///
/// All calls throw ``RepositoryError``. A claimed item is leased: if it is neither committed nor parked until the lease
/// ends, it can be claimed again.
public protocol WorkQueue: Sendable {
    /// Leases the next items of a generation: what people write now before backlog, never tried before repeated,
    /// newest message first.
    ///
    /// - Parameters:
    ///   - limit: The most wanted.
    ///   - generation: Whose items.
    ///   - includesBacklog: Whether backlog is wanted too.
    ///   - lease: When they can be claimed again.
    ///   - moment: The present time.
    /// - Returns: The items.
    /// - Throws: ``RepositoryError``.
    func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem]

    /// Returns the vectors of texts that were embedded before in a generation; of others there is none.
    ///
    /// What was deleted is not known any more: a hash goes with its passage.
    ///
    /// - Parameters:
    ///   - contentHashes: See ``PassageDraft/contentHash``.
    ///   - generation: Whose vectors are wanted.
    /// - Returns: A vector for each hash that is known.
    /// - Throws: ``RepositoryError``.
    func vectors(ofContents contentHashes: Set<[UInt8]>, in generation: GenerationNumber) async throws
        -> [[UInt8]: [Float]]

    /// Stores passages and vectors, takes the items out of the queue and counts what their embedding took, in one
    /// transaction.
    ///
    /// An item whose message was edited or deleted since is passed over. A message that turned out to have nothing to
    /// embed is known as such from then on.
    ///
    /// - Parameters:
    ///   - messages: What was embedded.
    ///   - usage: What it took, by generation; for messages that failed as well.
    ///   - moment: The present time, whose day the usage is counted on.
    /// - Returns: How many messages were stored.
    /// - Throws: ``RepositoryError``.
    func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int

    /// Puts failed items back, or aside, in one transaction.
    func park(_ items: [ParkedItem], at moment: Timestamp) async throws

    /// Lets the leases of items that are still worked on end later; items that are leased no longer are passed over.
    func renew(_ items: [WorkItem], until lease: Timestamp) async throws

    /// Gives back leases without counting an attempt: an orderly stop.
    func release(_ items: [WorkItem]) async throws

    /// Ends all leases: the only process that could hold them has gone.
    func releaseAllLeases() async throws

    /// Puts failed items of a generation back into the queue, all of them or those of `messages`; returns how many.
    func retryFailed(of generation: GenerationNumber, only messages: Set<MessageKey>?, at moment: Timestamp)
        async throws -> Int

    /// Returns the given-up items of a generation, the latest first.
    func failedItems(of generation: GenerationNumber) async throws -> [FailedItem]

    /// Counts what became of all messages for a generation, each part by itself.
    func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage

    /// Counts what the embedding of questions took, by generation.
    ///
    /// - Parameters:
    ///   - usage: What it took.
    ///   - moment: The present time, whose day it is counted on.
    /// - Throws: ``RepositoryError``.
    func countQuestions(_ usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp) async throws

    /// Returns what embedding took on a day and in all, for each generation that took anything.
    ///
    /// - Parameter day: See ``Timestamp/day``.
    /// - Returns: One value a generation, by its number.
    /// - Throws: ``RepositoryError``.
    func usage(on day: Int) async throws -> [GenerationUsage]

    /// Returns since when the oldest item of a generation that waits, or is in work, has been waiting; nil when there is none.
    func oldestWaiting(of generation: GenerationNumber) async throws -> Timestamp?

    /// Returns how many items of a generation wait or are in work; cheap where ``coverage(of:)`` counts all messages.
    func pendingCount(of generation: GenerationNumber) async throws -> Int

    /// Returns the earliest time after `moment` at which a failed item of a generation is tried again, or a lease ends; nil
    /// when there is none.
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

    /// Stores embedded messages that took nothing of a service; returns how many.
    public func commit(_ messages: [EmbeddedMessage], at moment: Timestamp) async throws -> Int {
        try await commit(messages, usage: [:], at: moment)
    }

    /// Returns how far a generation is.
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

    /// Begins a generation and queues every message for it that it covers, in one transaction; or goes on with
    /// ``GenerationPlan/existing(among:)``, whose share and rate become those of the plan when it is being filled.
    ///
    /// The first of a data folder serves at once; a later one is `filling`, and takes the place of one that was.
    func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration

    /// Lets a generation serve, in one transaction; the one that did stands by, without a snapshot file.
    ///
    /// An unknown or retired one is ``RepositoryError/invalid(field:reason:)``.
    func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws

    /// Forgets the bound of a generation's speed: what it was begun with is embedded, and what comes later is not bound.
    func endFill(of generation: GenerationNumber) async throws

    /// Retires a generation that does not serve, with its queue entries and vectors, and gives their room back.
    ///
    /// The queue entries go at once, the vectors by and by; dropping a retired generation again completes what was
    /// broken off. The serving one is ``RepositoryError/conflict(_:)``, unless it cannot be used, see
    /// ``EmbeddingSpace/isUsable``; an unknown one is
    /// ``RepositoryError/invalid(field:reason:)``.
    func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws
}

extension GenerationRepository {
    /// Begins a generation without further wishes; see ``beginGeneration(_:at:)``.
    public func beginGeneration(_ space: EmbeddingSpace, baseURL: String?, refilling: Bool, at moment: Timestamp)
        async throws -> EmbeddingGeneration
    {
        try await beginGeneration(GenerationPlan(space: space, baseURL: baseURL, refilling: refilling), at: moment)
    }
}
