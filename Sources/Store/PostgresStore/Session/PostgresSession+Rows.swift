import ChatCore
import MessageStore

/// What the rows ask of every database.
extension PostgresSession: SQLSession {
    func row(_ sql: String, _ values: [SQLArgument]) throws -> SQLRow? { try rows(sql, values).first }

    func update(_ table: String, set column: String, where key: String, _ rows: [(value: Int64, key: Int64)]) throws {
        guard !rows.isEmpty else { return }
        try run(
            """
            UPDATE \(table) AS old SET \(column) = new.value
            FROM unnest(?::bigint[], ?::bigint[]) AS new(value, key) WHERE old.\(key) = new.key
            """, [rows.map { $0.value }, rows.map { $0.key }])
    }

    func epoch(ofStored number: Int64) -> Int64 { origin.epoch(ofStored: number) }

    var catalog: SQLCatalog { .postgres }

    func skippingLocked(_ table: String) -> String { " FOR UPDATE OF \(table) SKIP LOCKED" }

    func rosterVersion(known: Int) throws -> (version: Int, end: ChangeCursor) {
        try PostgresRosterVersion.withEnd(in: self)
    }

    func removeBytes(of file: FileID) throws { try FilePieceRows(db: self).remove(file) }

    func removeArrivingFiles(of user: String) throws { try FilePieceRows(db: self).removeArriving(of: user) }

    func eraseShortLived() throws { try PostgresKeptResponses.erase(in: self) }

    func inTransaction(until deadline: ContinuousClock.Instant?, _ body: () throws -> Void) throws {
        self.deadline = deadline
        defer { self.deadline = nil }
        try write(body)
    }
}

extension SQLCatalog {
    fileprivate static let postgres = SQLCatalog(
        // Without the marks of the log's rows, which belong to a log and not to what it says.
        columns: """
            SELECT c.relname::text, a.attname::text, COALESCE((
                SELECT k.place FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY k(attribute, place)
                WHERE i.indrelid = c.oid AND i.indisprimary AND k.attribute = a.attnum), 0)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
                AND NOT a.attisdropped AND (c.relname, a.attname) <> ('changes', 'mark')
            ORDER BY c.relname, a.attnum
            """,
        tableCount: "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?",
        lastNumbers: """
            SELECT c.table_name::text, pg_sequence_last_value(pg_get_serial_sequence(c.table_name, 'number')::regclass)
            FROM information_schema.columns c
            WHERE c.table_schema = current_schema() AND c.column_name = 'number' AND c.is_identity = 'YES'
            """,
        numberedTables: """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND column_name = 'number' AND is_identity = 'YES'
            """)
}
