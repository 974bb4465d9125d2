import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Databases that went back, and old primaries that come back.
@Suite(.hangGuard) struct ReturnedDatabaseTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func post(_ ids: [String], to store: SQLStore) async throws {
        for id in ids {
            _ = try await untilReached {
                try await store.post([.short("c", MessageID(rawValue: id))], source: "api", at: .second(1))
            }
        }
    }

    /// An older copy of its folder has the same timeline, and soon the same numbers again.
    @Test func nodesNoticeThatAnOlderCopyWasStarted() async throws {
        let server = try await PostgresServer.start()
        try await server.withStore { store, address in
            try await server.withNode(at: address) { other in
                _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
                try await post(["kept"], to: store)
                try await server.copyFolder()
                try await post((1...9).map { "lost \($0)" }, to: store)
                let end = try await store.latestChange()

                try await server.goBack()

                try await post((1...20).map { "new \($0)" }, to: other)
                let present = try await untilReached { try await store.latestChange() }
                #expect(present.epoch != end.epoch)
                #expect(present.positions[0] >= end.positions[0])
                await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: end, limit: 1) }
                let there = try await other.latestChange()
                #expect(there.epoch == present.epoch)
                // Nobody calls the store: those who wait for changes are woken.
                try await store.waitForChange(after: end)
            }
        }
    }

    /// The node ran when the log went on, and was stopped when the database went back.
    @Test func aNodeRemembersTheLogWhileItIsStopped() async throws {
        let server = try await PostgresServer.start()
        try await withFolder { folder in
            try await server.withDatabase { address in
                let first = try await PostgresStore.open(address, folder: folder)
                _ = try await first.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
                try await post(["kept"], to: first)
                let kept = try await first.latestChange()
                await first.close()
                let again = try await PostgresStore.open(address, folder: folder)
                #expect(try await again.latestChange() == kept)
                await again.close()
                try await server.copyFolder()
                let second = try await PostgresStore.open(address, folder: folder)
                try await post(["lost"], to: second)
                let end = try await second.latestChange()
                await second.close()

                try await server.goBack()
                try await server.withNode(at: address) { stranger in
                    try await post(["new 1", "new 2"], to: stranger)
                    #expect(try await stranger.latestChange().epoch == end.epoch)
                }

                let third = try await PostgresStore.open(address, folder: folder)
                let present = try await third.latestChange()
                #expect(present.epoch != end.epoch)
                await third.close()
                let fourth = try await PostgresStore.open(address, folder: folder)
                #expect(try await fourth.latestChange().epoch == present.epoch)
                await fourth.close()
            }
        }
    }

    @Test func anOldPrimaryIsRefusedUnlessItIsAccepted() async throws {
        let pair = try await PostgresPair()
        try await withFolder { folder in
            let first = try await PostgresStore.open(pair.address, folder: folder)
            _ = try await first.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let start = try await first.latestChange()
            try await pair.kill(.first)
            try await pair.promote()
            try await post(["new"], to: first)
            await first.close()
            try await pair.start(.first)
            try pair.replicateAsynchronously()

            let old = pair.address(of: .first)
            let refusal = """
                this server of PostgreSQL has timeline 1, but timeline 2 was in use: it is an old primary, or an older \
                copy; stop it, or set store.accept-timeline=1
                """
            await #expect(throws: StoreOpenError.cannotConnect(reason: refusal)) {
                try await PostgresStore.open(old, folder: folder)
            }
            #expect(try number("SELECT COUNT(*) FROM messages", at: old) == 0)
            // The old primary is the first of the servers, and accepts writes.
            let both = pair.address.replacing(" target_session_attrs=read-write", with: "")
            for address in [pair.address, both] {
                let store = try await PostgresStore.open(address, folder: folder)
                #expect(try await store.inspect("SELECT id FROM messages") == ["new"])
                await store.close()
            }

            let accepted = try await PostgresStore.open(old, folder: folder, acceptedTimeline: 1)
            #expect(try await accepted.latestChange().epoch != start.epoch)
            await accepted.close()
            let later = try await PostgresStore.open(old, folder: folder)
            await later.close()
        }
    }

    private func number(_ sql: String, at address: String) throws -> Int64? {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        guard case .integer(let number)? = try connection.execute(sql, [], isKept: false).rows.first?.first else {
            return nil
        }
        return number
    }

    /// The old primary runs on, and keeps its connections.
    @Test func aNodeLeavesAnOldPrimaryThatStillAnswers() async throws {
        let pair = try await PostgresPair()
        try await withFolder { folder in
            let store = try await PostgresStore.open(pair.address, folder: folder)
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            try pair.replicateAsynchronously()
            try await pair.promote()

            while try await untilReached({ try await store.latestChange() }).epoch == start.epoch { await shortPause() }
            try await post(["new"], to: store)

            #expect(try number("SELECT COUNT(*) FROM messages", at: pair.address(of: .first)) == 0)
            #expect(try number("SELECT COUNT(*) FROM messages", at: pair.address(of: .second)) == 1)
            await store.close()
        }
    }

    /// PgBouncer keeps the connections of sessions when its target has changed.
    @Test func aNodeFollowsAProxyThatLeadsToAnotherServer() async throws {
        let pair = try await PostgresPair()
        let bouncer = try await PostgresBouncer(before: pair.socketFolder(of: .first), mode: .session)
        try await withFolder { folder in
            let store = try await PostgresStore.open("\(bouncer.address) user=nexus dbname=postgres", folder: folder)
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            try pair.replicateAsynchronously()
            try await pair.promote()

            try await bouncer.lead(to: pair.socketFolder(of: .second))

            while try await untilReached({ try await store.latestChange() }).epoch == start.epoch { await shortPause() }
            try await post(["new"], to: store)
            #expect(try number("SELECT COUNT(*) FROM messages", at: pair.address(of: .first)) == 0)
            #expect(try number("SELECT COUNT(*) FROM messages", at: pair.address(of: .second)) == 1)
            await store.close()
        }
    }
}
