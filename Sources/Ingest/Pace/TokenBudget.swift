import ChatCore
import Synchronization

/// The daily token budget of the services; new messages count too, but never wait.
///
/// The backlog exceeds the cap by less than one message, and by the difference between the service's count and
/// ``TokenEstimate``: a request contains no more than the rest of the budget, but at least one message.
final class TokenBudget: Sendable {
    private let tokens: Mutex<DailyTokens>

    init(cap: Int?) {
        tokens = Mutex(DailyTokens(limit: cap))
    }

    /// The day whose used tokens must first be read from the store; nil when they are known.
    func unknownDay(at moment: Timestamp) -> Int? {
        tokens.withLock { $0.limit == nil || $0.day == moment.day ? nil : moment.day }
    }

    /// Sets the tokens that were already used on a day.
    func begin(_ day: Int, used tokenCount: Int) {
        tokens.withLock { $0.begin(day, used: tokenCount) }
    }

    /// The rest of the day's budget, without open requests.
    func remainingCount(at moment: Timestamp) -> Int { tokens.withLock { $0.remainingCount(on: moment.day) } }

    /// Whether the budget of the day is used up.
    func isSpent(at moment: Timestamp) -> Bool { tokens.withLock { $0.isUsedUp(on: moment.day) } }

    /// Reserves the tokens of a request.
    func reserve(_ tokenCount: Int, at moment: Timestamp) -> DailyTokens.Reservation {
        tokens.withLock { $0.reserveBeyondLimit(tokenCount, on: moment.day) }
    }

    /// Replaces a reservation by the used tokens.
    func settle(_ reservation: DailyTokens.Reservation, used tokenCount: Int, at moment: Timestamp) {
        tokens.withLock { $0.settle(reservation, used: tokenCount, on: moment.day) }
    }

    /// Forgets the requests of a run that has ended.
    func dropReservations() {
        tokens.withLock { $0.dropReservations() }
    }
}
