package import ChatCore

/// Reads what changed for one reader, within one read transaction.
struct FeedReading {
    let reader: UserID
    let moment: Timestamp
    let db: any SQLSession
    private let shared: SharedFeed
    private var reading: MessageReading

    init(_ reader: UserID, at moment: Timestamp, in db: any SQLSession, shared: SharedFeed? = nil) {
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
        SELECT number, kind, message, user_id FROM changes WHERE conversation = ? AND number > ? AND number <= ?
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
        SELECT change, message_id FROM tombstones WHERE conversation_id = ? AND change > ? ORDER BY change
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
        if !shared.isPrepared {
            try db.ahead(
                { [self] in _ = try shared.bounds() }, { [self] in _ = try self.visible(range.conversations) })
        }
        let bounds = try shared.bounds()
        let start = try bounds.start(of: range.start)
        var page = FeedPage(changes: [], end: range.end ?? bounds.end)
        let end = try bounds.number(of: page.end)
        guard end > start else { return page }
        let visible = try visible(range.conversations)
        guard try shared.concerns(reader) else {
            page.append(
                try db.together(visible) { number, id in
                    try self.part(id, number, FeedSpan(start, end, limit: limit), isRenewed: false)
                })
            return page
        }
        try prepare(page, from: start, through: end)
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
        let names = try db.together(departed) { try db.row("SELECT id FROM conversations WHERE number = ?", [$0]) }
        page.changes += names.compactMap { row in row.map { .departure($0.identifier(0)) } }
        for row in try db.rows(Self.erased, [reader.rawValue, start]) {
            page.changes.append(.departure(row.identifier(0)))
        }
        let closed = try appendClosed(after: start, to: &page)
        let reloaded = try reloaded(after: start, through: end, lost: departed + closed).intersection(numbers)
        page.append(
            try db.together(visible) { [renewed, delivered] number, id in
                if reloaded.contains(number) {
                    return Part(changes: (try state(of: id, number).map { [$0] } ?? []) + [.items(id)], limited: id)
                }
                var part = try self.part(
                    id, number, FeedSpan(start, end, limit: limit), isRenewed: renewed.contains(number))
                // A renewed conversation has all receipts.
                guard delivered.contains(number), !renewed.contains(number) else { return part }
                part.changes += try newReceipts(in: number, after: start).map { .receipt($0, id) }
                return part
            })
        if try !reloaded.isEmpty || db.number(Self.ownThreads, [reader.rawValue, start, end]) != nil {
            page.changes.append(.threads)
            page.changes += try outdated(after: start, through: end)
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

    /// Returns the answers that the reader received and that a message made wrong, if the reader may see it.
    private func outdated(after start: Int64, through end: Int64) throws -> [FeedChange] {
        var turns = TurnReading(db: db, moment: moment)
        return try db.rows(OutdatedRows.changed, [reader.rawValue, start, end]).compactMap { row in
            let key = MessageKey(conversationID: row.identifier(2), messageID: row.identifier(3))
            guard try turns.sees(key, reader) else { return nil }
            return .outdated(row.identifier(0), (row[1] as String?).map { ThreadID(rawValue: $0) }, by: key)
        }
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
        return try db.together(ids.sorted()) { id -> (Int64, ConversationID)? in
            if let number = try shared.number(of: id, ifMember: reader) { return (number, id) }
            return try db.row(Self.visibleOne, values + [id.rawValue]).map { ($0[0], id) }
        }.compactMap(\.self)
    }

    /// Reads what the whole page needs, in few round trips if the database is not here.
    private func prepare(_ page: FeedPage, from start: Int64, through end: Int64) throws {
        let values: [SQLArgument] = [reader.rawValue, start, end]
        try db.ahead(
            { _ = try db.rows(Self.own, values) }, { _ = try db.rows(Self.erased, [reader.rawValue, start]) },
            { _ = try db.number(Self.ownThreads, values) },
            {
                var (personal, page) = (NotificationReading(db, at: moment), page)
                try personal.append(of: reader, after: start, through: end, to: &page)
            })
    }

    /// The part of a page that is about one conversation.
    struct Part {
        var changes: [FeedChange] = []
        /// The conversation, if more changed than the limit.
        var limited: ConversationID?
    }

    /// Reads the changes of a conversation.
    private func part(
        _ id: ConversationID, _ number: Int64, _ span: FeedSpan, isRenewed: Bool
    ) throws -> Part {
        guard let changes = try shared.changes(in: number, id, span) else {
            return Part(changes: try state(of: id, number).map { [$0] } ?? [], limited: id)
        }
        var reading = reading
        if try !changes.erased.isEmpty && !reading.readsAll(of: number) {
            // When they were written is erased, too: their ids could be those of messages that the reader may not see.
            return Part(changes: (try state(of: id, number).map { [$0] } ?? []) + [.items(id)], limited: id)
        }
        let isWhole = isRenewed || changes.isConversation
        // Reading ahead costs as much as reading: most often only messages changed.
        if [isWhole, !changes.messages.isEmpty, !changes.readers.isEmpty].count(where: \.self) > 1 {
            try db.ahead(
                { if isWhole { _ = try state(of: id, number) } },
                { _ = try db.together(changes.messages) { try message($0) } },
                { _ = try receipts(of: changes.readers, in: number) })
        }
        var part = Part()
        if isWhole, let state = try state(of: id, number) { part.changes.append(state) }
        for message in changes.erased {
            let key = MessageKey(conversationID: id, messageID: message)
            part.changes.append(.deletion(key, MessagePosition(seq: nil, arrival: nil)))
        }
        part.changes += try db.together(changes.messages) { try message($0) }.compactMap(\.self)
        part.changes += try receipts(of: changes.readers, in: number).map { .receipt($0, id) }
        if changes.hasItems { part.changes.append(.items(id)) }
        return part
    }

    /// Returns the receipts of members that the reader may see.
    private func receipts(of users: [UserID], in conversation: Int64) throws -> [Receipt] {
        try db.together(users) { user -> Receipt? in
            // A reader who hides own read receipts does not see those of others.
            if try user != reader && PersonalSettingsRows.hidesRead(reader, in: db) { return nil }
            return try LiveRows(db: db).receipt(of: user, in: conversation, for: reader, at: moment)
        }.compactMap(\.self)
    }

    /// Returns the whole state of a conversation; nil if the reader may not see it.
    private func state(of id: ConversationID, _ number: Int64) throws -> FeedChange? {
        try db.ahead(
            {
                var reading = InboxReading(reader, at: moment, in: db)
                _ = try reading.entry(of: id)
            },
            { _ = try Member.rows(of: number, in: db) },
            { _ = try LiveRows(db: db).receipts(in: number, for: reader, at: moment) })
        var reading = InboxReading(reader, at: moment, in: db)
        guard let entry = try reading.entry(of: id) else { return nil }
        let members = try Member.rows(of: number, in: db).filter { $0.leftAt == nil }
        let receipts = try LiveRows(db: db).receipts(in: number, for: reader, at: moment)
        return .conversation(entry, members, receipts)
    }

    /// Returns the receipts of members whose senders were told after a change what reached them.
    private func newReceipts(in conversation: Int64, after start: Int64) throws -> [Receipt] {
        let users = try db.rows(
            """
            SELECT m.user_id FROM members m CROSS JOIN deliveries d ON d.user_id = m.user_id
            WHERE m.conversation = ? AND d.change > ? ORDER BY m.user_id
            """, [conversation, start])
        return try db.together(users) { row -> Receipt? in
            let user: UserID = row.identifier(0)
            guard user != reader else { return nil }
            return try LiveRows(db: db).receipt(of: user, in: conversation, for: reader, at: moment)
        }.compactMap(\.self)
    }

    /// Returns the present state of a message; nil if the reader may not see it.
    private func message(_ number: Int64) throws -> FeedChange? {
        guard let known = try shared.message(number) else { return nil }
        let stored = known.stored
        var reading = reading
        guard try !reading.hides(stored) else { return nil }
        guard stored.message.deletedAt == nil else { return .deletion(stored.message.key, known.position) }
        var position = known.position
        position.replies = try known.replies.shown {
            try reading.hides($0, in: stored.conversation, isLimited: stored.isLimited)
        }
        position.outdated = try known.outdated.first {
            try !reading.hides($0.newer, in: stored.conversation, isLimited: stored.isLimited)
        }?.mark
        return .message(stored.message.shown(to: reader), position, known.mentions)
    }

    static func position(of message: Int64, in db: any SQLSession) throws -> MessagePosition {
        let row = try db.row("SELECT seq, arrival FROM messages WHERE number = ?", [message])
        return MessagePosition(
            seq: row?[0], arrival: (row?[1] as Int64?).map { ChangeNumber(rawValue: $0) })
    }

    /// A message of a key, without its content.
    struct Place {
        let number: Int64
        let conversation: Int64
        let isLimited: Bool
        let isAnswer: Bool
        let sender: UserID
        let position: MessagePosition
    }

    private static let placeByKey = """
        SELECT m.number, m.conversation, c.history <> 'all', m.sender_id, m.seq, m.arrival, m.kind = 'assistant'
        FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.id = ?
        """

    /// Returns the place of a message, also of a deleted one; see ``StoredMessage/find(_:in:)``.
    static func place(of key: MessageKey, in db: any SQLSession) throws -> Place? {
        guard MessageID(validating: key.messageID.rawValue) != nil else { return nil }
        return try db.row(placeByKey, [key.conversationID.rawValue, key.messageID.rawValue]).map { row in
            Place(
                number: row[0], conversation: row[1], isLimited: row[2], isAnswer: row[6], sender: row.identifier(3),
                position: MessagePosition(
                    seq: row[4], arrival: (row[5] as Int64?).map { ChangeNumber(rawValue: $0) }))
        }
    }

    static func mentions(in message: Int64, _ db: any SQLSession) throws -> [MemberMention] {
        try db.rows(
            "SELECT user_id, range_start, range_end FROM addressed WHERE message = ? ORDER BY range_start", [message]
        ).map { MemberMention(userID: $0.identifier(0), start: $0[1], end: $0[2]) }
    }
}

extension FeedPage {
    fileprivate mutating func append(_ parts: [FeedReading.Part]) {
        changes += parts.flatMap(\.changes)
        limited += parts.compactMap(\.limited)
    }
}

extension SQLStore {
    /// Returns what changed for a reader, from one read transaction.
    ///
    /// - Throws: ``RepositoryError/expiredCursor``.
    package func feed(
        of reader: UserID, in range: FeedRange, limit: Int, at moment: Timestamp
    ) async throws -> FeedPage {
        try await read { db in
            var reading = FeedReading(reader, at: moment, in: db)
            return try reading.page(range, limit: limit)
        }
    }

    /// Returns what changed for several readers, from one read transaction; see ``SharedFeed``.
    package func feeds(
        _ requests: [FeedRequest], limit: Int, at moment: Timestamp
    ) async throws -> [Result<FeedPage, RepositoryError>] {
        try await read { db in
            let shared = SharedFeed(db, at: moment)
            try shared.prepare(requests, limit: limit)
            return try db.together(requests) { request in
                var reading = FeedReading(request.reader, at: moment, in: db, shared: shared)
                do {
                    return .success(try reading.page(request.range, limit: limit))
                } catch let error as RepositoryError {
                    return .failure(error)
                }
            }
        }
    }

    /// Returns the present members of conversations, and which of these everybody sees.
    package func audiences(
        of ids: Set<ConversationID>, at moment: Timestamp
    ) async throws -> [ConversationID: Audience] {
        try await read { db in
            let found = try db.together(ids) { id -> Audience? in
                guard
                    let row = try db.row("SELECT number, visibility FROM conversations WHERE id = ?", [id.rawValue])
                else { return nil }
                let members = try db.rows(
                    "SELECT user_id FROM members WHERE conversation = ? AND (left_at IS NULL OR left_at > ?)",
                    [row[0] as Int64, moment.microseconds])
                let visibility: Conversation.Visibility = try row.word(1)
                return Audience(
                    members: Set(members.map { $0.identifier(0) }), isOpen: visibility == .everyone)
            }
            return zip(ids, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}
