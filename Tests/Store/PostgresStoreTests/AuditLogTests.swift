import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// What administrators did, in PostgreSQL.
@Suite(.hangGuard) struct AuditLogTests {
    @Test func anEntryIsStoredWithItsChange() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuditContract.anEntryIsStoredWithItsChange(store)
        }
    }

    @Test func aWriteWithoutANameHasAnEntry() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuditContract.aWriteWithoutANameHasAnEntry(store)
        }
    }

    @Test func anErasedPersonLeavesNoName() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuditContract.anErasedPersonLeavesNoName(store) { user in
                _ = try await store.erase(.user(user), at: .second(600))
            }
        }
    }

    @Test func oldEntriesAreRemoved() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            for second in 1...3 {
                let act = AuditAct(
                    id: "\(second)", by: .operator, from: .command, operation: "test",
                    changes: [AuditChange(.failuresRetried)], startedAt: .second(second))
                try await store.performing(act) {}
            }

            #expect(try await store.trimAuditLog(before: .second(3), limit: 1))
            #expect(try await store.trimAuditLog(before: .second(3), limit: 1))
            #expect(try await !store.trimAuditLog(before: .second(3), limit: 1))

            #expect(try await store.auditEntries(AuditQuery(limit: 9)).map(\.startedAt) == [.second(3)])
        }
    }
}
