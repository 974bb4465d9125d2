package import ChatCore
import Foundation

extension SQLStore {
    /// Stores a new key.
    package func addKey(_ key: StoredAPIKey) async throws {
        try await write { db in
            try StoreRules.check(key.key)
            guard try KeyRows.find(key.key.id, in: db) == nil else {
                throw RepositoryError.conflict("a key with this id exists")
            }
            let known = key.key
            try db.run(
                """
                INSERT INTO api_keys (id, role, name, digest, created_at, expires_at, revoked_at, last_used_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    known.id.rawValue, known.role.rawValue, known.name, Data(key.digest), known.createdAt.microseconds,
                    known.expiresAt?.microseconds, known.revokedAt?.microseconds, known.lastUsedAt?.microseconds,
                ])
        }
    }

    /// Returns all keys, newest first; those of the same moment by id.
    package func keys() async throws -> [APIKey] {
        try await read { db in
            try db.rows("SELECT \(KeyRows.columns) FROM api_keys ORDER BY created_at DESC, id")
                .map { try KeyRows.key($0).key }
        }
    }

    /// Returns a key; nil for an unknown id.
    package func key(_ id: APIKey.ID) async throws -> StoredAPIKey? {
        try await read { db in try KeyRows.find(id, in: db) }
    }

    /// Revokes a key for ever.
    package func revokeKey(_ id: APIKey.ID, at moment: Timestamp) async throws -> APIKey? {
        try await write { db in
            try db.run(
                "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
                [moment.microseconds, id.rawValue])
            return try KeyRows.find(id, in: db)?.key
        }
    }

    /// Notes that a key was used.
    package func recordUse(of id: APIKey.ID, at moment: Timestamp) async throws {
        try await write { db in
            try db.run(
                "UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)",
                [moment.startOfHour.microseconds, id.rawValue])
        }
    }
}

/// The rows of `api_keys`.
private enum KeyRows {
    static let columns = "id, role, name, digest, created_at, expires_at, revoked_at, last_used_at"

    static func find(_ id: APIKey.ID, in db: any SQLSession) throws -> StoredAPIKey? {
        try db.row("SELECT \(columns) FROM api_keys WHERE id = ?", [id.rawValue]).map(key)
    }

    static func key(_ row: SQLRow) throws -> StoredAPIKey {
        let digest: Data = row[3]
        return StoredAPIKey(
            key: APIKey(
                id: row.identifier(0), role: try row.word(1), name: row[2], createdAt: row.moment(4),
                expiresAt: row.momentIfAny(5), revokedAt: row.momentIfAny(6), lastUsedAt: row.momentIfAny(7)),
            digest: [UInt8](digest))
    }
}
