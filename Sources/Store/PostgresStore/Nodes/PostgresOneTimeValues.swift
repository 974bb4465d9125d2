import ChatCore
import Crypto
import Foundation
import MessageStore

/// One-time values that all nodes share.
///
/// The database holds only digests of the keys, so nobody who reads it can use one.
final class PostgresOneTimeValues: OneTimeValues {
    static let table = """
        CREATE TABLE one_time_values (
            digest BYTEA PRIMARY KEY,
            value TEXT NOT NULL,
            user_id TEXT,
            until BIGINT NOT NULL
        );

        CREATE INDEX one_time_values_by_end ON one_time_values (until);

        """

    private static let limit: Int64 = 20_000

    private let engine: PostgresEngine

    init(engine: PostgresEngine) {
        self.engine = engine
    }

    func keep(
        _ value: String, as key: String, of user: UserID?, until end: Timestamp, at moment: Timestamp
    ) async throws -> Bool {
        try await engine.asideOfLog { session in
            _ = try session.execute(
                "DELETE FROM one_time_values WHERE until <= $1", [.integer(moment.microseconds)])
            let kept = try session.execute(
                """
                INSERT INTO one_time_values (digest, value, user_id, until)
                SELECT $1, $2, NULLIF($3, ''), $4
                WHERE (SELECT COUNT(*) FROM one_time_values WHERE (user_id IS NULL) = ($3 = '')) < $5
                ON CONFLICT (digest) DO UPDATE SET
                    value = excluded.value, user_id = excluded.user_id, until = excluded.until
                """,
                [
                    Self.digest(key), .text(value), .text(user?.rawValue ?? ""), .integer(end.microseconds),
                    .integer(Self.limit),
                ])
            return kept.rowCount == 1
        }
    }

    func take(_ key: String, at moment: Timestamp) async throws -> String? {
        try await engine.asideOfLog { session in
            let taken = try session.execute(
                "DELETE FROM one_time_values WHERE digest = $1 RETURNING value, until", [Self.digest(key)])
            guard let row = taken.rows.first, case .text(let value) = row[0], case .integer(let end) = row[1],
                end > moment.microseconds
            else { return nil }
            return value
        }
    }

    func forget(_ user: UserID) async throws {
        try await engine.asideOfLog { session in
            _ = try session.execute("DELETE FROM one_time_values WHERE user_id = $1", [.text(user.rawValue)])
        }
    }

    private static func digest(_ key: String) -> SQLValue { .data(Data(SHA256.hash(data: Data(key.utf8)))) }
}
