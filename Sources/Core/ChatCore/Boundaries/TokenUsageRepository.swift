/// The language model tokens that users' questions used, by day.
///
/// All calls throw ``RepositoryError``.
public protocol TokenUsageRepository: Sendable {
    /// Returns the tokens that a user's questions used on a day; 0 if none are recorded.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - day: See ``Timestamp/day``.
    /// - Returns: The tokens of prompts and answers.
    /// - Throws: Storage errors.
    func usedTokens(of user: UserID, on day: Int) async throws -> Int

    /// Adds to the tokens that users' questions used on a day; days more than 30 before it are deleted.
    func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws
}

/// The tokens of a day (UTC) with a limit: an estimate is reserved before a request, and replaced by the used tokens
/// after it.
///
/// Reserved tokens count as used, so that concurrent requests cannot exceed the limit together. They count on the day
/// on which they are settled. A new day begins automatically, with nothing used.
public struct DailyTokens: Hashable, Sendable {
    /// Tokens that are reserved for a request.
    public struct Reservation: Hashable, Sendable {
        /// The number of tokens.
        public let tokenCount: Int
    }

    /// The most tokens of a day; nil for any number.
    public let limit: Int?
    /// The day that is counted, see ``Timestamp/day``; nil before the first.
    public private(set) var day: Int?
    /// The tokens that were settled on that day.
    public private(set) var usedCount = 0
    /// The tokens of open requests.
    public private(set) var reservedCount = 0

    public init(limit: Int?) {
        self.limit = limit
    }

    /// Sets the tokens that were already used on a day, as stored by this or another process.
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

    /// Whether settled tokens alone reach the limit of a day, so that open requests cannot change that.
    public func isUsedUp(on day: Int) -> Bool {
        limit.map { (self.day == day ? usedCount : 0) >= $0 } ?? false
    }

    /// Reserves tokens if that many are left.
    ///
    /// - Parameters:
    ///   - tokenCount: The expected tokens.
    ///   - day: The present day.
    /// - Returns: The reservation; nil when the limit does not allow it.
    public mutating func reserve(_ tokenCount: Int, on day: Int) -> Reservation? {
        tokenCount <= remainingCount(on: day) ? reserveBeyondLimit(tokenCount, on: day) : nil
    }

    /// Reserves tokens for a request that is sent regardless of the limit.
    public mutating func reserveBeyondLimit(_ tokenCount: Int, on day: Int) -> Reservation {
        turn(to: day)
        reservedCount = reservedCount.addingClamped(tokenCount)
        return Reservation(tokenCount: tokenCount)
    }

    /// Replaces a reservation by the used tokens; 0 if the request was never answered.
    public mutating func settle(_ reservation: Reservation, used tokenCount: Int, on day: Int) {
        turn(to: day)
        reservedCount = max(0, reservedCount.subtractingClamped(reservation.tokenCount))
        usedCount = usedCount.addingClamped(tokenCount)
    }

    /// Drops all reservations because nobody will settle them.
    public mutating func dropReservations() {
        reservedCount = 0
    }

    private mutating func turn(to day: Int) {
        guard self.day != day else { return }
        self.day = day
        usedCount = 0
    }
}
