import ChatCore
import CoreMetrics
import Logging
import Synchronization
import Tracing

/// The shared state of the worker's parts.
struct IngestContext: Sendable {
    let store: any IngestStore
    let embedders: any EmbedderSource
    let settings: IngestSettings
    let health: ServiceHealth
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let ledger = ItemLedger()
    let budget: TokenBudget
    let pace: FillPace
    let lifecycle: GenerationLifecycle
    let rates = RateMeter()
    let drains = DrainBarrier()
    let spareServices = SpareServices()
    let limits = ObservedLimits()
    let givenUp = GivenUpItems()
    let meter: IngestMeter

    /// Renews the leases of claimed items when it is time; see ``IngestSettings/lease``.
    func renewLeases(at moment: Timestamp) async throws {
        guard ledger.isRenewalDue(at: moment, every: settings.lease / 3) else { return }
        let items = ledger.all
        if !items.isEmpty { try await store.renew(items, until: moment + settings.lease) }
    }

    /// Gives back all claimed items because nobody works on them any longer.
    ///
    /// Leases that the store fails to release stay held until they expire.
    func giveBackAll() async throws {
        let items = ledger.all
        guard !items.isEmpty else { return }
        // The store ignores calls from a cancelled task.
        try await withoutCancellation { [store, ledger] in
            try await store.release(items)
            ledger.remove(items)
        }
    }
}

/// Lets callers wait until the worker has done all work that is possible at present.
///
/// A request is complete when all work that began after it is done.
final class DrainBarrier: Sendable {
    private struct State {
        var requested = 0
        var completed = 0
    }

    private let state = Mutex(State())

    /// Makes a request; returns its number.
    func request() -> Int {
        state.withLock { state in
            state.requested += 1
            return state.requested
        }
    }

    var latest: Int { state.withLock { $0.requested } }

    /// Completes a request and those before it.
    func complete(_ number: Int) {
        state.withLock { $0.completed = max($0.completed, number) }
    }

    func isComplete(_ number: Int) -> Bool { state.withLock { $0.completed >= number } }
}

/// The services that only standby generations use.
///
/// If one of them fails, searches and the next generation continue, so the worker does not report it.
final class SpareServices: Sendable {
    private let services = Mutex<Set<ModelServiceName>>([])

    /// Updates the set for the generations that are kept up to date.
    func renew(for generations: [EmbeddingGeneration]) {
        let spare = Set(generations.filter { $0.state == .standby }.map(\.service))
        let needed = Set(generations.filter { $0.state != .standby }.map(\.service))
        services.withLock { $0 = spare.subtracting(needed) }
    }

    /// Whether only standby generations need a service.
    func contains(_ service: ModelServiceName) -> Bool { services.withLock { $0.contains(service) } }
}

/// Gives messages a second chance that an earlier version gave up because a passage was too long for the service.
final class GivenUpItems: Sendable {
    private let seen = Mutex<Set<GenerationNumber>>([])

    /// Puts them back into the queue of a generation, once in the life of the process.
    func retry(of generation: GenerationNumber, in store: any IngestStore, at moment: Timestamp) async throws {
        guard seen.withLock({ !$0.contains(generation) }) else { return }
        let code = ModelServiceError.tooLong.code
        if try await store.failures(of: generation)[code] ?? 0 > 0 {
            let items = try await store.failedItems(of: generation)
            let whole = items.filter { $0.errorCode == code && $0.errorReason != BatchAnswer.shortestReason }
            if !whole.isEmpty {
                _ = try await store.retryFailed(of: generation, only: Set(whole.map(\.messageKey)), at: moment)
            }
        }
        seen.withLock { _ = $0.insert(generation) }
    }
}

/// The items that this process has claimed and neither stored nor given back.
final class ItemLedger: Sendable {
    private struct Key: Hashable {
        let generation: GenerationNumber
        let message: MessageKey
        let revision: Int

        init(_ item: WorkItem) {
            generation = item.generation
            message = item.messageKey
            revision = item.revision
        }
    }

    private let items = Mutex<[Key: WorkItem]>([:])
    private let nextRenewal = Mutex<Timestamp?>(nil)

    func add(_ claimed: [WorkItem]) {
        items.withLock { items in
            for item in claimed { items[Key(item)] = item }
        }
    }

    func remove(_ settled: [WorkItem]) {
        items.withLock { items in
            for item in settled { items[Key(item)] = nil }
        }
    }

    /// Whether the leases are due for renewal; if so, the next renewal is due one interval later.
    func isRenewalDue(at moment: Timestamp, every interval: Duration) -> Bool {
        nextRenewal.withLock { next in
            if let next, moment < next { return false }
            next = moment + interval
            return true
        }
    }

    var isEmpty: Bool { items.withLock { $0.isEmpty } }

    var all: [WorkItem] { items.withLock { Array($0.values) } }
}

/// Counts the worker's messages and measures its steps.
struct IngestMeter: Sendable {
    enum Step: String {
        case claim = "ingest_claim"
        case embed = "ingest_embed"
        case store = "ingest_store"
    }

    /// The result for messages.
    enum Outcome: String {
        case claimed
        case embedded
        /// Postponed, or given up.
        case parked
    }

    let factory: any MetricsFactory

    /// Runs a step and records its duration.
    ///
    /// Steps that work on messages get their own span; claims do not because they
    /// are repeated very often.
    func measuring<Value>(_ step: Step, _ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer {
            Recorder(label: "nexus_stage_duration_seconds", dimensions: [("stage", step.rawValue)], factory: factory)
                .record((.now - start) / .seconds(1))
        }
        guard step != .claim else { return try await body() }
        return try await withSpan(step.rawValue) { _ in try await body() }
    }

    func count(_ count: Int, _ outcome: Outcome) {
        guard count > 0 else { return }
        Counter(
            label: "nexus_ingest_messages_total", dimensions: [("outcome", outcome.rawValue)], factory: factory
        ).increment(by: count)
    }
}
