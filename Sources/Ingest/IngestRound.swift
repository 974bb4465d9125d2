import ChatCore

/// One batch on its way: claim → prepare → embed → commit.
struct IngestRound {
    /// What a round did.
    struct Outcome {
        /// Messages that were claimed; none means that nothing is due.
        var claimedCount = 0
        /// Messages that were stored with their vectors.
        var embeddedCount = 0
        /// Messages that were put back or aside.
        var parkedCount = 0
    }

    let queue: any WorkQueue
    let settings: IngestSettings
    let now: @Sendable () -> Timestamp

    /// Embeds the next messages of a generation.
    ///
    /// - Parameters:
    ///   - generation: Whose vectors are wanted.
    ///   - embedder: Makes them.
    /// - Returns: What was done.
    /// - Throws: ``ModelServiceError`` when the service does not work, ``RepositoryError`` when the store does not,
    ///   `CancellationError`; the messages are back in the queue, no attempt is counted.
    func run(_ generation: EmbeddingGeneration, with embedder: any Embedder) async throws -> Outcome {
        let items = try await queue.claim(
            settings.batchItemCount, for: generation.number, until: now() + settings.lease, at: now())
        guard !items.isEmpty else { return Outcome() }
        do {
            let limit = try await embedder.passageLimit()
            let prepared = items.map { PreparedMessage($0, limit: limit) }
            let contents = try await BatchContents(of: prepared, in: generation.number, from: queue)
            var batch = BatchEmbedding(embedder: embedder)
            let sent = try await batch.outcomes(for: contents.texts[...])
            for case .vector(let vector) in sent { try generation.space.check(vector) }
            return try await store(prepared, outcomes: contents.outcomes(from: sent))
        } catch {
            await giveBack(items)
            throw error
        }
    }

    /// Gives back what was claimed and is not stored.
    ///
    /// In a task of its own, for a store does nothing for one that was cancelled. When the store fails here too, the
    /// leases run out.
    private func giveBack(_ items: [WorkItem]) async {
        await Task { [queue] in try? await queue.release(items) }.value
    }

    private func store(_ prepared: [PreparedMessage], outcomes: [EmbeddingOutcome]) async throws -> Outcome {
        var done: [EmbeddedMessage] = []
        var parked: [ParkedItem] = []
        var rest = outcomes[...]
        for message in prepared {
            let own = rest.prefix(message.passages.count)
            rest = rest.dropFirst(own.count)
            var vectors: [[Float]] = []
            var refusal: ModelServiceError?
            for outcome in own {
                switch outcome {
                case .vector(let vector): vectors.append(vector)
                case .refused(let error): refusal = refusal ?? error
                }
            }
            if let refusal {
                parked.append(park(message.item, for: refusal))
            } else {
                done.append(message.embedded(vectors))
            }
        }
        let embeddedCount = done.isEmpty ? 0 : try await queue.commit(done, at: now())
        if !parked.isEmpty { try await queue.park(parked, at: now()) }
        return Outcome(claimedCount: prepared.count, embeddedCount: embeddedCount, parkedCount: parked.count)
    }

    /// Decides what becomes of a message that alone fails while others do not.
    private func park(_ item: WorkItem, for error: ModelServiceError) -> ParkedItem {
        let isWorthRetrying = error.isTransient && item.attempts + 1 < settings.attemptLimit
        let delay = Duration.seconds(1 << min(item.attempts, 8))
        return ParkedItem(item: item, errorCode: error.code, retryAt: isWorthRetrying ? now() + delay : nil)
    }
}
