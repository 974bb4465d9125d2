/// Buckets of requests that refill steadily, for limits that all nodes share.
public protocol SharedBuckets: Sendable {
    /// Whether taking costs so much that one rather takes several requests at a time.
    var costsRoundTrip: Bool { get }

    /// Takes requests out of a bucket, or as many as it has.
    ///
    /// - Parameters:
    ///   - count: At least 1.
    ///   - bucket: The bucket; one that was never used is full.
    /// - Returns: What was taken.
    /// - Throws: ``RepositoryError``; nothing is known of the bucket then.
    func take(_ count: Int, from bucket: SharedBucket) async throws -> BucketPortion

    /// Fills a bucket.
    ///
    /// - Throws: ``RepositoryError``.
    func fill(_ bucket: SharedBucket) async throws
}

/// A bucket of requests.
public struct SharedBucket: Hashable, Sendable {
    /// Names it among all buckets.
    public let name: String
    /// The requests of a full bucket.
    public let limit: Int
    /// The time in which an empty bucket fills.
    public let window: Duration

    /// - Precondition: The limit is at least 1, and the window is above zero.
    public init(name: String, limit: Int, window: Duration) {
        precondition(limit > 0 && window > .zero, "a bucket holds something, and fills")
        self.name = name
        self.limit = limit
        self.window = window
    }

    /// The time in which one request flows in.
    public var interval: Duration { window / limit }

    /// Returns the requests in a bucket that will be full again after a time.
    public func count(fullIn rest: Duration) -> Int {
        Int(clamping: ((window - max(rest, .zero)) / interval + 1e-9).truncated(to: Int64.self) ?? .max)
    }
}

/// What was taken out of a bucket.
public struct BucketPortion: Hashable, Sendable {
    /// The number of requests.
    public let count: Int
    /// The time until the bucket is full again.
    public let fullIn: Duration

    public init(count: Int, fullIn: Duration) {
        self.count = count
        self.fullIn = fullIn
    }
}
