/// The tokens that the questions of users took of a language model, by day.
///
/// All calls throw ``RepositoryError``.
public protocol TokenUsageRepository: Sendable {
    /// Returns what a user's questions took on a day; 0 where nothing is known.
    ///
    /// - Parameters:
    ///   - user: Who asked.
    ///   - day: See ``Timestamp/day``.
    /// - Returns: The tokens of prompts and answers.
    /// - Throws: Storage errors.
    func usedTokens(of user: UserID, on day: Int) async throws -> Int

    /// Adds to what users' questions took on a day; days that lie more than 30 before it are forgotten.
    func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws
}

/// The tokens of a day (UTC) against the most that may be used on it: reserved by estimate before something is sent, settled
/// with what it took.
///
/// What is reserved counts as used, so that requests under way at the same time cannot go beyond the limit together; it
/// counts on the day on which it is settled. A new day begins by itself, with nothing used.
public struct DailyTokens: Hashable, Sendable {
    /// Tokens that are set aside for something that was sent.
    public struct Reservation: Hashable, Sendable {
        /// How many.
        public let tokenCount: Int
    }

    /// The most of a day; nil for any number.
    public let limit: Int?
    /// The day that is counted, see ``Timestamp/day``; nil before the first.
    public private(set) var day: Int?
    /// What was settled on that day.
    public private(set) var usedCount = 0
    /// What is under way.
    public private(set) var reservedCount = 0

    /// Starts with nothing used.
    public init(limit: Int?) {
        self.limit = limit
    }

    /// Sets what a day took so far: what another process, or another life of this one, has stored.
    public mutating func begin(_ day: Int, used tokenCount: Int) {
        self.day = day
        usedCount = tokenCount
    }

    /// How many tokens are left on a day; never below 0, and `Int.max` without a limit.
    public func remainingCount(on day: Int) -> Int {
        guard let limit else { return .max }
        let taken = reservedCount.addingClamped(self.day == day ? usedCount : 0)
        return max(0, limit.subtractingClamped(taken))
    }

    /// Whether the limit of a day is reached by what was settled, so that nothing under way can change that.
    public func isUsedUp(on day: Int) -> Bool {
        limit.map { (self.day == day ? usedCount : 0) >= $0 } ?? false
    }

    /// Sets tokens aside if so many are left.
    ///
    /// - Parameters:
    ///   - tokenCount: What something is expected to take.
    ///   - day: The present day.
    /// - Returns: What is to be settled; nil when the limit does not allow it.
    public mutating func reserve(_ tokenCount: Int, on day: Int) -> Reservation? {
        tokenCount <= remainingCount(on: day) ? reserveBeyondLimit(tokenCount, on: day) : nil
    }

    /// Sets tokens aside for something that is sent whatever the limit says.
    public mutating func reserveBeyondLimit(_ tokenCount: Int, on day: Int) -> Reservation {
        turn(to: day)
        reservedCount = reservedCount.addingClamped(tokenCount)
        return Reservation(tokenCount: tokenCount)
    }

    /// Counts what something took in place of what was set aside for it; 0 when it was never answered.
    public mutating func settle(_ reservation: Reservation, used tokenCount: Int, on day: Int) {
        turn(to: day)
        reservedCount = max(0, reservedCount.subtractingClamped(reservation.tokenCount))
        usedCount = usedCount.addingClamped(tokenCount)
    }

    /// Lets go of everything that was set aside: nobody will settle it.
    public mutating func dropReservations() {
        reservedCount = 0
    }

    private mutating func turn(to day: Int) {
        guard self.day != day else { return }
        self.day = day
        usedCount = 0
    }
}
