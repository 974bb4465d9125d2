import Synchronization

/// Buckets of a server that runs alone.
///
/// Uses the generic cell rate algorithm: it keeps one moment for each bucket, at which it will be full again.
public final class LocalBuckets: SharedBuckets {
    private struct State {
        var fullAt: [String: ContinuousClock.Instant] = [:]
        var sweepSize = 1_024

        /// Forgets buckets that are full again, each time that their number has doubled.
        ///
        /// Above ``LocalBuckets/countLimit`` buckets it forgets the fullest half.
        mutating func sweep(at moment: ContinuousClock.Instant) {
            guard fullAt.count >= sweepSize else { return }
            fullAt = fullAt.filter { $0.value > moment }
            if fullAt.count >= LocalBuckets.countLimit {
                let latest = fullAt.sorted { $0.value > $1.value }.prefix(LocalBuckets.countLimit / 2)
                fullAt = Dictionary(latest.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            }
            sweepSize = min(max(1_024, fullAt.count * 2), LocalBuckets.countLimit)
        }
    }

    /// The most buckets at a time: about 30 MB with the longest names.
    public static let countLimit = 65_536

    /// Taking costs nothing.
    public let costsRoundTrip = false
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter now: The present moment.
    public init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.now = now
    }

    /// The number of buckets that are not full, and of some that are.
    public var count: Int { state.withLock { $0.fullAt.count } }

    /// Takes requests; it never fails.
    public func take(_ count: Int, from bucket: SharedBucket) -> BucketPortion {
        let moment = now()
        return state.withLock { state in
            let before = max(state.fullAt[bucket.name] ?? moment, moment)
            let granted = max(0, min(count, bucket.count(fullIn: moment.duration(to: before))))
            let after = before + bucket.interval * granted
            if granted > 0 {
                state.fullAt[bucket.name] = after
                state.sweep(at: moment)
            }
            return BucketPortion(count: granted, fullIn: moment.duration(to: after))
        }
    }

    /// Forgets what was taken.
    public func fill(_ bucket: SharedBucket) { state.withLock { _ = $0.fullAt.removeValue(forKey: bucket.name) } }
}
