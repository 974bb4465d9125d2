package import ChatCore

extension SQLStore: SavedMessageRepository {
    package func save(
        _ key: MessageKey, for user: UserID, reminder: ReminderChange, limit: Int, at moment: Timestamp
    ) async throws -> MessageSave {
        try await write { db in
            let stored = try WritingRights(of: .trusted(user), at: moment, in: db).seen(key)
            guard stored.message.deletedAt == nil else { throw RepositoryError.noSuchMessage(key) }
            let found = try db.rows([
                SQLStatement(SavedRows.one, [stored.number, user.rawValue]),
                SQLStatement(SavedRows.all, [user.rawValue]),
            ])
            if let row = found[0].first {
                let (savedAt, known) = (row.moment(0), row.momentIfAny(1))
                guard case .at(let time) = reminder, time != known else {
                    return MessageSave(savedAt: savedAt, isNew: false, remindAt: known)
                }
                try db.run(
                    "UPDATE saved_messages SET remind_at = ? WHERE message = ? AND user_id = ?",
                    [time?.microseconds, stored.number, user.rawValue])
                try ChangeLog.append(.personal, user: user, to: db)
                return MessageSave(savedAt: savedAt, isNew: false, remindAt: time)
            }
            let (count, last): (Int, Int64) = found[1].first.map { ($0[0], $0[1]) } ?? (0, 0)
            guard count < limit else {
                throw RepositoryError.invalid(
                    field: "message", reason: "cannot be saved: \(limit) messages are saved, remove some first")
            }
            let time: Timestamp? = if case .at(let time) = reminder { time } else { nil }
            try db.run(
                "INSERT INTO saved_messages (user_id, number, message, saved_at, remind_at) VALUES (?, ?, ?, ?, ?)",
                [user.rawValue, last + 1, stored.number, moment.microseconds, time?.microseconds])
            // The node that reminds looks at the next time.
            if time != nil { try ChangeLog.append(.personal, user: user, to: db) }
            return MessageSave(savedAt: moment, isNew: true, remindAt: time)
        }
    }

    package func endSaving(_ key: MessageKey, for user: UserID) async throws {
        guard key.isPossible else { return }
        try await write { db in
            try db.run(
                """
                DELETE FROM saved_messages WHERE user_id = ? AND message = (SELECT m.number FROM messages m
                    WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.id = ?)
                """, [user.rawValue, key.conversationID.rawValue, key.messageID.rawValue])
        }
    }

    package func savedMessages(
        of user: UserID, hasReminder: Bool, before number: Int64?, limit: Int, at moment: Timestamp
    ) async throws -> [SavedMessage] {
        try await read { db in
            var reading = MessageReading(reader: user, moment: moment, db: db)
            var found: [SavedMessage] = []
            var end = number ?? .max
            // What the person may not read leaves no gap: the page is filled with the following ones.
            while found.count < limit {
                let wanted = limit - found.count
                let rows = try db.rows(
                    hasReminder ? SavedRows.remindedPage : SavedRows.page,
                    [user.rawValue, moment.microseconds, end, wanted])
                found += try db.together(rows) { row -> SavedMessage? in
                    let stored = try StoredMessage(row)
                    guard try !reading.hides(stored) else { return nil }
                    return SavedMessage(
                        number: row[StoredMessage.columnCount], message: stored.message,
                        savedAt: row.moment(StoredMessage.columnCount + 1),
                        remindAt: row.momentIfAny(StoredMessage.columnCount + 2))
                }.compactMap(\.self)
                guard let last = rows.last, rows.count == wanted else { break }
                end = last[StoredMessage.columnCount]
            }
            return found
        }
    }

    package func remindDue(limit: Int, at moment: Timestamp) async throws -> Int {
        guard let next = try await nextReminder(), next <= moment else { return 0 }
        return try await write { db in
            let rows = try db.rows(SavedRows.due, [moment.microseconds, limit])
            for row in rows {
                let (user, saved, message): (UserID, Int64, Int64) = (row.identifier(0), row[1], row[2])
                try db.run(
                    "UPDATE saved_messages SET remind_at = NULL WHERE user_id = ? AND number = ?",
                    [user.rawValue, saved])
                guard let stored = try SavedRows.readable(message, by: user, at: moment, in: db) else { continue }
                try NotificationRows(db: db).remind(user, of: stored.number, in: stored.conversation, at: moment)
            }
            return rows.count
        }
    }

    package func nextReminder() async throws -> Timestamp? {
        try await read { try $0.row(SavedRows.nextDue, [])?.momentIfAny(0) }
    }
}

/// The statements about saved messages.
enum SavedRows {
    /// Values: the message's number, the person.
    static let one = "SELECT saved_at, remind_at FROM saved_messages WHERE message = ? AND user_id = ?"

    /// How many there are, and the last number; values: the person.
    static let all = "SELECT COUNT(*), COALESCE(MAX(number), 0) FROM saved_messages WHERE user_id = ?"

    /// Those in conversations that the person sees; values: person, moment, the number before which it ends, limit.
    static let page = selection + " ORDER BY v.number DESC LIMIT ?4"

    /// The same, only those with a reminder.
    static let remindedPage = selection + " AND v.remind_at IS NOT NULL ORDER BY v.number DESC LIMIT ?4"

    private static let selection = """
        SELECT \(StoredMessage.columns), v.number, v.saved_at, v.remind_at FROM saved_messages v
        CROSS JOIN messages m ON m.number = v.message CROSS JOIN conversations c ON c.number = m.conversation
        WHERE v.user_id = ?1 AND v.number < ?3 AND m.deleted_at IS NULL AND \(Permission.sees)
        """

    /// The reminders that are due, the earliest first; values: moment, limit.
    static let due = """
        SELECT user_id, number, message FROM saved_messages
        WHERE remind_at <= ? ORDER BY remind_at, user_id, number LIMIT ?
        """

    static let nextDue = "SELECT MIN(remind_at) FROM saved_messages WHERE remind_at IS NOT NULL"

    /// Returns a message if a person may be reminded of it: who has access, and sees it at this moment.
    static func readable(
        _ message: Int64, by user: UserID, at moment: Timestamp, in db: any SQLSession
    ) throws -> StoredMessage? {
        let account = try db.row("SELECT is_disabled FROM accounts WHERE user_id = ?", [user.rawValue])
        guard !(account?[0] ?? false),
            let stored = try db.row(StoredMessage.byNumbers, [[message]]).map({ try StoredMessage($0) }),
            stored.message.deletedAt == nil,
            try db.row(Permission.oneByNumber, [user.rawValue, moment.microseconds, stored.conversation]) != nil
        else { return nil }
        var reading = MessageReading(reader: user, moment: moment, db: db)
        return try reading.hides(stored) ? nil : stored
    }
}
