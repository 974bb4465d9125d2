package import ChatCore

extension InMemoryStore {
    /// Returns whether a conversation is embedded.
    package func embedding(of id: ConversationID) async throws -> ConversationEmbedding {
        try read { state throws(RepositoryError) in
            guard let stored = state.conversations[id] else { throw .noSuchConversation(id) }
            return stored.embedding
        }
    }

    /// Excludes a conversation from embedding, includes it, or leaves it to the rule for its kind.
    package func setEmbedding(
        _ choice: ConversationEmbedding.Choice, of id: ConversationID, at moment: Timestamp
    ) async throws -> ConversationEmbedding {
        try write { state throws(RepositoryError) in
            guard let stored = state.conversations[id] else { throw .noSuchConversation(id) }
            guard stored.embedding.choice != choice else { return stored.embedding }
            state.conversations[id]?.embedding.choice = choice
            state.touch(id, at: moment)
            _ = state.applyExclusion(to: id, at: moment)
            return state.conversations[id]?.embedding ?? stored.embedding
        }
    }

    /// Sets the rule for direct conversations.
    package func setDirectExclusion(_ isExcluded: Bool, at moment: Timestamp) async throws -> Int {
        try write { state in
            state.excludesDirect = isExcluded
            return state.conversations.keys.sorted().filter { state.applyExclusion(to: $0, at: moment) }.count
        }
    }
}

extension InMemoryState {
    func isExcluded(_ key: MessageKey) -> Bool {
        conversations[key.conversationID]?.embedding.isExcluded ?? false
    }

    /// Returns whether something changed.
    mutating func applyExclusion(to id: ConversationID, at moment: Timestamp) -> Bool {
        guard let stored = conversations[id] else { return false }
        let isExcluded =
            stored.embedding.choice == .excluded
            || (stored.embedding.choice == .standard && stored.conversation.kind == .direct && excludesDirect)
        guard isExcluded != stored.embedding.isExcluded else { return false }
        conversations[id]?.embedding.isExcluded = isExcluded
        let keys = messages.values.filter { $0.message.key.conversationID == id }.map(\.message.key)
        if isExcluded {
            for number in passages.filter({ $0.value.key.conversationID == id }).keys.sorted() {
                passages[number] = nil
                append(.retired(number), in: id)
            }
            for generation in queue.keys { for key in keys { queue[generation]?[key] = nil } }
        } else {
            isImporting = true
            defer { isImporting = false }
            for key in keys where messages[key]?.isEmbeddable == true { enqueue(key, at: moment) }
        }
        return true
    }
}
