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

extension CallerValidity {
    /// The session; nil for others.
    var session: AccountSession.ID? {
        if case .session(let id) = self { id } else { nil }
    }

    /// The key; nil for others.
    var key: APIKey.ID? {
        if case .key(let id) = self { id } else { nil }
    }
}
