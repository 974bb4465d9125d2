import ChatCore

extension StoreContract {
    private static func key(_ id: APIKey.ID, _ role: APIKey.Role = .ingest, at second: Int, name: String? = nil)
        -> StoredAPIKey
    {
        StoredAPIKey(
            key: APIKey(
                id: id, role: role, name: name, createdAt: .second(second), expiresAt: name == nil ? nil : .second(99)),
            digest: [UInt8](repeating: UInt8(second), count: 32))
    }

    /// Of `APIKeyRepository`, and of what those who write for others read.
    package static let keys: [StoreContract] = [
        StoreContract("a key comes back as it was made, and an id is given once") { store in
            let (first, second) = (key("b", .admin, at: 1, name: "phone"), key("a", .readAsUser, at: 1))
            for key in [first, second, key("c", at: 2)] { try await store.addKey(key) }
            try await demandFailure(.conflict("a key with this id exists")) { try await store.addKey(key("a", at: 9)) }
            try await demandFailure(.invalid(field: "id", reason: "is not a usable id")) {
                try await store.addKey(key("", at: 9))
            }
            try await demandFailure(.invalid(field: "name", reason: "holds a NUL character")) {
                try await store.addKey(key("d", at: 9, name: "a\0b"))
            }
            try demand(try await store.key("b"), first)
            try demand(try await store.key("a"), second)
            try demand(try await store.key("x"), nil)
            try demand(try await store.keys().map(\.id), ["c", "a", "b"])
        },
        StoreContract("a key is revoked for good") { store in
            try await store.addKey(key("a", at: 1))
            try demand(try await store.revokeKey("x", at: .second(5)), nil)
            try demand(try await store.revokeKey("a", at: .second(5))?.revokedAt, .second(5))
            try demand(try await store.revokeKey("a", at: .second(6))?.revokedAt, .second(5))
            try demand(try await store.keys().map(\.revokedAt), [.second(5)])
        },
        StoreContract("the hour of a key's last use is kept, and only a newer one") { store in
            try await store.addKey(key("a", at: 1))
            try demand(try await store.key("a")?.key.lastUsedAt, nil)
            try await store.recordUse(of: "a", at: .second(7_300))
            let hour = Timestamp.second(7_300).startOfHour
            try demand(try await store.key("a")?.key.lastUsedAt, hour)
            try await store.recordUse(of: "a", at: .second(100))
            try await store.recordUse(of: "x", at: .second(100))
            try demand(try await store.key("a")?.key.lastUsedAt, hour)
            try await store.recordUse(of: "a", at: .second(11_000))
            try demand(try await store.key("a")?.key.lastUsedAt, Timestamp.second(11_000).startOfHour)
        },
        StoreContract("what is stored can be read without a reader") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", by: "ada"), .short("c", "m2", by: "bob")])
            try await store.delete(.of("c", "m2"), at: .second(3))
            let found = try await store.stored([.of("c", "m1"), .of("c", "m2"), .of("c", "m3"), .of("x", "m1")])
            try demand(Set(found.keys), [.of("c", "m1"), .of("c", "m2")])
            try demand(found[.of("c", "m1")]?.text, "hello")
            try demand(found[.of("c", "m2")]?.text, "")
            try demand(found[.of("c", "m2")]?.senderID, "bob")
            try demand(found[.of("c", "m2")]?.deletedAt, .second(3))
            try demand(try await store.roster(of: "c").members.map(\.userID), ["ada", "bob"])
            try await demandFailure(.noSuchConversation("x")) { _ = try await store.roster(of: "x") }
        },
    ]
}
