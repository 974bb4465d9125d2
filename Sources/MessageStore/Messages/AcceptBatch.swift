import ChatCore

/// One call of `accept`; remembers the conversations and authors that it has looked up.
struct AcceptBatch {
    private let writer: MessageWriter
    private let source: String
    private let mode: AcceptMode
    private var conversations: [ConversationID: Int64] = [:]
    private var users: [UserID: UserID] = [:]
    private var knownAuthors: Set<UserID> = []
    /// Whether there are tombstones; most data folders have none.
    private let hasTombstones: Bool

    private var db: SQLSession { writer.db }

    init(_ writer: MessageWriter, source: String, mode: AcceptMode) throws {
        self.writer = writer
        hasTombstones = try Tombstones.exist(in: writer.db)
        self.source = source
        self.mode = mode
    }

    mutating func accept(_ given: Message) throws -> AcceptOutcome {
        if let refusal = StoreRules.refusal(of: given) { return refusal }
        guard let conversation = try number(of: given.key.conversationID) else { return .noSuchConversation }
        let existing = try existing(given.key, in: conversation)
        if existing?.message.deletedAt != nil { return .deletedBefore }
        if existing == nil, hasTombstones, try Tombstones.contain(given.key, in: db) { return .deletedBefore }
        if let outcome = try outcomeOfTwin(of: given, conversation: conversation) { return outcome }
        let author = given.senderID
        var message = given.written(by: try user(of: author))
        do {
            message = try FileRows(db: db).described(
                message, owners: [author, message.senderID], existing: existing?.message)
        } catch RepositoryError.invalid(let field, let reason) {
            return .invalid(field: field, reason: reason)
        }
        if let existing {
            if existing.message == message { return .unchanged(given.key.messageID) }
            if mode == .posting { return .conflict }
            try register(author)
            try writer.replace(existing, with: message, author: (source, author.rawValue))
            return .updated
        }
        try register(author)
        try writer.insert(message, conversation: conversation, source: source, authorID: author.rawValue)
        return .inserted
    }

    /// Completes the times that the history left out, in the conversations that were looked up.
    func completeTimes(at moment: Timestamp) throws {
        let writer = ConversationWriter(db: db, moment: moment)
        for number in conversations.values.sorted() { try writer.completeTimes(of: number) }
    }

    private func existing(_ key: MessageKey, in conversation: Int64) throws -> StoredMessage? {
        let isThere = try db.number(
            "SELECT number FROM messages WHERE conversation = ? AND id = ?", [conversation, key.messageID.rawValue])
        return isThere == nil ? nil : try StoredMessage.find(key, in: db)
    }

    /// Returns the outcome when the same author sent the same local id under another message id; nil otherwise.
    private func outcomeOfTwin(of message: Message, conversation: Int64) throws -> AcceptOutcome? {
        guard let localID = message.localID else { return nil }
        let row = try db.row(
            """
            SELECT id, deleted_at FROM messages
            WHERE conversation = ? AND source = ? AND author_id = ? AND local_id = ?
            """, [conversation, source, message.senderID.rawValue, localID])
        guard let row else {
            let isSpent =
                try hasTombstones
                && SpentLocalIDs.contain(
                    localID, of: message.senderID.rawValue, source: source, in: message.key.conversationID, db)
            return isSpent ? .deletedBefore : nil
        }
        let id: MessageID = row.identifier(0)
        guard id != message.key.messageID else { return nil }
        return row.momentIfAny(1) == nil ? .unchanged(id) : .deletedBefore
    }

    private mutating func number(of id: ConversationID) throws -> Int64? {
        if let known = conversations[id] { return known }
        let found = try db.number("SELECT number FROM conversations WHERE id = ?", [id.rawValue])
        conversations[id] = found
        return found
    }

    private mutating func user(of author: UserID) throws -> UserID {
        if let known = users[author] { return known }
        let found = try Authors.user(of: author.rawValue, source: source, in: db)
        if found != nil { knownAuthors.insert(author) }
        let user = found ?? author
        users[author] = user
        return user
    }

    private mutating func register(_ author: UserID) throws {
        guard knownAuthors.insert(author).inserted else { return }
        try Authors.register(author.rawValue, source: source, in: db)
    }
}

/// The rows of `identities`: authors of sources, and their users.
enum Authors {
    static func user(of authorID: String, source: String, in db: SQLSession) throws -> UserID? {
        try db.row("SELECT user_id FROM identities WHERE source = ? AND external_id = ?", [source, authorID])
            .map { $0.identifier(0) }
    }

    /// Stores an author as the user of the same id.
    static func register(_ authorID: String, source: String, in db: SQLSession) throws {
        try db.run(
            "INSERT INTO identities (source, external_id, user_id) VALUES (?, ?, ?)", [source, authorID, authorID])
    }

    /// Stores an author, or updates one; the user of the author does not change.
    static func note(_ author: Identity, in db: SQLSession) throws {
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

/// The rows of `tombstones`: messages without a row, which are refused when they are sent again.
enum Tombstones {
    static func exist(in db: SQLSession) throws -> Bool {
        try db.number("SELECT 1 FROM tombstones LIMIT 1") != nil
    }

    static func contain(_ key: MessageKey, in db: SQLSession) throws -> Bool {
        try db.number(
            "SELECT 1 FROM tombstones WHERE conversation_id = ? AND message_id = ?",
            [key.conversationID.rawValue, key.messageID.rawValue]) != nil
    }

    /// Notes that a message went with the last change, for clients who follow later.
    static func noteChange(of key: MessageKey, in db: SQLSession) throws {
        try db.run(
            "UPDATE tombstones SET change = ? WHERE conversation_id = ? AND message_id = ?",
            [try ChangeLog.latest(in: db).rawValue, key.conversationID.rawValue, key.messageID.rawValue])
    }

    static func set(_ key: MessageKey, at moment: Timestamp, in db: SQLSession) throws {
        try db.run(
            """
            INSERT INTO tombstones (conversation_id, message_id, deleted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [key.conversationID.rawValue, key.messageID.rawValue, moment.microseconds])
    }
}

/// The rows of `conversation_tombstones`: conversations that their source deleted before they arrived, and the time.
enum ConversationTombstones {
    static func time(of id: ConversationID, in db: SQLSession) throws -> Int64? {
        try db.number("SELECT deleted_at FROM conversation_tombstones WHERE conversation_id = ?", [id.rawValue])
    }

    static func set(_ id: ConversationID, at moment: Timestamp, in db: SQLSession) throws {
        try db.run(
            """
            INSERT INTO conversation_tombstones (conversation_id, deleted_at) VALUES (?, ?)
            ON CONFLICT (conversation_id) DO UPDATE SET deleted_at = excluded.deleted_at
            """,
            [id.rawValue, moment.microseconds])
    }

    static func remove(_ id: ConversationID, in db: SQLSession) throws {
        try db.run("DELETE FROM conversation_tombstones WHERE conversation_id = ?", [id.rawValue])
    }
}
