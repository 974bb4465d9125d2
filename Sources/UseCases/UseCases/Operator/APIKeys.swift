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

/// Makes and revokes the keys for the HTTP API.
package struct APIKeys: Sendable {
    private static let nameLimit = 256

    let store: any APIKeyRepository
    let now: @Sendable () -> Timestamp

    package init(store: any APIKeyRepository, now: @escaping @Sendable () -> Timestamp) {
        (self.store, self.now) = (store, now)
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
        var generator = SystemRandomNumberGenerator()
        let secret = APIKeySecret(using: &generator)
        let key = APIKey(
            id: secret.id, role: request.role, name: request.name, createdAt: now(), expiresAt: request.expiresAt)
        AuditAct.current?.setSubject(.key(key.id))
        try await store.addKey(StoredAPIKey(key: key, digest: secret.digest))
        return CreatedKey(key: key, secret: secret.text)
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
