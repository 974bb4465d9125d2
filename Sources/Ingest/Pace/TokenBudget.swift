import ChatCore
import Synchronization

/// The tokens that services may embed on a day; new messages use them, too, but never wait for them.
///
/// The backlog goes beyond the cap by less than one message, and by what a service counts otherwise than
/// ``TokenEstimate``: a request holds no more than what is left, but one message at least.
final class TokenBudget: Sendable {
    private let tokens: Mutex<DailyTokens>

    init(cap: Int?) {
        tokens = Mutex(DailyTokens(limit: cap))
    }

    /// The day whose tokens must be read from the store first; nil when they are known.
    func unknownDay(at moment: Timestamp) -> Int? {
        tokens.withLock { $0.limit == nil || $0.day == moment.day ? nil : moment.day }
    }

    /// Sets what a day took so far.
    func begin(_ day: Int, used tokenCount: Int) {
        tokens.withLock { $0.begin(day, used: tokenCount) }
    }

    /// What is left of the day beside what is under way.
    func remainingCount(at moment: Timestamp) -> Int { tokens.withLock { $0.remainingCount(on: moment.day) } }

    /// Whether the cap of the present day is reached.
    func isSpent(at moment: Timestamp) -> Bool { tokens.withLock { $0.isUsedUp(on: moment.day) } }

    /// Takes note of a request that is sent.
    func reserve(_ tokenCount: Int, at moment: Timestamp) -> DailyTokens.Reservation {
        tokens.withLock { $0.reserveBeyondLimit(tokenCount, on: moment.day) }
    }

    /// Takes note of what it took.
    func settle(_ reservation: DailyTokens.Reservation, used tokenCount: Int, at moment: Timestamp) {
        tokens.withLock { $0.settle(reservation, used: tokenCount, on: moment.day) }
    }

    /// Forgets the requests of a run that has ended.
    func dropReservations() {
        tokens.withLock { $0.dropReservations() }
    }
}
