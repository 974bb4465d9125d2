package import ChatCore

extension SQLStore {
    /// Returns the kind of a user.
    package func kind(of id: UserID) async throws -> UserKind {
        try await read { db in try UserRows.find(id, in: db)?.kind ?? .member }
    }

    /// Sets the kind of a user; nil lets the imports decide again.
    package func setKind(_ kind: UserKind?, of id: UserID) async throws {
        try await write { db in
            guard UserID(validating: id.rawValue) != nil else {
                throw RepositoryError.invalid(field: "userId", reason: "is not a usable id")
            }
            try UserRows.tellingOpenConversations(id, in: db) {
                if let kind {
                    try UserRows.write(User(id: id, kind: kind, isStated: true), in: db)
                } else {
                    try db.run("DELETE FROM users WHERE id = ?", [id.rawValue])
                    try UserRows.derived(id, in: db)
                }
            }
        }
    }

    /// Returns the users whose kind was set, or is not the default, ordered by id.
    package func users() async throws -> [User] {
        try await read { db in
            try db.rows("SELECT \(UserRows.columns) FROM users ORDER BY id").map(UserRows.user)
        }
    }
}

/// The rows of `users`: kinds of users.
enum UserRows {
    static let columns = "id, kind, is_stated"

    static func user(_ row: SQLRow) -> User {
        // An unknown kind must not show more than a guest sees.
        User(
            id: row.identifier(0), kind: UserKind(rawValue: row[1]) ?? .guest, isStated: row[2])
    }

    static func find(_ id: UserID, in db: any SQLSession) throws -> User? {
        try db.row("SELECT \(columns) FROM users WHERE id = ?", [id.rawValue]).map(user)
    }

    static func write(_ user: User, in db: any SQLSession) throws {
        try db.run(
            """
            INSERT INTO users (id, kind, is_stated) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, is_stated = excluded.is_stated
            """,
            [user.id.rawValue, user.kind.rawValue, user.isStated])
    }

    /// Changes the kind of a user; reports the open conversations to a user who sees them now, or no longer.
    static func tellingOpenConversations(
        _ id: UserID, in db: any SQLSession, _ change: () throws -> Void
    ) throws {
        let before = try find(id, in: db)?.kind ?? .member
        try change()
        let after = try find(id, in: db)?.kind ?? .member
        guard (before == .member) != (after == .member) else { return }
        try db.run(
            """
            INSERT INTO changes (kind, conversation, user_id)
            SELECT ?1, c.number, ?2 FROM conversations c WHERE c.visibility = 'everyone' AND NOT EXISTS (
                SELECT 1 FROM members p WHERE p.conversation = c.number AND p.user_id = ?2 AND p.left_at IS NULL)
            ORDER BY c.number
            """, [ChangeKind.membership.rawValue, id.rawValue])
    }

    /// Derives the kind of a user from the sources, unless it was set.
    static func derive(_ id: UserID, in db: any SQLSession) throws {
        try tellingOpenConversations(id, in: db) { try derived(id, in: db) }
    }

    fileprivate static func derived(_ id: UserID, in db: any SQLSession) throws {
        let known = try find(id, in: db)
        guard known?.isStated != true else { return }
        // A link gives an account what an author reads, and says nothing about the account.
        let identities = try db.rows(
            """
            SELECT \(Authors.columns) FROM identities WHERE user_id = ? AND NOT EXISTS (
                SELECT 1 FROM person_links l WHERE l.source = identities.source AND l.author_id = external_id)
            """, [id.rawValue]
        ).map(Authors.identity)
        let kind = Identity.kind(of: identities)
        guard kind != known?.kind ?? .member else { return }
        if kind == .member {
            try db.run("DELETE FROM users WHERE id = ?", [id.rawValue])
        } else {
            try write(User(id: id, kind: kind, isStated: false), in: db)
        }
    }
}
