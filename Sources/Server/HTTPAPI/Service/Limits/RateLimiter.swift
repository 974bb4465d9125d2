import ChatCore
import Synchronization

/// Limits the requests of each user: a bucket of `limit` requests refills steadily over `window`.
///
/// Uses the generic cell rate algorithm: it keeps one number for each user, the time at which the bucket will be full
/// again.
package final class RateLimiter: Sendable {
    /// The decision about one request, with the numbers for its client.
    package struct Decision: Equatable, Sendable {
        /// Whether the request is allowed.
        package let isAllowed: Bool
        /// The number of further requests that are allowed at once.
        package let remaining: Int
        /// Whole seconds until the bucket is full again.
        package let reset: Int
        /// Whole seconds until the next request is allowed; 0 if it is allowed now.
        package let retryAfter: Int

        package init(isAllowed: Bool, remaining: Int, reset: Int, retryAfter: Int) {
            self.isAllowed = isAllowed
            self.remaining = remaining
            self.reset = reset
            self.retryAfter = retryAfter
        }
    }

    /// The requests of a full bucket.
    package let limit: Int
    /// The time in which an empty bucket fills.
    package let window: Duration

    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        var fullAt: [String: ContinuousClock.Instant] = [:]
        var sweepSize = 1_024

        /// Forgets users whose buckets are full again, each time that their number has doubled.
        ///
        /// Above ``RateLimiter/userLimit`` users it forgets the half with the fullest buckets.
        mutating func sweep(at moment: ContinuousClock.Instant) {
            guard fullAt.count >= sweepSize else { return }
            fullAt = fullAt.filter { $0.value > moment }
            if fullAt.count >= RateLimiter.userLimit {
                let latest = fullAt.sorted { $0.value > $1.value }.prefix(RateLimiter.userLimit / 2)
                fullAt = Dictionary(latest.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            }
            sweepSize = min(max(1_024, fullAt.count * 2), RateLimiter.userLimit)
        }
    }

    /// The most users that are counted at a time: about 30 MB with the longest ids.
    package static let userLimit = 65_536

    /// Fills the bucket of a user.
    package func forget(_ user: String) { state.withLock { _ = $0.fullAt.removeValue(forKey: user) } }

    /// The number of counted users.
    package var userCount: Int { state.withLock { $0.fullAt.count } }

    /// Makes a limiter.
    ///
    /// - Parameters:
    ///   - limit: At least 1.
    ///   - window: Above zero.
    ///   - now: The present moment.
    package init(
        limit: Int, window: Duration = .seconds(60),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.limit = limit
        self.window = window
        interval = window / limit
        self.now = now
    }

    /// Takes one request of a user out of the bucket; one that is refused takes nothing.
    package func take(_ user: String) -> Decision {
        let moment = now()
        return state.withLock { state in
            let before = max(state.fullAt[user] ?? moment, moment)
            let after = before.advanced(by: interval)
            let excess = moment.duration(to: after) - window
            guard excess <= .zero else {
                return Decision(
                    isAllowed: false, remaining: 0, reset: Self.seconds(moment.duration(to: before)),
                    retryAfter: Self.seconds(excess))
            }
            state.fullAt[user] = after
            state.sweep(at: moment)
            return Decision(
                isAllowed: true, remaining: Self.whole(Duration.zero - excess, of: interval),
                reset: Self.seconds(moment.duration(to: after)), retryAfter: 0)
        }
    }

    /// Returns the seconds of a time, rounded up.
    static func seconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }

    /// Returns how many whole times `unit` is contained in `duration`.
    static func whole(_ duration: Duration, of unit: Duration) -> Int {
        Int(clamping: (duration / unit + 1e-9).truncated(to: Int64.self) ?? .max)
    }
}
