/// What was asked and answered.
///
/// All calls throw ``RepositoryError``.
public protocol TurnRepository: Sendable {
    /// Keeps a turn.
    ///
    /// One that stands on a message that has been deleted meanwhile, or came after a turn that is redacted or gone, is
    /// kept redacted. Its thread, where it has one, becomes the asker's last used one.
    ///
    /// - Parameters:
    ///   - turn: The turn; its feedback is not looked at.
    ///   - trace: How it came about; nil when that is not known.
    /// - Throws: ``RepositoryError/conflict(_:)`` when its id is taken; ``RepositoryError/noSuchThread(_:)`` when its
    ///   thread is not, or not any more, one of the asker.
    func record(_ turn: Turn, trace: TurnTrace?) async throws

    /// Returns a user's turns, newest first.
    ///
    /// What a person is shown of them, or a prompt, is decided by ``readable(_:at:)``.
    ///
    /// - Parameters:
    ///   - user: Who asked.
    ///   - thread: Only those of this thread; nil for all.
    ///   - before: The turn before which the page begins; nil for the newest.
    ///   - limit: The most turns.
    /// - Returns: A page; turns of the same moment in the order in which they were kept, the last one first.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` with `before` when that is no turn of the user;
    ///   ``RepositoryError/noSuchThread(_:)`` when the thread is no thread of the user.
    func turns(of user: UserID, in thread: ThreadID?, before: TurnID?, limit: Int) async throws -> [Turn]

    /// Returns a turn of a user.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func turn(_ id: TurnID, of user: UserID) async throws -> Turn

    /// Deletes a turn of a user with all that is kept of it.
    ///
    /// Turns whose prompt it entered remain; they are based on its messages from then on, as they were through it.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func deleteTurn(_ id: TurnID, of user: UserID) async throws

    /// Returns what the askers of turns may see of them at a moment, in the same order.
    func readable(_ turns: [Turn], at moment: Timestamp) async throws -> [ReadableTurn]

    /// Notes what its asker thinks of a turn; the last word counts.
    ///
    /// - Parameters:
    ///   - feedback: What is thought; nil takes back what was said.
    ///   - id: The turn.
    ///   - user: Who asked it.
    /// - Returns: The turn as it is now.
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user;
    ///   ``RepositoryError/invalid(field:reason:)`` for a reason that is too long.
    func setFeedback(_ feedback: TurnFeedback?, on id: TurnID, of user: UserID) async throws -> Turn

    /// Returns the turns of all users that somebody judged and that were not redacted, oldest first, those after a
    /// turn, at most `limit`.
    ///
    /// For an operator who makes a dataset of them.
    func judgedTurns(after id: TurnID?, limit: Int) async throws -> [Turn]

    /// Returns how a turn came about.
    ///
    /// - Parameters:
    ///   - id: The turn.
    ///   - user: Who asked it; nil for an administrator, who is shown no question.
    ///   - moment: The present time: a user is shown the hits that he or she may see now.
    /// - Returns: The trace; nil where none was kept, or the turn was redacted.
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func trace(of id: TurnID, user: UserID?, at moment: Timestamp) async throws -> TurnTrace?

    /// Returns the turns of all users that were not redacted, newest first, at most `limit`.
    ///
    /// For an operator's measurements; what is read never leaves the process.
    func recentTurns(limit: Int) async throws -> [Turn]
}

extension TurnRepository {
    /// Keeps a turn of which it is not known how it came about.
    public func record(_ turn: Turn) async throws {
        try await record(turn, trace: nil)
    }

    /// Returns a user's newest turns, at most `limit`.
    public func turns(of user: UserID, limit: Int) async throws -> [Turn] {
        try await turns(of: user, in: nil, before: nil, limit: limit)
    }

    /// Returns the newest turns of a thread that are fit for a prompt, oldest first.
    ///
    /// Turns that were redacted, or stand on a message that the asker may not see any more, are left out; where most
    /// are, no more than the newest ``TurnHistory/searchedCount`` are looked at.
    ///
    /// - Parameters:
    ///   - thread: The thread.
    ///   - user: Whose thread it is.
    ///   - limit: The most turns.
    ///   - moment: The present time.
    /// - Returns: At most `limit` turns, whole.
    /// - Throws: ``RepositoryError/noSuchThread(_:)`` when the thread is no thread of the user.
    public func history(
        of thread: ThreadID, user: UserID, limit: Int = TurnHistory.limit, at moment: Timestamp
    ) async throws -> [Turn] {
        let newest = try await turns(of: user, in: thread, before: nil, limit: TurnHistory.searchedCount)
        return try await readable(newest, at: moment).filter(\.isWhole).prefix(limit).map(\.turn).reversed()
    }
}

/// How much of a thread enters a prompt.
public enum TurnHistory {
    /// How many turns before a question are used, the newest ones.
    public static let limit = 10
    /// How many turns are looked at to find them.
    public static let searchedCount = 50
}
