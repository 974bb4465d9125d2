package import ChatCore

extension SQLStore {
    /// Records what an assistant read for a person.
    package func recordReadings(_ readings: [AssistantReading], of user: UserID) async throws {
        guard !readings.isEmpty else { return }
        try await write { db in
            guard try db.row("SELECT 1 FROM accounts WHERE user_id = ?", [user.rawValue]) != nil else { return }
            for reading in readings {
                try db.run(
                    """
                    INSERT INTO assistant_readings (
                        user_id, session, assistant, tool, conversation_id, message_count, read_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        user.rawValue, reading.session.rawValue, reading.assistant, reading.tool,
                        reading.conversationID.rawValue, reading.messageCount, reading.readAt.microseconds,
                    ])
            }
            try db.run(
                """
                DELETE FROM assistant_readings WHERE user_id = ?1 AND number <= (
                    SELECT number FROM assistant_readings WHERE user_id = ?1
                    ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, [user.rawValue, AssistantReading.countLimit])
        }
    }

    /// Returns what assistants read for a person, the latest first.
    package func readings(of user: UserID, before: Int64?, limit: Int) async throws -> AssistantReadingPage {
        try await read { db in
            let rows = try db.rows(
                """
                SELECT number, session, assistant, tool, conversation_id, message_count, read_at
                FROM assistant_readings WHERE user_id = ? AND number < ? ORDER BY number DESC LIMIT ?
                """, [user.rawValue, before ?? .max, limit + 1])
            let page = rows.prefix(limit)
            return AssistantReadingPage(
                readings: page.map { row in
                    AssistantReading(
                        session: row.identifier(1), assistant: row[2], tool: row[3],
                        conversationID: row.identifier(4), messageCount: row[5], readAt: row.moment(6))
                }, next: rows.count > limit ? page.last?[0] : nil)
        }
    }

    /// Deletes the record of what assistants read for a person.
    package func deleteReadings(of user: UserID) async throws {
        try await write { db in try db.run("DELETE FROM assistant_readings WHERE user_id = ?", [user.rawValue]) }
    }
}
