import ChatCore
import Synchronization

/// The daily token budget of the services; new messages count too, but never wait.
///
/// The backlog exceeds the cap by less than one message, and by the difference between the service's count and
/// ``TokenEstimate``: a request contains no more than the rest of the budget, but at least one message.
///
/// The count of all nodes decides: each request is added to it before it is sent, see ``admits(_:at:)``. What this node
/// knows of the rest only says how large a request may be.
final class TokenBudget: Sendable {
    private let tokens: Mutex<DailyTokens>
    /// Nil if any number of tokens may be used, so that nobody counts them.
    private let shared: (any SharedTokenCount)?

    /// - Parameters:
    ///   - cap: The most tokens of a day; nil for any number.
    ///   - shared: The count of all nodes.
    init(cap: Int?, shared: any SharedTokenCount) {
        tokens = Mutex(DailyTokens(limit: cap))
        self.shared = cap == nil ? nil : shared
    }

    /// Reads how many tokens all nodes have used.
    func learn(at moment: Timestamp) async throws {
        guard let shared else { return }
        remember(try await shared.add(0, on: moment.day, ifAtMost: nil).count, on: moment.day)
    }

    /// Adds the tokens of a request to the shared count; false if the other nodes left too few for it.
    ///
    /// Backlog needs room for all its tokens, and a single message for one token. New messages are always added.
    func admits(_ order: BatchAnswer.Order, at moment: Timestamp) async throws -> Bool {
        guard let shared, let reservation = order.reservation, let limit = tokens.withLock({ $0.limit }) else {
            return true
        }
        let needed = order.messages.count == 1 ? 1 : reservation.tokenCount
        let ceiling = order.isBacklog ? limit.subtractingClamped(needed) : nil
        let (count, isAdded) = try await shared.add(reservation.tokenCount, on: moment.day, ifAtMost: ceiling)
        remember(count, on: moment.day, isAdded: isAdded, reservation)
        return isAdded
    }

    /// Replaces the tokens of a request in the shared count by those that it used.
    func correct(_ order: BatchAnswer.Order, used tokenCount: Int, at moment: Timestamp) async throws {
        guard let shared, let reservation = order.reservation else { return }
        let difference = tokenCount.subtractingClamped(reservation.tokenCount)
        if difference != 0 { _ = try await shared.add(difference, on: moment.day, ifAtMost: nil) }
    }

    /// Notes the shared count, in which the open requests of this node are included.
    private func remember(
        _ count: Int, on day: Int, isAdded: Bool = true, _ reservation: DailyTokens.Reservation? = nil
    ) {
        tokens.withLock { tokens in
            // One that was refused is not in the count, but still among the reserved tokens.
            let open = tokens.reservedCount - (isAdded ? 0 : reservation?.tokenCount ?? 0)
            tokens.begin(day, used: max(0, count.subtractingClamped(open)))
        }
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
