import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// What people say about messages that later ones replaced, in PostgreSQL.
@Suite(.hangGuard) struct VerdictTests {
    @Test(
        arguments: [
            (.user("ada"), ["bob old new"]), (.user("eve"), ["ada new newest"]), (.user("cem"), []),
        ] as [(ErasureSubject, [String])])
    func erasureLeavesNoRow(subject: ErasureSubject, rest: [String]) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await VerdictRowsContract.fill(store)

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))

            #expect(try await store.inspect(VerdictRowsContract.rows) == rest)
        }
    }

    /// Of two nodes where a person says something at the same moment one stores it last, and one verdict is left.
    @Test func twoNodesStoreOneVerdict() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await VerdictRowsContract.fill(first)
                let subject = ReplacementVerdict.Subject(older: .of("c", "old"), newer: .of("c", "new"))

                async let one: Void = first.setVerdict(.holds, on: subject, by: "ada", at: .second(30))
                async let other: Void = second.setVerdict(.replaced, on: subject, by: "ada", at: .second(30))
                _ = try await (one, other)

                let rows = try await first.inspect(VerdictRowsContract.rows)
                #expect(rows.filter { $0 == "ada old new" }.count == 1)
            }
        }
    }
}
