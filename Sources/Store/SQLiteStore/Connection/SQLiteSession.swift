import ChatCore
import Foundation
import GRDB
import GRDBSQLite
import MessageStore

/// The statements of one transaction of SQLite.
struct SQLiteSession: SQLSession {
    let database: Database

    init(_ database: Database) { self.database = database }

    func run(_ sql: String, _ values: [SQLArgument]) throws { try database.statement(sql, values).execute() }

    func row(_ sql: String, _ values: [SQLArgument]) throws -> SQLRow? {
        try SQLiteRowCursor(database.statement(sql, values)).next()
    }

    func rows(_ sql: String, _ values: [SQLArgument]) throws -> [SQLRow] {
        try Array(SQLiteRowCursor(database.statement(sql, values)))
    }

    func rows(_ statements: [SQLStatement]) throws -> [[SQLRow]] { try statements.map { try rows($0.sql, $0.values) } }

    func cursor(_ sql: String, _ values: [SQLArgument]) throws -> any SQLRowCursor {
        SQLiteRowCursor(try database.statement(sql, values))
    }

    func together<Item, Value>(_ items: [Item], _ body: (Item) throws -> Value) throws -> [Value] {
        try items.map(body)
    }

    func ahead<Item>(_ items: [Item], _ body: (Item) throws -> Void) {}

    func asked(_ sql: String, _ values: [SQLArgument]) throws -> () throws -> [SQLRow] {
        let rows = try rows(sql, values)
        return { rows }
    }

    func insert(_ rows: [[SQLValue]], into table: String, columns: [String]) throws {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))"
        for row in rows { try run(sql, row) }
    }

    func update(_ table: String, set column: String, where key: String, _ rows: [(value: Int64, key: Int64)]) throws {
        for row in rows { try run("UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", [row.value, row.key]) }
    }

    var insertedNumber: Int64 { database.lastInsertedRowID }

    var changedRowCount: Int { database.changesCount }

    func lastChange() throws -> Int64 { try number("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0 }

    func epoch(ofStored number: Int64) -> Int64 { number }

    var catalog: SQLCatalog { .sqlite }

    func skippingLocked(_ table: String) -> String { "" }

    func setLastNumber(_ number: Int64, of table: String) throws {
        try run("DELETE FROM sqlite_sequence WHERE name = ?", [table])
        try run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, number])
    }

    func rosterVersion(known: Int) throws -> (version: Int, end: ChangeCursor) { (known, try ChangeLog.end(in: self)) }

    /// The bytes are in a folder, and are deleted after the transaction.
    func removeBytes(of file: FileID) throws {
        try run("INSERT INTO removed_files (id) VALUES (?) ON CONFLICT DO NOTHING", [file.rawValue])
    }

    func removeArrivingFiles(of user: String) {}

    func eraseShortLived() {}

    var writeLimit: WriteLimit? { nil }

    func inTransaction(until deadline: ContinuousClock.Instant?, _ body: () throws -> Void) throws {
        try database.inTransaction {
            try body()
            return .commit
        }
    }

    func inSavepoint(_ body: () throws -> SavepointEnd) throws {
        try database.inSavepoint { try body() == .commit ? .commit : .rollback }
    }

    var isInsideTransaction: Bool { database.isInsideTransaction }
}

extension SQLCatalog {
    fileprivate static let sqlite = SQLCatalog(
        columns: """
            SELECT m.name, p.name, p.pk FROM sqlite_master m JOIN pragma_table_info(m.name) p
            WHERE m.type = 'table' ORDER BY m.name, p.cid
            """,
        tableCount: "SELECT COUNT(*) FROM sqlite_master WHERE name = ?",
        lastNumbers: "SELECT name, seq FROM sqlite_sequence",
        numberedTables: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
}

/// Reads the rows of a statement of SQLite one after another.
final class SQLiteRowCursor: DatabaseCursor, SQLRowCursor {
    typealias Element = SQLRow

    let _statement: Statement
    var _isDone = false

    /// - Parameter statement: A statement that has its values and has not begun.
    init(_ statement: Statement) { _statement = statement }

    deinit {
        // Fails if the last step failed, which was reported then.
        sqlite3_reset(_statement.sqliteStatement)
    }

    func _element(sqliteStatement: SQLiteStatement) throws -> SQLRow { SQLRow(sqliteStatement) }
}

extension SQLRow {
    fileprivate init(_ statement: SQLiteStatement) {
        let count = sqlite3_column_count(statement)
        self.init((0..<count).map { Self.value(statement, $0) })
    }

    private static func value(_ statement: SQLiteStatement, _ column: CInt) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let bytes = UnsafeBufferPointer(
                start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(statement, column) else { return .data(Data()) }
            return .data(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        default: return .null
        }
    }
}

extension Database {
    /// Returns a statement with its values.
    ///
    /// They are bound one by one: building and checking a list of arguments for each row took a third of the time of an
    /// import.
    fileprivate func statement(_ sql: String, _ values: [SQLArgument]) throws -> Statement {
        let statement = try cachedStatement(sql: sql)
        // Sets all of them to NULL, and marks them as set.
        statement.setUncheckedArguments(StatementArguments())
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let code = ResultCode(rawValue: value.sqlValue.bind(to: statement.sqliteStatement, at: CInt(index + 1)))
            guard code == .SQLITE_OK else { throw DatabaseError(resultCode: code) }
        }
        return statement
    }
}

extension SQLValue {
    /// Binds the value to a statement of SQLite, and returns the result code.
    fileprivate func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        switch self {
        case .null: ResultCode.SQLITE_OK.rawValue
        case .integer(let number): number.bind(to: statement, at: index)
        case .real(let number): number.bind(to: statement, at: index)
        case .text(let text): text.bind(to: statement, at: index)
        case .data(let data): data.bind(to: statement, at: index)
        case .list(let list): list.json.bind(to: statement, at: index)
        }
    }
}

extension DatabaseError: DatabaseFailure {
    var translated: any Error {
        switch (resultCode, extendedResultCode) {
        case (.SQLITE_INTERRUPT, _) where Task.isCancelled, (.SQLITE_ABORT, _) where Task.isCancelled:
            CancellationError()
        // SQLite returns SQLITE_IOERR_WRITE for writes beyond the process's file size limit.
        case (.SQLITE_FULL, _), (_, .SQLITE_IOERR_WRITE), (_, .SQLITE_IOERR_SHMSIZE): RepositoryError.storageFull
        case (.SQLITE_READONLY, _): RepositoryError.storageReadOnly
        // The last two: the file system, or an extension of SQLite, found a checksum that does not match.
        case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _), (_, .SQLITE_IOERR_CORRUPTFS), (_, .SQLITE_IOERR_DATA):
            RepositoryError.storageDamaged
        default: RepositoryError.unavailable(reason: extendedResultCode.description)
        }
    }

    var trouble: StorageTrouble? { nil }

    var isDisconnected: Bool { false }

    var isLostRace: Bool { false }

    var isOfOneItem: Bool? { true }
}
