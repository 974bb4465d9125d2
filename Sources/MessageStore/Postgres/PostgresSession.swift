/// The statements of a transaction of PostgreSQL, on one connection.
final class PostgresSession {
    private let connection: any PostgresLink
    private var hasFailed = false
    private var texts: [String: PostgresText] = [:]
    private var cursorCount = 0
    private(set) var insertedNumber: Int64 = 0
    private(set) var changedRowCount = 0
    private(set) var isInsideTransaction = false
    private var isWriting = false

    init(_ connection: any PostgresLink) { self.connection = connection }

    /// Whether the connection can be used.
    var isUsable: Bool { !hasFailed && connection.isOpen }

    func close() { connection.close() }

    /// Runs statements without values.
    func run(_ script: String) throws { try noting { try connection.run(script) } }

    /// Runs a statement of PostgreSQL.
    func execute(_ sql: String, _ values: [SQLValue] = [], isKept: Bool = true) throws -> PostgresResult {
        try noting { try connection.execute(sql, values, isKept: isKept) }
    }

    /// Inserts rows; `columns` names the values of each.
    func copy(_ rows: [[SQLValue]], into table: String, columns: [String]) throws {
        let sql = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN"
        try noting { try connection.copy(sql, rows) }
    }

    private func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as PostgresFailure {
            if failure.isDisconnected { hasFailed = true }
            throw failure
        }
    }

    /// Runs a statement and returns its rows.
    @discardableResult
    func rows(_ sql: String, _ values: [SQLArgument]) throws -> [SQLRow] {
        let text = text(sql)
        let result = try execute(text.sql, values.map { $0?.sqlValue ?? .null })
        changedRowCount = result.rowCount
        if text.returnsNumber {
            if case .integer(let number)? = result.rows.last?.first { insertedNumber = number }
            return []
        }
        return result.rows.map { SQLRow($0) }
    }

    /// Returns the rows of a statement in portions, which end with the transaction.
    func cursor(_ sql: String, _ values: [SQLArgument]) throws -> PostgresRowCursor {
        cursorCount += 1
        let name = "rows_\(cursorCount)"
        let declaration = "DECLARE \(name) NO SCROLL CURSOR FOR \(text(sql).sql)"
        _ = try execute(declaration, values.map { $0?.sqlValue ?? .null }, isKept: false)
        return PostgresRowCursor(name, self)
    }

    private func text(_ sql: String) -> PostgresText {
        if let known = texts[sql] { return known }
        let text = PostgresText(sql)
        texts[sql] = text
        return text
    }

    /// The last number of the change log, within the transaction.
    func lastChange() throws -> Int64 {
        let sql = isWriting ? PostgresSchema.givenHead : PostgresSchema.storedHead
        guard case .integer(let number)? = try execute(sql).rows.first?.first else {
            throw PostgresFailure(code: nil)
        }
        return number
    }

    /// Runs a transaction that sees one state of the database.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body, end: "COMMIT")
    }

    /// Runs a transaction that writes: no other one writes before it ends.
    ///
    /// The counter is stored and the transaction committed in one request, because others wait for the counter.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        isWriting = true
        defer { isWriting = false }
        return try transaction(
            "BEGIN ISOLATION LEVEL READ COMMITTED; \(PostgresSchema.lockLog)", body,
            end: "\(PostgresSchema.storeHead); COMMIT")
    }

    /// Runs a transaction that writes beside others, and cannot give numbers of the log.
    func writeAside<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN ISOLATION LEVEL READ COMMITTED", body, end: "COMMIT")
    }

    private func transaction<Value>(_ begin: String, _ body: () throws -> Value, end: String) throws -> Value {
        isInsideTransaction = true
        defer { isInsideTransaction = false }
        do {
            try run(begin)
            let value = try body()
            try run(end)
            return value
        } catch {
            do { try run("ROLLBACK") } catch { hasFailed = true }
            throw error
        }
    }

    /// Runs a part of the transaction; undoes it if it says so, or fails.
    func savepoint(_ body: () throws -> SQLSession.Completion) throws {
        try run("SAVEPOINT part")
        do {
            if try body() == .rollback { try run("ROLLBACK TO part") }
            try run("RELEASE part")
        } catch {
            try? run("ROLLBACK TO part; RELEASE part")
            throw error
        }
    }
}

/// Reads the rows of a cursor of PostgreSQL.
final class PostgresRowCursor {
    private static let portion = 200

    private let name: String
    private let session: PostgresSession
    private var rows: [[SQLValue]].Iterator = [].makeIterator()
    private var isDone = false

    init(_ name: String, _ session: PostgresSession) {
        (self.name, self.session) = (name, session)
    }

    func next() throws -> SQLRow? {
        if let row = rows.next() { return SQLRow(row) }
        guard !isDone else { return nil }
        let fetched = try session.execute("FETCH \(Self.portion) FROM \(name)", isKept: false).rows
        isDone = fetched.count < Self.portion
        rows = fetched.makeIterator()
        return rows.next().map { SQLRow($0) }
    }
}
