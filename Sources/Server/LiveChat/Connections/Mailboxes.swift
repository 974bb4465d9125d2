import ChatCore
import Synchronization

/// The events that connections have not sent yet.
final class Mailboxes: Sendable {
    /// The most events that wait for a connection.
    private static let limit = 64

    private struct Mailbox {
        let user: UserID
        let signal: WorkSignal
        var events: [LivePeople.Event] = []
        /// Whether a presence was dropped.
        var isIncomplete = false
        /// Whether the person was erased.
        var isEnded = false
    }

    private struct State {
        var boxes: [ConnectionID: Mailbox] = [:]
        var connections: [UserID: Set<ConnectionID>] = [:]
    }

    private let state = Mutex(State())
    private let dropped: @Sendable (LivePeople.Event) -> Void

    init(dropped: @escaping @Sendable (LivePeople.Event) -> Void) {
        self.dropped = dropped
    }

    /// The people with a connection.
    var users: Set<UserID> { state.withLock { Set($0.connections.keys) } }

    func open(_ id: ConnectionID, of user: UserID, waking signal: WorkSignal) {
        state.withLock { state in
            state.boxes[id] = Mailbox(user: user, signal: signal)
            state.connections[user, default: []].insert(id)
        }
    }

    func put(_ event: LivePeople.Event, for id: ConnectionID) {
        let (signal, isDropped) = state.withLock { state -> (WorkSignal?, Bool) in
            guard let box = state.boxes[id] else { return (nil, false) }
            guard box.events.count < Self.limit else {
                if case .presence = event { state.boxes[id]?.isIncomplete = true }
                return (box.signal, true)
            }
            state.boxes[id]?.events.append(event)
            return (box.signal, false)
        }
        if isDropped { dropped(event) }
        signal?.signal()
    }

    func put(_ event: LivePeople.Event, forAllOf user: UserID) {
        for id in state.withLock({ $0.connections[user] ?? [] }) { put(event, for: id) }
    }

    func take(of id: ConnectionID) throws(LivePeople.ForgottenError) -> (
        events: [LivePeople.Event], isIncomplete: Bool
    ) {
        let box = state.withLock { state in
            let box = state.boxes[id]
            if let box, !box.events.isEmpty || box.isIncomplete {
                state.boxes[id]?.events = []
                state.boxes[id]?.isIncomplete = false
            }
            return box
        }
        guard let box else { return ([], false) }
        guard !box.isEnded else { throw LivePeople.ForgottenError() }
        return (box.events, box.isIncomplete)
    }

    /// Ends the connections of a person, and returns them.
    func end(_ user: UserID) -> Set<ConnectionID> {
        let (ids, signals) = state.withLock { state -> (Set<ConnectionID>, [WorkSignal]) in
            let ids = state.connections[user] ?? []
            for id in ids {
                state.boxes[id]?.isEnded = true
                state.boxes[id]?.events = []
            }
            return (ids, ids.compactMap { state.boxes[$0]?.signal })
        }
        for signal in signals { signal.signal() }
        return ids
    }

    func close(_ id: ConnectionID) {
        state.withLock { state in
            guard let box = state.boxes.removeValue(forKey: id) else { return }
            state.connections[box.user]?.remove(id)
            if state.connections[box.user]?.isEmpty == true { state.connections[box.user] = nil }
        }
    }
}
