package import ChatCore
package import Retrieval

/// The sets of vectors: their progress, which of them serves, and dropping one.
package struct EmbeddingGenerations: Sendable {
    /// The part of a store that generations need.
    package typealias Store = WorkQueue & GenerationRepository

    let store: any Store
    let index: LiveIndex
    let pricePerMillion: Double?
    let databaseByteCount: @Sendable () -> Int
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - store: The generations and their queue.
    ///   - index: The index of the serving generation.
    ///   - pricePerMillion: The price of a million tokens; nil if it is unknown.
    ///   - databaseByteCount: Returns the size of the database file.
    ///   - now: The present time.
    package init(
        store: any Store, index: LiveIndex, pricePerMillion: Double?,
        databaseByteCount: @escaping @Sendable () -> Int, now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.index = index
        self.pricePerMillion = pricePerMillion
        self.databaseByteCount = databaseByteCount
        self.now = now
    }

    /// The share of a generation's messages that may still wait when an operator switches to it.
    private static let waitingShare = 0.01

    /// The generation that searches use; nil before the first.
    package func serving() async throws -> EmbeddingGeneration? {
        try await store.generations().last { $0.state == .serving }
    }

    /// The progress of the serving generation; nil before the first.
    package func servingQueue() async throws -> QueueStatus? {
        guard let serving = try await serving() else { return nil }
        return try await store.status(of: serving.number)
    }

    /// The number of messages that wait for their vectors in the serving generation.
    package func waitingCount() async throws -> Int {
        guard let serving = try await serving() else { return 0 }
        return try await store.pendingCount(of: serving.number)
    }

    /// Returns reports on all generations that were not dropped.
    package func reports() async throws -> [GenerationReport] {
        var reports: [GenerationReport] = []
        for generation in try await store.generations() where generation.state != .retired {
            reports.append(try await report(on: generation))
        }
        return reports
    }

    /// Returns a report on one generation.
    package func report(on number: GenerationNumber) async throws -> GenerationReport {
        try await report(on: generation(number.rawValue))
    }

    private func report(on generation: EmbeddingGeneration) async throws -> GenerationReport {
        let usage = try await store.usage(on: now().day).first { $0.generation == generation.number }
        return GenerationReport(
            generation, queue: try await store.status(of: generation.number),
            failures: try await store.failures(of: generation.number), usage: usage?.total ?? EmbeddingUsage(),
            pricePerMillion: pricePerMillion)
    }

    /// Returns the generation with a number that a person typed.
    package func generation(_ number: Int64) async throws -> EmbeddingGeneration {
        guard let found = try await store.generations().first(where: { $0.number.rawValue == number }) else {
            throw OperatorFailure(message: "there is no generation \(number); see nexus generations list")
        }
        return found
    }

    /// Returns a line for each generation that was not dropped and that no search can use.
    package func unusable() async throws -> [String] {
        try await store.generations().filter { $0.state != .retired && !$0.space.isUsable }.map(Self.unusable(_:))
    }

    private static func unusable(_ generation: EmbeddingGeneration) -> String {
        let number = generation.number.rawValue
        return "generation \(number) has vectors of \(generation.space.dimensions) dimensions, at most "
            + "\(EmbeddingSpace.dimensionRange.upperBound) can be searched: searches use words alone; "
            + "check embedding.base-url and embedding.model, then run nexus ingest (a running server does the same), "
            + "which drops the generation and embeds the messages again; nexus generations drop \(number) only drops it"
    }

    /// Returns a generation that was not dropped and can be used.
    package func present(_ number: Int64) async throws -> EmbeddingGeneration {
        let found = try await generation(number)
        guard found.state != .retired else { throw OperatorFailure(message: "generation \(number) was dropped") }
        guard found.space.isUsable else { throw OperatorFailure(message: Self.unusable(found)) }
        return found
    }

    /// Switches to another generation; searches use the old one until the new one's index is ready.
    ///
    /// - Parameters:
    ///   - number: The other generation.
    ///   - isForced: Whether to switch even if many of its messages wait.
    ///   - isServing: Whether this is a server, whose index must change too.
    /// - Returns: A report on the generation.
    /// - Throws: ``OperatorFailure``, ``RepositoryError``.
    package func switchTo(_ number: Int64, isForced: Bool, isServing: Bool) async throws -> GenerationReport {
        let next = try await present(number)
        let queue = try await store.status(of: next.number)
        guard isForced || Double(queue.pendingCount) <= Self.waitingShare * Double(queue.embeddableCount) else {
            throw OperatorFailure(
                message: "\(queue.pendingCount) of \(queue.embeddableCount) messages still wait in generation "
                    + "\(number): searches would find fewer; --force switches anyway")
        }
        if isServing { try await index.prepare(next) }
        try await store.switchTo(next.number, at: now())
        if isServing { try await index.follow() }
        return try await report(on: next.number)
    }

    /// Drops a generation that does not serve.
    ///
    /// - Returns: By how many bytes the database file shrank.
    package func drop(_ number: Int64, isServing: Bool) async throws -> Int {
        let old = try await generation(number)
        // Searches in the old generation are repeated if another one serves by then.
        if isServing { try await index.follow() }
        let before = databaseByteCount()
        try await store.drop(old.number, at: now())
        return max(0, before - databaseByteCount())
    }
}
