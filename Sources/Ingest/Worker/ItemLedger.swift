import ChatCore
import Synchronization

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
