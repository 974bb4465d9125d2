import ChatCore

extension StoreContract {
    private static func act(
        _ id: String, by actor: AuditActor, _ changes: AuditChange..., from origin: AuditOrigin = .api, at second: Int
    ) -> AuditAct {
        AuditAct(id: id, by: actor, from: origin, operation: "test", changes: changes, startedAt: .second(second))
    }

    private struct Refusal: Error {}

    /// Of ``AuditLog``.
    package static let auditLog: [StoreContract] = [
        StoreContract("entries come back as they were made, the latest first, page by page") { store in
            try await store.addKey(
                StoredAPIKey(
                    key: APIKey(id: "k", role: .admin, name: "robot", createdAt: .second(0)),
                    digest: [UInt8](repeating: 1, count: 32)))
            let first = act(
                "a", by: .account("ada", name: "Ada"), AuditChange(.accountRoleChanged, .user("bob"), detail: "member"),
                AuditChange(.accountDisabled, .user("bob")), from: .page, at: 1)
            try await store.performing(first) {}
            try await store.performing(act("b", by: .key("k"), AuditChange(.failuresRetried), at: 2)) {}
            try await store.performing(
                act("c", by: .operator, AuditChange(.generationDropped, .generation(3)), from: .command, at: 3)
            ) {}

            let all = try await store.auditEntries(AuditQuery(limit: 9))
            try demand(
                all.map(\.action),
                ["generation.dropped", "failures.retried", "account.disabled", "account.role-changed"])
            try demand(all.map(\.result), [.done, .done, .done, .done])
            try demand(all.map(\.origin), [.command, .api, .page, .page])
            try demand(
                all.map(\.actor),
                [
                    .operator, AuditActor(.key, id: "k", name: "robot"), .account("ada", name: "Ada"),
                    .account("ada", name: "Ada"),
                ])
            try demand(all.map(\.subject), [.generation(3), nil, .user("bob"), .user("bob")])
            try demand(all.map(\.detail), [nil, nil, nil, "member"])
            try demand(all.map(\.startedAt), [.second(3), .second(2), .second(1), .second(1)])

            let page = try await store.auditEntries(AuditQuery(limit: 2))
            try demand(page, Array(all.prefix(2)))
            let rest = try await store.auditEntries(AuditQuery(before: page.last?.number, limit: 9))
            try demand(rest, Array(all.suffix(2)))
        },
        StoreContract("entries are found by person, action and time") { store in
            for (place, user) in (["ada", "bob", "eve"] as [UserID]).enumerated() {
                try await store.performing(
                    act(
                        user.rawValue, by: .account(user), AuditChange(.accountInvited, .user("ada")),
                        at: 10 * place)
                ) {}
            }
            try await store.performing(act("x", by: .account("bob"), AuditChange(.keyRevoked, .key("ada")), at: 5)) {}
            func count(_ change: (inout AuditQuery) -> Void) async throws -> Int {
                var query = AuditQuery(limit: 9)
                change(&query)
                return try await store.auditEntries(query).count
            }
            try demand(try await count { _ in }, 4)
            try demand(try await count { $0.person = "ada" }, 3)
            try demand(try await count { $0.person = "bob" }, 2)
            try demand(try await count { $0.person = "none" }, 0)
            try demand(try await count { $0.action = "key.revoked" }, 1)
            try demand(try await count { $0.from = .second(10) }, 2)
            try demand(try await count { $0.until = .second(10) }, 2)
            try demand(
                try await count {
                    $0.from = .second(5)
                    $0.until = .second(20)
                    $0.person = "bob"
                    $0.action = "account.invited"
                }, 1)
        },
        StoreContract("an act that fails says so, and one that did nothing leaves no entry") { store in
            try await store.performing(act("a", by: .operator, at: 1)) {}
            let withdrawn = act("b", by: .operator, AuditChange(.userMapped, .user("bob")), at: 1)
            try await store.performing(withdrawn) { withdrawn.withdraw() }
            try demand(try await store.auditEntries(AuditQuery(limit: 9)), [])

            for action in [AuditAction.accountInvited, .historyImported] {
                do {
                    try await store.performing(act(action.rawValue, by: .operator, AuditChange(action), at: 2)) {
                        throw Refusal()
                    }
                    throw ContractViolation(description: "no failure")
                } catch is Refusal {}
            }
            try demand(try await store.auditEntries(AuditQuery(limit: 9)).map(\.result), [.failed, .failed])
        },
        StoreContract("a long act has its entry before it begins") { store in
            try await store.performing(act("a", by: .operator, AuditChange(.historyImported), at: 1)) {
                try demand(try await store.auditEntries(AuditQuery(limit: 9)).map(\.result), [.begun])
            }
            try demand(try await store.auditEntries(AuditQuery(limit: 9)).map(\.result), [.done])
        },
    ]
}
