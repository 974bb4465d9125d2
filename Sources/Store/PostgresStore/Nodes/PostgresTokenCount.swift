import ChatCore
import MessageStore

/// The tokens of embedding services that all nodes share: a row for each day.
///
/// A day begins with the tokens that are already recorded, which are those of nodes of an earlier release.
final class PostgresTokenCount: SharedTokenCount {
    static let table = """
        CREATE TABLE embedding_tokens (
            day BIGINT PRIMARY KEY,
            token_count BIGINT NOT NULL
        );

        """

    /// Values: day, tokens, the most that the count may be before.
    private static let add = """
        UPDATE embedding_tokens SET token_count = GREATEST(0, LEAST(token_count, \(UsageRows.largest)) + $2)
        WHERE day = $1 AND token_count <= $3 RETURNING token_count
        """

    /// Begins a day; value: day.
    private static let begin = """
        INSERT INTO embedding_tokens (day, token_count)
        SELECT $1, COALESCE(SUM(LEAST(u.token_count, \(UsageRows.largest))), 0)::bigint FROM embedding_usage u
            LEFT JOIN generations g ON g.number = u.generation
        WHERE u.day = $1 AND (g.number IS NULL OR g.base_url IS NOT NULL) ON CONFLICT DO NOTHING
        """

    /// Value: day.
    private static let find = "SELECT token_count FROM embedding_tokens WHERE day = $1"

    /// Value: the first day that is kept.
    private static let removeOld = "DELETE FROM embedding_tokens WHERE day < $1"

    private let engine: PostgresEngine

    init(engine: PostgresEngine) {
        self.engine = engine
    }

    func add(_ tokenCount: Int, on day: Int, ifAtMost ceiling: Int?) async throws -> (count: Int, isAdded: Bool) {
        let place = SQLValue.integer(Int64(day))
        let count = Int64(max(-UsageRows.largest, min(tokenCount, UsageRows.largest)))
        // A count that is not settled would stay too high, so it is settled even when the worker stops.
        return try await engine.asideOfLog(isCertain: true) { session in
            for _ in 0..<2 {
                let values: [SQLValue] = [place, .integer(count), .integer(ceiling.map(Int64.init) ?? .max)]
                let added = try session.execute(Self.add, values).rows.first?.first
                if case .integer(let total)? = added { return (Int(total), true) }
                let found = try session.execute(Self.find, [place]).rows.first?.first
                if case .integer(let total)? = found { return (Int(total), false) }
                _ = try session.execute(Self.begin, [place])
                _ = try session.execute(Self.removeOld, [.integer(Int64(day) - 30)])
            }
            throw PostgresFailure(code: nil)
        }
    }
}
