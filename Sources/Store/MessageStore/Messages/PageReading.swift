import ChatCore

/// Reads pages of a conversation for one reader, within one read transaction.
struct PageReading {
    private let id: ConversationID
    private let asker: UserID
    private let moment: Timestamp
    private let db: any SQLSession
    private var bound: StoredMessage?
    /// Where pages begin: a time, and the number of a message of this time.
    private var place = Self.end

    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: The reader.
    ///   - message: The message before or after which pages begin; nil for pages that end with the newest message.
    ///   - expected: The limit of a page that ends with the newest message; only to read it in the same round trip.
    ///   - moment: The present time.
    ///   - db: The transaction.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    init(
        of id: ConversationID, asker: UserID, around message: MessageID?, expecting expected: Int? = nil,
        at moment: Timestamp, in db: any SQLSession
    ) throws {
        (self.id, self.asker, self.moment, self.db) = (id, asker, moment, db)
        let scope = SearchScope(asker: asker, conversations: .only([id]))
        let key = message.map { MessageKey(conversationID: id, messageID: $0) }
        try db.ahead(
            { _ = try Permission.permitted(scope, at: moment, in: db) },
            {
                if let key {
                    _ = try StoredMessage.find(key, in: db)
                } else if let expected {
                    _ = try db.rows(SQLStore.pageSQL, Self.values(id, Self.end, expected))
                }
            })
        guard let permitted = try Permission.permitted(scope, at: moment, in: db).first else {
            throw RepositoryError.noSuchConversation(id)
        }
        guard let key else { return }
        guard let found = try StoredMessage.find(key, in: db),
            permitted.spans?.contains(found.message.timestamp) ?? true
        else { throw RepositoryError.noSuchMessage(key) }
        (bound, place) = (found, Self.place(of: found))
    }

    /// Reads the pages before and from a time.
    init(of id: ConversationID, asker: UserID, from time: Timestamp, at moment: Timestamp, in db: any SQLSession) throws
    {
        try self.init(of: id, asker: asker, around: nil, at: moment, in: db)
        place = (time.microseconds, Int64.min)
    }

    /// Reads the pages around a message that the reader may see.
    init(around message: StoredMessage, asker: UserID, at moment: Timestamp, in db: any SQLSession) {
        (id, self.asker, self.moment, self.db) = (message.message.key.conversationID, asker, moment, db)
        (bound, place) = (message, Self.place(of: message))
    }

    private static func place(of message: StoredMessage) -> (Int64, Int64) {
        (message.message.timestamp.microseconds, message.number)
    }

    private static let end = (Int64.max, Int64.max)

    private static func values(_ id: ConversationID, _ place: (Int64, Int64), _ limit: Int) -> [SQLArgument] {
        [id.rawValue, place.0, place.1, limit]
    }

    /// Returns a page of ``SQLStore/pageSQL`` or ``SQLStore/laterPageSQL``.
    ///
    /// Answers that the reader may not see leave no gap: the page is filled with the following messages.
    func page(_ sql: String, limit: Int) throws -> [Message] {
        var place = place
        var reading = MessageReading(reader: asker, moment: moment, db: db)
        var found: [Message] = []
        while found.count < limit {
            let wanted = limit - found.count
            let rows = try db.rows(sql, Self.values(id, place, wanted)).map(StoredMessage.init)
            found += try db.together(rows) { try reading.hides($0) ? nil : $0.message }.compactMap(\.self)
            guard let last = rows.last, rows.count == wanted else { break }
            place = Self.place(of: last)
        }
        return found
    }

    /// Returns the message of the bound, and the pages before and after it.
    func surroundings(earlier: Int, later: Int) throws -> MessageSurroundings {
        let parts: [() throws -> [Message]] = [
            { try page(SQLStore.pageSQL, limit: earlier) }, { try page(SQLStore.laterPageSQL, limit: later) },
            {
                var reading = MessageReading(reader: asker, moment: moment, db: db)
                guard let bound, bound.message.deletedAt == nil, try !reading.hides(bound) else { return [] }
                return [bound.message]
            },
        ]
        let found = try db.together(parts) { try $0() }
        return MessageSurroundings(message: found[2].first, earlier: found[0], later: found[1])
    }

    /// Returns the first message from the place on, and the pages before and after it.
    func beginning(earlier: Int, later: Int) throws -> MessageSurroundings {
        let parts = [(SQLStore.pageSQL, earlier), (SQLStore.laterPageSQL, later + 1)]
        let found = try db.together(parts) { try page($0.0, limit: $0.1) }
        return MessageSurroundings(message: found[1].first, earlier: found[0], later: Array(found[1].dropFirst()))
    }
}

extension PageReading {
    /// The messages that a member has not read, in their order; values: conversation's id, user, moment, limit.
    static let unreadMessages = """
        SELECT \(StoredMessage.columns) FROM conversations c
        CROSS JOIN members p ON p.conversation = c.number AND p.user_id = ?2 AND (p.left_at IS NULL OR p.left_at > ?3)
        CROSS JOIN messages m ON m.conversation = c.number AND m.seq > p.read_seq AND m.deleted_at IS NULL
            AND m.sender_id <> ?2 AND m.kind <> 'system'
        WHERE c.id = ?1 ORDER BY m.seq LIMIT ?4
        """

    /// Unread messages are read in portions, because nearly always the first one can be seen.
    private static let portion = 8

    /// Returns the first unread message that a member may see, with its neighbours; nil if all is read.
    ///
    /// As in the list of conversations, only so many unread messages count.
    static func firstUnread(
        in id: ConversationID, of user: UserID, earlier: Int, later: Int, at moment: Timestamp, in db: any SQLSession
    ) throws -> MessageSurroundings? {
        let scope = SearchScope(asker: user, conversations: .only([id]))
        func unread(_ limit: Int) throws -> [StoredMessage] {
            try db.rows(unreadMessages, [id.rawValue, user.rawValue, moment.microseconds, limit])
                .map(StoredMessage.init)
        }
        try db.ahead(
            { _ = try Permission.permittedNumbers(scope, at: moment, in: db) }, { _ = try unread(portion) })
        guard try !Permission.permittedNumbers(scope, at: moment, in: db).isEmpty else {
            throw RepositoryError.noSuchConversation(id)
        }
        for limit in [portion, InboxEntry.countLimit] {
            let stored = try unread(limit)
            var reading = MessageReading(reader: user, moment: moment, db: db)
            if let first = stored.first {
                // What is nearly always needed, in the round trip that finds out whether it is.
                try db.ahead(
                    { [reading] in
                        _ = try db.together(stored) {
                            var reading = reading
                            return try reading.hides($0)
                        }
                    },
                    {
                        _ = try PageReading(around: first, asker: user, at: moment, in: db)
                            .surroundings(earlier: earlier, later: later)
                    })
            }
            if let first = try stored.first(where: { try !reading.hides($0) }) {
                return try PageReading(around: first, asker: user, at: moment, in: db)
                    .surroundings(earlier: earlier, later: later)
            }
            if stored.count < limit { break }
        }
        return nil
    }
}
