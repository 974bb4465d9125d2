package import ChatCore

/// What the audit log promises of a store with transactions.
package enum AuditContract {
    package typealias AuditStore = Store & AccountRepository

    private static func act(
        _ id: String, by actor: AuditActor = .operator, _ changes: AuditChange..., at second: Int = 1
    ) -> AuditAct {
        AuditAct(id: id, by: actor, from: .api, operation: "test", changes: changes, startedAt: .second(second))
    }

    private static func key(_ id: APIKey.ID) -> StoredAPIKey {
        StoredAPIKey(
            key: APIKey(id: id, role: .ingest, name: nil, createdAt: .second(0)),
            digest: [UInt8](repeating: 1, count: 32))
    }

    /// The entry is there with the change and only with it: no later step can lose it.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func anEntryIsStoredWithItsChange(_ store: any AuditStore) async throws {
        let query = AuditQuery(limit: 9)
        try await store.performing(act("a", AuditChange(.keyMade, .key("k1")))) {
            try await store.addKey(key("k1"))
            try demand(try await store.auditEntries(query).map(\.result), [.done])
            // Only the first transaction stores it.
            try await store.addKey(key("k2"))
        }
        try demand(try await store.auditEntries(query).map(\.subject), [.key("k1")])

        do {
            try await store.performing(act("b", AuditChange(.keyMade, .key("k1")), at: 2)) {
                do {
                    try await store.addKey(key("k1"))
                } catch {
                    // What is rolled back takes its entry along.
                    try demand(try await store.auditEntries(query).count, 1)
                    throw error
                }
            }
            throw ContractViolation(description: "no conflict")
        } catch is RepositoryError {}
        try demand(try await store.auditEntries(query).map(\.result), [.failed, .done])
    }

    /// Whoever forgets to name a change leaves an entry with the operation.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aWriteWithoutANameHasAnEntry(_ store: any AuditStore) async throws {
        try await store.performing(act("a")) {}
        try await store.performing(act("b")) { try await store.addKey(key("k1")) }
        let entries = try await store.auditEntries(AuditQuery(limit: 9))
        try demand(entries.map(\.action), ["other"])
        try demand(entries.map(\.subject), [.operation("test")])
    }

    /// An entry keeps the name of its time; an erased person leaves neither id nor name.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - erase: Erases a person.
    /// - Throws: ``ContractViolation``; errors of the store and of `erase`.
    package static func anErasedPersonLeavesNoName(
        _ store: any AuditStore, erase: (UserID) async throws -> Void
    ) async throws {
        for (user, name) in [("ada", "Ada"), ("bob", "Bob")] as [(UserID, String)] {
            try await store.invite(
                Account(userID: user, name: name, role: .administrator, createdAt: .second(0)),
                with: AccountInvitation(
                    userID: user, purpose: .invitation, digest: Array(user.rawValue.utf8), expiresAt: .second(99),
                    madeAt: nil, maker: nil))
        }
        try await store.performing(act("a", by: .account("ada"), AuditChange(.accountDisabled, .user("bob")))) {
            _ = try await store.changeAccount("bob", role: nil, isDisabled: true)
        }
        try await store.performing(act("b", by: .account("bob"), AuditChange(.accountLinkMade, .user("ada")), at: 2)) {}
        let query = AuditQuery(limit: 9)
        try demand(
            try await store.auditEntries(query).map(\.actor),
            [.account("bob", name: "Bob"), .account("ada", name: "Ada")])

        try await erase("bob")

        let entries = try await store.auditEntries(query)
        try demand(entries.map(\.actor), [AuditActor(.account), .account("ada", name: "Ada")])
        try demand(entries.map(\.subject), [.user("ada"), .user(nil)])
        try demand(entries.map(\.action), ["account.link-made", "account.disabled"])
    }
}
