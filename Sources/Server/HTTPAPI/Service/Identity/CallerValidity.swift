package import ChatCore

/// How long a token or key lets its caller stay connected.
package enum CallerValidity: Hashable, Sendable, Codable {
    case unlimited
    /// A token that expires.
    case until(Timestamp)
    /// A session of an account, which may end.
    case session(AccountSession.ID)
    /// A key, which may be revoked.
    case key(APIKey.ID)
}
