import ChatCore
import MessageStore
import Synchronization

/// The reason why nothing can be stored at present, as writes have shown it.
final class KnownTrouble: Sendable {
    /// Signalled when there is a reason.
    let changed = WorkSignal()
    private let state = Mutex<StorageTrouble?>(nil)

    /// The reason; nil if none is known.
    var trouble: StorageTrouble? { state.withLock { $0 } }

    /// Notes a reason; damage stays until the store is opened again.
    func record(_ trouble: StorageTrouble) {
        state.withLock { if $0 != .damaged { $0 = trouble } }
        changed.signal()
    }

    /// Notes that something was stored; a full disk may have room for a small row and not for the next one.
    func recordSuccess() { state.withLock { if $0 != .full, $0 != .damaged { $0 = nil } } }

    /// Notes that a reason is over.
    func end(_ trouble: StorageTrouble) { state.withLock { if $0 == trouble { $0 = nil } } }
}
