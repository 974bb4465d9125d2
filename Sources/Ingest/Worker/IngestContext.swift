import ChatCore
import Logging
import Synchronization

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
