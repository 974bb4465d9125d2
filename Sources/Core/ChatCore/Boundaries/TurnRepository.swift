/// Questions and answers.
///
/// All calls throw ``RepositoryError``.
public protocol TurnRepository: Sendable {
    /// Stores a turn.
    ///
    /// A turn is stored redacted if a message that it is based on was deleted in the meantime, or if it follows a
    /// redacted or deleted turn. Its thread, if any, becomes the asker's last used one.
    ///
    /// - Parameters:
    ///   - turn: The turn; its feedback is ignored.
    ///   - trace: How it came about; nil when unknown.
    /// - Throws: ``RepositoryError/conflict(_:)`` when its id is taken; ``RepositoryError/noSuchThread(_:)`` when its
    ///   thread does not exist or is not the asker's.
    func record(_ turn: Turn, trace: TurnTrace?) async throws

    /// Returns a user's turns, newest first.
    ///
    /// ``readable(_:at:)`` decides what a person or a prompt is shown of them.
    ///
    /// - Parameters:
    ///   - user: The asker.
    ///   - thread: Only turns of this thread; nil for all.
    ///   - before: Only turns before this one; nil for the newest.
    ///   - limit: The most turns.
    /// - Returns: A page; of turns of the same moment the last stored one comes first.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` with `before` when that is not a turn of the user;
    ///   ``RepositoryError/noSuchThread(_:)`` when the thread is not the user's.
    func turns(of user: UserID, in thread: ThreadID?, before: TurnID?, limit: Int) async throws -> [Turn]

    /// Returns a turn of a user.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func turn(_ id: TurnID, of user: UserID) async throws -> Turn

    /// Deletes a turn of a user with all its data.
    ///
    /// Later turns with this turn in their prompt remain; they then depend directly on its messages.
    ///
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func deleteTurn(_ id: TurnID, of user: UserID) async throws

    /// Returns the parts of turns that their askers may see at a moment, in the same order.
    func readable(_ turns: [Turn], at moment: Timestamp) async throws -> [ReadableTurn]

    /// Stores the asker's feedback on a turn; the last feedback counts.
    ///
    /// - Parameters:
    ///   - feedback: The feedback; nil removes it.
    ///   - id: The turn.
    ///   - user: The asker.
    /// - Returns: The changed turn.
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user;
    ///   ``RepositoryError/invalid(field:reason:)`` for a reason that is too long.
    func setFeedback(_ feedback: TurnFeedback?, on id: TurnID, of user: UserID) async throws -> Turn

    /// Returns the turns of all users that have feedback and were not redacted, oldest first, those after a turn, at
    /// most `limit`.
    ///
    /// For an operator who builds a dataset from them.
    func judgedTurns(after id: TurnID?, limit: Int) async throws -> [Turn]

    /// Returns how a turn came about.
    ///
    /// - Parameters:
    ///   - id: The turn.
    ///   - user: The asker; nil for an administrator, who is not shown the question.
    ///   - moment: The present time: a user sees only hits that are visible to them now.
    /// - Returns: The trace; nil when none was stored, or the turn was redacted.
    /// - Throws: ``RepositoryError/noSuchTurn(_:)`` also for a turn of another user.
    func trace(of id: TurnID, user: UserID?, at moment: Timestamp) async throws -> TurnTrace?

    /// Returns the turns of all users that were not redacted, newest first, at most `limit`.
    ///
    /// For an operator's measurements; the result never leaves the process.
    func recentTurns(limit: Int) async throws -> [Turn]
}

extension TurnRepository {
    /// Stores a turn without a trace.
    public func record(_ turn: Turn) async throws {
        try await record(turn, trace: nil)
    }

    /// Returns a user's newest turns, at most `limit`.
    public func turns(of user: UserID, limit: Int) async throws -> [Turn] {
        try await turns(of: user, in: nil, before: nil, limit: limit)
    }

    /// Returns the newest turns of a thread that a prompt can use, oldest first.
    ///
    /// Turns that were redacted, or are based on a message that the asker may no longer see, are left out. At most the
    /// newest ``TurnHistory/searchedCount`` turns are read.
    ///
    /// - Parameters:
    ///   - thread: The thread.
    ///   - user: The owner of the thread.
    ///   - limit: The most turns.
    ///   - moment: The present time.
    /// - Returns: At most `limit` complete turns.
    /// - Throws: ``RepositoryError/noSuchThread(_:)`` when the thread is not the user's.
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
    /// How many turns are read to find them.
    public static let searchedCount = 50
}
