import NexusModel

/// What is in memory of the queue. The store is the truth; this is what front ends see.
extension NexusSession {
    static func isBefore(_ left: Int64, _ right: Int64) -> Bool {
        // What could not be stored is last.
        (left == 0 ? .max : left) < (right == 0 ? .max : right)
    }

    func isKnown(_ id: String) -> Bool { message(id) != nil || changes.values.contains { $0.contains { $0.id == id } } }

    func hasWork(in conversation: String) -> Bool {
        outgoing[conversation] != nil || changes[conversation] != nil
            || unconfirmed.values.contains { $0.conversationId == conversation }
    }

    /// Returns a message that did not come back yet.
    func message(_ localID: String) -> OutgoingMessage? {
        if let sent = unconfirmed[localID] { return sent }
        for messages in outgoing.values {
            if let found = messages.first(where: { $0.localId == localID }) { return found }
        }
        return nil
    }

    /// Takes the state of a message.
    func track(_ message: OutgoingMessage) {
        guard !isEnding else { return }
        let id = message.conversationId
        beingStored.remove(message.localId)
        var waiting = outgoing[id]?.filter { $0.localId != message.localId } ?? []
        unconfirmed[message.localId] = nil
        if message.isWaiting {
            let place = waiting.firstIndex { Self.isBefore(message.number, $0.number) } ?? waiting.endIndex
            waiting.insert(message, at: place)
        } else if case .sent = message.state {
            unconfirmed[message.localId] = message
        }
        outgoing[id] = waiting.isEmpty ? nil : waiting
        report(.outgoing(message))
    }

    /// Takes the state of a change.
    func track(_ change: OutgoingChange) {
        guard !isEnding else { return }
        let id = change.conversationId
        beingStored.remove(change.id)
        var waiting = changes[id]?.filter { $0.id != change.id } ?? []
        switch change.state {
        case .queued, .sending, .failed:
            let place = waiting.firstIndex { Self.isBefore(change.number, $0.number) } ?? waiting.endIndex
            waiting.insert(change, at: place)
        case .done, .cancelled: break
        }
        changes[id] = waiting.isEmpty ? nil : waiting
        report(.outgoingChange(change))
    }

    func track(_ item: OutboxItem) {
        if let message = item.message { track(message) }
        if let change = item.change { track(change) }
    }

    func track(_ item: OutboxItem, _ state: OutboxItem.State, _ failure: SessionError? = nil) {
        var item = item
        item.state = state
        item.failure = failure
        track(item)
    }

    /// Notes that nothing more is to be done for an item, unless that is known.
    func complete(_ item: OutboxItem, isDone: Bool) {
        if var message = message(item.localID) {
            message.state = isDone ? .confirmed : .discarded
            track(message)
        }
        if var change = item.change, changes[item.conversation]?.contains(where: { $0.id == change.id }) == true {
            change.state = isDone ? .done : .cancelled
            if isDone { made[item.conversation, default: []].append(change) }
            track(change)
        }
    }

    /// Drops an item that is no longer in the store: it came back, or it was cancelled.
    func forget(_ item: OutboxItem) {
        complete(item, isDone: true)
    }

    /// Takes what a transaction did to the queue.
    func take(_ effects: MessageStore.Effects) {
        for id in effects.confirmed {
            beingStored.remove(id)
            guard var message = message(id) else { continue }
            message.state = .confirmed
            track(message)
            // Its changes have an id now.
            sendWork.continuation.yield(message.conversationId)
        }
        cancel(effects.cancelled)
    }

    /// Notes that messages and changes are not sent any more.
    func cancel(_ ids: [String]) {
        for id in ids {
            beingStored.remove(id)
            if var message = message(id) {
                message.state = .discarded
                track(message)
            } else if var change = changes.values.lazy.compactMap({ $0.first { $0.id == id } }).first {
                change.state = .cancelled
                track(change)
            }
        }
    }
}

extension OutboxItem {
    /// Whether it deletes a message.
    var isDeletion: Bool { if case .change(.delete) = body { true } else { false } }
}
