/// A key with the digest by which it is recognised.
public struct StoredAPIKey: Hashable, Sendable {
    /// The key without its secret.
    public let key: APIKey
    /// The SHA-256 of its secret.
    public let digest: [UInt8]

    public init(key: APIKey, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// The keys of servers and administrators, without their secrets.
///
/// All calls throw ``RepositoryError``.
public protocol APIKeyRepository: Sendable {
    /// Stores a new key.
    ///
    /// - Parameter key: The key; its id is new.
    /// - Throws: ``RepositoryError/conflict(_:)`` for an id that is taken, ``RepositoryError/invalid(field:reason:)``.
    func addKey(_ key: StoredAPIKey) async throws

    /// Returns all keys, newest first; keys of the same moment by id.
    func keys() async throws -> [APIKey]

    /// Returns a key; nil for an unknown one.
    func key(_ id: APIKey.ID) async throws -> StoredAPIKey?

    /// Revokes a key for good; an already revoked key is unchanged.
    ///
    /// - Parameters:
    ///   - id: The key's id.
    ///   - moment: The present time.
    /// - Returns: The key; nil for an unknown one.
    /// - Throws: Storage errors.
    func revokeKey(_ id: APIKey.ID, at moment: Timestamp) async throws -> APIKey?

    /// Notes that a key was used: only the hour is stored, and only if it is newer.
    func recordUse(of id: APIKey.ID, at moment: Timestamp) async throws
}

extension Timestamp {
    /// The start of the hour in UTC.
    public var startOfHour: Timestamp {
        Timestamp(microseconds: microseconds.quotient(flooringBy: 3_600_000_000) * 3_600_000_000)
    }
}

/// A key that identifies a server or an administrator; never contains the secret itself.
public struct APIKey: Hashable, Sendable, Codable {
    /// The permissions of a key.
    public enum Role: String, CaseIterable, Hashable, Sendable, Codable {
        /// Writes messages, conversations and memberships for all users, and reads nothing.
        case ingest
        /// Reads and asks as the user that each request names, and writes nothing.
        case readAsUser = "read-as-user"
        /// Administers the service; neither reads nor writes messages.
        case admin
    }

    /// The id of a key; it is not secret.
    public typealias ID = Identifier<APIKey>

    /// The key's id.
    public let id: ID
    /// The permissions of the key.
    public let role: Role
    /// The name that the owner gave it.
    public let name: String?
    /// When it was created.
    public let createdAt: Timestamp
    /// The moment from which it is invalid; nil for never.
    public let expiresAt: Timestamp?
    /// When it was revoked.
    public var revokedAt: Timestamp?
    /// When it was last used, to the hour.
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

    /// Whether the key is valid at a moment.
    public func isValid(at moment: Timestamp) -> Bool {
        revokedAt == nil && expiresAt.map { $0 > moment } ?? true
    }
}
