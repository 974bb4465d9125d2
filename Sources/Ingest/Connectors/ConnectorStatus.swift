package import ChatCore
import Synchronization

/// What a connector is doing, for the operator.
package final class ConnectorStatus: Sendable {
    /// Why nothing can be read of the server at present.
    package enum Trouble: String, Sendable {
        /// It cannot be reached, or fails.
        case unreachable
        /// It does not know the token.
        case token
    }

    private struct State {
        var trouble: Trouble?
        var waitingUntil: Timestamp?
        var lastArrivalAt: Timestamp?
        var lag: Duration?
        var removalRefusal: String?
    }

    private let state = Mutex(State())

    package init() {}

    /// The reason why nothing can be read at present; nil if nothing is wrong.
    package var trouble: Trouble? { state.withLock { $0.trouble } }
    /// Until when a limit of the server asks to wait; nil for none.
    package var waitingUntil: Timestamp? { state.withLock { $0.waitingUntil } }
    /// When the server last sent events.
    package var lastArrivalAt: Timestamp? { state.withLock { $0.lastArrivalAt } }
    /// The time from the last event in the source until it was stored.
    package var lag: Duration? { state.withLock { $0.lag } }

    /// Why the server last refused to remove an answer; nil if it did not refuse since the last one was removed.
    package var removalRefusal: String? { state.withLock { $0.removalRefusal } }

    func removed() { state.withLock { $0.removalRefusal = nil } }
    func refusedRemoval(_ reason: String) { state.withLock { $0.removalRefusal = reason } }
    func succeeded() { state.withLock { ($0.trouble, $0.waitingUntil) = (nil, nil) } }
    func failed(_ trouble: Trouble) { state.withLock { $0.trouble = trouble } }
    func wait(until moment: Timestamp) { state.withLock { $0.waitingUntil = moment } }

    func stored(_ event: Timestamp?, at moment: Timestamp) {
        state.withLock { state in
            state.lastArrivalAt = moment
            if let event { state.lag = max(.zero, moment - event) }
        }
    }
}
