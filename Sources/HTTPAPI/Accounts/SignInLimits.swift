import ChatCore

/// Limits attempts to sign in, of each user and from each address.
final class SignInLimits: Sendable {
    private let users = RateLimiter(limit: 10, window: .seconds(300))
    private let addresses = RateLimiter(limit: 60, window: .seconds(60))

    /// Counts an attempt from an address.
    func take(from address: String?) throws(Failure) {
        guard let decision = addresses.take(address: address), !decision.isAllowed else { return }
        throw .tooManySignIns(retryAfter: decision.retryAfter)
    }

    /// Counts an attempt of a user, whether there is such a user or not.
    func take(_ user: UserID) throws(Failure) {
        let decision = users.take(user.rawValue)
        guard decision.isAllowed else { throw .tooManySignIns(retryAfter: decision.retryAfter) }
    }

    /// Forgets the attempts of a user who knew the password.
    func forget(_ user: UserID) { users.forget(user.rawValue) }
}

extension Failure {
    static func tooManySignIns(retryAfter: Int) -> Failure {
        Failure(
            429, "too_many_sign_ins", "there were too many attempts to sign in", .resourceExhausted,
            retryAfter: max(1, retryAfter))
    }
}
