package import ChatCore
import Foundation

extension SQLStore {
    /// Opens a session of an account.
    package func openSession(_ session: AccountSession, digest: [UInt8], password: String?) async throws -> Bool {
        try await write { db in
            let (user, moment) = (session.userID.rawValue, session.createdAt.microseconds)
            let rows = AccountRows(db: db)
            guard try rows.find(session.userID)?.isDisabled == false else { return false }
            if let password, try !rows.hasPassword(password, session.userID) { return false }
            try db.run("DELETE FROM account_sessions WHERE user_id = ? AND expires_at <= ?", [user, moment])
            try db.run(
                """
                INSERT INTO account_sessions (
                    id, user_id, digest, created_at, used_at, expires_at, user_agent, client, client_name, scopes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    session.id.rawValue, user, Data(digest), moment, session.lastUsedAt.microseconds,
                    session.expiresAt.microseconds, session.userAgent, session.assistant.map { Data($0.client) },
                    session.assistant?.name, session.assistant?.scopes.words,
                ])
            let kind = session.assistant == nil ? "client IS NULL" : "client IS NOT NULL"
            try db.run(
                """
                DELETE FROM account_sessions WHERE user_id = ?1 AND \(kind) AND id NOT IN (
                    SELECT id FROM account_sessions WHERE user_id = ?1 AND \(kind)
                    ORDER BY used_at DESC, id LIMIT ?2)
                """, [user, AccountSession.countLimit])
            try PushDeviceRows(db: db).endWithSessions(of: session.userID)
            if session.assistant == nil {
                try db.run("UPDATE accounts SET signed_in_at = ? WHERE user_id = ?", [moment, user])
            }
            return true
        }
    }

    /// Returns a valid session with its account.
    package func session(_ id: AccountSession.ID, at moment: Timestamp) async throws -> (
        session: AccountSession, account: Account
    )? {
        try await read { db in
            try db.row(SessionRows.joined, [id.rawValue, moment.microseconds]).map { row in
                (SessionRows.session(row), try AccountRows.account(row, at: SessionRows.columnCount))
            }
        }
    }

    /// Returns the valid sessions of a person, the last used first.
    package func sessions(of id: UserID, at moment: Timestamp) async throws -> [AccountSession] {
        try await read { db in
            try db.rows(
                """
                SELECT \(SessionRows.columns) FROM account_sessions s WHERE s.user_id = ? AND s.expires_at > ?
                ORDER BY s.used_at DESC, s.id
                """, [id.rawValue, moment.microseconds]
            ).map { SessionRows.session($0) }
        }
    }

    /// Renews a session.
    package func renewSession(
        _ id: AccountSession.ID, digest: [UInt8], next: [UInt8], grace: Duration, until expiry: Timestamp,
        at moment: Timestamp
    ) async throws -> SessionRenewal {
        try await write { db in
            try SessionRows(db: db).renew(id, digest: digest, next: next, grace: grace, until: expiry, at: moment)
        }
    }

    /// Ends a session of a person.
    package func endSession(_ id: AccountSession.ID, of user: UserID) async throws -> Bool {
        try await write { db in
            try db.run("DELETE FROM account_sessions WHERE id = ? AND user_id = ?", [id.rawValue, user.rawValue])
            guard db.changedRowCount > 0 else { return false }
            try PushDeviceRows(db: db).endWithSessions(of: user)
            return true
        }
    }
}

/// The rows of sessions, within one transaction.
private struct SessionRows {
    let db: any SQLSession

    static let columns =
        "s.id, s.user_id, s.created_at, s.used_at, s.expires_at, s.user_agent, s.client, s.client_name, s.scopes"
    static let columnCount = 9

    /// Values: session, moment.
    static let joined = """
        SELECT \(columns), a.user_id, a.name, a.role, a.is_disabled, a.created_at, a.accepted_at, a.signed_in_at,
            a.password IS NOT NULL, a.email
        FROM account_sessions s JOIN accounts a ON a.user_id = s.user_id
        WHERE s.id = ? AND s.expires_at > ? AND a.is_disabled = 0
        """

    static func session(_ row: SQLRow) -> AccountSession {
        AccountSession(
            id: row.identifier(0), userID: row.identifier(1), createdAt: row.moment(2), lastUsedAt: row.moment(3),
            expiresAt: row.moment(4), userAgent: row[5], assistant: assistant(row))
    }

    private static func assistant(_ row: SQLRow) -> ConnectedAssistant? {
        guard let client: Data = row[6], let name: String = row[7], let scopes: String = row[8] else { return nil }
        return ConnectedAssistant(name: name, client: Array(client), scopes: Set(words: scopes))
    }

    func renew(
        _ id: AccountSession.ID, digest: [UInt8], next: [UInt8], grace: Duration, until expiry: Timestamp,
        at moment: Timestamp
    ) throws -> SessionRenewal {
        guard
            let row = try db.row(
                """
                SELECT \(Self.columns), s.digest, s.previous, s.renewed_at FROM account_sessions s
                WHERE s.id = ? AND s.expires_at > ?
                """, [id.rawValue, moment.microseconds])
        else { return .unknown }
        var session = Self.session(row)
        guard let account = try AccountRows(db: db).find(session.userID) else { return .unknown }
        let (present, previous): (Data, Data?) = (row[Self.columnCount], row[Self.columnCount + 1])
        if isSameSecret(present, digest) {
            guard !account.isDisabled else { return .disabled }
            session.lastUsedAt = moment
            session.expiresAt = expiry
            try db.run(
                """
                UPDATE account_sessions SET digest = ?, previous = ?, renewed_at = ?4, used_at = ?4, expires_at = ?5
                WHERE id = ?3
                """, [Data(next), present, id.rawValue, moment.microseconds, expiry.microseconds])
            return .renewed(session, account)
        }
        if let previous, let renewedAt = row.momentIfAny(Self.columnCount + 2), isSameSecret(previous, digest),
            moment - renewedAt <= grace
        {
            return account.isDisabled ? .disabled : .renewed(session, account)
        }
        try db.run("DELETE FROM account_sessions WHERE id = ?", [id.rawValue])
        try PushDeviceRows(db: db).endWithSessions(of: session.userID)
        return .reused
    }
}
