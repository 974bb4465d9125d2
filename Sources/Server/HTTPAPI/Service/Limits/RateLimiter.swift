package import ChatCore
import Synchronization

/// Limits the requests of each user over all nodes, without asking the database for each of them.
///
/// A node takes a portion of a twentieth of the limit out of the user's shared bucket, and asks again when it is used up.
/// So a user at one node gets the full limit. Requests that a node took and did not use are the slack: all nodes together
/// allow at most the limit and, for each node, a portion less one; exactly the limit where it is below 40. Such a rest is
/// dropped after the time in which a bucket fills.
///
/// If the database cannot be reached, each node counts alone until it can: most requests fail then anyway. A server
/// without other nodes takes single requests from ``LocalBuckets``.
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

    private struct Known {
        /// Requests that were taken out of the shared bucket and are not used.
        var count = 0
        /// When the portion was taken.
        var takenAt: ContinuousClock.Instant
        /// When the shared bucket will be full, if nobody takes any more.
        var fullAt: ContinuousClock.Instant
        /// The bucket is empty until then.
        var emptyUntil: ContinuousClock.Instant?
        /// Whether a portion is being fetched.
        var isFetching = false
    }

    private struct State {
        var users: [String: Known] = [:]
        var sweepSize = 1_024

        /// Forgets what is out of date, each time that the number of users has doubled; all rests if there are too many.
        mutating func sweep(at moment: ContinuousClock.Instant, window: Duration) {
            guard users.count >= sweepSize else { return }
            users = users.filter { $0.value.isFetching || $0.value.takenAt + window > moment }
            if users.count >= LocalBuckets.countLimit { users = users.filter(\.value.isFetching) }
            sweepSize = min(max(1_024, users.count * 2), LocalBuckets.countLimit)
        }
    }

    private static let portionsPerLimit = 20

    /// The requests of a full bucket.
    package let limit: Int
    /// The time in which an empty bucket fills.
    package let window: Duration

    private let name: String
    private let portion: Int
    private let buckets: any SharedBuckets
    /// Counts while the database cannot be reached.
    private let alone: LocalBuckets
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: Distinguishes its buckets from those of other limits.
    ///   - limit: At least 1.
    ///   - window: Above zero.
    ///   - buckets: The buckets of all nodes.
    ///   - now: The present moment.
    package init(
        _ name: String, limit: Int, window: Duration = .seconds(60), buckets: any SharedBuckets,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.name = name
        self.limit = limit
        self.window = window
        self.buckets = buckets
        self.now = now
        portion = max(1, limit / Self.portionsPerLimit)
        alone = LocalBuckets(now: now)
    }

    /// The number of users in memory.
    package var userCount: Int { state.withLock { $0.users.count } }

    /// Takes one request of a user; one that is refused takes nothing.
    package func take(_ user: String) async -> RateLimiter.Decision {
        let bucket = SharedBucket(name: "\(name) \(user)", limit: limit, window: window)
        guard buckets.costsRoundTrip else {
            return bucket.decision((try? await buckets.take(1, from: bucket)) ?? alone.take(1, from: bucket))
        }
        switch prepare(user, bucket) {
        case .decided(let decision): return decision
        case .fetch(let count):
            do {
                return take(try await buckets.take(count, from: bucket), of: user, bucket, wanted: count)
            } catch {
                if count == portion { state.withLock { $0.users[user]?.isFetching = false } }
                return bucket.decision(alone.take(1, from: bucket))
            }
        }
    }

    private enum Preparation {
        case decided(RateLimiter.Decision)
        case fetch(Int)
    }

    /// Decides with what this node knows, or says how much to fetch: one portion at a time, and single requests meanwhile.
    private func prepare(_ user: String, _ bucket: SharedBucket) -> Preparation {
        let moment = now()
        return state.withLock { state in
            state.sweep(at: moment, window: window)
            var known = state.users[user] ?? Known(takenAt: moment, fullAt: moment)
            defer { state.users[user] = known }
            if let end = known.emptyUntil {
                if moment < end { return .decided(bucket.refusal(fullIn: moment.duration(to: known.fullAt))) }
                known.emptyUntil = nil
            }
            if known.count > 0, moment < known.takenAt + window {
                known.count -= 1
                return .decided(bucket.decision(besides: known.count, fullIn: moment.duration(to: known.fullAt)))
            }
            known.count = 0
            if known.isFetching { return .fetch(1) }
            known.isFetching = portion > 1
            return .fetch(portion)
        }
    }

    private func take(
        _ taken: BucketPortion, of user: String, _ bucket: SharedBucket, wanted: Int
    ) -> RateLimiter.Decision {
        let moment = now()
        return state.withLock { state in
            var known = state.users[user] ?? Known(takenAt: moment, fullAt: moment)
            defer { state.users[user] = known }
            if wanted == portion { known.isFetching = false }
            known.fullAt = moment + taken.fullIn
            guard taken.count > 0 else {
                known.emptyUntil = moment + taken.fullIn + bucket.interval - window
                return bucket.refusal(fullIn: taken.fullIn)
            }
            if taken.count > 1 { known.takenAt = moment }
            known.count += taken.count - 1
            return bucket.decision(besides: known.count, fullIn: taken.fullIn)
        }
    }
}

extension RateLimiter {
    /// Returns the seconds of a time, rounded up.
    static func seconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }
}

extension SharedBucket {
    /// The decision about a request for which one was taken, or none.
    fileprivate func decision(_ taken: BucketPortion) -> RateLimiter.Decision {
        taken.count > 0 ? decision(besides: 0, fullIn: taken.fullIn) : refusal(fullIn: taken.fullIn)
    }

    /// The decision about a request that is allowed.
    fileprivate func decision(besides count: Int, fullIn rest: Duration) -> RateLimiter.Decision {
        RateLimiter.Decision(
            isAllowed: true, remaining: count + self.count(fullIn: rest),
            reset: RateLimiter.seconds(max(rest, .zero)), retryAfter: 0)
    }

    /// The decision about a request for which the bucket is too empty.
    fileprivate func refusal(fullIn rest: Duration) -> RateLimiter.Decision {
        RateLimiter.Decision(
            isAllowed: false, remaining: 0, reset: RateLimiter.seconds(rest),
            retryAfter: RateLimiter.seconds(rest + interval - window))
    }
}
