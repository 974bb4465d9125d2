package import ChatCore

/// A request for a key.
package struct KeyRequest: Codable, Sendable {
    package var role: APIKey.Role
    package var name: String?
    package var expiresAt: Timestamp?

    package init(role: APIKey.Role, name: String?, expiresAt: Timestamp?) {
        (self.role, self.name, self.expiresAt) = (role, name, expiresAt)
    }
}

/// A new key with its secret.
package struct CreatedKey: Codable, Sendable {
    package var key: APIKey
    /// The bearer token of its owner.
    package var secret: String
}

/// The parts of a new key that are drawn at random.
package struct DrawnKey: Sendable {
    let id: APIKey.ID
    /// The bearer token of the owner.
    let secret: String
    /// The hash that the store keeps.
    let digest: [UInt8]

    package init(id: APIKey.ID, secret: String, digest: [UInt8]) {
        (self.id, self.secret, self.digest) = (id, secret, digest)
    }
}

/// Makes and revokes the keys for the HTTP API.
package struct APIKeys: Sendable {
    private static let nameLimit = 256

    let store: any APIKeyRepository
    let draw: @Sendable () -> DrawnKey
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - store: The keys.
    ///   - draw: Draws the id and the secret of a new key.
    ///   - now: The present time.
    package init(
        store: any APIKeyRepository, draw: @escaping @Sendable () -> DrawnKey, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.store, self.draw, self.now) = (store, draw, now)
    }

    /// Returns all keys, newest first.
    package func all() async throws -> [APIKey] { try await store.keys() }

    /// Makes a key.
    ///
    /// - Throws: ``OperatorFailure`` for a name that is empty or too long, ``RepositoryError``.
    package func create(_ request: KeyRequest) async throws -> CreatedKey {
        guard request.name.map({ (1...Self.nameLimit).contains($0.count) }) ?? true else {
            throw OperatorFailure(message: "the name must have 1 to \(Self.nameLimit) characters")
        }
        let drawn = draw()
        let key = APIKey(
            id: drawn.id, role: request.role, name: request.name, createdAt: now(), expiresAt: request.expiresAt)
        try await store.addKey(StoredAPIKey(key: key, digest: drawn.digest))
        return CreatedKey(key: key, secret: drawn.secret)
    }

    /// Revokes a key for good.
    ///
    /// - Throws: ``OperatorFailure`` for an unknown key, ``RepositoryError``.
    package func revoke(_ id: APIKey.ID) async throws -> APIKey {
        guard let key = try await store.revokeKey(id, at: now()) else {
            throw OperatorFailure(message: "no key has the id \(id)")
        }
        return key
    }
}
