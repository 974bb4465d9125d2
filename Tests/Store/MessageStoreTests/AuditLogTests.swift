import ChatCore
import MessageStore
import TestSupport
import Testing

/// What administrators did, in a data folder.
@Suite struct AuditLogTests {
    @Test func anEntryIsStoredWithItsChange() async throws {
        try await DataFolder.with { _, store in try await AuditContract.anEntryIsStoredWithItsChange(store) }
    }

    @Test func aWriteWithoutANameHasAnEntry() async throws {
        try await DataFolder.with { _, store in try await AuditContract.aWriteWithoutANameHasAnEntry(store) }
    }

    @Test func anErasedPersonLeavesNoName() async throws {
        try await DataFolder.with { _, store in
            try await AuditContract.anErasedPersonLeavesNoName(store) { user in
                _ = try await store.erase(.user(user), at: .second(600))
            }
            #expect(
                try await store.inspect(
                    """
                    SELECT COUNT(*) FROM audit_log
                    WHERE actor_id = 'bob' OR actor_name = 'Bob' OR subject_id = 'bob' OR detail = 'bob'
                    """) == ["0"])
        }
    }

    private static func act(_ id: String, _ change: AuditChange, at second: Int) -> AuditAct {
        AuditAct(
            id: id, by: .operator, from: .command, operation: "test", changes: [change], startedAt: .second(second))
    }

    @Test func oldEntriesAreRemoved() async throws {
        try await DataFolder.with { _, store in
            for second in 1...5 {
                try await store.performing(Self.act("\(second)", AuditChange(.failuresRetried), at: second)) {}
            }

            #expect(try await store.trimAuditLog(before: .second(4), limit: 2))
            #expect(try await store.auditEntries(AuditQuery(limit: 9)).count == 3)
            #expect(try await !store.trimAuditLog(before: .second(4), limit: 2))

            let rest = try await store.auditEntries(AuditQuery(limit: 9))
            #expect(rest.map(\.startedAt) == [.second(5), .second(4)])
        }
    }

    /// The ids of rooms at another chat go with everything that came from there.
    @Test func aConnectionThatEndsLeavesNoRooms() async throws {
        try await DataFolder.with { _, store in
            let change = AuditChange(.roomLeftOut, .connection("matrix"), detail: "!room:example.org")
            try await store.performing(Self.act("a", change, at: 1)) {}
            #expect(try await store.auditEntries(AuditQuery(limit: 9)).map(\.detail) == ["!room:example.org"])

            _ = try await store.beginDisconnecting("matrix", at: .second(2))
            try await store.removeRemains(of: "matrix")
            try await store.endDisconnecting("matrix", at: .second(3))

            #expect(try await store.auditEntries(AuditQuery(limit: 9)).map(\.detail) == [nil])
            #expect(try await store.inspect("SELECT COUNT(*) FROM audit_log WHERE subject_id = 'matrix'") == ["1"])
        }
    }
}
