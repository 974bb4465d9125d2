public import ChatCore
import GRDB

extension SQLiteStore {
    /// Counts what became of all messages for a generation, each part by itself.
    public func coverage(of generation: GenerationNumber) async throws -> EmbeddingCoverage {
        try await read { db in
            func count(_ sql: String, _ values: [SQLValue] = []) throws -> Int { Int(try db.number(sql, values) ?? 0) }
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

    /// Returns what embedding took on a day and in all, for each generation that took anything.
    public func usage(on day: Int) async throws -> [GenerationUsage] {
        try await read { db in try UsageRows.all(on: day, in: db) }
    }
}

/// The rows of `embedding_usage`.
enum UsageRows {
    static func add(_ usage: EmbeddingUsage, of generation: Int64, on day: Int, in db: Database) throws {
        try db.run(
            """
            INSERT INTO embedding_usage (day, generation, request_count, text_count, token_count)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (day, generation) DO UPDATE SET request_count = request_count + excluded.request_count,
                text_count = text_count + excluded.text_count, token_count = token_count + excluded.token_count
            """, [day, generation, usage.requestCount, usage.textCount, usage.tokenCount])
    }

    static func all(on day: Int, in db: Database) throws -> [GenerationUsage] {
        try db.rows(
            """
            SELECT generation, COALESCE(SUM(request_count) FILTER (WHERE day = ?1), 0),
                COALESCE(SUM(text_count) FILTER (WHERE day = ?1), 0),
                COALESCE(SUM(token_count) FILTER (WHERE day = ?1), 0),
                SUM(request_count), SUM(text_count), SUM(token_count)
            FROM embedding_usage GROUP BY generation ORDER BY generation
            """, [day]
        ).map { row in
            GenerationUsage(
                generation: GenerationNumber(rawValue: row[0]),
                today: EmbeddingUsage(requestCount: row[1], textCount: row[2], tokenCount: row[3]),
                total: EmbeddingUsage(requestCount: row[4], textCount: row[5], tokenCount: row[6]))
        }
    }
}
