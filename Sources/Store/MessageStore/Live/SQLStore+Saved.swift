package import ChatCore

extension SQLStore: SavedMessageRepository {
    package func save(
        _ key: MessageKey, for user: UserID, limit: Int, at moment: Timestamp
    ) async throws -> (savedAt: Timestamp, isNew: Bool) {
        try await write { db in
            let stored = try WritingRights(of: .trusted(user), at: moment, in: db).seen(key)
            guard stored.message.deletedAt == nil else { throw RepositoryError.noSuchMessage(key) }
            let found = try db.rows([
                SQLStatement(SavedRows.one, [stored.number, user.rawValue]),
                SQLStatement(SavedRows.all, [user.rawValue]),
            ])
            if let row = found[0].first { return (row.moment(0), false) }
            let (count, last): (Int, Int64) = found[1].first.map { ($0[0], $0[1]) } ?? (0, 0)
            guard count < limit else {
                throw RepositoryError.invalid(
                    field: "message", reason: "cannot be saved: \(limit) messages are saved, remove some first")
            }
            try db.run(
                "INSERT INTO saved_messages (user_id, number, message, saved_at) VALUES (?, ?, ?, ?)",
                [user.rawValue, last + 1, stored.number, moment.microseconds])
            return (moment, true)
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
        of user: UserID, before number: Int64?, limit: Int, at moment: Timestamp
    ) async throws -> [SavedMessage] {
        try await read { db in
            var reading = MessageReading(reader: user, moment: moment, db: db)
            var found: [SavedMessage] = []
            var end = number ?? .max
            // What the person may not read leaves no gap: the page is filled with the following ones.
            while found.count < limit {
                let wanted = limit - found.count
                let rows = try db.rows(SavedRows.page, [user.rawValue, moment.microseconds, end, wanted])
                found += try db.together(rows) { row -> SavedMessage? in
                    let stored = try StoredMessage(row)
                    guard try !reading.hides(stored) else { return nil }
                    return SavedMessage(
                        number: row[StoredMessage.columnCount], message: stored.message,
                        savedAt: row.moment(StoredMessage.columnCount + 1))
                }.compactMap(\.self)
                guard let last = rows.last, rows.count == wanted else { break }
                end = last[StoredMessage.columnCount]
            }
            return found
        }
    }
}

/// The statements about saved messages.
enum SavedRows {
    /// Values: the message's number, the person.
    static let one = "SELECT saved_at FROM saved_messages WHERE message = ? AND user_id = ?"

    /// How many there are, and the last number; values: the person.
    static let all = "SELECT COUNT(*), COALESCE(MAX(number), 0) FROM saved_messages WHERE user_id = ?"

    /// Those in conversations that the person sees; values: person, moment, the number before which it ends, limit.
    static let page = """
        SELECT \(StoredMessage.columns), v.number, v.saved_at FROM saved_messages v
        CROSS JOIN messages m ON m.number = v.message CROSS JOIN conversations c ON c.number = m.conversation
        WHERE v.user_id = ?1 AND v.number < ?3 AND m.deleted_at IS NULL AND \(Permission.sees)
        ORDER BY v.number DESC LIMIT ?4
        """
}
