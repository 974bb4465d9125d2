import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// A database that does not answer, and transactions that lose against others.
@Suite(.hangGuard) struct OutageTests {
    @Test func aNetworkThatSwallowsEverythingIsLeft() async throws {
        try await PostgresServer.shared().withStore { watcher, address in
            try await PostgresServer.shared().withRelay(to: address) { relay, behind in
                try await PostgresStore.withNode(at: behind, readerCount: 2, answerLimit: .milliseconds(300)) { store in
                    _ = try await untilReached {
                        try await store.store([.of("c", ["ada"])], source: "api", mode: .importing, at: .second(0))
                    }
                    let messages = (0..<40).map { Message.short("c", MessageID(rawValue: "m\($0)"), localID: "l\($0)") }
                    for message in messages.prefix(10) {
                        _ = try await untilReached { try await store.post([message], source: "api", at: .second(1)) }
                    }

                    relay.freeze()

                    let failure = RepositoryError.unavailable(reason: "PostgreSQL cannot be reached")
                    await #expect(throws: failure) {
                        try await store.post([messages[10]], source: "api", at: .second(2))
                    }
                    await #expect(throws: failure) { try await store.latestChange() }
                    // The other nodes are not held up for longer than that.
                    _ = try await untilReached {
                        try await watcher.post([.short("c", "other")], source: "api", at: .second(2))
                    }

                    relay.cut()

                    for message in messages.dropFirst(10) {
                        _ = try await untilReached { try await store.post([message], source: "api", at: .second(3)) }
                    }
                    let kept = try await watcher.inspect("SELECT id FROM messages WHERE id <> 'other' ORDER BY seq")
                    #expect(kept == messages.map(\.key.messageID.rawValue))
                }
            }
        }
    }

    /// The database decides who loses; here it says so for the first attempts.
    @Test(arguments: ["40001", "40P01"])
    func aTransactionThatLosesIsRepeated(code: String) async throws {
        try await PostgresServer.shared().withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(
                """
                CREATE SEQUENCE attempts;
                CREATE FUNCTION lose() RETURNS TRIGGER LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('attempts') <= 3 THEN RAISE EXCEPTION USING ERRCODE = '\(code)'; END IF;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER lose AFTER INSERT ON messages FOR EACH STATEMENT EXECUTE FUNCTION lose()
                """)

            let outcomes = try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        try await store.accept(
                            [.short("c", MessageID(rawValue: "m\(number)"))], source: "api", mode: .posting,
                            at: .second(1))
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }

            #expect(outcomes == Array(repeating: .inserted, count: 8))
            #expect(try await store.inspect("SELECT COUNT(*) FROM messages") == ["8"])
            #expect(try await store.inspect("SELECT head - COUNT(*) FROM change_lanes, changes GROUP BY head") == ["0"])
        }
    }

    @Test func aTransactionThatAlwaysLosesFails() async throws {
        try await PostgresServer.shared().withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(
                """
                CREATE FUNCTION lose() RETURNS TRIGGER LANGUAGE plpgsql
                    AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$;
                CREATE TRIGGER lose AFTER INSERT ON messages FOR EACH STATEMENT EXECUTE FUNCTION lose()
                """)

            await #expect(throws: RepositoryError.unavailable(reason: "PostgreSQL reports 40001")) {
                try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(1))
            }
            try connection.run("DROP TRIGGER lose ON messages")
            let outcomes = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(1))
            #expect(outcomes == [.inserted])
        }
    }

    /// Calls a body while nobody else can read the messages; the body gets a function that ends that.
    private func withLockedMessages(
        _ address: String, _ body: (_ unlock: () throws -> Void) async throws -> Void
    ) async throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run("SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE messages")
        try await body { try connection.run("COMMIT") }
    }

    private func waitingCount(_ address: String) async throws -> Int64? {
        try await PostgresServer.shared().number(
            """
            SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """, in: address)
    }

    @Test func aReadThatNobodyWaitsForEnds() async throws {
        try await PostgresServer.shared().withDatabase { address in
            try await PostgresStore.withNode(at: address, readerCount: 1) { store in
                _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
                _ = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(1))
                let start = MessageNumber(rawValue: 0)
                try await withLockedMessages(address) { unlock in
                    let first = Task { try await store.indexedMessages(after: start, limit: 10) }
                    while try await waitingCount(address) != 1 { await shortPause() }
                    let second = Task { try await store.indexedMessages(after: start, limit: 10) }

                    first.cancel()

                    await #expect(throws: CancellationError.self) { try await first.value }
                    // The other one has the connection now.
                    while try await waitingCount(address) != 1 { await shortPause() }
                    try unlock()
                    let found = try await second.value
                    #expect(found.count == 1)
                }
                _ = try await store.latestChange()
            }
        }
    }

    @Test func interruptionsMeetNobodyElse() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let messages = (0..<500).map { Message.short("c", MessageID(rawValue: "m\($0)")) }
            _ = try await store.accept(messages, source: "api", mode: .importing, at: .second(1))
            try await withThrowingTaskGroup { group in
                for round in 0..<150 {
                    group.addTask {
                        let reading = Task {
                            try await store.indexedMessages(after: MessageNumber(rawValue: 0), limit: 500)
                        }
                        for _ in 0..<round % 10 { await Task.yield() }
                        reading.cancel()
                        do {
                            let found = try await reading.value
                            #expect(found.count == 500)
                        } catch {
                            #expect(error is CancellationError)
                        }
                    }
                    group.addTask {
                        let found = try await store.indexedMessages(after: MessageNumber(rawValue: 0), limit: 20)
                        #expect(found.count == 20)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aServerThatCannotBeAskedHoldsUpNobody() async throws {
        try await PostgresServer.shared().withStore { _, address in
            try await PostgresServer.shared().withRelay(to: address) { relay, behind in
                try await PostgresStore.withNode(at: behind, readerCount: 1, answerLimit: .milliseconds(300)) { store in
                    let start = MessageNumber(rawValue: 0)
                    _ = try await untilReached { try await store.indexedMessages(after: start, limit: 1) }

                    relay.freeze()
                    let reading = Task { try await store.indexedMessages(after: start, limit: 1) }
                    await shortPause()
                    reading.cancel()
                    _ = await reading.result
                    relay.cut()

                    let found = try await untilReached { try await store.indexedMessages(after: start, limit: 1) }
                    #expect(found.isEmpty)
                }
            }
        }
    }
}
