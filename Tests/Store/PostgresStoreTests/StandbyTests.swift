import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Commits that wait for a standby which does not confirm them.
@Suite(.hangGuard) struct StandbyTests {
    private static let waiting = """
        SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
        """

    private func number(_ sql: String, in pair: PostgresPair) throws -> Int64? {
        let connection = try LibpqConnection(pair.address(of: .first))
        defer { connection.close() }
        guard case .integer(let number)? = try connection.execute(sql, [], isKept: false).rows.first?.first else {
            return nil
        }
        return number
    }

    private func post(_ id: MessageID, to store: SQLStore) async throws -> [PostedMessage] {
        try await store.post([.short("c", id, localID: id.rawValue)], source: "api", at: .second(1))
    }

    @Test func aCommitThatNobodyConfirmsEndsOnTheServerAndIsNotAcknowledged() async throws {
        let pair = try await PostgresPair()
        let address = try #require(PostgresAddress(pair.address))
        try await PostgresStore.withNode(at: address, readerCount: 2, answerLimit: .milliseconds(700)) { store in
            _ = try await untilReached {
                try await store.store([.of("c", ["ada"])], source: "api", mode: .importing, at: .second(0))
            }
            try await pair.stop(.second)

            // On a busy machine the time of a write may be over before its commit waits for anything.
            repeat {
                await #expect(throws: RepositoryError.self) { try await post("m", to: store) }
            } while store.storageTrouble == nil
            #expect(store.storageTrouble == .standby)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let id = MessageID(rawValue: "n\(number)")
                        await #expect(throws: RepositoryError.self) { try await post(id, to: store) }
                    }
                }
            }
            // What waits for nobody, and reads, go on.
            let leases = try store.services.inDatabase
            let hasLease = try await untilReached { try await leases.take("work", of: "node", for: .seconds(9)) }
            #expect(hasLease)
            _ = try await untilReached { try await store.latestChange() }
            while try number(Self.waiting, in: pair) != 0 { await shortPause() }

            try await pair.start(.second)
            while await store.retryWriting() != nil { await shortPause() }
            let posted = try await untilReached { try await post("m", to: store) }
            // It was committed, and nobody knew.
            #expect(posted.first?.outcome == .unchanged("m"))
            #expect(store.storageTrouble == nil)
        }
    }

    /// The server answers a commit whose wait was ended like any other one.
    @Test func aCommitWhoseWaitSomebodyEndedIsNotAcknowledged() async throws {
        let pair = try await PostgresPair()
        try await pair.withStore { store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await pair.stop(.second)
            let posting = Task { try await post("m", to: store) }
            while try number(Self.waiting, in: pair) == 0 { await shortPause() }
            // Heartbeats report it, though nothing has failed yet.
            while store.storageTrouble == nil { await shortPause() }
            #expect(store.storageTrouble == .standby)

            let end = "SELECT COUNT(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            #expect(try number(end, in: pair) == 1)

            await #expect(throws: RepositoryError.unavailable(reason: "writes wait for the standby of PostgreSQL")) {
                try await posting.value
            }
            try await pair.start(.second)
        }
    }
}
