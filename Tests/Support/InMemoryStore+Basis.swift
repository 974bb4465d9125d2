package import ChatCore

extension InMemoryStore {
    /// Returns how far a conversation can have been read by now.
    package func extent(of id: ConversationID) async throws -> ReadBasis.Extent? {
        try read { state in
            guard state.conversations[id] != nil else { return nil }
            return ReadBasis.Extent(
                conversationID: id, through: MessageNumber(rawValue: Int64(state.arrivalCount)),
                messageCount: state.count(of: id, through: state.arrivalCount))
        }
    }

    /// Returns whether all that was read is as it was, and may still be read.
    package func isUnchanged(_ basis: ReadBasis, at moment: Timestamp) async throws -> Bool {
        try read { state throws(RepositoryError) in
            let changed = state.changes.dropFirst(try state.count(at: basis.since)).compactMap {
                change -> MessageKey? in
                guard case .message(let id) = change.subject, let place = change.conversationID else { return nil }
                return MessageKey(conversationID: place, messageID: id)
            }
            guard basis.keys.allSatisfy({ state.sees($0, basis.asker, at: moment) }),
                basis.keys.isDisjoint(with: changed)
            else { return false }
            guard let extent = basis.extent else { return true }
            let through = Int(extent.through.rawValue)
            return state.mayRead(basis.asker, extent.conversationID, at: moment)
                && !changed.contains { key in
                    key.conversationID == extent.conversationID
                        && (state.messages[key].map { $0.arrival <= through } ?? true)
                }
                && state.count(of: extent.conversationID, through: through) == extent.messageCount
        }
    }
}

extension InMemoryState {
    fileprivate func count(of id: ConversationID, through arrival: Int) -> Int {
        messages.values.count { stored in
            stored.message.key.conversationID == id && stored.message.deletedAt == nil && stored.arrival <= arrival
        }
    }
}
