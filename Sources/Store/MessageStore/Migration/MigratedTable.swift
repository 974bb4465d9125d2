/// A table whose rows a migration copies.
package struct MigratedTable: Sendable {
    /// A position among the rows of a table, in the order in which they are copied.
    struct Position: Codable, Equatable {
        var rowCount: Int64 = 0
        /// The key of the last row; empty at the start, and for tables without a primary key.
        var key: [Key] = []
        var isAtEnd = false
    }

    /// A value of a primary key.
    enum Key: Codable, Equatable {
        case integer(Int64)
        case text(String)
    }

    let name: String
    /// All columns, in the order of the database whose catalog was read.
    let columns: [String]
    /// The columns of the primary key; empty if there is none.
    let key: [String]

    /// Names of the copied tables; a table comes after those that it refers to.
    package static let names = [
        "conversations", "members", "member_names", "reading_spans", "identities", "users", "messages", "changes",
        "direct_pairs",
        "preferences",
        "deliveries", "addressed", "tombstones", "conversation_tombstones", "departures", "spent_local_ids",
        "change_marks", "events", "generations", "passages", "vectors", "queue", "embedding_usage", "question_usage",
        "erasure_pieces", "files", "threads", "turns", "turn_sources", "turn_history", "turn_hits", "turn_shown",
        "turn_conversations", "user_tokens", "items", "extractions", "removals", "summaries", "mentions",
        "mention_sources", "mention_deliveries", "mention_watermark", "outdated_turns", "outdated_posts",
        "outdated_watermark", "replacement_verdicts", "schedules", "schedule_posts", "digest_lines",
        "connector_rooms", "connector_events", "connections", "connector_inbox", "remote_files", "person_links",
        "source_addresses", "link_attempts", "link_outcomes",
        "notifications", "notification_marks", "saved_messages", "scheduled_messages", "scheduled_marks",
        "personal_settings", "profiles", "conversation_pictures", "push_devices", "device_marks", "api_keys",
        "accounts", "account_links",
        "account_sessions", "assistant_readings", "server_secrets", "audit_log",
    ]

    /// Tables that are not copied, with the reason.
    package static let leftOut = [
        "change_log": "the target has its own epoch; the trimmed position is copied at the end",
        "change_lanes": "the head of the log is copied at the end",
        "log_servers": "the servers that nodes have used",
        "ended_epochs": "epochs of the log that were replaced",
        "schema_version": "made with the tables",
        "index_snapshots": "names files of indexes, which are built again",
        "word_snapshots": "names a file of the index of words, which is built again",
        "arriving_files": "uploads do not outlast their server",
        "file_bytes": "copied file by file",
        "leases": "belong to servers that run",
        "nodes": "lists servers that run",
        "kept_responses": "end within minutes",
        "erasure_count": "serves kept_responses",
        "request_buckets": "end within minutes",
        "embedding_tokens": "counts open requests, and begins with embedding_usage",
        "roster_version": "made with the tables",
        "schema_steps": "made with the tables",
        "one_time_values": "end within minutes",
        "erased_users": "concern requests of servers that run",
        "link_codes": "end within minutes",
        "removed_files": "names bytes that are still to be deleted, and are not copied",
    ]

    /// Reads the catalog: the copied tables of this database by name.
    static func all(in db: any SQLSession) throws -> [String: MigratedTable] {
        let rows = try db.rows(db.catalog.columns)
        var columns: [String: [String]] = [:]
        var keys: [String: [(place: Int, column: String)]] = [:]
        for row in rows {
            let (table, column, place) = (row[0] as String, row[1] as String, row[2] as Int)
            columns[table, default: []].append(column)
            if place > 0 { keys[table, default: []].append((place, column)) }
        }
        var tables: [String: MigratedTable] = [:]
        for name in names {
            tables[name] = MigratedTable(
                name: name, columns: columns[name] ?? [],
                key: (keys[name] ?? []).sorted { $0.place < $1.place }.map(\.column))
        }
        return tables
    }

}

extension MigratedTable {
    /// The limits of a portion.
    struct Limits: Sendable {
        var rowCount = 10_000
        /// A portion ends with the row that reaches it.
        var byteCount = 8 << 20
    }

    /// Reads the rows after a position.
    ///
    /// - Returns: The rows, with values in the order of ``columns``, and the position of the last one.
    func portion(after start: Position, _ limits: Limits, in db: any SQLSession) throws -> ([[SQLValue]], Position) {
        let cursor = try db.cursor(statement(after: start), values(after: start, limits))
        var rows: [[SQLValue]] = []
        var byteCount = 0
        while let row = try cursor.next() {
            rows.append(row.values)
            byteCount += row.values.reduce(0) { $0 + $1.byteCount }
            if byteCount >= limits.byteCount { break }
        }
        var end = start
        end.rowCount += Int64(rows.count)
        end.isAtEnd = rows.count < limits.rowCount && byteCount < limits.byteCount
        if let last = rows.last, !key.isEmpty {
            let named = Dictionary(uniqueKeysWithValues: zip(columns, last))
            end.key = try key.map { column in
                switch named[column] {
                case .integer(let number): .integer(number)
                case .text(let text): .text(text)
                default: throw MigrationError.tableDiffers(name)
                }
            }
        }
        return (rows, end)
    }

    private func statement(after start: Position) -> String {
        let selection = "SELECT \(columns.joined(separator: ", ")) FROM \(name)"
        // Equal rows of a table without a key need no order among them.
        guard !key.isEmpty else { return "\(selection) ORDER BY \(columns.joined(separator: ", ")) LIMIT ? OFFSET ?" }
        let names = key.joined(separator: ", ")
        let places = key.map { _ in "?" }.joined(separator: ", ")
        let condition = start.key.isEmpty ? "" : " WHERE (\(names)) > (\(places))"
        return "\(selection)\(condition) ORDER BY \(names) LIMIT ?"
    }

    private func values(after start: Position, _ limits: Limits) -> [SQLArgument] {
        guard !key.isEmpty else { return [limits.rowCount, start.rowCount] }
        let values: [SQLArgument] = start.key.map { key in
            switch key {
            case .integer(let number): number
            case .text(let text): text
            }
        }
        return values + [limits.rowCount]
    }

    /// Returns the digest of all rows; values are hashed in the order of ``columns``.
    func digest(in db: any SQLSession) throws -> RowDigest {
        let cursor = try db.cursor("SELECT \(columns.joined(separator: ", ")) FROM \(name)")
        var digest = RowDigest()
        while let row = try cursor.next() { digest.add(row.values) }
        return digest
    }
}

extension SQLValue {
    fileprivate var byteCount: Int {
        switch self {
        case .null: 1
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        case .list: preconditionFailure("no column holds a list")
        }
    }
}
