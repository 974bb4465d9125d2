import GRDBSQLite
import Synchronization

/// Counts the rows that statements return, by their SQL.
final class RowCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func reset() { counts.withLock { $0 = [:] } }

    /// Returns the number of rows of all statements whose SQL holds a text.
    func count(_ text: String = "") -> Int {
        counts.withLock { counts in
            counts.filter { text.isEmpty || $0.key.contains(text) }.values.reduce(0, +)
        }
    }

    /// Lets a connection report each row; the counter must live as long as the connection.
    func watch(_ connection: OpaquePointer) {
        sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_ROW),
            { _, context, statement, _ in
                guard let context, let statement, let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
                let counter = Unmanaged<RowCounter>.fromOpaque(context).takeUnretainedValue()
                counter.counts.withLock { $0[String(cString: sql), default: 0] += 1 }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
