import ChatCore

/// A request for a key.
struct KeyRequest: Codable, Sendable {
    var role: APIKey.Role
    var name: String?
    var expiresAt: Timestamp?
}

/// A new key with its secret.
struct CreatedKey: Codable, Sendable {
    var key: APIKey
    /// The bearer token of its owner.
    var secret: String
}
