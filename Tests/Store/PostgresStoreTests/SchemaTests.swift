import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

/// Both databases have the same tables.
@Suite(.hangGuard) struct SchemaTests {
    /// Returns a column of a statement of SQLite on a new store.
    private func onSQLite(_ sql: String) async throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        let found = try await store.inspect(sql)
        await store.close()
        return Set(found)
    }

    private func onPostgres(_ sql: String) async throws -> Set<String> {
        var found: Set<String> = []
        try await PostgresServer.shared().withStore { store, _ in found = Set(try await store.inspect(sql)) }
        return found
    }

    @Test func tablesHaveTheSameColumns() async throws {
        let sqlite = try await onSQLite(
            """
            SELECT m.name || '.' || p.name || CASE WHEN p."notnull" OR p.pk THEN ' NOT NULL' ELSE '' END
            FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
            """)
        let postgres = try await onPostgres(
            """
            SELECT table_name || '.' || column_name || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
            FROM information_schema.columns WHERE table_schema = current_schema()
            """)

        #expect(sqlite.count > 100)
        #expect(
            postgres.subtracting(sqlite).sorted() == [
                "arriving_files.byte_count NOT NULL", "arriving_files.heard_at NOT NULL", "arriving_files.id NOT NULL",
                "arriving_files.owner_id NOT NULL", "change_lanes.head NOT NULL", "change_lanes.lane NOT NULL",
                "changes.mark", "embedding_tokens.day NOT NULL", "embedding_tokens.token_count NOT NULL",
                "ended_epochs.epoch NOT NULL", "erasure_count.number NOT NULL", "erasure_count.place NOT NULL",
                "file_bytes.bytes NOT NULL",
                "file_bytes.file_id NOT NULL", "file_bytes.place NOT NULL", "kept_responses.attempt NOT NULL",
                "kept_responses.basis", "kept_responses.begun_at NOT NULL", "kept_responses.body",
                "kept_responses.body_hash NOT NULL", "kept_responses.byte_count", "kept_responses.digest NOT NULL",
                "kept_responses.ends_at", "kept_responses.erasures NOT NULL", "kept_responses.fields",
                "kept_responses.node NOT NULL", "kept_responses.status", "leases.name NOT NULL",
                "leases.owner NOT NULL", "leases.until NOT NULL", "log_servers.system NOT NULL",
                "log_servers.timeline NOT NULL", "nodes.heartbeat_until NOT NULL",
                "nodes.id NOT NULL", "nodes.started_at NOT NULL", "one_time_values.digest NOT NULL",
                "one_time_values.until NOT NULL", "one_time_values.user_id", "one_time_values.value NOT NULL",
                "request_buckets.digest NOT NULL", "request_buckets.full_at NOT NULL",
                "request_buckets.granted NOT NULL", "roster_version.place NOT NULL", "roster_version.version NOT NULL",
                "schema_steps.number NOT NULL", "schema_steps.taken_at NOT NULL", "schema_version.version NOT NULL",
            ])
        #expect(
            sqlite.subtracting(postgres).sorted() == ["removed_files.id NOT NULL", "removed_files.number NOT NULL"])
    }

    @Test func indexesHaveTheSameNames() async throws {
        let sqlite = try await onSQLite(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name NOT LIKE 'sqlite_%'")
        let postgres = try await onPostgres(
            """
            SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()
                AND indexname NOT IN (SELECT conname FROM pg_constraint)
            """)

        #expect(sqlite.count > 50)
        #expect(
            postgres.subtracting(sqlite).sorted() == [
                "kept_responses_by_end", "kept_responses_in_work", "one_time_values_by_end",
            ])
        #expect(sqlite.subtracting(postgres) == [])
    }

    /// Without values and rows the planner knows only which indexes there are.
    @Test func noHotStatementHasToReadAWholeTable() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.inspect("SET enable_seqscan = off")
            _ = try await store.inspect("SET plan_cache_mode = force_generic_plan")
            for statement in HotStatement.allCases {
                let sql = PostgresText(statement.sql).sql
                _ = try await store.inspect("PREPARE \(statement.rawValue) AS \(sql)")
                let valueCount = (1...20).last { sql.contains("$\($0)") } ?? 0
                let values = Array(repeating: "NULL", count: valueCount).joined(separator: ", ")
                let plan = try await store.inspect(
                    "EXPLAIN EXECUTE \(statement.rawValue)\(values.isEmpty ? "" : "(\(values))")")

                #expect(!plan.isEmpty)
                #expect(plan.filter { $0.contains("Seq Scan") } == [], "\(statement)")
            }
        }
    }

    /// Such a plan is kept until the node gathers statistics; these statements run for each message until then.
    @Test(arguments: [
        (HotStatement.feedParents, ["AND (id = m.reply_to_id)", "AND (id = m_1.thread_root_id)"]),
        (.feedConcerned, ["changes_pkey"]), (.changes, ["changes_pkey"]),
    ])
    func aPlanWithoutStatisticsBeginsAtTheRightEnd(_ statement: HotStatement, parts: [String]) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let sql = PostgresText(statement.sql).sql
            _ = try await store.inspect("PREPARE planned AS \(sql)")
            let valueCount = (1...20).last { sql.contains("$\($0)") } ?? 0
            let values = Array(repeating: "NULL", count: valueCount).joined(separator: ", ")
            let plan = try await store.inspect("EXPLAIN EXECUTE planned(\(values))")

            for part in parts { #expect(plan.contains { $0.contains(part) }, "\(plan)") }
            #expect(plan.filter { $0.contains("Gather") } == [])
            #expect(try await store.inspect("SHOW max_parallel_workers_per_gather") == ["0"])
        }
    }
}
