package import ChatCore

/// Reads the replies to messages, and what makes answers wrong, for one reader, within one read transaction.
struct ReplyReading {
    let db: any SQLSession
    private var reading: MessageReading

    init(_ reader: UserID, at moment: Timestamp, in db: any SQLSession) {
        self.db = db
        reading = MessageReading(reader: reader, moment: moment, db: db)
    }

    /// Values: conversation's id, message's id.
    ///
    /// A message that replies to the root of its thread counts once.
    private static func replies(_ columns: String, _ kind: String) -> String {
        let conversation = "(SELECT c.number FROM conversations c WHERE c.id = ?1)"
        return """
            SELECT \(columns) FROM messages INDEXED BY messages_by_reply
                WHERE conversation = \(conversation) AND reply_to_id = ?2 AND deleted_at IS NULL AND id <> ?2
                AND kind \(kind)
            UNION ALL SELECT \(columns) FROM messages INDEXED BY messages_by_root
                WHERE conversation = \(conversation) AND thread_root_id = ?2 AND deleted_at IS NULL AND id <> ?2
                AND kind \(kind) AND reply_to_id IS NOT ?2
            """
    }

    static let summary = """
        SELECT COUNT(*) FILTER (WHERE kind <> 'assistant'), MAX(timestamp) FILTER (WHERE kind <> 'assistant'), COUNT(*)
        FROM (\(replies("timestamp, kind", "IS NOT NULL"))) AS r
        """

    static let answers = replies("number, timestamp, kind = 'assistant'", "= 'assistant'")

    /// For a conversation with a limited history.
    static let all = replies("number, timestamp, kind = 'assistant'", "IS NOT NULL")

    /// Values: conversation's id, message's id, timestamp and number of the last known reply, limit.
    static let page = """
        SELECT \(StoredMessage.columns) FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.number IN (SELECT number FROM (\(replies("number, timestamp", "IS NOT NULL"))) AS r
            WHERE (timestamp, number) > (?3, ?4) ORDER BY timestamp, number LIMIT ?5)
        ORDER BY m.timestamp, m.number
        """

    /// The replies to a message: a summary of those that every reader sees, and the others, which some may not see.
    struct Replies {
        static let none = Replies(count: 0, last: nil, others: [])

        fileprivate let count: Int
        fileprivate let last: Timestamp?
        /// The assistant's; all of a conversation with a limited history.
        fileprivate let others: [MessageReading.Subject]

        /// Returns the replies without the hidden ones; nil if there are none.
        func shown(hiding isHidden: (MessageReading.Subject) throws -> Bool) rethrows -> ReplySummary? {
            var (count, last) = (count, last)
            for other in others where try !isHidden(other) {
                count += 1
                last = [last, other.timestamp].compactMap(\.self).max()
            }
            return last.map { ReplySummary(count: count, lastAt: $0) }
        }
    }

    /// Reads the replies to a message.
    static func replies(
        to key: MessageKey, isLimited: Bool, _ db: any SQLSession
    ) throws -> Replies {
        let values: [SQLArgument] = [key.conversationID.rawValue, key.messageID.rawValue]
        guard !isLimited else { return Replies(count: 0, last: nil, others: try subjects(Self.all, values, db)) }
        try db.ahead({ _ = try db.row(Self.summary, values) }, { _ = try subjects(Self.answers, values, db) })
        guard let row = try db.row(Self.summary, values), row[2] > 0 else { return .none }
        let answers = row[2] > (row[0] as Int) ? try subjects(Self.answers, values, db) : []
        return Replies(count: row[0], last: row.momentIfAny(1), others: answers)
    }

    private static func subjects(
        _ sql: String, _ values: [SQLArgument], _ db: any SQLSession
    ) throws -> [MessageReading.Subject] {
        try db.rows(sql, values).map {
            MessageReading.Subject(number: $0[0], timestamp: $0.moment(1), isAnswer: $0[2])
        }
    }

    /// Returns the replies to a message that the reader may see; nil if there are none.
    mutating func summary(
        of key: MessageKey, in conversation: Int64, isLimited: Bool
    ) throws -> ReplySummary? {
        let db = db
        let replies = try Self.replies(to: key, isLimited: isLimited, db)
        try db.ahead(replies.others) { [reading] other in
            var reading = reading
            _ = try reading.hides(other, in: conversation, isLimited: isLimited)
        }
        return try replies.shown { try reading.hides($0, in: conversation, isLimited: isLimited) }
    }

    /// Returns the newest message that makes a posted answer wrong and that the reader may see.
    mutating func outdated(_ key: MessageKey, in place: FeedReading.Place) throws -> OutdatedMark? {
        try OutdatedRows(db: db).marks(of: key).first {
            try !reading.hides($0.newer, in: place.conversation, isLimited: place.isLimited)
        }?.mark
    }

    /// Whether the reader may see a message or a reply to it.
    mutating func sees(_ root: StoredMessage) throws -> Bool {
        guard try reading.hides(root) else { return true }
        return try summary(of: root.message.key, in: root.conversation, isLimited: root.isLimited) != nil
    }

    /// Returns the place of a message that the reader may see.
    mutating func place(of key: MessageKey) throws -> (Int64, Int64) {
        let found = try reading.find(key)
        return (found.message.timestamp.microseconds, found.number)
    }

    /// Returns replies after a place, oldest first; those that the reader may not see leave no gap.
    mutating func page(of root: StoredMessage, after place: (Int64, Int64), limit: Int) throws -> [Message] {
        let values = [root.message.key.conversationID.rawValue, root.message.key.messageID.rawValue] as [SQLArgument]
        var place = place
        var found: [Message] = []
        while found.count < limit {
            let wanted = limit - found.count
            let rows = try db.rows(Self.page, values + [place.0, place.1, wanted]).map(StoredMessage.init)
            found += try db.together(rows) { try reading.hides($0) ? nil : $0.message }.compactMap(\.self)
            guard let last = rows.last, rows.count == wanted else { break }
            place = (last.message.timestamp.microseconds, last.number)
        }
        return found
    }
}

extension SQLStore {
    package func replySummaries(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: ReplySummary] {
        try await read { db in
            var reading = ReplyReading(reader, at: moment, in: db)
            let keys = Set(keys)
            let found = try db.together(keys) { key in
                try FeedReading.place(of: key, in: db).flatMap {
                    try reading.summary(of: key, in: $0.conversation, isLimited: $0.isLimited)
                }
            }
            return zip(keys, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    package func replies(
        to key: MessageKey, for reader: UserID, after: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        try await read { db in
            let last = after.map { MessageKey(conversationID: key.conversationID, messageID: $0) }
            try db.ahead(
                { _ = try Permission.number(of: key.conversationID, for: reader, at: moment, in: db) },
                { _ = try db.together([key, last].compactMap(\.self)) { try StoredMessage.find($0, in: db) } })
            _ = try Permission.number(of: key.conversationID, for: reader, at: moment, in: db)
            var reading = ReplyReading(reader, at: moment, in: db)
            guard let root = try StoredMessage.find(key, in: db) else { throw RepositoryError.noSuchMessage(key) }
            try db.ahead(
                { [reading] in
                    var reading = reading
                    _ = try reading.sees(root)
                },
                { [reading] in
                    var reading = reading
                    if let last { _ = try reading.place(of: last) }
                })
            // Who sees a reply knows the hidden message's id from it; others must not learn that there is one.
            guard try reading.sees(root) else { throw RepositoryError.noSuchMessage(key) }
            let place = try last.map { try reading.place(of: $0) } ?? (Int64.min, Int64.min)
            return try reading.page(of: root, after: place, limit: max(0, limit))
        }
    }
}
