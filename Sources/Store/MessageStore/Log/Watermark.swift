import ChatCore

/// How far a service has read the messages of the change log: a table with one row.
struct Watermark: Sendable {
    let table: String

    static let mentions = Watermark(table: "mention_watermark")
    static let outdatedAnswers = Watermark(table: "outdated_watermark")

    /// Returns the position where the service continues; the first time that is the end of the log.
    func begin(in db: any SQLSession) throws -> ChangeCursor {
        try db.run(
            "INSERT INTO \(table) (place, change) VALUES (1, ?) ON CONFLICT DO NOTHING",
            [try ChangeLog.latest(in: db).rawValue])
        return try ChangeLog.cursor(at: try db.number("SELECT change FROM \(table)") ?? 0, in: db)
    }

    /// Notes a position; an earlier one changes nothing.
    func advance(to cursor: ChangeCursor, in db: any SQLSession) throws {
        let end = try ChangeLog.number(of: cursor, in: db)
        try db.run("UPDATE \(table) SET change = ?1 WHERE change < ?1", [end])
    }

    /// Returns the messages of the changes after a position.
    ///
    /// - Parameters:
    ///   - selection: The statement; its first values are the positions before and of the last change, and the kind of change.
    ///   - values: Its further values.
    ///   - cursor: The position.
    ///   - limit: The most changes.
    ///   - db: The transaction.
    /// - Returns: The messages, and the position of the last change.
    /// - Throws: ``RepositoryError/expiredCursor``.
    static func messages(
        _ selection: String, _ values: [SQLArgument] = [], after cursor: ChangeCursor, limit: Int, in db: any SQLSession
    ) throws -> (messages: [Message], through: ChangeCursor) {
        let start = try ChangeLog.number(of: cursor, in: db)
        let end = min(try ChangeLog.latest(in: db).rawValue, start + Int64(limit))
        let rows = try db.rows(selection, [start, end, ChangeKind.message.rawValue] + values)
        return (try rows.map { try StoredMessage($0).message }, try ChangeLog.cursor(at: end, in: db))
    }
}
