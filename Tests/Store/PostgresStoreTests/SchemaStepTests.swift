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
    /// What a next release might add.
    private static let steps = [
        StoreSchema.Step(number: 101, sql: "ALTER TABLE conversations ADD COLUMN topic TEXT;"),
        StoreSchema.Step(number: 102, sql: "ALTER TABLE members ADD COLUMN mood INTEGER NOT NULL DEFAULT 0;"),
        StoreSchema.Step(
            number: 103,
            sql: """
                CREATE TABLE topics (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    weight REAL NOT NULL,
                    digest BLOB
                ) STRICT;
                CREATE INDEX topics_by_weight ON topics (weight);
                """),
    ]

    /// Takes the steps, as a node of a next release does.
    private static func upgrade(_ address: String) async throws {
        try await SQLStore.makeTables(steps: steps) { try LibpqConnection(address) }
    }

    /// A node of the release before: its tables, and the statements with which it posts.
    private final class OldNode {
        private let connection: LibpqConnection

        init(_ address: String) throws { connection = try LibpqConnection(address) }

        /// Makes the tables, and a conversation.
        static func making(_ address: String) async throws -> OldNode {
            try await SQLStore.makeTables(steps: []) { try LibpqConnection(address) }
            let node = try OldNode(address)
            try node.connection.run(
                """
                BEGIN;
                INSERT INTO conversations (id, kind, visibility, created_at, updated_at)
                    VALUES ('c', 'group', 'members', 0, 0);
                INSERT INTO members (conversation, user_id, display_name, aliases, joined_at, source, author_id)
                    VALUES (1, 'ada', 'Ada', '[]', 0, 'api', 'ada');
                COMMIT
                """)
            return node
        }

        deinit { connection.close() }

        /// Whether it starts.
        func starts() throws -> Bool {
            let found = try connection.execute("SELECT MAX(version) FROM schema_version", [], isKept: false).rows
            guard case .integer(let version)? = found.first?.first else { return false }
            return version <= StoreSchema.version
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
                    VALUES (1, 'old-\(number)', 1, 'api', 'ada', 'ada', 'Ada', 'berth \(number)', 'text', 0, 1);
                INSERT INTO changes (kind, conversation, message) VALUES (1, 1, currval('messages_number_seq'));
                UPDATE change_lanes SET head = current_setting('nexus.head')::bigint
                    WHERE lane = 0 AND head <> current_setting('nexus.head')::bigint;
                COMMIT
                """)
        }
    }

    @Test func aDatabaseOfTheReleaseBeforeIsUpgradedWhileItsNodesWrite() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let old = try await OldNode.making(address)
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
                        if number == 10 { try await Self.upgrade(address) }
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

                    let kept = first.services.keptResponses
                    let attempt = try await kept.demandStart([1])
                    try await kept.finish(attempt, with: KeptResponsesContract.full)
                    let step = try await second.services.keptResponses.begin([1], bodyHash: [0])
                    #expect(step == .replay(KeptResponsesContract.full, attempt))
                }
            }
        }
    }

    @Test func aStepIsWrittenInTheWordsOfSQLite() async throws {
        try await PostgresServer.shared().withDatabase { address in
            try await Self.upgrade(address)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            let columns = try connection.execute(
                """
                SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, is_identity)
                FROM information_schema.columns
                WHERE table_schema = current_schema() AND (table_name = 'topics' OR column_name IN ('topic', 'mood'))
                ORDER BY 1
                """, [], isKept: false
            ).rows
            let wanted = [
                "conversations topic text C NO", "members mood bigint NO", "topics digest bytea NO",
                "topics number bigint YES", "topics weight double precision NO",
            ]
            #expect(columns == wanted.map { [.text($0)] })
        }
    }

    @Test func eachStepIsTakenOnceByOneOfManyNodes() async throws {
        try await PostgresServer.shared().withDatabase { address in
            _ = try await OldNode.making(address)
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 { group.addTask { try await Self.upgrade(address) } }
                try await group.waitForAll()
            }
            try await PostgresServer.shared().withNode(at: address) { store in
                let taken = try await store.inspect("SELECT number FROM schema_steps ORDER BY number")
                #expect(taken == StoreSchema.steps.map { "\($0.number)" } + ["101", "102", "103"])
            }
        }
    }

    /// A later release may have taken further steps; only a later version refuses earlier nodes.
    @Test func stepsOfALaterReleaseAreLeftAlone() async throws {
        try await PostgresServer.shared().withStore { _, address in
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("INSERT INTO schema_steps (number) VALUES (199)")
            try await PostgresServer.shared().withNode(at: address) { store in
                let last = try await store.inspect("SELECT MAX(number) FROM schema_steps")
                #expect(last == ["199"])
            }

            let later = StoreSchema.version + 1
            try connection.run("INSERT INTO schema_version (version) VALUES (\(later))")
            await #expect(throws: RepositoryError.fromTheFuture(found: "\(later)")) {
                try await PostgresServer.shared().withNode(at: address) { _ in }
            }
        }
    }

    /// The first release wrote the same tables under another number.
    @Test func aDatabaseOfTheFirstReleaseIsTakenOver() async throws {
        try await PostgresServer.shared().withStore { _, address in
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(
                """
                UPDATE schema_version SET version = 11;
                INSERT INTO schema_steps (number) SELECT generate_series(1, 11)
                """)
            await #expect(throws: StoreOpenError.tooOld(found: "11")) {
                try await PostgresServer.shared().withNode(at: address) { _ in }
            }

            try connection.run("INSERT INTO schema_steps (number) VALUES (12)")
            for _ in 0..<2 {
                try await PostgresServer.shared().withNode(at: address) { store in
                    let version = try await store.inspect("SELECT MAX(version) FROM schema_version")
                    #expect(version == ["\(StoreSchema.version)"])
                }
            }
        }
    }

    @Test func aStepIsTriedAgain() async throws {
        try await PostgresServer.shared().withDatabase { address in
            _ = try await OldNode.making(address)
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
                group.addTask { try await Self.upgrade(address) }
                while try !isWaiting() { await shortPause() }
                while try isWaiting() { await shortPause() }
                try holder.run("ROLLBACK")
                try await group.waitForAll()
            }
            let taken = try watcher.execute("SELECT COUNT(*) FROM schema_steps", [], isKept: false).rows
            #expect(taken == [[.integer(3)]])
        }
    }

    /// A statement that waits for a lock would let all others wait behind it.
    @Test func aStepDoesNotWaitLongForALock() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let old = try await OldNode.making(address)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("SET idle_in_transaction_session_timeout = 0")
            try connection.run("BEGIN; LOCK TABLE conversations IN SHARE UPDATE EXCLUSIVE MODE")

            await #expect(throws: RepositoryError.self) { try await Self.upgrade(address) }
            try old.post(0)

            try connection.run("ROLLBACK")
            try await Self.upgrade(address)
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
