import ChatCore

/// The part of the change log that can be read, within one read transaction.
struct ChangeLogBounds {
    let end: ChangeCursor
    /// The last change that was removed; 0 if none was.
    private let trimmed: Int64

    init(in db: any SQLSession) throws {
        try db.ahead({ _ = try ChangeLog.end(in: db) }, { _ = try ChangeLog.trimmed(in: db) })
        end = try ChangeLog.end(in: db)
        trimmed = try ChangeLog.trimmed(in: db)
    }

    /// See ``ChangeLog/number(of:in:)``.
    func number(of cursor: ChangeCursor) throws -> Int64 { try ChangeLog.number(of: cursor, upTo: end) }

    /// See ``ChangeLog/start(of:in:)``.
    func start(of cursor: ChangeCursor) throws -> Int64 {
        let number = try number(of: cursor)
        guard number >= trimmed else { throw RepositoryError.expiredCursor }
        return number
    }
}
