import ChatCore
import Foundation

/// The table `migration_progress` of a target: there from the first step of a migration to the last.
///
/// A store that has it is not complete, and only a migration can open it.
enum MigrationRecord {
    /// The state of the source at the start.
    struct Source: Codable, Equatable {
        /// The epoch of its change log.
        var epoch: Int64
        /// The last number of its change log.
        var head: Int64

        init(of db: any SQLSession) throws {
            epoch = try ChangeLog.epoch(in: db)
            head = try ChangeLog.latest(in: db).rawValue
        }
    }

    /// The name of the entry with the source; all others have the name of a table.
    private static let sourceName = "source of the migration"

    static func exists(in db: any SQLSession) throws -> Bool {
        try db.number(db.catalog.tableCount, ["migration_progress"]) != 0
    }

    static func create(for source: Source, in db: any SQLSession) throws {
        try db.run("CREATE TABLE migration_progress (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)")
        try set(sourceName, source, in: db)
    }

    static func remove(in db: any SQLSession) throws { try db.run("DROP TABLE migration_progress") }

    static func source(in db: any SQLSession) throws -> Source? { try content(sourceName, in: db) }

    static func position(of table: MigratedTable, in db: any SQLSession) throws -> MigratedTable.Position {
        try content(table.name, in: db) ?? MigratedTable.Position()
    }

    static func set(_ position: MigratedTable.Position, of table: MigratedTable, in db: any SQLSession) throws {
        try set(table.name, position, in: db)
    }

    private static func content<Content: Decodable>(_ name: String, in db: any SQLSession) throws -> Content? {
        let row = try db.row("SELECT content FROM migration_progress WHERE name = ?", [name])
        return try row.map { try JSONColumn.value($0[0]) }
    }

    private static func set(_ name: String, _ content: some Encodable, in db: any SQLSession) throws {
        try db.run(
            """
            INSERT INTO migration_progress (name, content) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET content = excluded.content
            """, [name, try JSONColumn.text(of: content)])
    }
}

/// The last numbers that tables gave to their rows; numbers are never given twice.
enum MigrationCounters {
    /// The counters by table; tables that gave none may be missing.
    static func all(in db: any SQLSession) throws -> [String: Int64] {
        var counters: [String: Int64] = [:]
        for row in try db.rows(db.catalog.lastNumbers) { counters[row[0]] = row[1] ?? 0 }
        counters["changes"] = try db.lastChange()
        return counters
    }

    /// The tables that give numbers in a database; the two databases differ in tables that are not copied.
    private static func tables(in db: any SQLSession) throws -> Set<String> {
        Set(try db.rows(db.catalog.numberedTables).map { $0[0] as String }).union(["changes"])
    }

    /// Lets all tables continue after the counters.
    static func set(_ counters: [String: Int64], in db: any SQLSession) throws {
        let tables = try tables(in: db)
        for (table, last) in counters where last > 0 && tables.contains(table) {
            try db.setLastNumber(last, of: table)
        }
    }
}
