package import ChatCore

extension ChangeLog {
    /// The position up to which old changes were removed; 0 for none.
    static func trimmed(in db: any SQLSession) throws -> Int64 {
        try db.number("SELECT trimmed FROM change_log") ?? 0
    }

    /// How far apart two marks are at least.
    private static let markInterval = Duration.seconds(3_600)

    /// Notes where the log ends now, unless that was noted recently.
    static func mark(at moment: Timestamp, in db: any SQLSession) throws {
        let last = try db.number("SELECT MAX(moment) FROM change_marks").map { Timestamp(microseconds: $0) }
        if let last, moment < last + markInterval { return }
        try db.run(
            "INSERT INTO change_marks (moment, position) VALUES (?, ?)",
            [moment.microseconds, try latest(in: db).rawValue])
    }

    /// Returns the last position of the changes before a time that every durable follower has passed; nil if unknown.
    static func trimmable(before oldest: Timestamp, followsMentions: Bool, in db: any SQLSession) throws -> Int64? {
        let marked = try db.number(
            "SELECT MAX(position) FROM change_marks WHERE moment <= ?", [oldest.microseconds])
        guard var end = marked else { return nil }
        let epoch = try epoch(in: db)
        let files = try db.rows("SELECT cursor FROM index_snapshots UNION ALL SELECT cursor FROM word_snapshots")
        for cursor in files.compactMap({ ChangeCursor($0[0]) }) where cursor.epoch == epoch {
            end = min(end, cursor.positions[0].rawValue)
        }
        if followsMentions, let watermark = try db.number("SELECT change FROM mention_watermark") {
            end = min(end, watermark)
        }
        return end
    }

    /// Values: the position before, the last position.
    ///
    /// The last change of each message stays, because an extraction reads them from any position.
    static let trimming = """
        DELETE FROM changes WHERE number > ?1 AND number <= ?2 AND number NOT IN (
            SELECT MAX(number) FROM changes WHERE number > ?1 AND number <= ?2
                AND kind = \(ChangeKind.message.rawValue) AND message IS NOT NULL GROUP BY message)
        """

    static func trim(after start: Int64, through end: Int64, in db: any SQLSession) throws {
        try db.run(trimming, [start, end])
        try db.run("DELETE FROM departures WHERE change <= ?", [end])
        try db.run("UPDATE change_log SET trimmed = ?", [end])
    }
}

extension SQLStore {
    /// Removes changes that are old, a part of them in each call; positions of the log stay.
    ///
    /// It never removes changes that an index file, or the service that answers mentions, has yet to follow. How old
    /// changes are is known since the first call: it notes where the log ends at which time.
    ///
    /// - Parameters:
    ///   - oldest: Changes before this time are removed.
    ///   - followsMentions: Whether mentions are answered.
    ///   - limit: The most positions of a call.
    ///   - moment: The present time.
    /// - Returns: Whether there are more.
    /// - Throws: Storage errors.
    package func trimChanges(
        before oldest: Timestamp, followsMentions: Bool, limit: Int, at moment: Timestamp
    ) async throws -> Bool {
        try await write { db in
            try ChangeLog.mark(at: moment, in: db)
            try AuthorityRows(db: db).forgetErasures(at: moment)
            let start = try ChangeLog.trimmed(in: db)
            guard
                let last = try ChangeLog.trimmable(before: oldest, followsMentions: followsMentions, in: db),
                last > start
            else { return false }
            let end = min(last, start + Int64(max(1, limit)))
            try ChangeLog.trim(after: start, through: end, in: db)
            guard end == last else { return true }
            // Of the marks that have passed, the last one is enough.
            try db.run(
                """
                DELETE FROM change_marks WHERE moment < (SELECT MAX(moment) FROM change_marks WHERE moment <= ?)
                """, [oldest.microseconds])
            return false
        }
    }
}
