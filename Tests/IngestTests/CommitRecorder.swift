import ChatCore
import Ingest
import Synchronization

/// A store for a worker that remembers itself which messages were committed, and how often.
final class CommitRecorder: WorkQueue, GenerationRepository, ChangeNotifier {
    private let base: any IngestWorker.WorkStore
    private let counts = Mutex<[MessageKey: Int]>([:])
    private let renewals = Mutex(0)

    init(_ base: any IngestWorker.WorkStore) {
        self.base = base
    }

    /// How often each message was committed.
    var commits: [MessageKey: Int] { counts.withLock { $0 } }

    /// How often leases were renewed.
    var renewalCount: Int { renewals.withLock { $0 } }

    func renew(_ items: [WorkItem], until lease: Timestamp) async throws {
        try await base.renew(items, until: lease)
        renewals.withLock { $0 += 1 }
    }

    func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int {
        let count = try await base.commit(messages, usage: usage, at: moment)
        counts.withLock { counts in
            for message in messages { counts[message.item.messageKey, default: 0] += 1 }
        }
        return count
    }

    // MARK: - What is passed on

    func latestChange() async throws -> ChangeNumber { try await base.latestChange() }

    func waitForChange(after number: ChangeNumber) async throws { try await base.waitForChange(after: number) }

    func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem] {
        try await base.claim(limit, for: generation, includingBacklog: includesBacklog, until: lease, at: moment)
    }

    func vectors(ofContents contentHashes: Set<[UInt8]>, in generation: GenerationNumber) async throws
        -> [[UInt8]: [Float]]
    {
        try await base.vectors(ofContents: contentHashes, in: generation)
    }

    func park(_ items: [ParkedItem], at moment: Timestamp) async throws { try await base.park(items, at: moment) }
    func release(_ items: [WorkItem]) async throws { try await base.release(items) }
    func releaseAllLeases() async throws { try await base.releaseAllLeases() }

    func retryFailed(of generation: GenerationNumber, only messages: Set<MessageKey>?, at moment: Timestamp)
        async throws -> Int
    {
        try await base.retryFailed(of: generation, only: messages, at: moment)
    }

    func failedItems(of generation: GenerationNumber) async throws -> [FailedItem] {
        try await base.failedItems(of: generation)
    }

    func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage {
        try await base.coverage(of: generation)
    }

    func usage(on day: Int) async throws -> [GenerationUsage] { try await base.usage(on: day) }

    func countQuestions(_ usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp) async throws {
        try await base.countQuestions(usage, at: moment)
    }

    func oldestWaiting(of generation: GenerationNumber) async throws -> Timestamp? {
        try await base.oldestWaiting(of: generation)
    }

    func pendingCount(of generation: GenerationNumber) async throws -> Int {
        try await base.pendingCount(of: generation)
    }

    func failures(of generation: GenerationNumber) async throws -> [String: Int] {
        try await base.failures(of: generation)
    }

    func generations() async throws -> [EmbeddingGeneration] { try await base.generations() }

    func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        try await base.beginGeneration(plan, at: moment)
    }

    func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await base.switchTo(generation, at: moment)
    }

    func endFill(of generation: GenerationNumber) async throws { try await base.endFill(of: generation) }

    func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await base.drop(generation, at: moment)
    }
}
