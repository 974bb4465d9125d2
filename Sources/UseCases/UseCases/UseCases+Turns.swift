package import ChatCore

/// A page of a list.
package struct ListPage<Element: Sendable>: Sendable {
    /// Its elements, in order.
    package let elements: [Element]
    /// Whether more elements follow.
    package let hasMore: Bool

    /// Keeps the first `limit` elements.
    init(_ found: [Element], limit: Int) {
        elements = Array(found.prefix(limit))
        hasMore = found.count > limit
    }
}

/// Turns: past questions with their answers.
extension UseCases {
    /// Lists a user's turns, of one thread or of all, newest first, as the user may see them now.
    package func turns(
        of asker: UserID, in thread: ThreadID? = nil, before: TurnID? = nil, limit: Int
    ) async throws -> ListPage<ReadableTurn> {
        let found = ListPage(
            try await store.turns(of: asker, in: thread, before: before, limit: limit + 1), limit: limit)
        return ListPage(try await store.readable(found.elements, at: now()), hasMore: found.hasMore)
    }

    /// Returns a turn.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)``.
    package func turn(_ id: TurnID, of asker: UserID) async throws -> ReadableTurn {
        try await readable(try await store.turn(id, of: asker))
    }

    /// Deletes a turn.
    package func deleteTurn(_ id: TurnID, of asker: UserID) async throws {
        try await store.deleteTurn(id, of: asker)
    }

    /// Stores an asker's feedback on an answer, which replaces earlier feedback.
    ///
    /// Without a rating, earlier feedback is deleted.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)``.
    package func setFeedback(
        _ rating: TurnFeedback.Rating?, reason: String? = nil, on id: TurnID, of asker: UserID
    ) async throws -> ReadableTurn {
        let reason = reason?.trimmingWhitespace()
        let feedback = rating.map {
            TurnFeedback(rating: $0, reason: reason?.isEmpty == false ? reason : nil, givenAt: now())
        }
        return try await readable(try await store.setFeedback(feedback, on: id, of: asker))
    }

    /// Returns the trace of an answer; nil if it was not kept or was redacted.
    ///
    /// - Parameters:
    ///   - id: The turn.
    ///   - user: The owner of the turn; nil for an administrator.
    /// - Returns: The trace.
    /// - Throws: ``RepositoryError/noSuchTurn(_:)``.
    package func trace(of id: TurnID, user: UserID?) async throws -> TurnTrace? {
        try await store.trace(of: id, user: user, at: now())
    }

    /// Lists a user's turns with the assistant of a conversation, newest first; empty before the first one.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    package func exchange(
        of asker: UserID, in conversation: ConversationID, before: TurnID? = nil, limit: Int
    ) async throws -> ListPage<ReadableTurn> {
        guard let thread = try await store.exchange(of: asker, in: conversation, at: now()) else {
            return ListPage([], hasMore: false)
        }
        return try await turns(of: asker, in: thread.id, before: before, limit: limit)
    }

    /// Deletes a user's turns with the assistant of a conversation.
    package func clearExchange(of asker: UserID, in conversation: ConversationID) async throws {
        let thread = try await store.exchange(of: asker, in: conversation, at: now())
        if let thread { try await store.delete(thread.id, of: asker) }
    }

    private func readable(_ turn: Turn) async throws -> ReadableTurn {
        guard let readable = try await store.readable([turn], at: now()).first else {
            throw RepositoryError.noSuchTurn(turn.id)
        }
        return readable
    }
}

extension ListPage {
    init(_ elements: [Element], hasMore: Bool) {
        self.elements = elements
        self.hasMore = hasMore
    }
}
