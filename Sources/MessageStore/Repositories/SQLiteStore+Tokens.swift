public import ChatCore
import GRDB

extension SQLiteStore {
    /// How many days before the present one are kept.
    private static let keptDays = 30

    /// Returns what a user's questions took on a day.
    public func usedTokens(of user: UserID, on day: Int) async throws -> Int {
        try await read { db in
            try db.row("SELECT token_count FROM user_tokens WHERE day = ? AND user_id = ?", [day, user.rawValue])?[0]
                ?? 0
        }
    }

    /// Adds to what users' questions took on a day, and forgets what is old.
    public func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws {
        try await write { db in
            for (user, count) in counts {
                try db.run(
                    """
                    INSERT INTO user_tokens (day, user_id, token_count) VALUES (?, ?, ?)
                    ON CONFLICT (day, user_id) DO UPDATE SET
                        token_count = MIN(token_count + excluded.token_count, \(UsageRows.largest))
                    """, [day, user.rawValue, count])
            }
            try db.run("DELETE FROM user_tokens WHERE day < ?", [day - Self.keptDays])
        }
    }
}
