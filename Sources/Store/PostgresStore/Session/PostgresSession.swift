import MessageStore

/// The statements of a transaction of PostgreSQL, on one connection.
///
/// `PostgresSession+Transactions` begins and ends transactions; only it uses the fields that are not private.
///
/// A statement whose answer is not needed yet is only sent. Its answer is read with the next one that is needed,
/// because a round trip costs more than most statements.
final class PostgresSession {
    /// The use of a statement's answer.
    enum Use: Equatable {
        /// For nothing, and the statement cannot fail.
        case none
        case rowCount
        /// As the last number that a table gave.
        case lastNumber(table: String)
        /// As the last numbers that the tables of ``PostgresText/numbered`` gave, except for the log.
        case lastNumbers
        /// As the mark of the last change.
        case mark
        /// As the rows that ``PostgresSession/asked(_:_:)`` returns, by the number of the call.
        case later(Int)
        /// For the next read with this statement.
        case answer(to: String)
    }

    /// The numbers that a table gives to its rows.
    struct Counter {
        /// The last one before the transaction.
        let base: Int64
        var last: Int64
    }

    /// Rows that are not sent yet.
    struct Rows {
        let text: PostgresText
        var values: [[SQLValue]]
    }

    /// The most statements that are sent before the answers are read.
    private static let sendLimit = 256
    /// From this number of rows on, `COPY` costs less than statements that insert several rows.
    private static let copyLimit = 64

    let connection: any PostgresLink
    let lineage: PostgresLineage
    var hasFailed = false
    private var texts: [String: PostgresText] = [:]
    /// The statements for several lists of values, by name.
    private var joint: [String: String] = [:]
    private var cursorCount = 0
    private var lastNumber: Int64 = 0
    private var lastRowCount = 0
    /// The mark of the last change of this transaction.
    var lastMark: Int64?
    var hasTransaction = false
    /// The numbers of tables that were asked for, in a transaction that locked the log; nil in others.
    var counters: [String: Counter]?
    /// Rows to insert, by statement: one table after another costs less.
    var waiting: [Rows] = []
    /// The statements that were sent and not answered.
    var uses: [Use] = []
    /// The failure of a sent statement, until it is reported.
    var failure: (any Error)?
    /// Whether a statement of an earlier part may have failed.
    var isEarlierOpen = false
    /// Whether a statement of an earlier part did fail, so that the transaction can only be undone.
    var isBroken = false
    /// The answers to statements without values, in a transaction that sees one state of the database; nil in others.
    var known: [String: PostgresResult]?
    /// The rows that were asked for and not taken, by the number of the call.
    var askedRows: [Int: [SQLRow]] = [:]
    private var askedCount = 0
    /// The reads of a transaction that are sent together.
    let gathered = GatheredReads()
    private let traffic: StoreTraffic?

    init(_ connection: any PostgresLink, of lineage: PostgresLineage, countedBy traffic: StoreTraffic? = nil) {
        (self.connection, self.lineage, self.traffic) = (connection, lineage, traffic)
    }

    /// See ``PostgresLink/origin``.
    var origin: PostgresOrigin { connection.origin }

    /// See ``PostgresLink/waitsForDisk``.
    var waitsForDisk: Bool { connection.waitsForDisk }

    /// Whether there is a transaction that can continue.
    var isInsideTransaction: Bool { hasTransaction && !isBroken }

    /// Compares the log with the memory of the node, from now on; see ``PostgresLineage/begin(_:)``.
    func beginChecking() throws { try noting { try lineage.begin(connection) } }

    /// The longest time of a transaction that writes.
    var writeLimit: WriteLimit? {
        connection.answerLimit.map { WriteLimit(duration: $0, failure: PostgresFailure(code: nil, cause: .unanswered)) }
    }

    /// See ``PostgresLink/deadline``.
    var deadline: ContinuousClock.Instant? {
        get { connection.deadline }
        set { connection.deadline = newValue }
    }

    /// Whether the connection can be used.
    var isUsable: Bool { !hasFailed && lineage.isCurrent(origin) && connection.isOpen }

    /// See ``PostgresLink/interruption``.
    var interruption: @Sendable () -> Void { connection.interruption }

    /// Resets the session: an interruption may have hit the end of a transaction.
    ///
    /// - Parameter isInterrupted: Whether the request to interrupt has reached the server. Otherwise it might hit a
    ///   later statement, so the connection is not used again.
    func settle(isInterrupted: Bool) {
        guard isInterrupted else {
            hasFailed = true
            return
        }
        _ = try? takeAnswers()
        (failure, waiting) = (nil, [])
        do { try noting { try connection.run("ROLLBACK") } } catch { hasFailed = true }
    }

    /// Gives the locks of the session back: the server notices only a moment later that a connection was closed.
    func giveBackLocks() {
        guard isUsable else { return }
        deadline = .now + .seconds(1)
        try? runScript("SELECT pg_advisory_unlock_all()")
    }

    func close() { connection.close() }

    /// The number of the row that was inserted last.
    var insertedNumber: Int64 { lastNumber }

    /// The number of rows that the last statement touched; 0 after a failure, which the next statement reports.
    var changedRowCount: Int {
        guard waiting.isEmpty else { return 1 }
        awaitAnswers()
        return lastRowCount
    }

    /// Runs statements without values.
    func runScript(_ script: String) throws {
        try settle()
        traffic?.countStatement()
        traffic?.countRoundTrip()
        gathered.forget()
        try noting { try connection.run(script) }
    }

    /// Runs a statement of PostgreSQL.
    func execute(_ sql: String, _ values: [SQLValue] = [], isKept: Bool = true) throws -> PostgresResult {
        // A cursor returns other rows each time.
        let isConstant = isKept && values.isEmpty
        if isConstant, let known = known?[sql] { return known }
        try send(sql, values, isKept: isKept, for: .rowCount)
        guard let answer = try takeAnswers().last else { throw PostgresFailure(code: nil) }
        if isConstant { known?[sql] = answer }
        return answer
    }

    /// Inserts rows; `columns` names the values of each.
    func insert(_ rows: [[SQLValue]], into table: String, columns: [String]) throws {
        guard !rows.isEmpty else { return }
        guard !gathered.isGathering else { throw GatheredReads.WriteInBody() }
        try settle()
        traffic?.countStatement()
        traffic?.countRoundTrip()
        gathered.forget(whatReads: table)
        let sql = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN"
        try noting { try connection.copy(sql, rows) }
    }

    func send(_ sql: String, _ values: [SQLValue] = [], isKept: Bool = true, for use: Use = .none) throws {
        if !waiting.isEmpty { try sendWaiting() }
        try sendNow(sql, values, isKept: isKept, for: use)
    }

    private func sendNow(_ sql: String, _ values: [SQLValue], isKept: Bool = true, for use: Use) throws {
        if let failure { throw failure }
        if uses.count >= Self.sendLimit { _ = try takeAnswers() }
        try noting { try connection.send(sql, values, isKept: isKept) }
        traffic?.countStatement()
        uses.append(use)
    }

    /// Sends the rows that wait.
    func sendWaiting() throws {
        let groups = Dictionary(grouping: waiting) { $0.text.table }
        waiting = []
        for rows in PostgresText.batched.flatMap({ groups[$0] ?? [] }) {
            if rows.values.count < Self.copyLimit {
                try sendInserts(of: rows)
            } else if let table = rows.text.table, let columns = rows.text.columns {
                try insert(rows.values, into: table, columns: columns)
            }
        }
    }

    /// Sends statements that insert 32, 16, 8, 4, 2 or 1 rows: every number of rows needs few of them, and each is
    /// prepared once.
    private func sendInserts(of rows: Rows) throws {
        var rest = rows.values[...]
        while !rest.isEmpty {
            let count = 1 << (Int.bitWidth - 1 - rest.count.leadingZeroBitCount)
            let name = "\(count) \(rows.text.sql)"
            let sql = joint[name] ?? rows.text.inserting(count) ?? rows.text.sql
            joint[name] = sql
            try sendNow(sql, rest.prefix(count).flatMap { $0 }, for: .rowCount)
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for the answers to everything.
    func settle() throws {
        if !waiting.isEmpty { try sendWaiting() }
        if let failure { throw failure }
        if !uses.isEmpty { _ = try takeAnswers() }
    }

    /// Waits for the answers, and keeps a failure for the next statement.
    func awaitAnswers() {
        guard failure == nil else { return }
        do { try settle() } catch { failure = error }
    }

    private func takeAnswers() throws -> [PostgresResult] {
        let uses = uses
        self.uses = []
        if !uses.isEmpty { traffic?.countRoundTrip() }
        let answers: [PostgresResult]
        do {
            answers = try noting { try connection.answers() }
        } catch {
            lastRowCount = 0
            if isEarlierOpen { isBroken = true }
            throw error
        }
        isEarlierOpen = false
        for (use, answer) in zip(uses, answers) where use != .none {
            if case .answer(let sql) = use {
                gathered.keep(answer.rows.map { SQLRow($0) }, of: SQLStatement(sql))
                continue
            }
            if case .later(let number) = use {
                askedRows[number] = answer.rows.map { SQLRow($0) }
                continue
            }
            lastRowCount = answer.rowCount
            if use == .mark, case .integer(let mark)? = answer.rows.first?.first { lastMark = mark }
            if use == .lastNumbers, let row = answer.rows.first { begin(PostgresSchema.countedTables, after: row) }
            guard case .lastNumber(let table) = use else { continue }
            guard case .integer(let number)? = answer.rows.first?.first else { throw PostgresFailure(code: nil) }
            let base = counters?[table]?.base ?? number
            counters?[table] = Counter(base: base, last: number)
        }
        return answers
    }

    private func begin(_ tables: [String], after numbers: [SQLValue]) {
        for case (let table, .integer(let number)) in zip(tables, numbers) {
            counters?[table] = Counter(base: number, last: number)
        }
    }

    func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as PostgresFailure {
            if failure.isDisconnected { hasFailed = true }
            if failure.code == PostgresFailure.readOnlyCode { lineage.leave(origin) }
            throw failure
        }
    }

    /// Sends a statement whose rows are not needed, at the latest with the next one whose answer is needed.
    func run(_ sql: String, _ values: [SQLArgument]) throws {
        guard !gathered.isGathering else { throw GatheredReads.WriteInBody() }
        let text = text(sql)
        gathered.forget(whatReads: text.changedTable)
        var values = values.map { $0?.sqlValue ?? .null }
        if text.takesNumber, let table = text.table {
            lastNumber = try nextNumber(of: table)
            values.append(.integer(lastNumber))
        }
        guard text.columns == nil else {
            if let place = waiting.firstIndex(where: { $0.text.sql == text.sql }) {
                waiting[place].values.append(values)
            } else {
                waiting.append(Rows(text: text, values: [values]))
            }
            return
        }
        if text.copiesChanges { try send(PostgresSchema.setHead, [.integer(try lastChange())]) }
        try send(text.sql, values, for: .rowCount)
        guard text.copiesChanges else { return }
        let rowCount = changedRowCount
        try send(PostgresSchema.givenHead, for: .lastNumber(table: "changes"))
        try settle()
        lastRowCount = rowCount
    }

    /// Gives a number to a row.
    ///
    /// Asking the database for each would cost a round trip; nobody else gives numbers while the log is locked.
    private func nextNumber(of table: String) throws -> Int64 {
        if counters?[table] == nil { try settle() }
        guard let last = counters?[table]?.last else { throw PostgresFailure(code: nil) }
        counters?[table]?.last = last + 1
        return last + 1
    }

    /// Lets the numbers of a table continue after one.
    func setLastNumber(_ number: Int64, of table: String) throws {
        try settle()
        let base = counters?[table]?.base ?? 0
        counters?[table] = Counter(base: base, last: number)
    }

    /// Runs a statement and returns its rows.
    func rows(_ sql: String, _ values: [SQLArgument]) throws -> [SQLRow] {
        if let known = try gathered.rows(of: SQLStatement(sql, values)) { return known }
        return try execute(text(sql).sql, values.map { $0?.sqlValue ?? .null }).rows.map { SQLRow($0) }
    }

    /// Runs statements, and returns the rows of each; several cost as many round trips as one.
    func rows(_ statements: [SQLStatement]) throws -> [[SQLRow]] {
        if let known = try gathered.rows(statements) { return known }
        var found = [[SQLRow]](repeating: [], count: statements.count)
        let requests = JointStatement.joining(statements)
        for start in stride(from: 0, to: requests.count, by: Self.sendLimit / 2) {
            let part = requests[start..<min(start + Self.sendLimit / 2, requests.count)]
            if !waiting.isEmpty { try sendWaiting() }
            if uses.count > Self.sendLimit / 2 { try settle() }
            for request in part { try send(sql(of: request), request.values, for: .rowCount) }
            let answers = try takeAnswers().suffix(part.count)
            guard answers.count == part.count else { throw PostgresFailure(code: nil) }
            for (request, answer) in zip(part, answers) {
                request.distribute(answer.rows, to: &found)
            }
        }
        return found
    }

    /// See ``SQLSession/asked(_:_:)``.
    func asked(_ sql: String, _ values: [SQLArgument]) throws -> () throws -> [SQLRow] {
        askedCount += 1
        let number = askedCount
        try send(text(sql).sql, values.map { $0?.sqlValue ?? .null }, for: .later(number))
        return { [self] in
            if askedRows[number] == nil { try settle() }
            guard let rows = askedRows.removeValue(forKey: number) else { throw PostgresFailure(code: nil) }
            return rows
        }
    }

    /// See ``SQLSession/together(_:_:)``.
    func together<Item, Value>(_ items: [Item], _ body: (Item) throws -> Value) throws -> [Value] {
        try gathered.together(items, body) { statements in try rows(statements) }
    }

    /// See ``SQLSession/ahead(_:)``.
    func ahead<Item>(_ items: [Item], _ body: (Item) throws -> Void) throws {
        try gathered.ahead(items, body) { statements in try rows(statements) }
    }

    private func sql(of request: JointStatement) -> String {
        guard request.isJoint else { return text(request.sql).sql }
        if let known = joint[request.name] { return known }
        let sql = PostgresText.joint(request.sql, values: request.values)
        joint[request.name] = sql
        return sql
    }

    /// Returns the rows of a statement in portions, which end with the transaction.
    func cursor(_ sql: String, _ values: [SQLArgument]) throws -> any SQLRowCursor {
        // Bodies that run together cannot share a position.
        if let known = try gathered.rows(of: SQLStatement(sql, values)) {
            return PostgresRowCursor(known.map(\.values))
        }
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
        if counters != nil, counters?["changes"] == nil { try settle() }
        if let counter = counters?["changes"] { return counter.last }
        if counters == nil, known?[PostgresSchema.storedHead] == nil {
            // Also while reads are gathered, which are then sent with others.
            let both = [SQLStatement(PostgresSchema.storedHead), SQLStatement(ChangeLog.storedEpoch)]
            if let answers = try gathered.rows(both) {
                guard let row = answers[0].first else { throw PostgresFailure(code: nil) }
                return row[0]
            }
        }
        if known != nil, known?[PostgresSchema.storedHead] == nil {
            // A caller that asks for the end of the log needs its epoch, too.
            let both = [PostgresSchema.storedHead, ChangeLog.storedEpoch]
            for sql in both { try send(sql, for: .rowCount) }
            for (sql, answer) in zip(both, try takeAnswers().suffix(both.count)) { known?[sql] = answer }
        }
        guard case .integer(let number)? = try execute(PostgresSchema.storedHead).rows.first?.first else {
            throw PostgresFailure(code: nil)
        }
        return number
    }
}
