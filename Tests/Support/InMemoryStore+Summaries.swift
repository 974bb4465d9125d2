package import ChatCore

extension InMemoryStore {
    /// Returns the summaries of a conversation that were written by a recipe.
    package func summaries(of id: ConversationID, by recipe: String, asker: UserID, at moment: Timestamp) async throws
        -> [SpanSummary]
    {
        try read { state throws(RepositoryError) in
            guard state.mayRead(asker, id, at: moment) else { throw .noSuchConversation(id) }
            return state.summaries.filter {
                $0.conversationID == id && $0.recipe == recipe && state.isReadable($0, by: asker)
            }.sorted { first, second in
                guard first.level == second.level else { return first.level < second.level }
                guard let a = state.place(of: first)?.first, let b = state.place(of: second)?.first else {
                    return false
                }
                return b.isNewer(than: a)
            }
        }
    }

    /// Keeps a summary, unless what it was written of is not as it was.
    package func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary], asker: UserID, at moment: Timestamp)
        async throws -> Bool
    {
        try write { state throws(RepositoryError) in
            guard state.mayRead(asker, summary.conversationID, at: moment) else {
                throw .noSuchConversation(summary.conversationID)
            }
            guard !summary.text.trimmingWhitespace().isEmpty, !summary.text.utf8.contains(0),
                summary.text.utf8.count <= SpanSummary.textByteLimit
            else {
                throw .invalid(
                    field: "text", reason: "must have 1 to \(SpanSummary.textByteLimit) bytes, and no NUL")
            }
            guard let place = state.place(of: summary), state.isReadable(summary, by: asker) else { return false }
            if parts.isEmpty {
                let messages = state.messages(in: place)
                guard SpanSummary.contentHash(of: messages) == summary.contentHash else { return false }
            } else {
                guard parts.allSatisfy(state.summaries.contains) else { return false }
            }
            let overlapping = state.summaries.filter { other in
                guard other.conversationID == summary.conversationID, other.level == summary.level,
                    let otherPlace = state.place(of: other)
                else { return false }
                return !place.first.isNewer(than: otherPlace.last) && !otherPlace.first.isNewer(than: place.last)
            }
            state.summaries.removeAll(where: overlapping.contains)
            state.summaries.append(summary)
            return true
        }
    }
}

extension InMemoryState {
    typealias Place = (first: StoredMessage, last: StoredMessage)

    /// Where a summary stands; nil when one end is not there, or they are not in order.
    func place(of summary: SpanSummary) -> Place? {
        func end(_ id: MessageID) -> StoredMessage? {
            let found = messages[MessageKey(conversationID: summary.conversationID, messageID: id)]
            return found?.message.deletedAt == nil ? found : nil
        }
        guard let first = end(summary.span.firstID), let last = end(summary.span.lastID), !first.isNewer(than: last)
        else { return nil }
        return (first, last)
    }

    func messages(in place: Place) -> [Message] {
        messages.values.filter { stored in
            stored.message.key.conversationID == place.first.message.key.conversationID
                && stored.message.deletedAt == nil && !place.first.isNewer(than: stored)
                && !stored.isNewer(than: place.last)
        }.sorted { $1.isNewer(than: $0) }.map(\.message)
    }

    /// Takes away every summary whose span a message stands, or stood, in; called when its content was replaced.
    mutating func removeSummaries(covering old: StoredMessage) {
        let covering = summaries.filter { summary in
            guard summary.conversationID == old.message.key.conversationID else { return false }
            func end(_ id: MessageID) -> StoredMessage? {
                id == old.message.key.messageID
                    ? old : messages[MessageKey(conversationID: summary.conversationID, messageID: id)]
            }
            guard let first = end(summary.span.firstID), let last = end(summary.span.lastID) else { return true }
            return !first.isNewer(than: old) && !old.isNewer(than: last)
        }
        summaries.removeAll(where: covering.contains)
    }
}
