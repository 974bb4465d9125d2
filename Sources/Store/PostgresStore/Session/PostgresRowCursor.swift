import MessageStore

/// Reads the rows of a cursor of PostgreSQL.
final class PostgresRowCursor: SQLRowCursor {
    private static let portion = 200

    private let name: String
    /// Nil if all rows are there.
    private let session: PostgresSession?
    private var rows: [[SQLValue]].Iterator = [].makeIterator()
    private var isDone = false

    init(_ name: String, _ session: PostgresSession) {
        (self.name, self.session) = (name, session)
    }

    init(_ rows: [[SQLValue]]) {
        (name, session, self.rows) = ("", nil, rows.makeIterator())
    }

    func next() throws -> SQLRow? {
        if let row = rows.next() { return SQLRow(row) }
        guard !isDone, let session else { return nil }
        let fetched = try session.execute("FETCH \(Self.portion) FROM \(name)", isKept: false).rows
        isDone = fetched.count < Self.portion
        rows = fetched.makeIterator()
        return rows.next().map { SQLRow($0) }
    }
}
