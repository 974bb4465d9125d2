package import ChatCore

extension InMemoryStore {
    /// Keeps a new key.
    package func addKey(_ key: StoredAPIKey) async throws {
        try write { state throws(RepositoryError) in
            guard APIKey.ID(validating: key.key.id.rawValue) != nil else {
                throw .invalid(field: "id", reason: "is not a usable id")
            }
            guard key.key.name?.utf8.contains(0) != true else {
                throw .invalid(field: "name", reason: "holds a NUL character")
            }
            guard state.keys[key.key.id] == nil else { throw .conflict("a key with this id exists") }
            state.keys[key.key.id] = key
        }
    }

    /// Returns all keys, the newest first.
    package func keys() async throws -> [APIKey] {
        try read { state in
            state.keys.values.map(\.key).sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
        }
    }

    /// Returns a key.
    package func key(_ id: APIKey.ID) async throws -> StoredAPIKey? {
        try read { state in state.keys[id] }
    }

    /// Withdraws a key for good.
    package func revokeKey(_ id: APIKey.ID, at moment: Timestamp) async throws -> APIKey? {
        try write { state in
            guard let stored = state.keys[id] else { return nil }
            var key = stored.key
            key.revokedAt = key.revokedAt ?? moment
            state.keys[id] = StoredAPIKey(key: key, digest: stored.digest)
            return key
        }
    }

    /// Notes that a key was used.
    package func recordUse(of id: APIKey.ID, at moment: Timestamp) async throws {
        try write { state in
            guard let stored = state.keys[id] else { return }
            var key = stored.key
            let hour = moment.startOfHour
            if key.lastUsedAt.map({ $0 < hour }) ?? true { key.lastUsedAt = hour }
            state.keys[id] = StoredAPIKey(key: key, digest: stored.digest)
        }
    }
}
