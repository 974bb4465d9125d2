import ChatCore
import Synchronization

/// A token for a service.
struct PushToken: Sendable {
    let text: String
    let mintedAt: Timestamp
    let renewAt: Timestamp

    /// Whether it can be used; not if it is from the future, because the clock was corrected.
    func isUsable(at now: Timestamp) -> Bool { mintedAt <= now && now < renewAt }
}

/// A token, or why there is none.
enum PushAuthorization: Sendable {
    case token(PushToken)
    case failure(PushOutcome)
}

/// The tokens of one service that are used again, by origin.
///
/// Services count new tokens: Apple refuses those that change more often than every 20 minutes.
final class PushTokens: Sendable {
    /// Origins are few because hosts are allowed by name; the limit is for `*`.
    private static let countLimit = 1_000

    private let tokens = Mutex<[String: PushToken]>([:])
    private let lock = AsyncLock()

    /// Returns the token of a key, or makes one.
    ///
    /// Concurrent callers get the same one; a failure is not kept.
    func authorization(
        for key: String, now: @Sendable () -> Timestamp, make: (Timestamp) async -> PushAuthorization
    ) async -> PushAuthorization {
        if let token = usable(key, at: now()) { return .token(token) }
        return await lock.run {
            let moment = now()
            if let token = usable(key, at: moment) { return .token(token) }
            let made = await make(moment)
            if case .token(let token) = made { keep(token, for: key) }
            return made
        }
    }

    /// Forgets a token that was refused; one that another caller has made since is kept.
    func discard(_ token: PushToken, of key: String) {
        tokens.withLock { tokens in
            if tokens[key]?.text == token.text { tokens[key] = nil }
        }
    }

    private func usable(_ key: String, at now: Timestamp) -> PushToken? {
        tokens.withLock { $0[key] }.flatMap { $0.isUsable(at: now) ? $0 : nil }
    }

    private func keep(_ token: PushToken, for key: String) {
        tokens.withLock { tokens in
            if tokens.count >= Self.countLimit { tokens = [:] }
            tokens[key] = token
        }
    }
}
