import CPostgres
import Foundation
import Glibc
package import MessageStore

/// A connection over libpq, which blocks its thread.
///
/// Statements are sent in pipeline mode, so that several of them cost one round trip. They are prepared once; values are
/// sent and received in their binary form.
package final class LibpqConnection: PostgresLink {
    package let origin: PostgresOrigin
    package let waitsForDisk: Bool
    package let interruption: @Sendable () -> Void
    private var connection: OpaquePointer?
    /// The names of prepared statements by their text.
    private var prepared: [String: PreparedStatement] = [:]
    private var preparedCount = 0

    /// A request to the server.
    private enum Request {
        case preparation(of: String)
        case statement
        /// The server executes everything before it, and after a failure continues behind it.
        case end
    }

    private struct PreparedStatement {
        let name: String
        /// The types of its values; 0 for those that PostgreSQL inferred.
        let types: [Oid]
    }

    /// The requests that were not answered yet, in the order of the answers.
    private var requests: [Request] = []

    package var answerLimit: Duration?
    package var deadline: ContinuousClock.Instant?

    /// What the server said beside its answers.
    private let notices: Notices
    private let canceller: Canceller

    /// How long the server gets to end a statement whose answer is too late.
    private static let endLimit = Duration.seconds(3)

    /// A node that stops in the middle of a transaction must not hold up the others, and a migration looks for the names
    /// of servers.
    ///
    /// Statements are written for their indexes, and join as in SQLite. A plan that was made for a small table would
    /// read the whole table, and would be kept after the table has grown. A generic plan expects many rows and so
    /// starts parallel processes, which costs more than most statements.
    private static let preparation = """
        SET standard_conforming_strings = on; SET bytea_output = 'hex'; SET DateStyle = 'ISO';
        SET idle_in_transaction_session_timeout = '10s'; SET application_name = 'nexus';
        SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET random_page_cost = 1.1;
        SET plan_cache_mode = force_generic_plan; SET jit = off; SET max_parallel_workers_per_gather = 0;

        """

    /// The timeline comes from the name of the present WAL file: `pg_control_checkpoint` has that of the last checkpoint,
    /// which after a promotion is the old one.
    private static let question = """
        SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', system_identifier,
            CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
            current_setting('synchronous_commit')
        FROM pg_control_system()
        """

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - answerLimit: See ``PostgresLink/answerLimit``. Keepalives do not detect a server that stopped, or a network
    ///     that drops packets.
    /// - Throws: ``PostgresFailure``; with ``PostgresFailure/readOnlyCode`` for a standby, also for one that is promoted
    ///   later: the server of a connection does not change.
    package init(_ address: PostgresAddress, answerLimit: Duration = .seconds(60)) throws(PostgresFailure) {
        self.answerLimit = answerLimit
        let connection = try address.connect()
        let notices = Notices()
        self.notices = notices
        PQsetNoticeReceiver(
            connection, { pointer, result in Notices.take(result, pointer) },
            Unmanaged.passUnretained(notices).toOpaque())
        do throws(PostgresFailure) {
            (origin, waitsForDisk) = try Self.prepare(connection, within: answerLimit)
        } catch {
            PQfinish(connection)
            throw error
        }
        self.connection = connection
        let canceller = Canceller(connection)
        self.canceller = canceller
        interruption = { canceller.cancel() }
        PQenterPipelineMode(connection)
    }

    /// The warnings of a connection, as far as they concern us; only the thread that uses the connection touches them.
    private final class Notices {
        /// Whether a commit was not confirmed by the standby, because somebody ended the wait for it.
        ///
        /// The server answers such a commit like any other one.
        var isUnconfirmed = false

        /// The texts are translated, so the place in the server's source code tells which warning it is.
        static func take(_ result: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
            guard let pointer, let place = PQresultErrorField(result, CInt(UInt8(ascii: "R"))),
                String(cString: place) == "SyncRepWaitForLSN"
            else { return }
            Unmanaged<Notices>.fromOpaque(pointer).takeUnretainedValue().isUnconfirmed = true
        }
    }

    /// The handle with which libpq asks a server to end a statement; it outlives the connection.
    ///
    /// It is sendable because `PQcancel` may be called from any thread.
    private final class Canceller: @unchecked Sendable {
        private let handle: OpaquePointer?

        init(_ connection: OpaquePointer?) { handle = PQgetCancel(connection) }

        deinit { PQfreeCancel(handle) }

        func cancel() {
            var reason = [CChar](repeating: 0, count: 256)
            // If the request fails, the statement ends by itself, or not at all.
            _ = PQcancel(handle, &reason, CInt(reason.count))
        }
    }

    /// Sets up a connection and asks for its server, in one request.
    private static func prepare(
        _ connection: OpaquePointer?, within limit: Duration
    ) throws(PostgresFailure) -> (origin: PostgresOrigin, waitsForDisk: Bool) {
        guard PQstatus(connection) == CONNECTION_OK else {
            let reason = PQerrorMessage(connection).map { String(cString: $0) }
            throw PostgresFailure(code: nil, reason: reason?.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let result = try lastResult(of: preparation + question, on: connection, within: limit)
        defer { PQclear(result) }
        try check(result, of: connection)
        let row = (0..<4).map { PQgetvalue(result, 0, $0).map { String(cString: $0) } ?? "" }
        guard row[0] == "f" else { throw PostgresFailure(code: PostgresFailure.readOnlyCode) }
        guard let system = Int64(row[1]), let timeline = Int64(row[2], radix: 16) else {
            throw PostgresFailure(code: nil)
        }
        return (PostgresOrigin(system: system, timeline: timeline), row[3] != "off")
    }

    deinit { close() }

    package var isOpen: Bool {
        // The server sends a message before it closes a connection.
        var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        while poll(&socket, 1, 0) > 0 {
            guard PQconsumeInput(connection) == 1 else { return false }
            _ = PQisBusy(connection)
        }
        return PQstatus(connection) == CONNECTION_OK
    }

    package func close() {
        guard let open = connection else { return }
        connection = nil
        PQfinish(open)
    }

    package func run(_ script: String) throws(PostgresFailure) {
        try outsideOfPipeline { () throws(PostgresFailure) in
            let result: OpaquePointer?
            do throws(PostgresFailure) {
                result = try Self.lastResult(of: script, on: connection, within: rest)
            } catch {
                throw error.cause == .unanswered ? giveUp() : error
            }
            defer { PQclear(result) }
            try check(result)
            try checkConfirmation()
        }
    }

    /// The time that an answer may still take.
    private var rest: Duration? {
        let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
        return [answerLimit, left].compactMap { $0 }.min()
    }

    /// Lets the server end what it does, so that it holds no lock any more, and closes the connection.
    ///
    /// The request has its own thread: it blocks if the network swallows it.
    private func giveUp() -> PostgresFailure {
        let canceller = canceller
        Thread.detachNewThread { canceller.cancel() }
        let isEnded = takesRest(within: Self.endLimit)
        defer { close() }
        return PostgresFailure(code: nil, cause: isEnded && notices.isUnconfirmed ? .notReplicated : .unanswered)
    }

    /// Takes all answers that are still to come; returns whether they came in time.
    ///
    /// The answers of a pipeline come together, so the warning about a commit comes after those of the statements before it.
    private func takesRest(within limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        var emptyCount = 0
        // NULL separates the results of two statements.
        while emptyCount < 2, !notices.isUnconfirmed {
            guard Self.hasResult(connection, within: ContinuousClock.now.duration(to: end)) else { return false }
            guard let result = PQgetResult(connection) else {
                guard PQstatus(connection) == CONNECTION_OK else { return false }
                emptyCount += 1
                continue
            }
            emptyCount = 0
            let isLast = PQresultStatus(result) == PGRES_PIPELINE_SYNC
            PQclear(result)
            if isLast { return true }
        }
        return true
    }

    /// Fails if a commit was not confirmed by the standby.
    private func checkConfirmation() throws(PostgresFailure) {
        guard notices.isUnconfirmed else { return }
        notices.isUnconfirmed = false
        throw PostgresFailure(code: nil, cause: .notReplicated)
    }

    /// Runs statements outside of the pipeline; returns the result of the last one that was executed.
    private static func lastResult(
        of script: String, on connection: OpaquePointer?, within limit: Duration?
    ) throws(PostgresFailure) -> OpaquePointer? {
        guard PQsendQuery(connection, script) == 1 else { throw PostgresFailure(code: nil) }
        var last: OpaquePointer?
        while true {
            guard hasResult(connection, within: limit) else {
                PQclear(last)
                throw PostgresFailure(code: nil, cause: .unanswered)
            }
            guard let result = PQgetResult(connection) else { return last }
            PQclear(last)
            last = result
        }
    }

    /// Waits until a result can be read; returns whether it came in time.
    private static func hasResult(_ connection: OpaquePointer?, within limit: Duration?) -> Bool {
        let end = limit.map { ContinuousClock.now + $0 }
        while PQisBusy(connection) == 1 {
            var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            let rest = end.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return false }
            // One more, because a part of a millisecond is cut off.
            let milliseconds = rest.map { $0.components.seconds * 1_000 + $0.components.attoseconds / Int64(1e15) + 1 }
            let count = poll(&socket, 1, Int32(clamping: milliseconds ?? -1))
            if count > 0, PQconsumeInput(connection) != 1 { return false }
        }
        return true
    }

    /// Returns the next result; nil after the last result of a statement.
    ///
    /// If no answer comes, the connection cannot be used any more.
    private func nextResult() throws(PostgresFailure) -> OpaquePointer? {
        guard Self.hasResult(connection, within: rest) else { throw giveUp() }
        return PQgetResult(connection)
    }

    /// Calls a body that uses the connection without the pipeline.
    private func outsideOfPipeline(_ body: () throws(PostgresFailure) -> Void) throws(PostgresFailure) {
        _ = try answers()
        guard PQexitPipelineMode(connection) == 1 else { throw PostgresFailure(code: nil) }
        defer { PQenterPipelineMode(connection) }
        try body()
    }

    package func send(_ sql: String, _ values: [SQLValue], isKept: Bool) throws(PostgresFailure) {
        let types = values.map(\.type)
        let statement = isKept ? try preparedStatement(sql, types: types) : nil
        let encoded = EncodedValues(values, types: statement?.types ?? types)
        let count = CInt(values.count)
        let isSent = encoded.withPointers { pointers -> CInt in
            guard let statement else {
                return PQsendQueryParams(
                    connection, sql, count, types, pointers, encoded.lengths, encoded.formats, EncodedValues.binary)
            }
            return PQsendQueryPrepared(
                connection, statement.name, count, pointers, encoded.lengths, encoded.formats, EncodedValues.binary)
        }
        guard isSent == 1 else { throw PostgresFailure(code: nil) }
        requests.append(.statement)
    }

    package func flush() throws(PostgresFailure) {
        guard let last = requests.last else { return }
        if case .end = last { return }
        guard PQpipelineSync(connection) == 1 else { throw PostgresFailure(code: nil) }
        requests.append(.end)
    }

    package func answers() throws(PostgresFailure) -> [PostgresResult] {
        try flush()
        defer { requests = [] }
        var answers: [PostgresResult] = []
        var failure: PostgresFailure?
        for request in requests {
            // NULL separates the results of two statements.
            var next = try nextResult()
            if next == nil { next = try nextResult() }
            guard let result = next, PQstatus(connection) == CONNECTION_OK else { throw PostgresFailure(code: nil) }
            defer { PQclear(result) }
            if case .end = request { continue }
            do {
                try check(result)
                if case .statement = request { answers.append(Self.content(of: result)) }
            } catch {
                if case .preparation(let sql) = request { prepared[sql] = nil }
                failure = failure ?? error
            }
        }
        if !requests.isEmpty { PQclear(PQgetResult(connection)) }
        if let failure { throw failure }
        try checkConfirmation()
        return answers
    }

    package func copy(_ sql: String, _ rows: [[SQLValue]]) throws(PostgresFailure) {
        try outsideOfPipeline { () throws(PostgresFailure) in
            guard PQsendQuery(connection, sql) == 1 else { throw PostgresFailure(code: nil) }
            let begun = try nextResult()
            defer { PQclear(begun) }
            guard PQresultStatus(begun) == PGRES_COPY_IN else {
                while let rest = try nextResult() { PQclear(rest) }
                try check(begun)
                throw PostgresFailure(code: nil)
            }
            var text = CopyText()
            var isSent = true
            for row in rows where isSent {
                text.append(row)
                if text.bytes.count >= CopyText.portionByteCount { isSent = send(&text) }
            }
            guard isSent, send(&text), PQputCopyEnd(connection, nil) == 1 else { throw PostgresFailure(code: nil) }
            // The outcome of the statement, and then the end of the results.
            var failure: PostgresFailure?
            while let result = try nextResult() {
                defer { PQclear(result) }
                do throws(PostgresFailure) { try check(result) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    /// Sends the text and empties it; returns whether the server is there.
    private func send(_ text: inout CopyText) -> Bool {
        defer { text.bytes.removeAll(keepingCapacity: true) }
        return text.bytes.withUnsafeBytes { bytes in
            bytes.isEmpty
                || PQputCopyData(
                    connection, bytes.assumingMemoryBound(to: CChar.self).baseAddress, CInt(clamping: bytes.count)) == 1
        }
    }

    /// Returns a prepared statement; prepares it when it is first used.
    private func preparedStatement(_ sql: String, types: [Oid]) throws(PostgresFailure) -> PreparedStatement {
        if let known = prepared[sql] { return known }
        let statement = PreparedStatement(name: "s\(preparedCount)", types: types)
        preparedCount += 1
        guard PQsendPrepare(connection, statement.name, sql, CInt(types.count), types) == 1 else {
            throw PostgresFailure(code: nil)
        }
        requests.append(.preparation(of: sql))
        prepared[sql] = statement
        return statement
    }

    package func waitForNews(wake: Int32, milliseconds: Int64) throws(PostgresFailure) -> PostgresNews {
        var events = [
            pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        // A statement may have read notifications together with its answer.
        let known = takeNotifications()
        guard known.isEmpty else { return PostgresNews(notifications: known) }
        guard poll(&events, 2, Int32(clamping: milliseconds)) > 0 else { return PostgresNews() }
        var arrived: [PostgresNews.Notification] = []
        if events[0].revents != 0 {
            guard PQconsumeInput(connection) == 1 else { throw PostgresFailure(code: nil) }
            arrived = takeNotifications()
        }
        return PostgresNews(notifications: arrived, isWoken: events[1].revents != 0)
    }

    /// Takes the notifications that arrived; returns those of other connections.
    private func takeNotifications() -> [PostgresNews.Notification] {
        var arrived: [PostgresNews.Notification] = []
        while let notification = PQnotifies(connection) {
            if notification.pointee.be_pid != PQbackendPID(connection) {
                arrived.append(
                    PostgresNews.Notification(
                        channel: String(cString: notification.pointee.relname),
                        payload: String(cString: notification.pointee.extra)))
            }
            PQfreemem(notification)
        }
        return arrived
    }

    private func check(_ result: OpaquePointer?) throws(PostgresFailure) {
        try Self.check(result, of: connection)
    }

    private static func check(_ result: OpaquePointer?, of connection: OpaquePointer?) throws(PostgresFailure) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default:
            // A server that goes away reports no code, or a special one.
            guard PQstatus(connection) == CONNECTION_OK,
                let code = PQresultErrorField(result, CInt(UInt8(ascii: "C")))
            else { throw PostgresFailure(code: nil) }
            throw PostgresFailure(code: String(cString: code))
        }
    }

    private static func content(of result: OpaquePointer?) -> PostgresResult {
        let (rowCount, columnCount) = (PQntuples(result), PQnfields(result))
        let types = (0..<columnCount).map { PQftype(result, $0) }
        let rows = (0..<rowCount).map { row in
            (0..<columnCount).map { column -> SQLValue in
                guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
                    return .null
                }
                let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
                return SQLValue(bytes, type: types[Int(column)])
            }
        }
        let touched = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        return PostgresResult(rows: rows, rowCount: touched)
    }
}
