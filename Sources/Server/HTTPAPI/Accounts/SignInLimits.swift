package import ChatCore

/// Limits attempts to sign in, over all nodes: of each user from each place, and from each address.
///
/// The place is the device on which the person has signed in before, or else the network address. So a stranger who
/// guesses passwords does not lock the right person out. Strangers from all addresses together get another limit.
///
/// Each attempt is counted in the database if nodes share one. If it cannot be reached, the attempt fails: nobody could
/// sign in then anyway.
package final class SignInLimits: Sendable {
    /// Where somebody signs in.
    package enum Place: Hashable, Sendable {
        /// A device on which the person has signed in, or a session of the person.
        case device(String)
        /// An address; nil if it is not counted.
        case address(String?)
    }

    private static let user = (limit: 10, window: Duration.seconds(300))
    private static let strangers = (limit: 60, window: Duration.seconds(900))
    private static let address = (limit: 60, window: Duration.seconds(60))

    private static let registrations = (limit: 60, window: Duration.seconds(600))

    private let buckets: any SharedBuckets
    /// How long a refused attempt waits for its answer, so that a flood of attempts costs others little.
    private let pause: Duration

    /// - Parameters:
    ///   - buckets: The buckets of all nodes.
    ///   - pause: How long a refused attempt waits.
    package init(buckets: any SharedBuckets, pause: Duration = .seconds(1)) {
        self.buckets = buckets
        self.pause = pause
    }

    /// Counts an attempt from an address; nil is not counted.
    ///
    /// - Throws: ``Failure``; ``RepositoryError``.
    package func take(from address: String?) async throws {
        guard let address else { return }
        let bucket = SharedBucket(
            name: "sign-in from \(address)", limit: Self.address.limit, window: Self.address.window)
        try await take(from: bucket)
    }

    /// Counts a program that registers itself from an address; nil is not counted.
    ///
    /// - Throws: ``Failure``; ``RepositoryError``.
    func takeRegistration(from address: String?) async throws {
        guard let address else { return }
        let bucket = SharedBucket(
            name: "registration from \(address)", limit: Self.registrations.limit, window: Self.registrations.window)
        try await take(from: bucket)
    }

    /// Counts an attempt of a user, whether there is such a user or not.
    ///
    /// - Throws: ``Failure``; ``RepositoryError``.
    package func take(_ user: UserID, at place: Place) async throws {
        let own = Self.bucket(of: user, at: place)
        try await take(from: own)
        if case .address = place { try await take(from: Self.bucketOfStrangers(user)) }
    }

    /// Forgets the attempts of a user who knew the password.
    ///
    /// - Throws: ``RepositoryError``.
    package func forget(_ user: UserID, at place: Place) async throws {
        let own = Self.bucket(of: user, at: place)
        try await buckets.fill(own)
        guard case .address = place else { return }
        try await buckets.fill(Self.bucketOfStrangers(user))
    }

    private static func bucket(of user: UserID, at place: Place) -> SharedBucket {
        let name =
            switch place {
            case .device(let id): "sign-in on \(id) of \(user.rawValue)"
            case .address(let address): "sign-in at \(address ?? "this machine") of \(user.rawValue)"
            }
        return SharedBucket(name: name, limit: Self.user.limit, window: Self.user.window)
    }

    private static func bucketOfStrangers(_ user: UserID) -> SharedBucket {
        SharedBucket(
            name: "sign-in of \(user.rawValue)", limit: Self.strangers.limit, window: Self.strangers.window)
    }

    private func take(from bucket: SharedBucket) async throws {
        let portion = try await buckets.take(1, from: bucket)
        guard portion.count == 0 else { return }
        try await Task.sleep(for: pause)
        throw Failure.tooManySignIns(
            retryAfter: RateLimiter.seconds(portion.fullIn + bucket.interval - bucket.window))
    }
}

extension Failure {
    static func tooManySignIns(retryAfter: Int) -> Failure {
        Failure(
            429, "too_many_sign_ins", "there were too many attempts to sign in", .resourceExhausted,
            retryAfter: max(1, retryAfter))
    }
}
