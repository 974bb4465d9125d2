package import ChatCore

/// The kinds of rows in `changes`.
package enum ChangeKind: Int {
    case conversation = 1
    case message = 2
    case embedded = 3
    case retired = 4
    case generation = 5
    case items = 6
    case threads = 7
    case membership = 8
    case receipt = 9
    case personal = 10
    /// A member has received messages of the user.
    case delivery = 11
    /// An erased message lost its row; only in PostgreSQL.
    case erasedMessage = 12
    /// The times changed whose messages the user may read in a conversation; see ``ChangeLog/everybody``.
    case readingRights = 13
    /// The connection to another chat was changed, or events of it arrived.
    case connections = 14
}

/// Writes and reads the change log.
package enum ChangeLog {
    /// The user of changes that concern everybody who sees a conversation, or who saw it; no user has this id.
    static let everybody = UserID(rawValue: "")

    static func append(
        _ kind: ChangeKind, conversation: Int64? = nil, message: Int64? = nil, passage: Int64? = nil,
        generation: Int64? = nil, user: UserID? = nil, to db: any SQLSession
    ) throws {
        try db.run(
            "INSERT INTO changes (kind, conversation, message, passage, generation, user_id) VALUES (?, ?, ?, ?, ?, ?)",
            [kind.rawValue, conversation, message, passage, generation, user?.rawValue])
    }

    package static func latest(in db: any SQLSession) throws -> ChangeNumber {
        ChangeNumber(rawValue: try db.lastChange())
    }

    package static let storedEpoch = "SELECT epoch FROM change_log"

    /// The identity of the log of this database; see ``ChangeCursor/epoch``.
    package static func epoch(in db: any SQLSession) throws -> Int64 {
        guard let number = try db.number(storedEpoch) else {
            throw RepositoryError.unavailable(reason: "the change log has no epoch")
        }
        return db.epoch(ofStored: number)
    }

    /// The end of the log.
    package static func end(in db: any SQLSession) throws -> ChangeCursor {
        try cursor(at: latest(in: db).rawValue, in: db)
    }

    /// A position; the log of SQLite has one lane.
    package static func cursor(at number: Int64, in db: any SQLSession) throws -> ChangeCursor {
        ChangeCursor(epoch: try epoch(in: db), positions: [ChangeNumber(rawValue: number)])
    }

    /// The number of a cursor's position.
    ///
    /// - Throws: ``RepositoryError/expiredCursor``.
    static func number(of cursor: ChangeCursor, in db: any SQLSession) throws -> Int64 {
        try number(of: cursor, upTo: end(in: db))
    }

    /// The number of a cursor's position in a log with this end.
    static func number(of cursor: ChangeCursor, upTo end: ChangeCursor) throws -> Int64 {
        guard end.reaches(cursor) else { throw RepositoryError.expiredCursor }
        return cursor.positions[0].rawValue
    }

    /// The number of a cursor from which changes are read.
    ///
    /// - Throws: ``RepositoryError/expiredCursor``, also if changes after it were removed.
    static func start(of cursor: ChangeCursor, in db: any SQLSession) throws -> Int64 {
        try ChangeLogBounds(in: db).start(of: cursor)
    }

    /// The most changes that are read before the rest of a search; more are read in pages.
    private static let partSize = 64

    /// Returns the first changes after a position with their contents; nil if there are none, or they cannot be read.
    static func part(after followed: FollowedPosition, in db: any SQLSession) throws -> ChangePage? {
        func rows() throws -> [SQLRow] {
            try db.rows(selection, [followed.cursor.positions.first?.rawValue, partSize])
        }
        try db.ahead({ _ = try ChangeLogBounds(in: db) }, { _ = try rows() })
        do {
            _ = try start(of: followed.cursor, in: db)
        } catch RepositoryError.expiredCursor {
            return nil
        }
        let changes = try rows().map(change)
        guard let last = changes.last else { return nil }
        let keys = Set(changes.compactMap(\.messageKey)).sorted()
        let embedded = changes.compactMap { change -> PassageNumber? in
            guard case .embedded(let passage, followed.generation) = change.subject else { return nil }
            return passage
        }
        func passages() throws -> [IndexedPassage] {
            guard let generation = followed.generation else { return [] }
            let (named, held) = (embedded, keys)
            try db.ahead(
                { _ = try PassageRows.passages(named, of: generation, in: db) },
                { _ = try PassageRows.passages(of: held, in: generation, db) })
            let found =
                try PassageRows.passages(named, of: generation, in: db)
                + PassageRows.passages(of: held, in: generation, db)
            let byNumber = Dictionary(found.map { ($0.number, $0) }) { first, _ in first }
            return byNumber.values.sorted { $0.number < $1.number }
        }
        try db.ahead({ _ = try IndexedRows.messages(keys, in: db) }, { _ = try passages() })
        return ChangePage(
            changes: changes, end: try cursor(at: last.number.rawValue, in: db),
            contents: ChangeContents(
                messages: try IndexedRows.messages(keys, in: db), generation: followed.generation,
                passages: try passages()))
    }

    static let selection = """
        SELECT e.number, e.kind, c.id, m.id, e.passage, e.generation, e.user_id, e.message FROM changes e
        LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN messages m ON m.number = e.message
        WHERE e.number > ? ORDER BY e.number LIMIT ?
        """

    static func change(_ row: SQLRow) throws -> Change {
        Change(
            number: ChangeNumber(rawValue: row[0]),
            conversationID: (row[2] as String?).map { ConversationID(rawValue: $0) }, subject: try subject(row))
    }

    private static func subject(_ row: SQLRow) throws -> Change.Subject {
        let passage = PassageNumber(rawValue: row[4] ?? 0)
        let generation = GenerationNumber(rawValue: row[5] ?? 0)
        switch ChangeKind(rawValue: row[1]) {
        case .conversation: return .conversation
        case .message: return .message(row.identifier(3))
        case .embedded: return .embedded(passage, generation)
        case .retired: return .retired(passage)
        case .generation: return .generation(generation)
        case .items: return .items
        case .threads: return .threads((row[6] as String?).map { UserID(rawValue: $0) })
        case .membership: return .membership(row.identifier(6))
        case .receipt: return .receipt(row.identifier(6))
        case .personal, .delivery: return .personal(row.identifier(6))
        case .connections: return .connections
        case .erasedMessage: return .erased(MessageNumber(rawValue: row[7]))
        // One person's are read like a membership, everybody's like the conversation.
        case .readingRights:
            let user: UserID = row.identifier(6)
            return user == everybody ? .conversation : .membership(user)
        // Of a later release, whose nodes may write the same database: followers look at the conversation again.
        case nil: return .conversation
        }
    }
}
