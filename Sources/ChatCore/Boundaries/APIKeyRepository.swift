/// A key with what it is recognised by.
public struct StoredAPIKey: Hashable, Sendable {
    /// What is known of it.
    public let key: APIKey
    /// The SHA-256 of its secret.
    public let digest: [UInt8]

    public init(key: APIKey, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// The keys of servers and administrators; their secrets are not kept.
///
/// All calls throw ``RepositoryError``.
public protocol APIKeyRepository: Sendable {
    /// Keeps a new key.
    ///
    /// - Parameter key: The key; its id is new.
    /// - Throws: ``RepositoryError/conflict(_:)`` for an id that is taken, ``RepositoryError/invalid(field:reason:)``.
    func addKey(_ key: StoredAPIKey) async throws

    /// Returns all keys, the newest first; those of the same moment by id.
    func keys() async throws -> [APIKey]

    /// Returns a key; nil for one that is not known.
    func key(_ id: APIKey.ID) async throws -> StoredAPIKey?

    /// Withdraws a key for good; one that was withdrawn before stays as it is.
    ///
    /// - Parameters:
    ///   - id: The key's id.
    ///   - moment: The present time.
    /// - Returns: The key; nil for one that is not known.
    /// - Throws: Storage errors.
    func revokeKey(_ id: APIKey.ID, at moment: Timestamp) async throws -> APIKey?

    /// Notes that a key was used: the hour is kept, and only what is newer.
    func noteUse(of id: APIKey.ID, at moment: Timestamp) async throws
}

extension Timestamp {
    /// The start of its hour in UTC.
    public var startOfHour: Timestamp {
        Timestamp(microseconds: microseconds.quotient(flooringBy: 3_600_000_000) * 3_600_000_000)
    }
}

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
