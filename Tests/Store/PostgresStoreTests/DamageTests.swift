import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// A database one of whose files is damaged.
@Suite struct DamageTests {
    @Test func nothingIsStoredOnceDamageWasRead() async throws {
        let server = try await PostgresServer.start()
        try await server.withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.post([.short("c", "m1")], source: "api", at: .second(1))
            try await server.damage("messages", in: address)
            try await untilReached { _ = try await store.latestChange() }
            #expect(store.storageTrouble == nil)

            await #expect(throws: RepositoryError.storageDamaged) {
                _ = try await store.page(of: "c", asker: "ada", before: nil, limit: 9, at: .second(2))
            }

            #expect(store.storageTrouble == .damaged)
            await #expect(throws: RepositoryError.storageDamaged) {
                _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(3))
            }
            let scope = SearchScope(asker: "ada", conversations: .all)
            #expect(try await store.permitted(scope, at: .second(4)).count == 1)
            #expect(await store.retryWriting() == .damaged)
        }
    }
}
