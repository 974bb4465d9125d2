/// What is known of a key by which a server or an administrator is told from others; never the key itself.
public struct APIKey: Hashable, Sendable, Codable {
    /// What a key is good for.
    public enum Role: String, CaseIterable, Hashable, Sendable, Codable {
        /// Writes messages, conversations and memberships for anybody, and reads nothing.
        case ingest
        /// Reads and asks as the user that each request names, and writes nothing.
        case readAsUser = "read-as-user"
        /// Looks after the service; neither reads messages nor writes them.
        case admin
    }

    /// The id of a key, a part of it that is no secret.
    public typealias ID = Identifier<APIKey>

    /// Its id.
    public let id: ID
    /// What it is good for.
    public let role: Role
    /// What its owner calls it.
    public let name: String?
    /// When it was made.
    public let createdAt: Timestamp
    /// From when on it is good for nothing; nil for never.
    public let expiresAt: Timestamp?
    /// When it was withdrawn.
    public var revokedAt: Timestamp?
    /// When it was used last, to the hour.
    public var lastUsedAt: Timestamp?

    public init(
        id: ID, role: Role, name: String?, createdAt: Timestamp, expiresAt: Timestamp? = nil,
        revokedAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.role = role
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }

    /// Whether it is good for something at a moment.
    public func isValid(at moment: Timestamp) -> Bool {
        revokedAt == nil && expiresAt.map { $0 > moment } ?? true
    }
}
