import GRDB

/// A statement with its values.
struct SQLStatement: Sendable {
    let sql: String
    let values: [SQLArgument]

    init(_ sql: String, _ values: [SQLArgument] = []) { (self.sql, self.values) = (sql, values) }
}

/// The statements of one transaction.
///
/// All reading and writing of rows goes through a session. Statements are written in SQLite's language, as far as
/// PostgreSQL knows it too; ``PostgresText`` lists the other forms that may occur. A statement is prepared once for each
/// connection.
struct SQLSession {
    private enum Connection {
        case sqlite(Database)
        case postgres(PostgresSession)
    }

    /// How a part of a transaction ends.
    enum Completion {
        case commit
        case rollback
    }

    private let connection: Connection

    init(_ database: Database) { connection = .sqlite(database) }

    init(_ session: PostgresSession) { connection = .postgres(session) }

    /// Runs statements that only SQLite knows; does nothing, and returns nil, on another database.
    func onSQLite<Value>(_ body: (Database) throws -> Value) rethrows -> Value? {
        switch connection {
        case .sqlite(let database): try body(database)
        case .postgres: nil
        }
    }

    /// The rows of the bytes of files; nil where the bytes are in a folder.
    var filePieces: FilePieceRows? {
        switch connection {
        case .sqlite: nil
        case .postgres: FilePieceRows(db: self)
        }
    }

    /// Runs a statement; PostgreSQL may report its failure at a later one of the same transaction.
    func run(_ sql: String, _ values: [SQLArgument] = []) throws {
        switch connection {
        case .sqlite(let database): try database.statement(sql, values).execute()
        case .postgres(let session): try session.send(sql, values)
        }
    }

    /// Returns the first row of a statement.
    func row(_ sql: String, _ values: [SQLArgument] = []) throws -> SQLRow? {
        switch connection {
        case .sqlite(let database): try SQLiteRowCursor(database.statement(sql, values)).next()
        case .postgres(let session): try session.rows(sql, values).first
        }
    }

    /// Returns all rows of a statement.
    func rows(_ sql: String, _ values: [SQLArgument] = []) throws -> [SQLRow] {
        switch connection {
        case .sqlite(let database): try Array(SQLiteRowCursor(database.statement(sql, values)))
        case .postgres(let session): try session.rows(sql, values)
        }
    }

    /// Returns the rows of each statement; with PostgreSQL several cost as many round trips as one, and equal statements
    /// with other values are executed as one.
    func rows(_ statements: [SQLStatement]) throws -> [[SQLRow]] {
        switch connection {
        case .sqlite: try statements.map { try rows($0.sql, $0.values) }
        case .postgres(let session): try session.rows(statements)
        }
    }

    /// Returns the rows of a statement one after another; it must be read before the statement runs again.
    func cursor(_ sql: String, _ values: [SQLArgument] = []) throws -> SQLRowCursor {
        switch connection {
        case .sqlite(let database): SQLRowCursor(SQLiteRowCursor(try database.statement(sql, values)))
        case .postgres(let session): SQLRowCursor(try session.cursor(sql, values))
        }
    }

    /// Calls a body for each item, as `map` does; with PostgreSQL the bodies' reads cost few round trips together.
    ///
    /// A body may be called several times, and stops with an error that it must not catch where an answer is not there
    /// yet. So it only reads, and changes nothing outside of it but what it may change twice. The order of the calls is
    /// not that of the items. Calls may be nested.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - body: Reads rows for an item.
    /// - Returns: The values, in the order of the items.
    /// - Throws: Errors of the body, not always that of the first item.
    func together<Item, Value>(_ items: some Sequence<Item>, _ body: (Item) throws -> Value) throws -> [Value] {
        switch connection {
        case .sqlite: try items.map(body)
        case .postgres(let session): try session.together(Array(items), body)
        }
    }

    /// Reads what will be needed, in few round trips; does nothing with SQLite, which has none.
    ///
    /// The following statements of the transaction get the same answers, unless a table changes before. For the bodies the
    /// same holds as for ``together(_:_:)``; their errors count for nothing.
    func ahead(_ bodies: (() throws -> Void)...) throws {
        guard case .postgres(let session) = connection else { return }
        try session.ahead(bodies) { try $0() }
    }

    /// Reads what will be needed for several items, as ``ahead(_:)`` does.
    func ahead<Item>(_ items: some Sequence<Item>, _ body: (Item) throws -> Void) throws {
        guard case .postgres(let session) = connection else { return }
        try session.ahead(Array(items), body)
    }

    /// Returns the number in the first column of the first row.
    func number(_ sql: String, _ values: [SQLArgument] = []) throws -> Int64? {
        switch connection {
        case .sqlite(let database): try Int64.fetchOne(database.statement(sql, values))
        case .postgres(let session): try session.rows(sql, values).first?[0]
        }
    }

    /// Runs a part of the transaction, and undoes it.
    func undoing(_ body: () throws -> Void) throws {
        try inSavepoint {
            try body()
            return .rollback
        }
    }

    /// The last number of the change log that was given; it does not go back when changes are removed.
    func lastChange() throws -> Int64 {
        switch connection {
        case .sqlite: try number("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
        case .postgres(let session): try session.lastChange()
        }
    }

    /// The epoch of the change log whose database stores a number; see ``ChangeCursor/epoch``.
    func epoch(ofStored number: Int64) -> Int64 {
        switch connection {
        case .sqlite: number
        case .postgres(let session): session.origin.epoch(ofStored: number)
        }
    }

    /// Lets the numbers of a table continue after one; with PostgreSQL.
    func setLastNumber(_ number: Int64, of table: String) throws {
        guard case .postgres(let session) = connection else { return }
        try session.setLastNumber(number, of: table)
    }

    /// The number of the row that was inserted last into a table whose rows have numbers.
    var insertedNumber: Int64 {
        switch connection {
        case .sqlite(let database): database.lastInsertedRowID
        case .postgres(let session): session.insertedNumber
        }
    }

    /// Inserts rows with the values of these columns, also numbers that the table would give itself.
    func insert(_ rows: [[SQLValue]], into table: String, columns: [String]) throws {
        guard !rows.isEmpty else { return }
        switch connection {
        case .sqlite(let database):
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))"
            for row in rows { try database.statement(sql, row).execute() }
        case .postgres(let session): try session.copy(rows, into: table, columns: columns)
        }
    }

    /// Sets a column of numbers in rows with a key; with PostgreSQL in one statement.
    func update(_ table: String, set column: String, where key: String, _ rows: [(value: Int64, key: Int64)]) throws {
        guard !rows.isEmpty else { return }
        switch connection {
        case .sqlite:
            for row in rows { try run("UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", [row.value, row.key]) }
        case .postgres(let session):
            try session.send(
                """
                UPDATE \(table) AS old SET \(column) = new.value
                FROM unnest(?::bigint[], ?::bigint[]) AS new(value, key) WHERE old.\(key) = new.key
                """, [rows.map { $0.value }, rows.map { $0.key }])
        }
    }

    /// Whether statements that only PostgreSQL knows must be used.
    var isPostgres: Bool {
        switch connection {
        case .sqlite: false
        case .postgres: true
        }
    }

    /// The number of rows that the last statement inserted, updated or deleted.
    var changedRowCount: Int {
        switch connection {
        case .sqlite(let database): database.changesCount
        case .postgres(let session): session.changedRowCount
        }
    }
}

/// Transactions, for ``WriteQueue``.
extension SQLSession {
    /// The longest time from the call of a write to its end; nil if nothing limits it.
    var writeLimit: Duration? {
        switch connection {
        case .sqlite: nil
        case .postgres(let session): session.writeLimit
        }
    }

    /// Runs a transaction that writes; an error undoes it.
    ///
    /// - Parameters:
    ///   - deadline: When a server's answers are too late; nil for never.
    ///   - body: The statements.
    /// - Throws: The error of the body, or of the commit.
    func inTransaction(until deadline: ContinuousClock.Instant?, _ body: () throws -> Void) throws {
        switch connection {
        case .sqlite(let database):
            try database.inTransaction {
                try body()
                return .commit
            }
        case .postgres(let session):
            session.deadline = deadline
            defer { session.deadline = nil }
            try session.write(body)
        }
    }

    /// Runs a part of a transaction, which ends as the body says; an error undoes it.
    func inSavepoint(_ body: () throws -> Completion) throws {
        switch connection {
        case .sqlite(let database):
            try database.inSavepoint { try body() == .commit ? .commit : .rollback }
        case .postgres(let session): try session.savepoint(body)
        }
    }

    /// Whether there is a transaction; some errors of SQLite end it.
    var isInsideTransaction: Bool {
        switch connection {
        case .sqlite(let database): database.isInsideTransaction
        case .postgres(let session): session.isInsideTransaction
        }
    }
}

/// Reads the rows of a statement one after another.
final class SQLRowCursor {
    private enum Rows {
        case sqlite(SQLiteRowCursor)
        case postgres(PostgresRowCursor)
    }

    private let rows: Rows

    init(_ rows: SQLiteRowCursor) { self.rows = .sqlite(rows) }

    init(_ rows: PostgresRowCursor) { self.rows = .postgres(rows) }

    /// Returns the next row; nil after the last one.
    func next() throws -> SQLRow? {
        switch rows {
        case .sqlite(let rows): try rows.next()
        case .postgres(let rows): try rows.next()
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
