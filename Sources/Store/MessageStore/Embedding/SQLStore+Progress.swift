package import ChatCore

extension SQLStore {
    /// Counts the messages of a generation by their state; each count is independent of the others.
    package func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage {
        try await read { db in
            func count(_ sql: String, _ values: [SQLArgument] = []) throws -> Int {
                Int(try db.number(sql, values) ?? 0)
            }
            let number = generation.rawValue
            let since = try db.number("SELECT since FROM generations WHERE number = ?", [number]) ?? .min
            return EmbeddingCoverage(
                messageCount: try count(
                    "SELECT COUNT(*) FROM messages WHERE deleted_at IS NULL AND timestamp >= ?", [since]),
                embeddedCount: try count(QueueRows.embedded, [number]),
                waitingCount: try count(QueueRows.pending, [number]),
                failedCount: try count("SELECT COUNT(*) FROM queue WHERE generation = ? AND state = 3", [number]),
                excludedCount: try count(QueueRows.excluded, [since]),
                emptyCount: try count(
                    "SELECT COUNT(*) FROM messages WHERE deleted_at IS NULL AND is_embeddable = 0 AND timestamp >= ?",
                    [since]))
        }
    }

    /// Adds the embedding usage of questions.
    package func countQuestions(_ usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp) async throws {
        try await write { db in
            for (generation, usage) in usage {
                try UsageRows.add(usage, of: generation.rawValue, on: moment.day, to: .questions, in: db)
            }
        }
    }

    /// Returns the embedding usage on a day and in total, for each generation with usage.
    package func usage(on day: Int) async throws -> [GenerationUsage] {
        try await read { db in try UsageRows.all(on: day, in: db) }
    }
}

/// The rows of `embedding_usage` and `question_usage`.
package enum UsageRows {
    /// The purpose of the tokens.
    enum Table: String {
        case passages = "embedding_usage"
        case questions = "question_usage"
    }

    /// The largest count that is stored and summed up, so that sums fit 64 bits.
    ///
    /// Rows of earlier releases may hold larger counts, as a service reported them.
    package static let largest = 1_000_000_000_000_000

    /// The SQL of a count, or of the largest one if the count exceeds it.
    private static func atMostLargest(_ count: String) -> String {
        "CASE WHEN \(count) < \(largest) THEN \(count) ELSE \(largest) END"
    }

    /// The same for the sum of a table's count and the one that is inserted; no sum exceeds 64 bits.
    static func grown(_ table: String) -> String {
        """
        CASE WHEN \(table).token_count < \(largest) - excluded.token_count
            THEN \(table).token_count + excluded.token_count ELSE \(largest) END
        """
    }

    static func add(
        _ usage: EmbeddingUsage, of generation: Int64, on day: Int, to table: Table = .passages, in db: any SQLSession
    ) throws {
        try db.run(
            """
            INSERT INTO \(table.rawValue) (day, generation, request_count, text_count, token_count)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (day, generation) DO UPDATE SET
                request_count = \(table.rawValue).request_count + excluded.request_count,
                text_count = \(table.rawValue).text_count + excluded.text_count,
                token_count = \(grown(table.rawValue))
            """, [day, generation, usage.requestCount, usage.textCount, usage.tokenCount])
    }

    static func all(on day: Int, in db: any SQLSession) throws -> [GenerationUsage] {
        let passages = try all(on: day, from: .passages, in: db)
        let questions = try all(on: day, from: .questions, in: db)
        return Set(passages.keys).union(questions.keys).sorted().map { generation in
            let none = (today: EmbeddingUsage(), total: EmbeddingUsage())
            let (own, asked) = (passages[generation] ?? none, questions[generation] ?? none)
            return GenerationUsage(
                generation: GenerationNumber(rawValue: generation), today: own.today, total: own.total,
                questionsToday: asked.today, questionsTotal: asked.total)
        }
    }

    /// Returns the tokens of services that are recorded for a day, without those of the built-in encoder.
    package static func tokenCountOfServices(on day: Int, in db: any SQLSession) throws -> Int {
        let own = Set(try db.rows("SELECT number FROM generations WHERE base_url IS NULL", []).map { $0[0] as Int64 })
        return try all(on: day, from: .passages, in: db).reduce(0) { sum, entry in
            own.contains(entry.key) ? sum : sum.addingClamped(entry.value.today.tokenCount)
        }
    }

    private static func all(
        on day: Int, from table: Table, in db: any SQLSession
    ) throws -> [Int64: (today: EmbeddingUsage, total: EmbeddingUsage)] {
        let rows = try db.rows(
            """
            SELECT generation, COALESCE(SUM(request_count) FILTER (WHERE day = ?1), 0),
                COALESCE(SUM(text_count) FILTER (WHERE day = ?1), 0),
                COALESCE(SUM(\(atMostLargest("token_count"))) FILTER (WHERE day = ?1), 0),
                SUM(request_count), SUM(text_count), SUM(\(atMostLargest("token_count")))
            FROM \(table.rawValue) GROUP BY generation
            """, [day])
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let today = EmbeddingUsage(requestCount: row[1], textCount: row[2], tokenCount: row[3])
                return (row[0], (today, EmbeddingUsage(requestCount: row[4], textCount: row[5], tokenCount: row[6])))
            })
    }
}

extension SQLStore {
    /// The number of days that are kept before the present one.
    private static let keptDays = 30

    /// Returns the tokens of a user's questions on a day.
    package func usedTokens(of user: UserID, on day: Int) async throws -> Int {
        try await read { db in
            try db.row("SELECT token_count FROM user_tokens WHERE day = ? AND user_id = ?", [day, user.rawValue])?[0]
                ?? 0
        }
    }

    /// Adds tokens of users' questions on a day, and deletes old rows.
    package func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws {
        try await write { db in
            for (user, count) in counts {
                try db.run(
                    """
                    INSERT INTO user_tokens (day, user_id, token_count) VALUES (?, ?, ?)
                    ON CONFLICT (day, user_id) DO UPDATE SET
                        token_count = \(UsageRows.grown("user_tokens"))
                    """, [day, user.rawValue, count])
            }
            try db.run("DELETE FROM user_tokens WHERE day < ?", [day - Self.keptDays])
        }
    }
}
