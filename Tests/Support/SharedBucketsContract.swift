package import ChatCore
import Synchronization

/// One promise of shared buckets: run on every conformer, each time with new ones.
package struct SharedBucketsContract: Sendable, CustomStringConvertible {
    /// The promise in words.
    package let description: String
    private let body: @Sendable (any SharedBuckets, @Sendable (Duration) async throws -> Void) async throws -> Void

    /// Checks the promise; throws ``ContractViolation`` when it is broken.
    ///
    /// - Parameters:
    ///   - buckets: The buckets.
    ///   - pass: Lets time pass.
    /// - Throws: ``ContractViolation``; errors of the buckets.
    package func check(
        _ buckets: any SharedBuckets, pass: @escaping @Sendable (Duration) async throws -> Void
    ) async throws {
        try await body(buckets, pass)
    }

    /// One request flows in each hour, so that none does during a test.
    private static let slow = SharedBucket(name: "slow", limit: 10, window: .seconds(36_000))

    package static let all = [
        SharedBucketsContract(description: "a full bucket has its limit, and no more") { buckets, _ in
            try demand(try await buckets.take(4, from: slow).count, 4)
            let second = try await buckets.take(7, from: slow)
            try demand(second.count, 6)
            try demand(second.fullIn > .seconds(35_000) && second.fullIn <= .seconds(36_000), true)
            let third = try await buckets.take(1, from: slow)
            try demand(third.count, 0)
            try demand(third.fullIn <= second.fullIn, true)
            let small = SharedBucket(name: "small", limit: 3, window: .seconds(36_000))
            try demand(try await buckets.take(99, from: small).count, 3)
        },
        SharedBucketsContract(description: "requests flow in with time, up to the limit") { buckets, pass in
            try demand(try await buckets.take(10, from: slow).count, 10)
            try await pass(.seconds(3 * 3_600 + 1_800))
            try demand(try await buckets.take(10, from: slow).count, 3)
            try await pass(.seconds(100 * 3_600))
            try demand(try await buckets.take(11, from: slow).count, 10)
        },
        SharedBucketsContract(description: "a bucket can be filled, and has its own name") { buckets, _ in
            let other = SharedBucket(name: "other", limit: 10, window: .seconds(36_000))
            try demand(try await buckets.take(10, from: slow).count, 10)
            try demand(try await buckets.take(3, from: other).count, 3)
            try await buckets.fill(slow)
            try demand(try await buckets.take(10, from: slow).count, 10)
            try demand(try await buckets.take(10, from: other).count, 7)
        },
        SharedBucketsContract(description: "many at once take no more than there is") { buckets, _ in
            let taken = try await withThrowingTaskGroup { group in
                for _ in 0..<30 { group.addTask { try await buckets.take(1, from: slow).count } }
                return try await group.reduce(0, +)
            }
            try demand(taken, 10)
        },
    ]
}

/// Returns the most requests that a limit lets through while a test runs, however slow the machine is.
///
/// - Parameters:
///   - limit: The requests of a full bucket.
///   - window: The time in which an empty bucket fills.
///   - time: How long the requests took altogether.
/// - Returns: A bound that nodes which do not share the bucket exceed.
package func mostAllowed(_ limit: Int, in window: Duration, during time: Duration) -> Int {
    limit + Int(time / (window / limit)) + 1
}

/// Shared buckets in memory, with a clock that is moved by hand.
package final class FakeBuckets: SharedBuckets {
    package let costsRoundTrip = true
    private struct State {
        var moment = Duration.zero
        var fullAt: [String: Duration] = [:]
        var callCount = 0
        var fails = false
    }

    private let state = Mutex(State())

    package init() {}

    /// How often somebody took requests.
    package var callCount: Int { state.withLock { $0.callCount } }

    /// Lets time pass.
    package func advance(by duration: Duration) { state.withLock { $0.moment += duration } }

    /// Whether it cannot be reached.
    package func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

    package func take(_ count: Int, from bucket: SharedBucket) async throws -> BucketPortion {
        try state.withLock { state in
            if state.fails { throw RepositoryError.unavailable(reason: "the test says so") }
            state.callCount += 1
            let rest = max(.zero, (state.fullAt[bucket.name] ?? .zero) - state.moment)
            let available = Int(((bucket.window - rest) / bucket.interval + 1e-9).rounded(.down))
            let granted = max(0, min(count, available))
            let fullIn = rest + bucket.interval * granted
            state.fullAt[bucket.name] = state.moment + fullIn
            return BucketPortion(count: granted, fullIn: fullIn)
        }
    }

    package func fill(_ bucket: SharedBucket) async throws { state.withLock { $0.fullAt[bucket.name] = nil } }
}
