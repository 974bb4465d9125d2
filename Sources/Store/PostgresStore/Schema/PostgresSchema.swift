import ChatCore
import MessageStore

/// The tables in PostgreSQL: those of ``StoreSchema``, and what several nodes need.
///
/// An empty database gets the tables, and then the steps, as an older database does. Texts are ordered by their bytes, as
/// in SQLite; truth values are 0 and 1.
enum PostgresSchema {
    /// Begins a transaction that writes: waits for its turn, and returns the last number of the log.
    static let lockLog = "SELECT head FROM change_lanes WHERE lane = 0 FOR UPDATE"

    /// Ends a transaction that writes, and returns the mark of the last row of the log; value: the row's number.
    static let storeHead = """
        UPDATE change_lanes SET head = $1 WHERE lane = 0
        RETURNING COALESCE((SELECT mark FROM changes WHERE number = $1), 0)
        """

    /// Lets `next_change` continue; value: the last number that was given.
    static let setHead = "SELECT set_config('nexus.head', $1::bigint::text, true)"

    /// The last number that `next_change` gave.
    static let givenHead = "SELECT current_setting('nexus.head')::bigint"

    /// The tables whose rows get numbers from ``PostgresSession``, except for the log.
    static let countedTables = PostgresText.numbered.subtracting(["changes"]).sorted()

    /// The last numbers of the rows of ``countedTables``.
    static let lastNumbers =
        "SELECT "
        + countedTables.map {
            "(SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \($0)_number_seq)"
        }
        .joined(separator: ", ")

    /// Lets the numbers of a table continue; value: the last number that was given.
    static func storeNumber(of table: String) -> String { "SELECT setval('\(table)_number_seq', $1)" }

    /// The last number, within a transaction that reads.
    static let storedHead = "SELECT head FROM change_lanes WHERE lane = 0"

    /// Values: name, owner, seconds.
    ///
    /// The database's clock decides, because those of the nodes may differ.
    static let takeLease = """
        INSERT INTO leases (name, owner, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
        WHERE leases.owner = excluded.owner OR leases.until < clock_timestamp()
        RETURNING 1
        """

    /// Values: name, owner, seconds.
    static let renewLease = """
        UPDATE leases SET until = clock_timestamp() + $3 * interval '1 second'
        WHERE name = $1 AND owner = $2 RETURNING 1
        """

    /// Values: name, owner.
    static let endLease = "DELETE FROM leases WHERE name = $1 AND owner = $2"

    static let all = functions + translated(StoreSchema.tables) + fileBytes + triggers + nodes + beginning

    /// The lane's row is written with each transaction: most of its page stays free, so that no index entry is added.
    private static let functions = """
        CREATE TABLE change_lanes (
            lane BIGINT PRIMARY KEY,
            head BIGINT NOT NULL
        ) WITH (fillfactor = 10);

        -- For statements that insert several changes; others give the number.
        CREATE FUNCTION next_change() RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
            SELECT set_config('nexus.head', (current_setting('nexus.head')::bigint + 1)::text, true)::bigint
        $$;

        CREATE FUNCTION list_texts(list TEXT, path TEXT) RETURNS TABLE (value TEXT)
        LANGUAGE sql IMMUTABLE STRICT ROWS 50 AS $$
            SELECT element FROM jsonb_array_elements_text(jsonb_path_query_first(list::jsonb, path::jsonpath)) AS element
        $$;

        CREATE FUNCTION json_extract(content TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT AS $$
            SELECT jsonb_path_query_first(content::jsonb, path::jsonpath) #>> '{}'
        $$;

        CREATE TABLE leases (
            name TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            until TIMESTAMPTZ NOT NULL
        );

        CREATE TABLE schema_version (
            version BIGINT PRIMARY KEY
        );

        CREATE TABLE schema_steps (
            number BIGINT PRIMARY KEY,
            taken_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
        );

        """

    /// What memories depend on; see ``RosterMemory`` and ``MemberNameRows``.
    private static let triggers = PostgresRosterVersion.table + forgettingNames

    /// The bytes of files, in pieces; a place is the number of bytes before the piece.
    ///
    /// The bytes are not compressed, so that a part of a piece can be
    /// read alone; most large files are compressed themselves. They refer to no row, because a file arrives before it
    /// has one.
    private static let fileBytes = """
        CREATE TABLE arriving_files (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            owner_id TEXT COLLATE "C" NOT NULL,
            byte_count BIGINT NOT NULL,
            heard_at BIGINT NOT NULL
        ) WITH (fillfactor = 50);

        CREATE TABLE file_bytes (
            file_id TEXT COLLATE "C" NOT NULL,
            place BIGINT NOT NULL,
            bytes BYTEA NOT NULL,
            PRIMARY KEY (file_id, place)
        );
        ALTER TABLE file_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;

        """

    /// 48 bits keep cursors short.
    private static let beginning = """
        INSERT INTO change_lanes (lane, head) VALUES (0, 0);
        INSERT INTO change_log (place, epoch) VALUES (1, floor(random() * 281474976710656)::bigint);
        INSERT INTO schema_version (version) VALUES (\(StoreSchema.version));
        """

    /// The number of the advisory lock of a node that creates tables.
    private static let creationLock = 7_236_837_201

    /// Creates the tables in an empty database, and takes the steps that are missing; of several nodes one does it, and
    /// the others wait.
    ///
    /// - Throws: ``PostgresFailure``; ``RepositoryError/fromTheFuture(found:)`` for later tables;
    ///   ``StoreOpenError/tooOld(found:)``, ``StoreOpenError/schemaNotPermitted``.
    static func migrate(_ session: PostgresSession, steps: [StoreSchema.Step] = StoreSchema.steps) throws {
        do {
            try session.withoutLimit {
                try makeTables(session)
                try take(steps, session)
            }
        } catch let failure as PostgresFailure where failure.code == "42501" {
            throw StoreOpenError.schemaNotPermitted
        }
    }

    private static func makeTables(_ session: PostgresSession) throws {
        try locked(session) {
            if try !hasTables(session) { try session.runScript(all) }
        }
        var found = try foundVersion(session)
        if found == oldVersion, try hasTable("schema_steps", session), try takenSteps(session).isSuperset(of: 1...12) {
            try session.runScript(
                "INSERT INTO schema_version (version) VALUES (\(StoreSchema.version)) ON CONFLICT DO NOTHING")
            found = StoreSchema.version
        }
        guard found <= StoreSchema.version else { throw RepositoryError.fromTheFuture(found: "\(found)") }
        guard found == StoreSchema.version else { throw StoreOpenError.tooOld(found: "\(found)") }
    }

    /// Release 0.1 made the same tables in twelve steps after this version.
    ///
    /// Its nodes refuse to start once the present version is noted.
    private static let oldVersion = 11

    private static func foundVersion(_ session: PostgresSession) throws -> Int {
        try session.rows("SELECT MAX(version) FROM schema_version", []).first?[0] ?? 0
    }

    /// Runs a transaction while no other node changes tables.
    static func locked(_ session: PostgresSession, _ body: () throws -> Void) throws {
        try session.runScript("BEGIN; SELECT pg_advisory_xact_lock(\(creationLock))")
        do {
            try body()
            try session.runScript("COMMIT")
        } catch {
            try? session.runScript("ROLLBACK")
            throw error
        }
    }

    /// The number of the advisory lock that nodes share, and that a migration has alone.
    private static let useLock = 7_236_837_202

    /// Takes the lock of those who use the database, until the connection ends.
    ///
    /// - Throws: ``StoreOpenError/unfinishedMigration``, or ``MigrationError/databaseInUse`` for a migration.
    static func takeUseLock(_ session: PostgresSession, alone: Bool) throws {
        let function = alone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared"
        let isFree = try session.execute("SELECT \(function)(\(useLock))", isKept: false).rows == [[.integer(1)]]
        guard !isFree else { return }
        throw alone ? MigrationError.databaseInUse : StoreOpenError.unfinishedMigration
    }

    /// Writes as much as a disk must accept before it is not full any more, and removes it.
    ///
    /// One statement, because a `BEGIN` before one that fails would leave the connection in a broken transaction.
    static let probe = """
        CREATE TEMPORARY TABLE nexus_probe ON COMMIT DROP AS SELECT md5(random()::text) AS filler
            FROM generate_series(1, 8192)
        """

    /// Returns the tables that this role owns, as a list for `ANALYZE` and `VACUUM`; nil if there are none.
    ///
    /// PostgreSQL writes a warning to its log for each other table, also those of its catalog.
    ///
    /// - Parameters:
    ///   - session: The connection.
    ///   - isFree: Whether tables are left out that somebody analyzes or vacuums now.
    /// - Returns: The list, with quoted names.
    /// - Throws: ``PostgresFailure``.
    static func ownTables(_ session: PostgresSession, isFree: Bool = false) throws -> String? {
        let sql = """
            SELECT string_agg(quote_ident(c.relname), ', ') FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
                AND pg_has_role(c.relowner, 'USAGE') AND NOT (\(isFree) AND EXISTS (
                    SELECT 1 FROM pg_locks l WHERE l.relation = c.oid AND l.mode = 'ShareUpdateExclusiveLock'
                        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))
            """
        guard case .text(let tables)? = try session.execute(sql, isKept: false).rows.first?.first else { return nil }
        return tables
    }

    /// Whether the database has the tables of a store.
    static func hasTables(_ session: PostgresSession) throws -> Bool { try hasTable("schema_version", session) }

    /// Whether there is a table now; `to_regclass` may remember that there was none before a lock was free.
    static func hasTable(_ name: String, _ session: PostgresSession) throws -> Bool {
        let sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = '\(name)'"
        return try !session.execute(sql, isKept: false).rows.isEmpty
    }

    /// Whether all indexes and references are valid; reads every row.
    ///
    /// - Throws: ``PostgresFailure``, with a code that begins with `XX` for damaged data.
    static func isSound(_ session: PostgresSession) throws -> Bool {
        let invalid = try session.rows(
            """
            SELECT 1 FROM pg_index WHERE NOT indisvalid
            UNION ALL SELECT 1 FROM pg_constraint WHERE NOT convalidated
            """, [])
        let tables = try session.rows("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()", [])
        for table in tables { _ = try session.rows("SELECT COUNT(t.*) FROM \(table[0] as String) t", []) }
        let hasOrphan = try PostgresReference.unchecked.contains { try !session.rows($0.orphan, []).isEmpty }
        return invalid.isEmpty && !hasOrphan
    }

    /// Returns all tables with columns of texts or bytes: all types but numbers, truth values and times.
    static func contentTables(in db: any SQLSession) throws -> [ContentTable] {
        let rows = try db.rows(
            """
            SELECT c.relname::text, a.attname::text, a.atttypid = 'bytea'::regtype, pg_table_size(c.oid)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'm') AND a.attnum > 0
                AND NOT a.attisdropped AND t.typcategory NOT IN ('N', 'B', 'D', 'T') ORDER BY c.relname, a.attnum
            """)
        return Dictionary(grouping: rows) { $0[0] as String }.sorted { $0.key < $1.key }.map { name, rows in
            ContentTable(
                name: name, columns: rows.map { ContentTable.Column(name: $0[1], holdsBytes: $0[2]) },
                byteCount: rows.first?[3] ?? 0)
        }
    }
}
