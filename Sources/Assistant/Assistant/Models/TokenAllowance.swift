package import ChatCore
import Synchronization

/// A user's tokens of the day (UTC) are used up.
package struct DailyTokensUsedUp: Error, Hashable, Sendable {
    /// Whole seconds until the next day begins; at least 1.
    package let retryAfter: Int

    package init(retryAfter: Int) {
        self.retryAfter = retryAfter
    }
}

/// How many tokens of a language model each user may use in a day (UTC), for prompts and answers together.
///
/// The used tokens of a user are read from the store when a request begins and no other is open, and written to it by
/// ``save()``, which the owner calls after each request. So the limit holds for several nodes together, except for requests
/// that are open on them at the same time.
package final class TokenAllowance: Sendable {
    /// Tokens that were reserved for one request of a user.
    struct Reservation: Sendable {
        let user: UserID
        let tokens: DailyTokens.Reservation
    }

    private struct State {
        var users: [UserID: DailyTokens] = [:]
        /// By day, then by user.
        var unsaved: [Int: [UserID: Int]] = [:]
        /// The day of the last removal of users.
        var day: Int?

        /// Removes users who used nothing today and have no open request.
        mutating func turn(to day: Int) {
            guard self.day != day else { return }
            self.day = day
            users = users.filter { $0.value.day == day || $0.value.reservedCount > 0 }
        }

        /// Removes users when there are too many.
        mutating func makeRoom() {
            if users.count >= TokenAllowance.userLimit { forgetIdle() }
        }

        /// Removes users without an open request whose counts are stored.
        mutating func forgetIdle() {
            let unsaved = unsaved
            users = users.filter { user, tokens in
                tokens.reservedCount > 0 || unsaved.values.contains { $0[user] != nil }
            }
        }
    }

    /// The most users whose counts are kept in memory.
    ///
    /// About 20 MB with the longest ids. Users with open requests or unsaved counts come on top.
    package static let userLimit = 50_000

    private let limit: Int
    private let usage: any TokenUsageRepository
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    /// Signalled when something has to be saved.
    package let changed = WorkSignal()

    /// - Parameters:
    ///   - limit: The most tokens of a user in a day.
    ///   - usage: Stores the counts.
    ///   - now: The present time.
    package init(limit: Int, usage: any TokenUsageRepository, now: @escaping @Sendable () -> Timestamp) {
        self.limit = limit
        self.usage = usage
        self.now = now
    }

    /// Runs work of a user; the tokens are reserved before it and counted after it.
    ///
    /// - Parameters:
    ///   - estimate: The expected tokens.
    ///   - user: The user who pays.
    ///   - work: Returns a value with the tokens that it used.
    /// - Returns: The value.
    /// - Throws: ``DailyTokensUsedUp`` before anything is done; errors of the store and of `work`. Cancelled work
    ///   counts as estimated; failed work costs nothing.
    package func counting<Value>(
        _ estimate: Int, for user: UserID, _ work: () async throws -> (value: Value, tokenCount: Int)
    ) async throws -> Value {
        let reservation = try await reserve(estimate, for: user)
        do {
            let done = try await work()
            settle(reservation, used: done.tokenCount)
            return done.value
        } catch {
            settle(reservation, used: error is CancellationError || Task.isCancelled ? estimate : 0)
            throw error
        }
    }

    /// Reserves tokens for a request.
    ///
    /// - Parameters:
    ///   - tokenCount: The most tokens that are expected.
    ///   - user: The user who asks.
    /// - Returns: The reservation, to be settled.
    /// - Throws: ``DailyTokensUsedUp``; errors of the store.
    func reserve(_ tokenCount: Int, for user: UserID) async throws -> Reservation {
        let moment = now()
        let isKnown = state.withLock { state in
            state.turn(to: moment.day)
            return state.users[user] != nil
        }
        let used = isKnown ? 0 : try await usage.usedTokens(of: user, on: moment.day)
        let tokens = state.withLock { state in
            if state.users[user] == nil { state.makeRoom() }
            // Another request of the same user may have been faster: its count is kept.
            var tokens = state.users[user] ?? begun(moment.day, used: used)
            defer { state.users[user] = tokens }
            return tokens.reserve(tokenCount, on: moment.day)
        }
        guard let tokens else { throw DailyTokensUsedUp(retryAfter: Self.secondsLeft(of: moment)) }
        return Reservation(user: user, tokens: tokens)
    }

    /// Replaces a reservation by the tokens that a request used.
    func settle(_ reservation: Reservation, used tokenCount: Int) {
        let day = now().day
        state.withLock { state in
            state.users[reservation.user]?.settle(reservation.tokens, used: tokenCount, on: day)
            guard tokenCount > 0 else { return }
            let unsaved = state.unsaved[day, default: [:]][reservation.user, default: 0]
            state.unsaved[day, default: [:]][reservation.user] = unsaved.addingClamped(tokenCount)
        }
        if tokenCount > 0 { changed.signal() }
    }

    /// How many users' counts are in memory.
    package var userCount: Int { state.withLock { $0.users.count } }

    /// Forgets a user's count during an erasure, which deletes the rows of the store.
    package func forget(_ user: UserID) {
        state.withLock { state in
            state.users[user] = nil
            state.unsaved = state.unsaved.mapValues { counts in counts.filter { $0.key != user } }
        }
    }

    /// Writes the new counts to the store; counts that could not be written are kept for the next time.
    package func save() async throws {
        let unsaved = state.withLock { state in
            defer { state.unsaved = [:] }
            return state.unsaved
        }
        var rest = unsaved
        do {
            for (day, counts) in unsaved.sorted(by: { $0.key < $1.key }) {
                try await usage.addUsedTokens(counts, on: day)
                rest[day] = nil
            }
            state.withLock { $0.forgetIdle() }
        } catch {
            state.withLock { state in
                for (day, counts) in rest { state.unsaved[day, default: [:]].merge(counts) { $0.addingClamped($1) } }
            }
            throw error
        }
    }

    private func begun(_ day: Int, used: Int) -> DailyTokens {
        var tokens = DailyTokens(limit: limit)
        tokens.begin(day, used: used)
        return tokens
    }

    private static func secondsLeft(of moment: Timestamp) -> Int {
        let nextDay = Int64(moment.day + 1) * 86_400_000_000
        return max(1, Int((nextDay - moment.microseconds + 999_999) / 1_000_000))
    }
}
