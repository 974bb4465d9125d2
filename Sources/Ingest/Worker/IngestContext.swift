import ChatCore
import Logging
import Synchronization

/// What the parts of a worker share.
struct IngestContext: Sendable {
    let store: any IngestWorker.WorkStore
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
    let wishes = Wishes()
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
    /// In a task of its own, for a store does nothing for one that was cancelled. What a failing store does not take
    /// back goes on being held.
    func giveBackAll() async throws {
        let items = ledger.all
        guard !items.isEmpty else { return }
        try await Task { [store, ledger] in
            try await store.release(items)
            ledger.remove(items)
        }.value
    }
}

/// Tells those who wait for the worker that it has done all that it can at present.
///
/// A wish is fulfilled by work that began after it was made.
final class Wishes: Sendable {
    private struct State {
        var made = 0
        var fulfilled = 0
    }

    private let state = Mutex(State())

    /// Makes a wish; returns its number.
    func make() -> Int {
        state.withLock { state in
            state.made += 1
            return state.made
        }
    }

    /// The last wish that was made.
    var latest: Int { state.withLock { $0.made } }

    /// Fulfils a wish and those before it.
    func fulfil(_ number: Int) {
        state.withLock { $0.fulfilled = max($0.fulfilled, number) }
    }

    /// Whether a wish is fulfilled.
    func isFulfilled(_ number: Int) -> Bool { state.withLock { $0.fulfilled >= number } }
}
