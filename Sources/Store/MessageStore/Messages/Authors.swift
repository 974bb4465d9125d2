import ChatCore

/// The rows of `identities`: authors of sources, and their users.
enum Authors {
    static func user(of authorID: String, source: String, in db: any SQLSession) throws -> UserID? {
        try db.row("SELECT user_id FROM identities WHERE source = ? AND external_id = ?", [source, authorID])
            .map { $0.identifier(0) }
    }

    /// Values: source, a list of authors.
    static let byIDs = """
        SELECT external_id, user_id FROM identities
        WHERE source = ?1 AND external_id IN (SELECT value FROM json_each(?2, '$'))
        """

    /// Stores an author as the user of the same id.
    static func register(_ authorID: String, source: String, in db: any SQLSession) throws {
        try db.run(
            "INSERT INTO identities (source, external_id, user_id) VALUES (?, ?, ?)", [source, authorID, authorID])
    }

    /// Stores an author, or updates one; the user of the author does not change.
    static func store(_ author: Identity, in db: any SQLSession) throws {
        try StoreRules.check(author)
        try db.run(
            """
            INSERT INTO identities (source, external_id, user_id, name, email, is_bot, kind)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (source, external_id) DO UPDATE SET name = COALESCE(excluded.name, identities.name),
                email = COALESCE(excluded.email, identities.email), is_bot = excluded.is_bot,
                kind = COALESCE(excluded.kind, identities.kind)
            """,
            [
                author.source, author.externalID, author.userID.rawValue, author.name, author.email, author.isBot,
                author.kind?.rawValue,
            ])
        let user = try user(of: author.externalID, source: author.source, in: db) ?? author.userID
        try UserRows.derive(user, in: db)
    }

    static let columns = "source, external_id, user_id, name, email, is_bot, kind"

    static func identity(_ row: SQLRow) -> Identity {
        Identity(
            source: row[0], externalID: row[1], userID: row.identifier(2), name: row[3], email: row[4], isBot: row[5],
            kind: (row[6] as String?).flatMap(UserKind.init(rawValue:)))
    }
}
