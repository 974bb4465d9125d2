package import ChatCore

extension SQLStore {
    static let importedChatsSQL = """
        SELECT c.id, c.name,
            (SELECT m.timestamp FROM messages m WHERE m.conversation = c.number AND m.deleted_at IS NULL
                ORDER BY m.timestamp, m.number LIMIT 1),
            (SELECT m.timestamp FROM messages m WHERE m.conversation = c.number AND m.deleted_at IS NULL
                ORDER BY m.timestamp DESC, m.number DESC LIMIT 1)
        FROM conversations c
        WHERE c.number IN (SELECT p.conversation FROM members p WHERE p.source = ?) ORDER BY c.id
        """

    private static let lineColumns = """
        m.timestamp, m.number, m.id, m.source, m.author_id, m.sender_name, m.text, m.attachments, m.deleted_at,
        m.edited_at
        """

    static let importedLinesSQL = """
        SELECT \(lineColumns) FROM messages m
        WHERE m.conversation = ? AND m.deleted_at IS NULL AND (m.timestamp, m.number) > (?, ?)
        ORDER BY m.timestamp, m.number LIMIT ?
        """

    private static let deletedLinesSQL = """
        SELECT \(lineColumns) FROM messages m
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.deleted_at IS NOT NULL
        ORDER BY m.timestamp, m.number
        """

    private static let placesSQL = """
        SELECT c.id, c.name,
            (SELECT COUNT(*) FROM messages m WHERE m.conversation = c.number AND m.source = ?1 AND m.author_id = ?2)
        FROM conversations c WHERE c.number IN (
            SELECT p.conversation FROM members p WHERE p.source = ?1 AND p.author_id = ?2
            UNION SELECT m.conversation FROM messages m WHERE m.source = ?1 AND m.author_id = ?2)
        ORDER BY c.id
        """

    package func importedChats(of source: String) async throws -> [ImportedChat] {
        try await read { db in
            try db.rows(Self.importedChatsSQL, [source]).map { row in
                ImportedChat(
                    id: row.identifier(0), name: row[1], first: row.momentIfAny(2), last: row.momentIfAny(3))
            }
        }
    }

    package func importedLines(
        of id: ConversationID, after: ImportedLine.Place, limit: Int
    ) async throws -> [ImportedLine] {
        try await read { db in
            guard let conversation = try db.number("SELECT number FROM conversations WHERE id = ?", [id.rawValue])
            else { return [] }
            return try db.rows(
                Self.importedLinesSQL,
                [conversation, after.timestamp.microseconds, after.number.rawValue, limit]
            ).map(Self.line)
        }
    }

    package func deletedLines(of id: ConversationID) async throws -> [ImportedLine] {
        try await read { db in try db.rows(Self.deletedLinesSQL, [id.rawValue]).map(Self.line) }
    }

    package func erasedLines(of id: ConversationID) async throws -> Set<MessageID> {
        try await read { db in
            let rows = try db.rows(
                "SELECT message_id FROM tombstones WHERE conversation_id = ? AND message_id LIKE 'erased:%'",
                [id.rawValue])
            return Set(rows.map { $0.identifier(0) })
        }
    }

    private static func line(_ row: SQLRow) -> ImportedLine {
        ImportedLine(
            place: ImportedLine.Place(timestamp: row.moment(0), number: MessageNumber(rawValue: row[1])),
            id: row.identifier(2), source: row[3], authorID: row.identifier(4), authorName: row[5], text: row[6],
            hasFiles: (row[7] as String?) != nil, isDeleted: row.momentIfAny(8) != nil, editedAt: row.momentIfAny(9))
    }

    package func places(of externalID: String, source: String) async throws -> [AuthorPlace] {
        try await read { db in
            try db.rows(Self.placesSQL, [source, externalID]).map { row in
                AuthorPlace(id: row.identifier(0), name: row[1], messageCount: row[2])
            }
        }
    }

    package func map(
        _ identity: Identity, in id: ConversationID, as externalID: String, at moment: Timestamp
    ) async throws -> Int {
        try await write { db in
            var author = identity
            author.externalID = externalID
            if externalID != identity.externalID { try Self.separate(identity, in: id, as: externalID, in: db) }
            return try Self.map(author, at: moment, in: db)
        }
    }

    /// Gives the messages and the membership that an author has in a conversation to a new author of the same user.
    private static func separate(
        _ author: Identity, in id: ConversationID, as externalID: String, in db: any SQLSession
    ) throws {
        guard let user = try Authors.user(of: author.externalID, source: author.source, in: db) else {
            throw RepositoryError.invalid(field: "externalId", reason: "no author of this source has this id")
        }
        guard let conversation = try db.number("SELECT number FROM conversations WHERE id = ?", [id.rawValue]) else {
            throw RepositoryError.noSuchConversation(id)
        }
        let values: [SQLArgument] = [externalID, conversation, author.source, author.externalID]
        var count = 0
        for table in ["members", "messages"] {
            try db.run(
                "UPDATE \(table) SET author_id = ? WHERE conversation = ? AND source = ? AND author_id = ?", values)
            count += db.changedRowCount
        }
        guard count > 0 else {
            throw RepositoryError.invalid(field: "externalId", reason: "this author is not in the conversation")
        }
        try StoreRules.check(
            Identity(source: author.source, externalID: externalID, userID: user))
        try db.run(
            """
            INSERT INTO identities (source, external_id, user_id, name, email, is_bot, kind)
            SELECT source, ?, user_id, name, email, is_bot, kind FROM identities WHERE source = ? AND external_id = ?
            ON CONFLICT DO NOTHING
            """, [externalID, author.source, author.externalID])
    }
}
