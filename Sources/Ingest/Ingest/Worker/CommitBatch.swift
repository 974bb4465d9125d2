import ChatCore

/// The results that wait for the next transaction.
struct CommitBatch: Sendable {
    /// The result of a transaction.
    struct Outcome: Sendable {
        /// How many messages were embedded, by generation; 0 if some were only parked.
        var counts: [GenerationNumber: Int] = [:]
        /// Whether a message was edited or deleted since it was claimed.
        var passedOver = false
    }

    /// Embedded messages, new ones before the backlog.
    private(set) var embedded: [EmbeddedMessage] = []
    private(set) var parked: [ParkedItem] = []
    private(set) var released: [WorkItem] = []
    private(set) var usage: [GenerationNumber: EmbeddingUsage] = [:]

    /// Whether nothing waits.
    var isEmpty: Bool { embedded.isEmpty && parked.isEmpty && released.isEmpty && usage.isEmpty }

    mutating func add(_ answer: BatchAnswer) {
        if answer.order.isBacklog {
            embedded += answer.embedded
        } else {
            embedded.insert(contentsOf: answer.embedded, at: 0)
        }
        parked += answer.parked
        if answer.usage != EmbeddingUsage() { add(answer.usage, of: answer.order.generation.number) }
    }

    /// Adds the cost of a request.
    mutating func add(_ usage: EmbeddingUsage, of generation: GenerationNumber) {
        self.usage[generation, default: EmbeddingUsage()] += usage
    }

    /// Adds items to give back to the queue.
    mutating func release(_ items: [WorkItem]) {
        released += items
    }

    /// Removes and returns as much as one transaction may store.
    mutating func next(_ limit: Int) -> CommitBatch {
        var part = self
        part.embedded = Array(embedded.prefix(limit))
        let rest = embedded.dropFirst(limit)
        self = CommitBatch()
        embedded = Array(rest)
        return part
    }

    /// Stores everything.
    ///
    /// - Returns: The result of all transactions.
    /// - Throws: ``RepositoryError``; earlier transactions stay.
    @concurrent func store(in context: IngestContext) async throws -> Outcome {
        let (store, moment) = (context.store, context.now())
        var outcome = Outcome()
        if !embedded.isEmpty || !usage.isEmpty {
            let count = try await store.commit(embedded, usage: usage, at: moment)
            outcome.passedOver = count < embedded.count
            context.meter.count(count, .embedded)
        }
        if !parked.isEmpty { try await store.park(parked, at: moment) }
        context.meter.count(parked.count, .parked)
        if !released.isEmpty { try await store.release(released) }
        context.ledger.remove(embedded.map(\.item) + parked.map(\.item) + released)
        for message in embedded { outcome.counts[message.item.generation, default: 0] += 1 }
        for item in parked { outcome.counts[item.item.generation, default: 0] += 0 }
        for (generation, count) in outcome.counts where count > 0 {
            context.rates.count(count, of: generation, at: moment)
        }
        return outcome
    }
}
