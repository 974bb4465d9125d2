package import ChatCore

extension SQLStore {
    /// Puts failed items of a generation back into the queue, as if they had never been tried; returns their number.
    package func retryFailed(of generation: GenerationNumber, only messages: Set<MessageKey>?, at moment: Timestamp)
        async throws -> Int
    {
        try await write { db in
            guard let messages else {
                try db.run("\(Self.retry) AND state = 3", [moment.microseconds, generation.rawValue])
                return db.changedRowCount
            }
            var count = 0
            for key in messages {
                try db.run(
                    """
                    \(Self.retry) AND state = 3 AND message = (
                        SELECT m.number FROM messages m JOIN conversations c ON c.number = m.conversation
                        WHERE c.id = ? AND m.id = ?)
                    """,
                    [
                        moment.microseconds, generation.rawValue, key.conversationID.rawValue, key.messageID.rawValue,
                    ])
                count += db.changedRowCount
            }
            return count
        }
    }

    private static let retry = """
        UPDATE queue SET state = 0, attempts = 0, is_retry = 0, error_code = NULL, error_reason = NULL,
            failed_at = NULL, queued_at = ?
        WHERE generation = ?
        """

    /// Returns the codes of given-up items with their counts.
    package func failures(of generation: GenerationNumber) async throws -> [String: Int] {
        try await read { db in
            let rows = try db.rows(
                "SELECT error_code, COUNT(*) FROM queue WHERE generation = ? AND state = 3 GROUP BY error_code",
                [generation.rawValue])
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the given-up items of a generation, the latest first.
    package func failedItems(of generation: GenerationNumber) async throws -> [FailedItem] {
        try await read { db in
            try db.rows(
                """
                SELECT c.id, m.id, q.attempts, q.error_code, q.error_reason, q.failed_at, q.queued_at FROM queue q
                JOIN messages m ON m.number = q.message JOIN conversations c ON c.number = m.conversation
                WHERE q.generation = ? AND q.state = 3 ORDER BY q.failed_at DESC NULLS LAST, q.message DESC
                """, [generation.rawValue]
            ).map { row in
                FailedItem(
                    messageKey: MessageKey(conversationID: row.identifier(0), messageID: row.identifier(1)),
                    generation: generation, attempts: row[2], errorCode: row[3] ?? "", errorReason: row[4] ?? "",
                    // Items that were given up before this column existed give the time of queueing instead.
                    failedAt: row.momentIfAny(5) ?? row.moment(6))
            }
        }
    }
}
