import ChatCore
import CoreMetrics
import Logging
import Synchronization
import Tracing

/// What the parts of a worker share.
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
    let meter: IngestMeter

    /// Renews the leases of what is held, when it is time; see ``IngestSettings/lease``.
    func renewLeases(at moment: Timestamp) async throws {
        guard ledger.isRenewalDue(at: moment, every: settings.lease / 3) else { return }
        let items = ledger.all
        if !items.isEmpty { try await store.renew(items, until: moment + settings.lease) }
    }

    /// Gives back what is held: nobody works on it any longer.
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

/// Lets callers wait until the worker has done everything that it can do at present.
///
/// A request is complete when work is done that began after it.
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

    /// The last request.
    var latest: Int { state.withLock { $0.requested } }

    /// Completes a request and those before it.
    func complete(_ number: Int) {
        state.withLock { $0.completed = max($0.completed, number) }
    }

    func isComplete(_ number: Int) -> Bool { state.withLock { $0.completed >= number } }
}

/// The services that only generations on standby use: while one of them does not work, searches and the next generation
/// go on, so it is no trouble of the worker's.
final class SpareServices: Sendable {
    private let services = Mutex<Set<ModelServiceName>>([])

    /// Takes note of the generations that are kept up to date.
    func renew(for generations: [EmbeddingGeneration]) {
        let spare = Set(generations.filter { $0.state == .standby }.map(\.service))
        let needed = Set(generations.filter { $0.state != .standby }.map(\.service))
        services.withLock { $0 = spare.subtracting(needed) }
    }

    /// Whether nothing but generations on standby needs a service.
    func contains(_ service: ModelServiceName) -> Bool { services.withLock { $0.contains(service) } }
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

    /// Adds what was claimed.
    func add(_ claimed: [WorkItem]) {
        items.withLock { items in
            for item in claimed { items[Key(item)] = item }
        }
    }

    /// Removes what was stored, parked or given back.
    func remove(_ settled: [WorkItem]) {
        items.withLock { items in
            for item in settled { items[Key(item)] = nil }
        }
    }

    /// Whether the leases of what is held are to be renewed; the next time is so much later then.
    func isRenewalDue(at moment: Timestamp, every interval: Duration) -> Bool {
        nextRenewal.withLock { next in
            if let next, moment < next { return false }
            next = moment + interval
            return true
        }
    }

    /// Whether nothing is held.
    var isEmpty: Bool { items.withLock { $0.isEmpty } }

    /// Everything that is held.
    var all: [WorkItem] { items.withLock { Array($0.values) } }
}

/// Counts what the worker does and how long it takes.
struct IngestMeter: Sendable {
    /// A step of the work.
    enum Step: String {
        case claim = "ingest_claim"
        case embed = "ingest_embed"
        case store = "ingest_store"
    }

    /// What became of messages.
    enum Outcome: String {
        case claimed
        case embedded
        /// Put aside, for a while or for good.
        case parked
    }

    let factory: any MetricsFactory

    /// Carries out a step, and takes note of how long it took; in a span of its own where it works on messages, for the
    /// queue is looked at again and again.
    func measuring<Value>(_ step: Step, _ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer {
            Recorder(label: "nexus_stage_duration_seconds", dimensions: [("stage", step.rawValue)], factory: factory)
                .record((.now - start) / .seconds(1))
        }
        guard step != .claim else { return try await body() }
        return try await withSpan(step.rawValue) { _ in try await body() }
    }

    /// Counts messages.
    func count(_ count: Int, _ outcome: Outcome) {
        guard count > 0 else { return }
        Counter(
            label: "nexus_ingest_messages_total", dimensions: [("outcome", outcome.rawValue)], factory: factory
        ).increment(by: count)
    }
}
