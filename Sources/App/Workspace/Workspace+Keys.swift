import ChatCore
import Foundation
import HTTPAPI
import MessageStore

/// A key that is wanted.
struct KeyRequest: Codable, Sendable {
    var role: APIKey.Role
    var name: String?
    var expiresAt: Timestamp?
}

/// A key that was made, with its secret.
struct CreatedKey: Codable, Sendable {
    var key: APIKey
    /// What its owner sends as the bearer token.
    var secret: String
}

extension Workspace {
    private static let keyNameLimit = 256

    /// Makes a key.
    func createKey(_ request: KeyRequest) async throws -> CreatedKey {
        guard request.name.map({ (1...Self.keyNameLimit).contains($0.count) }) ?? true else {
            throw OperatorFailure(message: "the name must have 1 to \(Self.keyNameLimit) characters")
        }
        var generator = SystemRandomNumberGenerator()
        let secret = APIKeySecret(using: &generator)
        let key = APIKey(
            id: secret.id, role: request.role, name: request.name, createdAt: Self.now(), expiresAt: request.expiresAt)
        try await store.addKey(StoredAPIKey(key: key, digest: secret.digest))
        return CreatedKey(key: key, secret: secret.text)
    }

    /// Withdraws a key.
    func revokeKey(_ id: APIKey.ID) async throws -> APIKey {
        guard let key = try await store.revokeKey(id, at: Self.now()) else {
            throw OperatorFailure(message: "no key has the id \(id)")
        }
        return key
    }
}
