package import ChatCore

/// The messages that could not be embedded and were given up.
package struct GivenUpMessages: Sendable {
    /// The part of a store that the queue needs.
    package typealias Store = WorkQueue & GenerationRepository

    let store: any Store
    let wakeWorker: @Sendable () -> Void
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - store: The generations and their queue.
    ///   - wakeWorker: Called when messages were put back into the queue.
    ///   - now: The present time.
    package init(
        store: any Store, wakeWorker: @escaping @Sendable () -> Void, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.store, self.wakeWorker, self.now) = (store, wakeWorker, now)
    }

    /// Lists the messages that were given up, the latest first.
    package func all() async throws -> [FailedMessage] {
        var failed: [FailedMessage] = []
        for generation in try await store.generations() where generation.state != .retired {
            failed += try await store.failedItems(of: generation.number).map { FailedMessage($0) }
        }
        return failed
    }

    /// Puts messages that were given up back into the queue.
    ///
    /// - Parameter names: See ``FailedMessage/name``; empty for all.
    /// - Returns: The number of queue entries that were put back.
    /// - Throws: ``OperatorFailure`` if no message with one of the names was given up.
    package func retry(_ names: [String]) async throws -> Int {
        let wanted = Set(names)
        var unknown = wanted
        var chosen: [(generation: GenerationNumber, keys: Set<MessageKey>)] = []
        for generation in try await store.generations() where generation.state != .retired {
            let items = try await store.failedItems(of: generation.number).map { FailedMessage($0) }
                .filter { wanted.isEmpty || wanted.contains($0.name) }
            unknown.subtract(items.map(\.name))
            chosen.append((generation.number, Set(items.map(\.key))))
        }
        if let name = unknown.min() {
            throw OperatorFailure(message: "\(name) was not given up: see nexus ingest failed")
        }
        var count = 0
        for (generation, keys) in chosen {
            count += try await store.retryFailed(
                of: generation, only: wanted.isEmpty ? nil : keys, at: now())
        }
        wakeWorker()
        return count
    }
}
