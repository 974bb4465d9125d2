package import ChatCore

extension InMemoryStore {
    /// Leases the next items of a generation.
    package func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem] {
        try write { state in
            let due = (state.queue[generation] ?? [:]).filter {
                $0.value.isDue(at: moment) && (includesBacklog || !$0.value.isBacklog)
            }
            let ordered = due.compactMap { key, entry in state.messages[key].map { (entry, $0) } }
                .sorted { left, right in
                    guard left.0.isBacklog == right.0.isBacklog else { return right.0.isBacklog }
                    let isLeftNew = left.0.attempts == 0
                    guard isLeftNew == (right.0.attempts == 0) else { return isLeftNew }
                    return left.1.isNewer(than: right.1)
                }
            return ordered.prefix(max(0, limit)).map { entry, stored in
                state.queue[generation]?[stored.message.key]?.state = .leased(until: lease)
                return WorkItem(
                    messageKey: stored.message.key, revision: stored.revision, generation: generation,
                    senderName: stored.message.senderName, searchableText: stored.message.searchableText,
                    attempts: entry.attempts, isBacklog: entry.isBacklog)
            }
        }
    }

    /// Returns the vectors of texts that were embedded before in a generation.
    package func vectors(ofContents contentHashes: Set<[UInt8]>, in generation: GenerationNumber) async throws
        -> [[UInt8]: [Float]]
    {
        try read { state in
            let known = state.passages.values.filter { $0.generation == generation }
            let wanted = known.filter { contentHashes.contains($0.contentHash) }
            return Dictionary(wanted.map { ($0.contentHash, $0.vector) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Stores passages and vectors, takes the items out of the queue and counts what their embedding took.
    package func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int {
        try write { state throws(RepositoryError) in
            var count = 0
            for message in messages {
                guard state.isCurrent(message.item) else { continue }
                try state.checkDrafts(of: message)
                state.queue[message.item.generation]?[message.item.messageKey] = nil
                if message.passages.isEmpty { state.messages[message.item.messageKey]?.isEmpty = true }
                for draft in message.passages { state.store(draft, of: message.item) }
                count += 1
            }
            for (generation, usage) in usage {
                state.usage[moment.day, default: [:]][generation, default: .init()] += usage
            }
            return count
        }
    }

    /// Puts failed items back, or aside.
    package func park(_ items: [ParkedItem], at moment: Timestamp) async throws {
        try write { state in
            for item in items where state.isCurrent(item.item) {
                let next: InMemoryState.QueueEntry.State =
                    item.retryAt.map { .waiting(until: $0) }
                    ?? .failed(code: item.errorCode, reason: item.errorReason, at: moment)
                state.queue[item.item.generation]?[item.item.messageKey]?.state = next
                state.queue[item.item.generation]?[item.item.messageKey]?.attempts += 1
            }
        }
    }

    /// Lets the leases of items that are still worked on end later.
    package func renew(_ items: [WorkItem], until lease: Timestamp) async throws {
        try write { state in
            for item in items where state.isCurrent(item) {
                guard case .leased? = state.queue[item.generation]?[item.messageKey]?.state else { continue }
                state.queue[item.generation]?[item.messageKey]?.state = .leased(until: lease)
            }
        }
    }

    /// Gives back leases without counting an attempt.
    package func release(_ items: [WorkItem]) async throws {
        try write { state in
            for item in items where state.isCurrent(item) {
                guard case .leased? = state.queue[item.generation]?[item.messageKey]?.state else { continue }
                state.queue[item.generation]?[item.messageKey]?.state = .ready
            }
        }
    }

    /// Ends all leases.
    package func releaseAllLeases() async throws {
        try write { state in
            for (generation, entries) in state.queue {
                for (key, entry) in entries {
                    if case .leased = entry.state { state.queue[generation]?[key]?.state = .ready }
                }
            }
        }
    }

    /// Puts failed items of a generation back into the queue, all of them or those of `messages`.
    package func retryFailed(of generation: GenerationNumber, only messages: Set<MessageKey>?, at moment: Timestamp)
        async throws -> Int
    {
        try write { state in
            let failed = (state.queue[generation] ?? [:]).filter { key, entry in
                entry.failureCode != nil && messages?.contains(key) != false
            }
            for key in failed.keys {
                let isBacklog = failed[key]?.isBacklog ?? true
                state.queue[generation]?[key] = InMemoryState.QueueEntry(isBacklog: isBacklog, queuedAt: moment)
            }
            return failed.count
        }
    }

    /// Returns since when the oldest item of a generation that waits has been waiting.
    package func oldestWaiting(of generation: GenerationNumber) async throws -> Timestamp? {
        try read { state in
            (state.queue[generation] ?? [:]).values.filter { $0.failureCode == nil }.map(\.queuedAt).min()
        }
    }

    /// Returns the given-up items of a generation, the latest first.
    package func failedItems(of generation: GenerationNumber) async throws -> [FailedItem] {
        try read { state in
            let items = (state.queue[generation] ?? [:]).compactMap { key, entry -> (Int, FailedItem)? in
                guard case .failed(let code, let reason, let moment) = entry.state else { return nil }
                let item = FailedItem(
                    messageKey: key, generation: generation, attempts: entry.attempts, errorCode: code,
                    errorReason: reason, failedAt: moment)
                return (state.messages[key]?.arrival ?? 0, item)
            }
            return items.sorted { ($0.1.failedAt, $0.0) > ($1.1.failedAt, $1.0) }.map(\.1)
        }
    }

    /// Counts what became of all messages for a generation.
    package func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage {
        try read { state in
            let since = state.generations.first { $0.number == generation }?.since
            let present = state.messages.values.filter { stored in
                stored.message.deletedAt == nil && since.map { stored.message.timestamp >= $0 } ?? true
            }
            let entries = (state.queue[generation] ?? [:]).values
            let failedCount = entries.count { $0.failureCode != nil }
            return EmbeddingCoverage(
                messageCount: present.count,
                embeddedCount: Set(state.passages.values.filter { $0.generation == generation }.map(\.key)).count,
                waitingCount: entries.count - failedCount, failedCount: failedCount,
                excludedCount: present.count { $0.isEmbeddable && state.isExcluded($0.message.key) },
                emptyCount: present.count { !$0.isEmbeddable })
        }
    }

    /// Counts what the embedding of questions took.
    package func countQuestions(_ usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp) async throws {
        try write { state in
            for (generation, usage) in usage {
                state.questionUsage[moment.day, default: [:]][generation, default: .init()] += usage
            }
        }
    }

    /// Returns what embedding took on a day and in all.
    package func usage(on day: Int) async throws -> [GenerationUsage] {
        try read { state in
            func today(_ days: [Int: [GenerationNumber: EmbeddingUsage]], _ number: GenerationNumber) -> EmbeddingUsage
            {
                days[day]?[number] ?? EmbeddingUsage()
            }
            func total(_ days: [Int: [GenerationNumber: EmbeddingUsage]], _ number: GenerationNumber) -> EmbeddingUsage
            {
                days.values.reduce(EmbeddingUsage()) { $0 + ($1[number] ?? EmbeddingUsage()) }
            }
            let known = (Array(state.usage.values) + Array(state.questionUsage.values)).flatMap(\.keys)
            return Set(known).sorted().map { number in
                GenerationUsage(
                    generation: number, today: today(state.usage, number), total: total(state.usage, number),
                    questionsToday: today(state.questionUsage, number),
                    questionsTotal: total(state.questionUsage, number))
            }
        }
    }

    /// Returns how many items of a generation wait or are in work.
    package func pendingCount(of generation: GenerationNumber) async throws -> Int {
        try read { state in (state.queue[generation] ?? [:]).values.count { $0.failureCode == nil } }
    }

    package func nextDue(of generation: GenerationNumber, after moment: Timestamp) async throws -> Timestamp? {
        try read { state in
            (state.queue[generation] ?? [:]).values.compactMap { entry in
                switch entry.state {
                case .leased(let end), .waiting(let end): end > moment ? end : nil
                case .ready, .failed: nil
                }
            }.min()
        }
    }

    /// Returns the codes of given-up items with their counts.
    package func failures(of generation: GenerationNumber) async throws -> [String: Int] {
        try read { state in
            var counts: [String: Int] = [:]
            for code in (state.queue[generation] ?? [:]).values.compactMap(\.failureCode) {
                counts[code, default: 0] += 1
            }
            return counts
        }
    }
}

extension InMemoryState.QueueEntry {
    func isDue(at moment: Timestamp) -> Bool {
        switch state {
        case .ready: true
        case .leased(let until), .waiting(let until): until <= moment
        case .failed: false
        }
    }

    var failureCode: String? {
        if case .failed(let code, _, _) = state { code } else { nil }
    }
}

extension InMemoryState {
    func isCurrent(_ item: WorkItem) -> Bool {
        queue[item.generation]?[item.messageKey] != nil && messages[item.messageKey]?.revision == item.revision
    }

    func checkDrafts(of message: EmbeddedMessage) throws(RepositoryError) {
        let dimensions = generations.first { $0.number == message.item.generation }?.space.dimensions
        for (ordinal, draft) in message.passages.enumerated() {
            guard draft.ordinal == ordinal else {
                throw .invalid(field: "ordinal", reason: "passages are numbered from 0")
            }
            guard draft.vector.count == dimensions, draft.vector.allSatisfy(\.isFinite) else {
                throw .invalid(field: "vector", reason: "has the wrong length or is not finite")
            }
        }
    }

    mutating func store(_ draft: PassageDraft, of item: WorkItem) {
        passageCount += 1
        let number = PassageNumber(rawValue: passageCount)
        passages[number] = StoredPassage(
            key: item.messageKey, generation: item.generation, range: draft.range, contentHash: draft.contentHash,
            vector: draft.vector)
        append(.embedded(number, item.generation), in: item.messageKey.conversationID)
    }
}
