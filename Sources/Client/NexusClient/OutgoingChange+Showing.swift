import NexusModel

/// What changes look like before the server has made them.
extension ChatMessage {
    /// Returns the message as it is after changes, without those that were refused; nil if it is deleted.
    func after(_ changes: [OutgoingChange], by user: String?) -> ChatMessage? {
        var next = self
        for change in changes where change.subject == .stored(id) && change.isExpected {
            switch change.action {
            case .edit(let text): next.text = text
            case .delete: return nil
            case .reaction(let emoji, let isSet):
                if let user { next.setReaction(emoji, of: user, isSet: isSet) }
            }
        }
        return next
    }

    private mutating func setReaction(_ emoji: String, of user: String, isSet: Bool) {
        let place = reactions.firstIndex { $0.isOf(emoji) }
        guard let place else {
            if isSet { reactions.append(Reaction(emoji: emoji, userIds: [user])) }
            return
        }
        guard reactions[place].userIds.contains(user) != isSet else { return }
        if isSet { reactions[place].userIds.append(user) } else { reactions[place].userIds.removeAll { $0 == user } }
        reactions[place].count = reactions[place].count.map { $0 + (isSet ? 1 : -1) }
        if reactions[place].userIds.isEmpty, reactions[place].count ?? 0 < 1 { reactions.remove(at: place) }
    }
}

extension OutgoingChange {
    /// Whether it will be made, or was.
    var isExpected: Bool {
        switch state {
        case .queued, .sending, .done: true
        case .cancelled, .failed: false
        }
    }
}

extension NexusSession {
    /// The changes of a conversation that a person expects to see.
    func expectedChanges(in id: String) -> [OutgoingChange] { (made[id] ?? []) + (changes[id] ?? []) }

    /// Forgets what was made to a message: it came back.
    func forgetMade(of message: String, in id: String) {
        guard let left = made[id]?.filter({ $0.subject != .stored(message) }) else { return }
        made[id] = left.isEmpty ? nil : left
    }
}
