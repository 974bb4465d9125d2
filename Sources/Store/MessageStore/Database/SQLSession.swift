package import ChatCore

/// A statement with its values.
package struct SQLStatement: Sendable {
    package let sql: String
    package let values: [SQLArgument]

    package init(_ sql: String, _ values: [SQLArgument] = []) { (self.sql, self.values) = (sql, values) }
}

/// The statements of one transaction.
///
/// All reading and writing of rows goes through a session. Statements are written in SQLite's language, as far as
/// PostgreSQL knows it too; ``PostgresText`` lists the other forms that may occur. A statement is prepared once for each
/// connection.
package protocol SQLSession {
    /// Runs a statement; PostgreSQL may report its failure at a later one of the same transaction.
    func run(_ sql: String, _ values: [SQLArgument]) throws

    /// Returns the first row of a statement.
    func row(_ sql: String, _ values: [SQLArgument]) throws -> SQLRow?

    /// Returns all rows of a statement.
    func rows(_ sql: String, _ values: [SQLArgument]) throws -> [SQLRow]

    /// Returns the rows of each statement; with PostgreSQL several cost as many round trips as one, and equal statements
    /// with other values are executed as one.
    func rows(_ statements: [SQLStatement]) throws -> [[SQLRow]]

    /// Returns the rows of a statement one after another; it must be read before the statement runs again.
    func cursor(_ sql: String, _ values: [SQLArgument]) throws -> any SQLRowCursor

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
    func together<Item, Value>(_ items: [Item], _ body: (Item) throws -> Value) throws -> [Value]

    /// Reads what will be needed for several items, in few round trips; does nothing with SQLite, which has none.
    ///
    /// The following statements of the transaction get the same answers, unless a table changes before. For the bodies the
    /// same holds as for ``together(_:_:)``; their errors count for nothing.
    func ahead<Item>(_ items: [Item], _ body: (Item) throws -> Void) throws

    /// Asks for rows that are needed later; a server's answer comes with that of a later statement.
    ///
    /// - Returns: The rows, as they were at this call; to be called once, in the same transaction.
    func asked(_ sql: String, _ values: [SQLArgument]) throws -> () throws -> [SQLRow]

    /// Inserts rows with the values of these columns, also numbers that the table would give itself.
    func insert(_ rows: [[SQLValue]], into table: String, columns: [String]) throws

    /// Sets a column of numbers in rows with a key.
    func update(_ table: String, set column: String, where key: String, _ rows: [(value: Int64, key: Int64)]) throws

    /// The number of the row that was inserted last into a table whose rows have numbers.
    var insertedNumber: Int64 { get }

    /// The number of rows that the last statement inserted, updated or deleted.
    var changedRowCount: Int { get }

    /// The last number of the change log that was given; it does not go back when changes are removed.
    func lastChange() throws -> Int64

    /// The epoch of the change log whose database stores a number; see ``ChangeCursor/epoch``.
    func epoch(ofStored number: Int64) -> Int64

    /// The statements that ask the database about its tables.
    var catalog: SQLCatalog { get }

    /// Returns the end of a `SELECT` of ``StoreEngine/writeAside(seesOneState:_:)`` that locks the rows of a table, and leaves
    /// out those that other transactions are changing; empty for SQLite, where one transaction writes.
    func skippingLocked(_ table: String) -> String

    /// Lets the numbers of a table continue after one.
    func setLastNumber(_ number: Int64, of table: String) throws

    /// Returns the end of the change log, and the version of what decides who sees what.
    ///
    /// - Parameter known: The version that is known; it is the present one where one process writes, which hears of
    ///   changes by itself.
    /// - Returns: The present version, and the end.
    /// - Throws: ``RepositoryError``.
    func rosterVersion(known: Int) throws -> (version: Int, end: ChangeCursor)

    /// Removes the bytes of a file whose row goes: now, or after the transaction.
    func removeBytes(of file: FileID) throws

    /// Removes files of a person that are arriving, as far as they are in the database.
    func removeArrivingFiles(of user: String) throws

    /// Removes what the database keeps for some minutes, and may hold what is erased.
    func eraseShortLived() throws

    /// The longest time from the call of a write to its end; nil if nothing limits it.
    var writeLimit: WriteLimit? { get }

    /// Runs a transaction that writes; an error undoes it.
    ///
    /// - Parameters:
    ///   - deadline: When a server's answers are too late; nil for never.
    ///   - body: The statements.
    /// - Throws: The error of the body, or of the commit.
    func inTransaction(until deadline: ContinuousClock.Instant?, _ body: () throws -> Void) throws

    /// Runs a part of a transaction, which ends as the body says; an error undoes it.
    func inSavepoint(_ body: () throws -> SavepointEnd) throws

    /// Whether there is a transaction; some errors of SQLite end it.
    var isInsideTransaction: Bool { get }
}

/// How a part of a transaction ends.
package enum SavepointEnd {
    case commit
    case rollback
}

/// The longest time of a write.
package struct WriteLimit {
    package let duration: Duration
    /// The error of a write that waited for longer.
    package let failure: any Error

    package init(duration: Duration, failure: any Error) { (self.duration, self.failure) = (duration, failure) }
}

/// The statements that ask a database about its tables.
package struct SQLCatalog: Sendable {
    /// Table, column, and place in the primary key from 1, or 0, of each column.
    package let columns: String
    /// The number of tables with a name; value: the name.
    package let tableCount: String
    /// Table and last number of the tables that gave numbers to rows.
    package let lastNumbers: String
    /// The tables that give numbers to rows.
    package let numberedTables: String

    package init(columns: String, tableCount: String, lastNumbers: String, numberedTables: String) {
        (self.columns, self.tableCount) = (columns, tableCount)
        (self.lastNumbers, self.numberedTables) = (lastNumbers, numberedTables)
    }
}

/// Reads the rows of a statement one after another.
package protocol SQLRowCursor: AnyObject {
    /// Returns the next row; nil after the last one.
    func next() throws -> SQLRow?
}

extension SQLSession {
    package func run(_ sql: String) throws { try run(sql, []) }

    package func row(_ sql: String) throws -> SQLRow? { try row(sql, []) }

    package func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

    package func cursor(_ sql: String) throws -> any SQLRowCursor { try cursor(sql, []) }

    /// Returns the number in the first column of the first row.
    package func number(_ sql: String, _ values: [SQLArgument] = []) throws -> Int64? { try row(sql, values)?[0] }

    package func together<Item, Value>(_ items: some Sequence<Item>, _ body: (Item) throws -> Value) throws -> [Value] {
        try together(Array(items), body)
    }

    /// Reads what will be needed, as ``ahead(_:_:)`` does.
    package func ahead(_ bodies: (() throws -> Void)...) throws { try ahead(bodies) { try $0() } }

    package func ahead<Item>(_ items: some Sequence<Item>, _ body: (Item) throws -> Void) throws {
        try ahead(Array(items), body)
    }

    /// Runs a part of the transaction, and undoes it.
    package func undoing(_ body: () throws -> Void) throws {
        try inSavepoint {
            try body()
            return .rollback
        }
    }
}
