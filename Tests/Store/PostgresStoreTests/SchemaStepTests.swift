import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

/// Upgrades of a database while nodes of the release before use it.
@Suite(.hangGuard) struct SchemaStepTests {
    /// A node of the release before: its tables, and the statements with which it posts.
    private final class OldNode {
        private let connection: LibpqConnection

        init(_ address: String, makesTables: Bool = false) throws {
            connection = try LibpqConnection(address)
            guard makesTables else { return }
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/schema-11.sql")
            try connection.run(
                """
                BEGIN; \(String(contentsOf: file, encoding: .utf8));
                INSERT INTO conversations (id, kind, visibility, created_at, updated_at)
                    VALUES ('c', 'group', 'members', 0, 0);
                INSERT INTO members (conversation, user_id, display_name, aliases, joined_at, source, author_id)
                    VALUES (1, 'ada', 'Ada', '[]', 0, 'api', 'ada');
                COMMIT
                """)
        }

        deinit { connection.close() }

        /// Whether it starts.
        func starts() throws -> Bool {
            let found = try connection.execute("SELECT MAX(version) FROM schema_version", [], isKept: false).rows
            guard case .integer(let version)? = found.first?.first else { return false }
            return version <= 11
        }

        func beat() throws {
            try connection.run(
                """
                INSERT INTO nodes (id, started_at, heartbeat_until) VALUES ('old', 0, 9000000000000000)
                ON CONFLICT (id) DO UPDATE SET heartbeat_until = EXCLUDED.heartbeat_until
                """)
        }

        func post(_ number: Int) throws {
            try connection.run(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED;
                SELECT set_config('nexus.head', (SELECT head FROM change_lanes WHERE lane = 0 FOR UPDATE)::text, true);
                INSERT INTO messages (conversation, id, revision, source, author_id, sender_id, sender_name, text, kind,
                    timestamp, is_embeddable)
                    SELECT value, 'old-\(number)', 1, 'api', 'ada', 'ada', 'Ada', 'berth \(number)', 'text', 0, 1
                    FROM list_numbers('[1]');
                INSERT INTO changes (kind, conversation, message) VALUES (1, 1, currval('messages_number_seq'));
                UPDATE change_lanes SET head = current_setting('nexus.head')::bigint
                    WHERE lane = 0 AND head <> current_setting('nexus.head')::bigint;
                COMMIT
                """)
        }
    }

    /// What a database consists of, apart from rows.
    private static let catalog = """
        SELECT concat(c.relname, ' ', c.relkind, ' ', c.relpersistence, ' ') || COALESCE(c.reloptions::text, '')
            || COALESCE(' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull, '')
            || COALESCE(' ' || pg_get_indexdef(i.indexrelid), '')
        FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            LEFT JOIN pg_index i ON i.indexrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace ORDER BY 1
        """

    @Test func aDatabaseOfTheReleaseBeforeIsUpgradedWhileItsNodesWrite() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let old = try OldNode(address, makesTables: true)
            for number in 0..<20 { try old.post(number) }
            let isDone = Flag()
            let posting = Task {
                try await onOwnThread {
                    let old = try OldNode(address)
                    var number = 20
                    while number < 60 || !isDone.isSet {
                        try old.beat()
                        try old.post(number)
                        number += 1
                    }
                    return number
                }
            }
            try await PostgresServer.shared().withNode(at: address) { first in
                try await PostgresServer.shared().withNode(at: address) { second in
                    for number in 0..<20 {
                        let outcomes = try await [first, second][number % 2].accept(
                            [.short("c", MessageID(rawValue: "new-\(number)"), by: "ada", "quay \(number)")],
                            source: "api", mode: .posting, at: .second(1))
                        #expect(outcomes == [.inserted])
                    }
                    isDone.set()
                    let count = try await posting.value

                    // The log has no gap, and everything is there.
                    let scope = SearchScope(asker: "ada", conversations: .all)
                    let keys = (0..<count).map { MessageKey.of("c", MessageID(rawValue: "old-\($0)")) }
                    #expect(try await second.messages(keys, in: scope, at: .second(2)).count == count)
                    #expect(try await first.inspect("SELECT COUNT(*) FROM messages") == ["\(count + 20)"])
                    #expect(
                        try await first.inspect("SELECT head - COUNT(*) FROM change_lanes, changes GROUP BY head")
                            == ["0"])
                    #expect(try await first.audit().damagedFiles == 0)
                    // Nodes of both releases start.
                    #expect(try old.starts())

                    let kept = try #require(first.keptResponses())
                    let attempt = try await kept.demandStart([1])
                    try await kept.finish(attempt, with: KeptResponsesContract.full)
                    let step = try await #require(second.keptResponses()).begin([1], bodyHash: [0])
                    #expect(step == .replay(KeptResponsesContract.full, attempt))
                }
            }
        }
    }

    @Test func anUpgradedDatabaseIsLikeANewOne() async throws {
        var (upgraded, fresh) = (Set<String>(), Set<String>())
        try await PostgresServer.shared().withDatabase { address in
            _ = try OldNode(address, makesTables: true)
            try await PostgresServer.shared().withNode(at: address) { store in
                upgraded = Set(try await store.inspect(Self.catalog))
            }
        }
        try await PostgresServer.shared().withStore { store, _ in
            fresh = Set(try await store.inspect(Self.catalog))
        }
        #expect(fresh.count > 300)
        #expect(upgraded.symmetricDifference(fresh).sorted() == [])
    }

    @Test func eachStepIsTakenOnceByOneOfManyNodes() async throws {
        try await PostgresServer.shared().withDatabase { address in
            _ = try OldNode(address, makesTables: true)
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await PostgresServer.shared().withNode(at: address) { store in
                            let taken = try await store.inspect("SELECT number FROM schema_steps ORDER BY number")
                            #expect(taken == (1...taken.count).map(String.init))
                            #expect(try await store.inspect("SELECT number FROM erasure_count") == ["0"])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// A later release may have taken further steps; only a later version refuses earlier nodes.
    @Test func stepsOfALaterReleaseAreLeftAlone() async throws {
        try await PostgresServer.shared().withStore { _, address in
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("INSERT INTO schema_steps (number) VALUES (99)")
            try await PostgresServer.shared().withNode(at: address) { store in
                let last = try await store.inspect("SELECT MAX(number) FROM schema_steps")
                #expect(last == ["99"])
            }

            try connection.run("INSERT INTO schema_version (version) VALUES (12)")
            await #expect(throws: RepositoryError.fromTheFuture(found: "12")) {
                try await PostgresServer.shared().withNode(at: address) { _ in }
            }
        }
    }

    @Test func aStepIsTriedAgain() async throws {
        try await PostgresServer.shared().withDatabase { address in
            _ = try OldNode(address, makesTables: true)
            let (holder, watcher) = (try LibpqConnection(address), try LibpqConnection(address))
            defer { for connection in [holder, watcher] { connection.close() } }
            try holder.run("SET idle_in_transaction_session_timeout = 0")
            try holder.run("BEGIN; LOCK TABLE conversations IN SHARE UPDATE EXCLUSIVE MODE")
            func isWaiting() throws -> Bool {
                try !watcher.execute(
                    """
                    SELECT 1 FROM pg_locks WHERE NOT granted
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """, [], isKept: false
                ).rows.isEmpty
            }

            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await PostgresServer.shared().withNode(at: address) { store in
                        let first = try await store.inspect("SELECT MIN(number) FROM schema_steps")
                        #expect(first == ["1"])
                    }
                }
                while try !isWaiting() { await shortPause() }
                while try isWaiting() { await shortPause() }
                try holder.run("ROLLBACK")
                try await group.waitForAll()
            }
        }
    }

    /// A statement that waits for a lock would let all others wait behind it.
    @Test func aStepDoesNotWaitLongForALock() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let old = try OldNode(address, makesTables: true)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("SET idle_in_transaction_session_timeout = 0")
            try connection.run("BEGIN; LOCK TABLE conversations IN SHARE UPDATE EXCLUSIVE MODE")

            await #expect(throws: RepositoryError.self) {
                try await PostgresServer.shared().withNode(at: address) { _ in }
            }
            try old.post(0)

            try connection.run("ROLLBACK")
            try await PostgresServer.shared().withNode(at: address) { store in
                let count = try await store.inspect("SELECT COUNT(*) FROM messages")
                #expect(count == ["1"])
            }
        }
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }
}
