public import ChatCore

/// Reads what changed for one reader, within one read transaction.
struct FeedReading {
    let reader: UserID
    let moment: Timestamp
    let db: SQLSession
    private let shared: SharedFeed
    private var reading: MessageReading

    init(_ reader: UserID, at moment: Timestamp, in db: SQLSession, shared: SharedFeed? = nil) {
        self.reader = reader
        self.moment = moment
        self.db = db
        self.shared = shared ?? SharedFeed(db, at: moment)
        reading = MessageReading(reader: reader, moment: moment, db: db)
    }

    /// Values: reader, the last known change, the last change.
    static let own = """
        SELECT kind, conversation FROM changes WHERE user_id = ? AND number > ? AND number <= ? AND kind IN (8, 10, 11)
        ORDER BY number
        """

    /// Values: reader, the last known change, the last change.
    static let ownThreads = """
        SELECT 1 FROM changes WHERE user_id = ? AND number > ? AND number <= ? AND kind = 7 LIMIT 1
        """

    /// Values: conversation, the last known change, the last change, the limit.
    static let ofConversation = """
        SELECT kind, message, user_id FROM changes WHERE conversation = ? AND number > ? AND number <= ?
            AND kind IN (1, 2, 6, 9) ORDER BY number LIMIT ?
        """

    /// Values: reader, moment.
    static let visible = """
        SELECT c.number, c.id FROM conversations c WHERE c.number IN (
            SELECT conversation FROM members WHERE user_id = ?1 AND (left_at IS NULL OR left_at > ?2)
            UNION ALL SELECT number FROM conversations WHERE visibility = 'everyone'
                AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.kind <> 'member'))
        ORDER BY c.id
        """

    /// Values: reader, moment, conversation.
    static let visibleOne = """
        SELECT c.number, c.id FROM conversations c WHERE c.id = ?3 AND (EXISTS (
            SELECT 1 FROM members p WHERE p.conversation = c.number AND p.user_id = ?1
                AND (p.left_at IS NULL OR p.left_at > ?2))
            OR (c.visibility = 'everyone' AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.kind <> 'member')))
        """

    /// Values: reader, the last known change.
    static let erased = "SELECT conversation_id FROM departures WHERE user_id = ? AND change > ? ORDER BY change"

    /// Values: the reader or everybody, the last known change, the last change.
    static let rights = """
        SELECT DISTINCT conversation FROM changes WHERE user_id = ? AND number > ? AND number <= ?
            AND kind = 13 AND conversation IS NOT NULL
        """

    /// Values: conversation, the last known change.
    static let erasedMessages = """
        SELECT message_id FROM tombstones WHERE conversation_id = ? AND change > ? ORDER BY change
        """

    /// Values: a list of conversations.
    ///
    /// The conversations with answers that are based on messages of these.
    static let based = """
        SELECT DISTINCT a.conversation FROM mention_sources r CROSS JOIN messages s ON s.number = r.source
        CROSS JOIN messages a ON a.number = r.answer
        WHERE s.conversation IN (SELECT value FROM json_each(?1)) AND a.conversation <> s.conversation
        """

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - range: The part of the log.
    ///   - limit: The most changes of one conversation.
    /// - Returns: The present state of what changed.
    /// - Throws: ``RepositoryError/expiredCursor``.
    mutating func page(_ range: FeedRange, limit: Int) throws -> FeedPage {
        let start = try ChangeLog.start(of: range.start, in: db)
        var page = FeedPage(changes: [], end: try range.end ?? ChangeLog.end(in: db))
        let end = try ChangeLog.number(of: page.end, in: db)
        guard end > start else { return page }
        let visible = try visible(range.conversations)
        guard try shared.concerns(reader) else {
            for (number, id) in visible {
                try read(id, number, FeedSpan(start, end, limit: limit), isRenewed: false, into: &page)
            }
            return page
        }
        let numbers = Set(visible.map(\.number))
        // Conversations whose whole state the reader needs: joined, or with other settings.
        var renewed: Set<Int64> = []
        var departed: [Int64] = []
        // Conversations with members who received messages of the reader.
        var delivered: Set<Int64> = []
        for row in try db.rows(Self.own, [reader.rawValue, start, end]) {
            guard let conversation = row[1] as Int64? else { continue }
            if numbers.contains(conversation) {
                if row[0] == ChangeKind.delivery.rawValue {
                    delivered.insert(conversation)
                } else {
                    renewed.insert(conversation)
                }
            } else if !departed.contains(conversation) {
                departed.append(conversation)
            }
        }
        for number in departed {
            guard let row = try db.row("SELECT id FROM conversations WHERE number = ?", [number]) else { continue }
            page.changes.append(.departure(row.identifier(0)))
        }
        for row in try db.rows(Self.erased, [reader.rawValue, start]) {
            page.changes.append(.departure(row.identifier(0)))
        }
        let closed = try appendClosed(after: start, to: &page)
        let reloaded = try reloaded(after: start, through: end, lost: departed + closed).intersection(numbers)
        for (number, id) in visible {
            let span = FeedSpan(start, end, limit: limit)
            if reloaded.contains(number) {
                page.limited.append(id)
                try append(conversation: id, number, to: &page)
                page.changes.append(.items(id))
                continue
            }
            try read(id, number, span, isRenewed: renewed.contains(number), into: &page)
            // A renewed conversation has all receipts.
            guard delivered.contains(number), !renewed.contains(number) else { continue }
            for receipt in try newReceipts(in: number, after: start) { page.changes.append(.receipt(receipt, id)) }
        }
        if try !reloaded.isEmpty || db.number(Self.ownThreads, [reader.rawValue, start, end]) != nil {
            page.changes.append(.threads)
        }
        var personal = NotificationReading(db, at: moment)
        try personal.append(of: reader, after: start, through: end, isReduced: !reloaded.isEmpty, to: &page)
        return page
    }

    /// Returns the conversations in which the reader may read other messages than before: those with other rights, and
    /// those with answers that are based on what the reader may read no longer.
    private func reloaded(after start: Int64, through end: Int64, lost: [Int64]) throws -> Set<Int64> {
        let rows = try [reader, ChangeLog.everybody].flatMap {
            try db.rows(Self.rights, [$0.rawValue, start, end])
        }
        let changed = Set(rows.map { $0[0] as Int64 })
        let narrowed = changed.union(lost)
        guard !narrowed.isEmpty else { return [] }
        return changed.union(try db.rows(Self.based, [narrowed.sorted()]).map { $0[0] as Int64 })
    }

    /// Appends the open conversations that were closed for all but their members; returns those that still exist.
    private func appendClosed(after start: Int64, to page: inout FeedPage) throws -> [Int64] {
        let rows = try db.rows(Self.erased, [ChangeLog.everybody.rawValue, start])
        guard !rows.isEmpty, try UserRows.find(reader, in: db)?.kind ?? .member == .member else { return [] }
        var closed: [Int64] = []
        for row in rows {
            let id: ConversationID = row.identifier(0)
            let isVisible = try db.row(Self.visibleOne, [reader.rawValue, moment.microseconds, id.rawValue]) != nil
            guard !isVisible else { continue }
            if !page.changes.contains(.departure(id)) { page.changes.append(.departure(id)) }
            if let stored = try ConversationWriter.Stored.find(id, in: db) { closed.append(stored.number) }
        }
        return closed
    }

    /// Returns those of the conversations that the reader sees, or all.
    private func visible(_ ids: Set<ConversationID>?) throws -> [(number: Int64, id: ConversationID)] {
        let values: [SQLArgument] = [reader.rawValue, moment.microseconds]
        guard let ids else { return try db.rows(Self.visible, values).map { ($0[0], $0.identifier(1)) } }
        return try ids.sorted().compactMap { id in
            if let number = try shared.number(of: id, ifMember: reader) { return (number, id) }
            return try db.row(Self.visibleOne, values + [id.rawValue]).map { ($0[0], id) }
        }
    }

    /// Reads the changes of a conversation.
    private mutating func read(
        _ id: ConversationID, _ number: Int64, _ span: FeedSpan, isRenewed: Bool, into page: inout FeedPage
    ) throws {
        guard let changes = try shared.changes(in: number, id, span) else {
            page.limited.append(id)
            return try append(conversation: id, number, to: &page)
        }
        if isRenewed || changes.isConversation { try append(conversation: id, number, to: &page) }
        for message in changes.erased {
            let key = MessageKey(conversationID: id, messageID: message)
            page.changes.append(.deletion(key, MessagePosition(seq: nil, arrival: nil)))
        }
        for message in changes.messages {
            if let change = try self.message(message) { page.changes.append(change) }
        }
        for user in changes.readers {
            // A reader who hides own read receipts does not see those of others.
            if try user != reader && PersonalSettingsRows.hidesRead(reader, in: db) { continue }
            let receipt = try LiveRows(db: db).receipt(of: user, in: number, for: reader, at: moment)
            if let receipt { page.changes.append(.receipt(receipt, id)) }
        }
        if changes.hasItems { page.changes.append(.items(id)) }
    }

    private func append(conversation id: ConversationID, _ number: Int64, to page: inout FeedPage) throws {
        var reading = InboxReading(reader, at: moment, in: db)
        guard let entry = try reading.entry(of: id) else { return }
        let members = try Member.rows(of: number, in: db).filter { $0.leftAt == nil }
        let receipts = try LiveRows(db: db).receipts(in: number, for: reader, at: moment)
        page.changes.append(.conversation(entry, members, receipts))
    }

    /// Returns the receipts of members whose senders were told after a change what reached them.
    private func newReceipts(in conversation: Int64, after start: Int64) throws -> [Receipt] {
        let users = try db.rows(
            """
            SELECT m.user_id FROM members m CROSS JOIN deliveries d ON d.user_id = m.user_id
            WHERE m.conversation = ? AND d.change > ? ORDER BY m.user_id
            """, [conversation, start])
        return try users.compactMap { row in
            let user: UserID = row.identifier(0)
            guard user != reader else { return nil }
            return try LiveRows(db: db).receipt(of: user, in: conversation, for: reader, at: moment)
        }
    }

    /// Returns the present state of a message; nil if the reader may not see it.
    private mutating func message(_ number: Int64) throws -> FeedChange? {
        guard let known = try shared.message(number) else { return nil }
        let stored = known.stored
        guard try !reading.hides(stored) else { return nil }
        guard stored.message.deletedAt == nil else { return .deletion(stored.message.key, known.position) }
        var position = known.position
        position.replies = try known.replies.shown {
            try reading.hides($0, in: stored.conversation, isLimited: stored.isLimited)
        }
        return .message(stored.message.shown(to: reader), position, known.mentions)
    }

    static func position(of message: Int64, in db: SQLSession) throws -> MessagePosition {
        let row = try db.row("SELECT seq, arrival FROM messages WHERE number = ?", [message])
        return MessagePosition(
            seq: row?[0], arrival: (row?[1] as Int64?).map { ChangeNumber(rawValue: $0) })
    }

    static func mentions(in message: Int64, _ db: SQLSession) throws -> [MemberMention] {
        try db.rows(
            "SELECT user_id, range_start, range_end FROM addressed WHERE message = ? ORDER BY range_start", [message]
        ).map { MemberMention(userID: $0.identifier(0), start: $0[1], end: $0[2]) }
    }
}

extension SQLStore {
    public func feed(
        of reader: UserID, in range: FeedRange, limit: Int, at moment: Timestamp
    ) async throws -> FeedPage {
        try await read { db in
            var reading = FeedReading(reader, at: moment, in: db)
            return try reading.page(range, limit: limit)
        }
    }

    public func feeds(
        _ requests: [FeedRequest], limit: Int, at moment: Timestamp
    ) async throws -> [Result<FeedPage, RepositoryError>] {
        try await read { db in
            let shared = SharedFeed(db, at: moment)
            try shared.prepare(requests)
            return try requests.map { request in
                var reading = FeedReading(request.reader, at: moment, in: db, shared: shared)
                do {
                    return .success(try reading.page(request.range, limit: limit))
                } catch let error as RepositoryError {
                    return .failure(error)
                }
            }
        }
    }

    public func audiences(
        of ids: Set<ConversationID>, at moment: Timestamp
    ) async throws -> [ConversationID: Audience] {
        try await read { db in
            var found: [ConversationID: Audience] = [:]
            for id in ids {
                guard
                    let row = try db.row("SELECT number, visibility FROM conversations WHERE id = ?", [id.rawValue])
                else { continue }
                let members = try db.rows(
                    "SELECT user_id FROM members WHERE conversation = ? AND (left_at IS NULL OR left_at > ?)",
                    [row[0] as Int64, moment.microseconds])
                let visibility: Conversation.Visibility = try row.word(1)
                found[id] = Audience(
                    members: Set(members.map { $0.identifier(0) }), isOpen: visibility == .everyone)
            }
            return found
        }
    }
}
