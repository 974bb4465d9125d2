import ChatCore
import Crypto
import Foundation

/// Asks whether the rights of requests still hold, within the transaction in which they write.
struct AuthorityRows {
    let db: any SQLSession

    /// How long an erasure is remembered: no request takes longer.
    static let memory = Duration.seconds(3_600)

    /// Values: the earliest beginning, the people who signed in, their sessions, the keys.
    static let endedSQL = """
        SELECT 'erased', e.salt, e.digest, e.erased_at FROM erased_users e WHERE e.erased_at > ?1
        UNION ALL SELECT 'disabled', a.user_id, '', 0 FROM accounts a
        WHERE a.is_disabled = 1 AND a.user_id IN (SELECT value FROM json_each(?2, '$'))
        UNION ALL SELECT 'session', j.value, '', 0 FROM json_each(?3, '$') j
        WHERE NOT EXISTS (SELECT 1 FROM account_sessions s WHERE s.id = j.value)
        UNION ALL SELECT 'key', k.id, '', 0 FROM api_keys k
        WHERE k.revoked_at IS NOT NULL AND k.id IN (SELECT value FROM json_each(?4, '$'))
        """

    /// Sends the question for several requests; the call of the result fails if a right of one ended.
    ///
    /// The answer is needed at the end only, so it costs no extra round trip if the transaction reads anything.
    ///
    /// - Parameter authorities: The requests; nil for the server itself.
    /// - Returns: Fails with ``RepositoryError/rightsEnded``.
    /// - Throws: Storage errors.
    func ask(_ authorities: [RequestAuthority?]) throws -> () throws -> Void {
        let asked = authorities.compactMap(\.self).filter { $0.key != nil || !$0.users.isEmpty }
        guard let since = asked.map(\.beganAt).min() else { return {} }
        let answer = try db.asked(
            Self.endedSQL,
            [
                since.microseconds, Set(asked.compactMap(\.person?.rawValue)).sorted(),
                Set(asked.compactMap(\.session?.rawValue)).sorted(), Set(asked.compactMap(\.key?.rawValue)).sorted(),
            ])
        return {
            for row in try answer() where try Self.ends(row, asked) { throw RepositoryError.rightsEnded }
        }
    }

    /// Whether a row ends the right of a request.
    private static func ends(_ row: SQLRow, _ asked: [RequestAuthority]) throws -> Bool {
        guard row[0] == "erased" else { return true }
        let moment = row.moment(3)
        return asked.contains { authority in
            moment > authority.beganAt
                && authority.users.contains { digest(of: $0.rawValue, salt: row[1]) == row[2] }
        }
    }

    /// Remembers that a user is erased, without the user's id.
    func remember(erasureOf user: String, at moment: Timestamp) throws {
        try forgetErasures(at: moment)
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0).base64EncodedString() }
        try db.run(
            "INSERT INTO erased_users (salt, digest, erased_at) VALUES (?, ?, ?)",
            [salt, Self.digest(of: user, salt: salt), moment.microseconds])
    }

    /// Whether a user was erased after a moment of the last hour.
    func isErased(_ user: String, since moment: Timestamp) throws -> Bool {
        try db.rows("SELECT salt, digest FROM erased_users WHERE erased_at > ?", [moment.microseconds])
            .contains { Self.digest(of: user, salt: $0[0]) == $0[1] }
    }

    /// Forgets the erasures that no request outlasts.
    func forgetErasures(at moment: Timestamp) throws {
        try db.run("DELETE FROM erased_users WHERE erased_at < ?", [(moment + (.zero - Self.memory)).microseconds])
    }

    private static func digest(of user: String, salt: String) -> String {
        Data(SHA256.hash(data: Data((salt + user).utf8))).base64EncodedString()
    }
}
