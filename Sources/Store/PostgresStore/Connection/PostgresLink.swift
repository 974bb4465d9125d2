import ChatCore
package import MessageStore

/// A connection to PostgreSQL, which blocks the thread that uses it; one thread at a time.
package protocol PostgresLink: AnyObject {
    /// Sends a statement with values for `$1`, `$2` and so on, without waiting for its answer.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - values: The values. The first ones decide the types with which a statement is prepared: `int8`,
    ///     `float8`, `text`, `bytea`, and for NULL what PostgreSQL infers.
    ///   - isKept: Whether the statement is prepared once, and kept for the next time.
    /// - Throws: ``PostgresFailure``.
    func send(_ sql: String, _ values: [SQLValue], isKept: Bool) throws

    /// Makes the server execute the sent statements, even if nobody asks for the answers.
    ///
    /// - Throws: ``PostgresFailure``.
    func flush() throws

    /// Waits for the answers to all statements that were sent since the last call.
    ///
    /// After a statement that fails, the server executes none of the others.
    ///
    /// - Returns: For each the rows, and the number of rows that were inserted, updated, deleted or selected.
    /// - Throws: ``PostgresFailure`` of the first that failed.
    func answers() throws -> [PostgresResult]

    /// Runs statements without values.
    ///
    /// - Throws: ``PostgresFailure``.
    func run(_ script: String) throws

    /// Runs `COPY … FROM STDIN` in the text format.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - rows: The values of each row, in the order of the statement's columns.
    /// - Throws: ``PostgresFailure``; no row is inserted then.
    func copy(_ sql: String, _ rows: [[SQLValue]]) throws

    /// Waits until another connection notified this one, a descriptor can be read, or the time is over.
    ///
    /// - Parameters:
    ///   - wake: The descriptor.
    ///   - milliseconds: The longest time.
    /// - Returns: The notifications, and whether the descriptor can be read.
    /// - Throws: ``PostgresFailure``.
    func waitForNews(wake: Int32, milliseconds: Int64) throws -> PostgresNews

    /// The server; it stays the same while the connection is open.
    var origin: PostgresOrigin { get }

    /// Whether a commit returns only once it is on the disk, as the server decided when the connection was opened.
    var waitsForDisk: Bool { get }

    /// The longest time for an answer; after that the connection counts as lost. Nil for no limit.
    ///
    /// The server is asked to end the statement then.
    var answerLimit: Duration? { get set }

    /// The time at which answers are too late, for the statements of a transaction together; nil for none.
    var deadline: ContinuousClock.Instant? { get set }

    /// Whether the server has not closed the connection; asks nothing of the server.
    var isOpen: Bool { get }

    /// Asks the server to end the statement that runs, which then fails with `query_canceled`.
    ///
    /// It can be called from any thread, also when the connection is closed. It blocks until the request has reached
    /// the server, and does not affect statements that are sent after that.
    var interruption: @Sendable () -> Void { get }

    /// Ends the connection; a second call does nothing.
    func close()
}

extension PostgresLink {
    /// Runs a statement, and returns its answer.
    ///
    /// - Throws: ``PostgresFailure``, also of statements that were sent before.
    package func execute(_ sql: String, _ values: [SQLValue], isKept: Bool) throws -> PostgresResult {
        try send(sql, values, isKept: isKept)
        guard let answer = try answers().last else { throw PostgresFailure(code: nil) }
        return answer
    }
}

/// The outcome of a wait.
package struct PostgresNews: Sendable {
    /// A notification of another connection.
    package struct Notification: Hashable, Sendable {
        package let channel: String
        package let payload: String

        package init(channel: String, payload: String) {
            self.channel = channel
            self.payload = payload
        }
    }

    package let notifications: [Notification]
    /// Whether the descriptor can be read.
    package let isWoken: Bool

    package init(notifications: [Notification] = [], isWoken: Bool = false) {
        self.notifications = notifications
        self.isWoken = isWoken
    }
}

/// The result of a statement.
package struct PostgresResult: Sendable {
    /// The values by row and column: numbers and truth values as integers, `bytea` as data.
    package var rows: [[SQLValue]]
    /// The number of rows that the statement touched or returned.
    package var rowCount: Int

    package init(rows: [[SQLValue]] = [], rowCount: Int = 0) {
        self.rows = rows
        self.rowCount = rowCount
    }
}

/// A failure of PostgreSQL, without statement, values or message.
package struct PostgresFailure: Error, Equatable, Sendable {
    /// A reason that has no code.
    package enum Cause: Equatable, Sendable {
        /// There was no answer in time.
        case unanswered
        /// A commit is on the server, but was not confirmed by its standby.
        case notReplicated
    }

    /// The five characters of SQLSTATE; nil if the connection failed.
    package let code: String?
    /// Why a connection could not be opened, for operators: libpq's message, or ours; nil for other failures.
    package let reason: String?
    package let cause: Cause?

    package init(code: String?, reason: String? = nil, cause: Cause? = nil) {
        (self.code, self.reason, self.cause) = (code, reason, cause)
    }

    /// `read_only_sql_transaction`: the server is a standby.
    package static let readOnlyCode = "25006"

    /// Whether a transaction lost against another one, and can be repeated: `serialization_failure`, `deadlock_detected`.
    package var isLostRace: Bool { code == "40001" || code == "40P01" }

    /// Whether another client's statements are on this connection: `duplicate_prepared_statement`,
    /// `invalid_sql_statement_name`.
    var meansSharedConnection: Bool { code == "42P05" || code == "26000" }

    /// Whether the connection cannot be used any more.
    ///
    /// A server that has become a standby cannot be written any more.
    package var isDisconnected: Bool {
        code.map { $0.hasPrefix("08") || $0.hasPrefix("57P") || $0 == Self.readOnlyCode } ?? true
    }
}

extension PostgresFailure: DatabaseFailure {
    package var translated: any Error {
        switch code {
        // disk_full
        case "53100": RepositoryError.storageFull
        // data_corrupted, index_corrupted
        case "XX001", "XX002": RepositoryError.storageDamaged
        case Self.readOnlyCode:
            RepositoryError.unavailable(
                reason: reason
                    ?? "this server of PostgreSQL is read-only: it is a standby, or is set so")
        case let code?: RepositoryError.unavailable(reason: "PostgreSQL reports \(code)")
        case nil where cause == .notReplicated: StorageTrouble.standby.error
        case nil: RepositoryError.unavailable(reason: "PostgreSQL cannot be reached")
        }
    }

    package var trouble: StorageTrouble? { cause == .notReplicated ? .standby : nil }

    /// Class 22 is of values that the database refuses.
    package var isOfOneItem: Bool? { code.map { $0.hasPrefix("22") || isLostRace } }
}
