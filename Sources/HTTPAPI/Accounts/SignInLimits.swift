package import ChatCore

/// Limits attempts to sign in, of each user and from each address, over all nodes.
///
/// Each attempt is counted in the database if nodes share one. If it cannot be reached, the attempt fails: nobody could
/// sign in then anyway.
package final class SignInLimits: Sendable {
    private static let user = (limit: 10, window: Duration.seconds(300))
    private static let address = (limit: 60, window: Duration.seconds(60))

    private let users = RateLimiter(limit: SignInLimits.user.limit, window: SignInLimits.user.window)
    private let addresses = RateLimiter(limit: SignInLimits.address.limit, window: SignInLimits.address.window)
    private let buckets: (any SharedBuckets)?

    /// - Parameter buckets: The shared buckets; nil if there is one node.
    package init(buckets: (any SharedBuckets)?) {
        self.buckets = buckets
    }

    /// Counts an attempt from an address.
    ///
    /// - Throws: ``Failure``; ``RepositoryError``.
    package func take(from address: String?) async throws {
        guard let address = RateLimiter.limited(address) else { return }
        guard let buckets else { return try Self.check(addresses.take(address)) }
        let bucket = SharedBucket(
            name: "sign-in from \(address)", limit: Self.address.limit, window: Self.address.window)
        try await Self.take(from: bucket, in: buckets)
    }

    /// Counts an attempt of a user, whether there is such a user or not.
    ///
    /// - Throws: ``Failure``; ``RepositoryError``.
    package func take(_ user: UserID) async throws {
        guard let buckets else { return try Self.check(users.take(user.rawValue)) }
        try await Self.take(from: Self.bucket(of: user), in: buckets)
    }

    /// Forgets the attempts of a user who knew the password.
    ///
    /// - Throws: ``RepositoryError``.
    package func forget(_ user: UserID) async throws {
        users.forget(user.rawValue)
        try await buckets?.fill(Self.bucket(of: user))
    }

    private static func bucket(of user: UserID) -> SharedBucket {
        SharedBucket(name: "sign-in of \(user.rawValue)", limit: Self.user.limit, window: Self.user.window)
    }

    private static func take(from bucket: SharedBucket, in buckets: any SharedBuckets) async throws {
        let portion = try await buckets.take(1, from: bucket)
        guard portion.count == 0 else { return }
        throw Failure.tooManySignIns(
            retryAfter: RateLimiter.seconds(portion.fullIn + bucket.interval - bucket.window))
    }

    private static func check(_ decision: RateLimiter.Decision) throws(Failure) {
        guard decision.isAllowed else { throw .tooManySignIns(retryAfter: decision.retryAfter) }
    }
}

extension Failure {
    static func tooManySignIns(retryAfter: Int) -> Failure {
        Failure(
            429, "too_many_sign_ins", "there were too many attempts to sign in", .resourceExhausted,
            retryAfter: max(1, retryAfter))
    }
}
