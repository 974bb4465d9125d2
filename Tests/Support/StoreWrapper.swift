package import ChatCore

/// A store that passes on what it does not do itself: a wrapper implements only the calls that it watches or changes.
package protocol StoreWrapper: Sendable {
    var base: any Store { get }
}

extension ChangeNotifier where Self: StoreWrapper {
    package func latestChange() async throws -> ChangeCursor { try await base.latestChange() }

    package func waitForChange(after cursor: ChangeCursor) async throws { try await base.waitForChange(after: cursor) }
}

extension ChangeFeed where Self: StoreWrapper {
    package func changes(after cursor: ChangeCursor, limit: Int) async throws -> ChangePage {
        try await base.changes(after: cursor, limit: limit)
    }

    package func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        try await base.indexedPassages(of: generation, after: after, limit: limit)
    }

    package func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws
        -> [IndexedPassage]
    {
        try await base.indexedPassages(numbers, of: generation)
    }

    package func passages(of messages: [MessageKey], in generation: GenerationNumber) async throws -> [PassageNumber] {
        try await base.passages(of: messages, in: generation)
    }

    package func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage] {
        try await base.indexedMessages(after: after, limit: limit)
    }

    package func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage] {
        try await base.indexedMessages(of: keys)
    }

    package func census(of generation: GenerationNumber) async throws -> IndexCensus {
        try await base.census(of: generation)
    }

    package func messageCensus() async throws -> IndexCensus { try await base.messageCensus() }
}

extension AuditLog where Self: StoreWrapper {
    package func record(_ draft: AuditAct.Draft) async throws { try await base.record(draft) }

    package func setResult(_ result: AuditResult, of act: String) async throws {
        try await base.setResult(result, of: act)
    }

    package func auditEntries(_ query: AuditQuery) async throws -> [AuditEntry] {
        try await base.auditEntries(query)
    }
}

extension SnapshotRegister where Self: StoreWrapper {
    package func snapshots() async throws -> [GenerationNumber: SnapshotRecord] { try await base.snapshots() }

    package func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool {
        try await base.setSnapshot(record, of: generation)
    }

    package func wordSnapshot() async throws -> SnapshotRecord? { try await base.wordSnapshot() }

    package func setWordSnapshot(_ record: SnapshotRecord?) async throws { try await base.setWordSnapshot(record) }
}

extension GenerationRepository where Self: StoreWrapper {
    package func generations() async throws -> [EmbeddingGeneration] { try await base.generations() }

    package func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        try await base.beginGeneration(plan, at: moment)
    }

    package func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await base.switchTo(generation, at: moment)
    }

    package func endFill(of generation: GenerationNumber) async throws { try await base.endFill(of: generation) }

    package func setScale(_ scale: CosineScale, of generation: GenerationNumber) async throws {
        try await base.setScale(scale, of: generation)
    }

    package func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await base.drop(generation, at: moment)
    }
}

extension WorkQueue where Self: StoreWrapper {
    package func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem] {
        try await base.claim(limit, for: generation, includingBacklog: includesBacklog, until: lease, at: moment)
    }

    package func vectors(ofContents contentHashes: Set<[UInt8]>, in generation: GenerationNumber) async throws
        -> [[UInt8]: [Float]]
    {
        try await base.vectors(ofContents: contentHashes, in: generation)
    }

    package func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int {
        try await base.commit(messages, usage: usage, at: moment)
    }

    package func park(_ items: [ParkedItem], at moment: Timestamp) async throws {
        try await base.park(items, at: moment)
    }

    package func renew(_ items: [WorkItem], until lease: Timestamp) async throws {
        try await base.renew(items, until: lease)
    }

    package func release(_ items: [WorkItem]) async throws { try await base.release(items) }

    package func releaseAllLeases() async throws { try await base.releaseAllLeases() }

    package func retryFailed(of generation: GenerationNumber, only messages: Set<MessageKey>?, at moment: Timestamp)
        async throws -> Int
    {
        try await base.retryFailed(of: generation, only: messages, at: moment)
    }

    package func failedItems(of generation: GenerationNumber) async throws -> [FailedItem] {
        try await base.failedItems(of: generation)
    }

    package func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage {
        try await base.coverage(of: generation)
    }

    package func countQuestions(_ usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp) async throws {
        try await base.countQuestions(usage, at: moment)
    }

    package func usage(on day: Int) async throws -> [GenerationUsage] { try await base.usage(on: day) }

    package func oldestWaiting(of generation: GenerationNumber) async throws -> Timestamp? {
        try await base.oldestWaiting(of: generation)
    }

    package func pendingCount(of generation: GenerationNumber) async throws -> Int {
        try await base.pendingCount(of: generation)
    }

    package func nextDue(of generation: GenerationNumber, after moment: Timestamp) async throws -> Timestamp? {
        try await base.nextDue(of: generation, after: moment)
    }

    package func failures(of generation: GenerationNumber) async throws -> [String: Int] {
        try await base.failures(of: generation)
    }
}
