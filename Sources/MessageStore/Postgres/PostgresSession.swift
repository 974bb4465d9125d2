/// The statements of a transaction of PostgreSQL, on one connection.
///
/// A statement whose answer is not needed yet is sent, and answered with the next one that is read: each round trip costs
/// more than most statements.
final class PostgresSession {
    /// What the answer to a statement is used for.
    private enum Use {
        /// For nothing, and the statement cannot fail.
        case none
        case rowCount
        /// For the row count, and the number of the inserted row.
        case number
    }

    /// The most statements that are sent before the answers are read.
    private static let sendLimit = 256

    private let connection: any PostgresLink
    private var hasFailed = false
    private var texts: [String: PostgresText] = [:]
    private var cursorCount = 0
    private var lastNumber: Int64 = 0
    private var lastRowCount = 0
    private(set) var isInsideTransaction = false
    private var isWriting = false
    /// The statements that were sent and not answered.
    private var uses: [Use] = []
    /// The failure of a statement that was sent, until somebody is told.
    private var failure: (any Error)?
    /// The answers to statements without values, in a transaction that sees one state of the database; nil in others.
    private var known: [String: PostgresResult]?

    init(_ connection: any PostgresLink) { self.connection = connection }

    /// Whether the connection can be used.
    var isUsable: Bool { !hasFailed && connection.isOpen }

    func close() { connection.close() }

    /// The number of the row that was inserted last; 0 after a failure, which the next statement reports.
    var insertedNumber: Int64 {
        noteAnswers()
        return lastNumber
    }

    /// The number of rows that the last statement touched; 0 after a failure, which the next statement reports.
    var changedRowCount: Int {
        noteAnswers()
        return lastRowCount
    }

    /// Runs statements without values.
    func run(_ script: String) throws {
        try settle()
        try noting { try connection.run(script) }
    }

    /// Runs a statement of PostgreSQL.
    func execute(_ sql: String, _ values: [SQLValue] = [], isKept: Bool = true) throws -> PostgresResult {
        // The rows of a cursor are others each time.
        let isConstant = isKept && values.isEmpty
        if isConstant, let known = known?[sql] { return known }
        try send(sql, values, isKept: isKept, for: .rowCount)
        guard let answer = try takeAnswers().last else { throw PostgresFailure(code: nil) }
        if isConstant { known?[sql] = answer }
        return answer
    }

    /// Inserts rows; `columns` names the values of each.
    func copy(_ rows: [[SQLValue]], into table: String, columns: [String]) throws {
        try settle()
        let sql = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN"
        try noting { try connection.copy(sql, rows) }
    }

    private func send(_ sql: String, _ values: [SQLValue] = [], isKept: Bool = true, for use: Use = .none) throws {
        if let failure { throw failure }
        if uses.count >= Self.sendLimit { try settle() }
        try noting { try connection.send(sql, values, isKept: isKept) }
        uses.append(use)
    }

    /// Waits for the answers to what was sent.
    private func settle() throws {
        if let failure { throw failure }
        if !uses.isEmpty { _ = try takeAnswers() }
    }

    /// Waits for the answers, and keeps a failure for the next statement.
    private func noteAnswers() {
        guard failure == nil, !uses.isEmpty else { return }
        do { _ = try takeAnswers() } catch { failure = error }
    }

    private func takeAnswers() throws -> [PostgresResult] {
        let uses = uses
        self.uses = []
        let answers: [PostgresResult]
        do {
            answers = try noting { try connection.answers() }
        } catch {
            (lastNumber, lastRowCount) = (0, 0)
            throw error
        }
        for (use, answer) in zip(uses, answers) where use != .none {
            lastRowCount = answer.rowCount
            if use == .number, case .integer(let number)? = answer.rows.last?.first { lastNumber = number }
        }
        return answers
    }

    /// Forgets what was sent and how it went, after a failure.
    private func drop() {
        noteAnswers()
        failure = nil
    }

    private func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as PostgresFailure {
            if failure.isDisconnected { hasFailed = true }
            throw failure
        }
    }

    /// Sends a statement whose rows are not needed.
    func send(_ sql: String, _ values: [SQLArgument]) throws {
        let text = text(sql)
        let values = values.map { $0?.sqlValue ?? .null }
        try send(text.sql, values, for: text.returnsNumber ? .number : .rowCount)
    }

    /// Runs a statement and returns its rows.
    func rows(_ sql: String, _ values: [SQLArgument]) throws -> [SQLRow] {
        let text = text(sql)
        guard !text.returnsNumber else {
            try send(sql, values)
            try settle()
            return []
        }
        return try execute(text.sql, values.map { $0?.sqlValue ?? .null }).rows.map { SQLRow($0) }
    }

    /// Returns the rows of a statement in portions, which end with the transaction.
    func cursor(_ sql: String, _ values: [SQLArgument]) throws -> PostgresRowCursor {
        cursorCount += 1
        let name = "rows_\(cursorCount)"
        let declaration = "DECLARE \(name) NO SCROLL CURSOR FOR \(text(sql).sql)"
        try send(declaration, values.map { $0?.sqlValue ?? .null }, isKept: false, for: .rowCount)
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
    ///
    /// Nobody waits for its end.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        known = [:]
        defer { known = nil }
        return try transaction(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"], body) {
            try send("COMMIT")
            try noting { try connection.flush() }
        }
    }

    /// Runs a transaction that writes: no other one writes before it ends.
    ///
    /// The counter is stored and the transaction committed in one request, because others wait for the counter.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        isWriting = true
        defer { isWriting = false }
        return try transaction(["BEGIN ISOLATION LEVEL READ COMMITTED", PostgresSchema.lockLog], body) {
            try send(PostgresSchema.storeHead)
            try send("COMMIT")
            try settle()
        }
    }

    /// Runs a transaction that writes beside others, and cannot give numbers of the log.
    func writeAside<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction(["BEGIN ISOLATION LEVEL READ COMMITTED"], body) {
            try send("COMMIT")
            try settle()
        }
    }

    private func transaction<Value>(
        _ beginning: [String], _ body: () throws -> Value, end: () throws -> Void
    ) throws -> Value {
        isInsideTransaction = true
        defer { isInsideTransaction = false }
        failure = nil
        do {
            for statement in beginning { try send(statement) }
            let value = try body()
            try end()
            return value
        } catch {
            let error = failure ?? error
            drop()
            do {
                try send("ROLLBACK")
                try settle()
            } catch {
                hasFailed = true
            }
            throw error
        }
    }

    /// Runs a part of the transaction; undoes it if it says so, or fails.
    func savepoint(_ body: () throws -> SQLSession.Completion) throws {
        try send("SAVEPOINT part")
        do {
            switch try body() {
            case .rollback: try undoPart()
            case .commit:
                // The failure of a statement is one of this part.
                if failure != nil || uses.contains(where: { $0 != .none }) { try settle() }
                try send("RELEASE part")
            }
        } catch {
            let error = failure ?? error
            try? undoPart()
            throw error
        }
    }

    private func undoPart() throws {
        drop()
        try send("ROLLBACK TO part")
        try send("RELEASE part")
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
