package import ChatCore

/// Threads: questions of one person that belong together.
extension UseCases {
    /// Creates a thread; without a title its first question names it.
    ///
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for a title that cannot be used.
    package func createThread(of asker: UserID, title: String?) async throws -> AssistantThread {
        let thread = AssistantThread(
            id: ThreadID(rawValue: makeID()), ownerID: asker, givenTitle: try AssistantThread.checked(title: title),
            createdAt: now())
        try await store.create(thread)
        return thread
    }

    /// Lists a user's threads, the last used first.
    package func threads(
        of asker: UserID, after place: AssistantThread.Place? = nil, limit: Int
    ) async throws -> [AssistantThread] {
        try await store.shown(try await store.threads(of: asker, after: place, limit: limit), at: now())
    }

    /// Returns a thread.
    ///
    /// - Throws: ``RepositoryError/noSuchThread(_:)``.
    package func thread(_ id: ThreadID, of asker: UserID) async throws -> AssistantThread {
        try await shown(try await store.thread(id, of: asker))
    }

    /// Renames a thread; without a title the first question names it again.
    package func renameThread(_ id: ThreadID, of asker: UserID, title: String?) async throws -> AssistantThread {
        try await shown(try await store.rename(id, of: asker, title: title))
    }

    /// Returns the thread in which a question follows a turn; makes one for a turn without a thread.
    ///
    /// It is nil if other questions followed the turn before, so that a thread stays one line of questions, and for a
    /// turn with the assistant of a conversation.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)``.
    package func thread(following id: TurnID, of asker: UserID) async throws -> ThreadID? {
        guard let known = try await store.turn(id, of: asker).threadID else {
            let thread = AssistantThread(id: ThreadID(rawValue: makeID()), ownerID: asker, createdAt: now())
            do {
                try await store.create(thread, beginningWith: id)
                return thread.id
            } catch RepositoryError.conflict {
                return nil
            }
        }
        guard try await store.thread(known, of: asker).conversationID == nil else { return nil }
        let newest = try await store.turns(of: asker, in: known, before: nil, limit: 1).first
        return newest?.id == id ? known : nil
    }

    /// Deletes a thread with its turns.
    package func deleteThread(_ id: ThreadID, of asker: UserID) async throws {
        try await store.delete(id, of: asker)
    }

    /// Returns a thread with all its turns, oldest first, as their asker may see them now.
    package func transcript(
        of id: ThreadID, asker: UserID
    ) async throws -> (thread: AssistantThread, turns: [ReadableTurn]) {
        try await searches.withPlace(for: asker.rawValue) {
            let thread = try await store.thread(id, of: asker)
            let turns = try await store.allTurns(of: asker, in: id, at: now())
            return (try await shown(thread), turns)
        }
    }

    private func shown(_ thread: AssistantThread) async throws -> AssistantThread {
        try await store.shown([thread], at: now()).first ?? thread
    }
}

extension TurnRepository {
    /// Returns all turns of a thread as its user may see them at a moment, oldest first.
    package func allTurns(of user: UserID, in thread: ThreadID, at moment: Timestamp) async throws -> [ReadableTurn] {
        let limit = 200
        var all: [ReadableTurn] = []
        while true {
            let page = try await turns(of: user, in: thread, before: all.last?.turn.id, limit: limit)
            all += try await readable(page, at: moment)
            guard page.count == limit else { return all.reversed() }
        }
    }
}
