package import ChatCore
import Foundation

extension SQLStore: AccountRepository {
    package func invite(_ account: Account, with invitation: AccountInvitation) async throws {
        try await write { db in
            let rows = AccountRows(db: db)
            if let known = try rows.find(account.userID) {
                guard known.acceptedAt == nil else { throw RepositoryError.conflict("an account with this id exists") }
                try StoreRules.check(account)
                try db.run(
                    "UPDATE accounts SET name = ?, role = ? WHERE user_id = ?",
                    [account.name, account.role.rawValue, account.userID.rawValue])
            } else {
                try rows.add(account)
            }
            try rows.replaceLink(invitation)
        }
    }

    package func acceptAccount(_ account: Account, at moment: Timestamp) async throws -> Account {
        try await write { db in
            let rows = AccountRows(db: db)
            if try rows.find(account.userID) == nil { try rows.add(account) }
            try db.run(
                "UPDATE accounts SET accepted_at = ? WHERE user_id = ? AND accepted_at IS NULL",
                [moment.microseconds, account.userID.rawValue])
            if let email = try rows.find(account.userID)?.email {
                try AddressRows(db: db, moment: moment).join(email)
            }
            return try rows.find(account.userID) ?? account
        }
    }

    package func accounts() async throws -> [Account] {
        try await read { db in
            try db.rows("SELECT \(AccountRows.columns) FROM accounts ORDER BY user_id")
                .map { try AccountRows.account($0) }
        }
    }

    package func account(_ id: UserID) async throws -> Account? {
        try await read { db in try AccountRows(db: db).find(id) }
    }

    package func changeAccount(_ id: UserID, role: AccountRole?, isDisabled: Bool?) async throws -> AccountChange? {
        try await write { db in
            let rows = AccountRows(db: db)
            guard try rows.find(id) != nil else { return nil }
            if let role { try db.run("UPDATE accounts SET role = ? WHERE user_id = ?", [role.rawValue, id.rawValue]) }
            if isDisabled == true || role == .member { try rows.endLinks(madeBy: id) }
            var ended: [AccountSession.ID] = []
            if let isDisabled {
                try db.run("UPDATE accounts SET is_disabled = ? WHERE user_id = ?", [isDisabled, id.rawValue])
                if isDisabled {
                    try rows.endLinks(of: id)
                    ended = try rows.endSessions(of: id)
                    try PushDeviceRows(db: db).endAll(of: id)
                }
            }
            return try rows.find(id).map { AccountChange(account: $0, endedSessions: ended) }
        }
    }

    package func password(of id: UserID) async throws -> String? {
        try await read { db in
            try db.row("SELECT password FROM accounts WHERE user_id = ?", [id.rawValue]).flatMap { $0[0] as String? }
        }
    }

    package func setPassword(
        _ password: String, of id: UserID, insteadOf old: String, keeping session: AccountSession.ID?
    ) async throws -> AccountChange? {
        try await write { db in
            let rows = AccountRows(db: db)
            guard try rows.hasPassword(old, id) else { return nil }
            try db.run("UPDATE accounts SET password = ? WHERE user_id = ?", [password, id.rawValue])
            guard let account = try rows.find(id) else { return nil }
            try rows.endLinks(of: id)
            return AccountChange(account: account, endedSessions: try rows.endSessions(of: id, except: session))
        }
    }

    package func rewritePassword(_ password: String, of id: UserID, insteadOf old: String) async throws {
        try await write { db in
            try db.run(
                "UPDATE accounts SET password = ? WHERE user_id = ? AND password = ?", [password, id.rawValue, old])
        }
    }

    package func addInvitation(_ invitation: AccountInvitation) async throws -> Bool {
        try await write { db in
            let rows = AccountRows(db: db)
            guard try rows.find(invitation.userID) != nil else { return false }
            try rows.replaceLink(invitation)
            return true
        }
    }

    package func invitation(of user: UserID, at moment: Timestamp) async throws -> AccountInvitation? {
        try await read { db in try AccountRows(db: db).link("l.user_id", user.rawValue, at: moment) }
    }

    package func invitation(_ digest: [UInt8], at moment: Timestamp) async throws -> AccountInvitation? {
        try await read { db in try AccountRows(db: db).link(digest, at: moment) }
    }

    package func acceptInvitation(
        _ digest: [UInt8], password: String, name: String?, at moment: Timestamp
    ) async throws -> AccountChange? {
        try await write { db in
            let rows = AccountRows(db: db)
            guard let link = try rows.link(digest, at: moment), var account = try rows.find(link.userID) else {
                return nil
            }
            if let name { account.name = name }
            try StoreRules.check(account)
            account.acceptedAt = account.acceptedAt ?? moment
            account.hasPassword = true
            try db.run(
                "UPDATE accounts SET password = ?, name = ?, accepted_at = ? WHERE user_id = ?",
                [password, account.name, account.acceptedAt?.microseconds, account.userID.rawValue])
            try rows.endLinks(of: account.userID)
            if let email = account.email { try AddressRows(db: db, moment: moment).join(email) }
            return AccountChange(account: account, endedSessions: try rows.endSessions(of: account.userID))
        }
    }

    package func tokenKey(orStoring new: [UInt8]) async throws -> [UInt8] {
        let stored = try await read { db in try AccountRows(db: db).tokenKey() }
        if let stored { return stored }
        return try await write { db in
            try db.run(
                "INSERT INTO server_secrets (name, value) VALUES ('tokens', ?) ON CONFLICT DO NOTHING", [Data(new)])
            return try AccountRows(db: db).tokenKey() ?? new
        }
    }

    /// Returns the people who are in conversations now, with their names, by id.
    ///
    /// - Parameters:
    ///   - user: The only person that is looked for; nil for all people.
    ///   - limit: The most people.
    /// - Returns: Their ids and names.
    /// - Throws: Storage errors.
    package func presentPeople(only user: UserID?, limit: Int) async throws -> [(id: UserID, name: String)] {
        try await read { db in
            try db.rows(
                """
                SELECT user_id, MAX(display_name) FROM members
                WHERE left_at IS NULL\(user == nil ? "" : " AND user_id = ?2")
                GROUP BY user_id ORDER BY user_id LIMIT ?1
                """, [limit] + (user.map { [$0.rawValue] } ?? [])
            ).map { ($0.identifier(0), $0[1]) }
        }
    }
}

/// The rows of accounts, links and sessions, within one transaction.
struct AccountRows {
    let db: any SQLSession

    static let columns = """
        user_id, name, role, is_disabled, created_at, accepted_at, signed_in_at, password IS NOT NULL, email
        """

    static func account(_ row: SQLRow, at first: Int = 0) throws -> Account {
        Account(
            userID: row.identifier(first), name: row[first + 1], role: try row.word(first + 2),
            isDisabled: row[first + 3], createdAt: row.moment(first + 4), acceptedAt: row.momentIfAny(first + 5),
            lastSignInAt: row.momentIfAny(first + 6), hasPassword: row[first + 7], email: row[first + 8])
    }

    func find(_ id: UserID) throws -> Account? {
        try db.row("SELECT \(Self.columns) FROM accounts WHERE user_id = ?", [id.rawValue]).map { try Self.account($0) }
    }

    func add(_ account: Account) throws {
        try StoreRules.check(account)
        try db.run(
            """
            INSERT INTO accounts (user_id, name, role, is_disabled, created_at, accepted_at, signed_in_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account.userID.rawValue, account.name, account.role.rawValue, account.isDisabled,
                account.createdAt.microseconds, account.acceptedAt?.microseconds, account.lastSignInAt?.microseconds,
            ])
    }

    func replaceLink(_ invitation: AccountInvitation) throws {
        try db.run(
            "DELETE FROM account_links WHERE user_id = ? OR digest = ?",
            [invitation.userID.rawValue, Data(invitation.digest)])
        try db.run(
            """
            INSERT INTO account_links (user_id, digest, purpose, expires_at, made_at, maker, maker_key)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                invitation.userID.rawValue, Data(invitation.digest), invitation.purpose.rawValue,
                invitation.expiresAt.microseconds, invitation.madeAt?.microseconds, invitation.maker?.account?.rawValue,
                invitation.maker?.key?.rawValue,
            ])
    }

    /// Returns a valid link of an account that is not disabled.
    func link(_ digest: [UInt8], at moment: Timestamp) throws -> AccountInvitation? {
        try link("l.digest", Data(digest), at: moment)
    }

    /// Returns the valid link with a value: its maker is an enabled administrator, a valid key of one, or the operator.
    func link(_ column: String, _ value: SQLArgument, at moment: Timestamp) throws -> AccountInvitation? {
        try db.row(
            """
            SELECT l.user_id, l.purpose, l.expires_at, l.made_at, l.maker, l.maker_key, l.digest
            FROM account_links l JOIN accounts a ON a.user_id = l.user_id
            WHERE \(column) = ?1 AND l.expires_at > ?2 AND a.is_disabled = 0
                AND (l.maker IS NULL OR EXISTS (
                    SELECT 1 FROM accounts m
                    WHERE m.user_id = l.maker AND m.role = 'administrator' AND m.is_disabled = 0))
                AND (l.maker_key IS NULL OR EXISTS (
                    SELECT 1 FROM api_keys k WHERE k.id = l.maker_key AND k.role = 'admin' AND k.revoked_at IS NULL
                        AND (k.expires_at IS NULL OR k.expires_at > ?2)))
            """, [value, moment.microseconds]
        ).map { row in
            let (maker, key): (String?, String?) = (row[4], row[5])
            let digest: Data = row[6]
            return AccountInvitation(
                userID: row.identifier(0), purpose: try row.word(1), digest: [UInt8](digest),
                expiresAt: row.moment(2), madeAt: row.momentIfAny(3),
                maker: maker.map { .account(UserID(rawValue: $0)) } ?? key.map { .key(APIKey.ID(rawValue: $0)) })
        }
    }

    func endLinks(madeBy id: UserID) throws {
        try db.run("DELETE FROM account_links WHERE maker = ?", [id.rawValue])
    }

    func endLinks(of id: UserID) throws {
        try db.run("DELETE FROM account_links WHERE user_id = ?", [id.rawValue])
    }

    /// Whether this is the stored form of the account's password.
    func hasPassword(_ password: String, _ id: UserID) throws -> Bool {
        try db.row("SELECT 1 FROM accounts WHERE user_id = ? AND password = ?", [id.rawValue, password]) != nil
    }

    /// Ends the sessions of an account and returns them.
    func endSessions(of id: UserID, except session: AccountSession.ID? = nil) throws -> [AccountSession.ID] {
        let kept = session?.rawValue ?? ""
        let ended: [AccountSession.ID] = try db.rows(
            "SELECT id FROM account_sessions WHERE user_id = ? AND id <> ? ORDER BY id", [id.rawValue, kept]
        ).map { $0.identifier(0) }
        try db.run("DELETE FROM account_sessions WHERE user_id = ? AND id <> ?", [id.rawValue, kept])
        try PushDeviceRows(db: db).endWithSessions(of: id)
        return ended
    }

    func tokenKey() throws -> [UInt8]? {
        try db.row("SELECT value FROM server_secrets WHERE name = 'tokens'").map { row in
            let value: Data = row[0]
            return [UInt8](value)
        }
    }
}

extension LinkMaker {
    fileprivate var account: UserID? { if case .account(let id) = self { id } else { nil } }
    fileprivate var key: APIKey.ID? { if case .key(let id) = self { id } else { nil } }
}
