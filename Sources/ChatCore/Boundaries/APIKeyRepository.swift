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
