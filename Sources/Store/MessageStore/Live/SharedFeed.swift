import ChatCore

/// The part of the log that a page is about.
struct FeedSpan: Hashable {
    /// The last known change.
    let start: Int64
    /// The last change.
    let end: Int64
    /// The most changes of one conversation.
    let limit: Int

    init(_ start: Int64, _ end: Int64, limit: Int) {
        (self.start, self.end, self.limit) = (start, end, limit)
    }
}

/// What the pages of several readers have in common, within one read transaction.
///
/// A message wakes all members of its conversation, who then ask for the same rows. What depends on the reader is not here:
/// who may see a conversation, a message, a local id or a receipt.
final class SharedFeed {
    /// The parts of a conversation that changed, each once, by their last change.
    struct Changes {
        fileprivate(set) var isConversation = false
        fileprivate(set) var hasItems = false
        /// The messages, and those to which replies changed.
        fileprivate(set) var messages: [Int64] = []
        /// The members whose receipts changed.
        fileprivate(set) var readers: [UserID] = []
        /// Messages without a row.
        fileprivate(set) var erased: [MessageID] = []
    }

    /// The present state of a message.
    struct KnownMessage {
        let stored: StoredMessage
        /// Without the replies.
        let position: MessagePosition
        let mentions: [MemberMention]
        let replies: ReplyReading.Replies
    }

    private struct Place: Hashable {
        let conversation: Int64
        let span: FeedSpan
    }

    /// The longest part of the log in which the people are looked up whom it concerns.
    private static let lengthLimit: Int64 = 4_096

    private let db: any SQLSession
    private let moment: Timestamp
    private var places: [Place: Changes?] = [:]
    private var messages: [Int64: KnownMessage?] = [:]
    private var numbers: [ConversationID: Int64] = [:]
    private var members: [ConversationID: Set<UserID>] = [:]
    /// The people for whom alone something changed; nil if that is not known.
    private var concerned: Set<UserID>?

    init(_ db: any SQLSession, at moment: Timestamp) {
        self.db = db
        self.moment = moment
    }

    /// Reads what is known of all requests together.
    func prepare(_ requests: [FeedRequest]) throws {
        guard requests.count > 1 else { return }
        var askers: [ConversationID: Set<UserID>] = [:]
        for request in requests {
            for id in request.range.conversations ?? [] { askers[id, default: []].insert(request.reader) }
        }
        try db.ahead(
            { [askers] in for (id, users) in askers where users.count > 1 { _ = try self.rows(of: id, among: users) } },
            { _ = try self.rowsOfConcerned(requests.map(\.range)) })
        for (id, users) in askers where users.count > 1 { try findMembers(of: id, among: users) }
        try findConcerned(requests.map(\.range))
    }

    /// Values: conversation's id, a list of users, moment.
    static let presentMembers = """
        SELECT c.number, p.user_id FROM conversations c CROSS JOIN members p ON p.conversation = c.number
        WHERE c.id = ?1 AND p.user_id IN (SELECT value FROM json_each(?2, '$'))
            AND (p.left_at IS NULL OR p.left_at > ?3)
        """

    private func findMembers(of id: ConversationID, among users: Set<UserID>) throws {
        for row in try rows(of: id, among: users) {
            numbers[id] = row[0]
            members[id, default: []].insert(row.identifier(1))
        }
    }

    private func rows(of id: ConversationID, among users: Set<UserID>) throws -> [SQLRow] {
        try db.rows(
            Self.presentMembers, [id.rawValue, users.map(\.rawValue).sorted(), moment.microseconds])
    }

    /// Values: the last known change, the last change.
    ///
    /// The addition keeps PostgreSQL from reading all of the index of changes that name a person.
    static let concernedUsers = """
        SELECT user_id FROM changes WHERE number > ?1 AND number <= ?2 AND user_id || '' IS NOT NULL
        UNION ALL SELECT user_id FROM notifications WHERE change > ?1 AND change <= ?2
        UNION ALL SELECT user_id FROM notification_marks WHERE change > ?1 AND change <= ?2
        """

    private func findConcerned(_ ranges: [FeedRange]) throws {
        guard let rows = try rowsOfConcerned(ranges) else { return }
        let found = Set(rows.map { $0.identifier(0) as UserID })
        concerned = found.contains(ChangeLog.everybody) ? nil : found
    }

    /// Returns rows of ``concernedUsers``; nil if the part of the log is too long.
    private func rowsOfConcerned(_ ranges: [FeedRange]) throws -> [SQLRow]? {
        let last = try ChangeLog.latest(in: db).rawValue
        let start = ranges.compactMap { $0.start.positions.first?.rawValue }.min() ?? 0
        let end = ranges.map { $0.end?.positions.first?.rawValue ?? last }.max() ?? last
        guard start <= end, end - start <= Self.lengthLimit else { return nil }
        return try db.rows(Self.concernedUsers, [start, end])
    }

    /// Whether something may have changed for a person that did not change for all members.
    func concerns(_ reader: UserID) throws -> Bool { concerned?.contains(reader) ?? true }

    /// Returns the number of a conversation if a reader is known to be a member.
    func number(of id: ConversationID, ifMember reader: UserID) throws -> Int64? {
        members[id]?.contains(reader) == true ? numbers[id] : nil
    }

    /// Returns what changed in a conversation; nil if that is more than the limit.
    func changes(in conversation: Int64, _ id: ConversationID, _ span: FeedSpan) throws -> Changes? {
        let place = Place(conversation: conversation, span: span)
        if let known = places[place] { return known }
        let changes = try read(conversation, id, span)
        places[place] = .some(changes)
        return changes
    }

    private func read(_ conversation: Int64, _ id: ConversationID, _ span: FeedSpan) throws -> Changes? {
        let rows = try db.rows(
            FeedReading.ofConversation, [conversation, span.start, span.end, span.limit + 1])
        guard rows.count <= span.limit else { return nil }
        var changes = Changes()
        for row in rows { changes.take(row) }
        let messages = changes.messages
        try db.ahead(
            { [db] in _ = try db.rows(FeedReading.erasedMessages, [id.rawValue, span.start]) },
            { _ = try self.parents(of: messages, in: conversation) })
        changes.erased = try db.rows(FeedReading.erasedMessages, [id.rawValue, span.start]).map { $0.identifier(0) }
        changes.messages += try parents(of: changes.messages, in: conversation)
        return changes
    }

    /// Values: a list of messages, their conversation.
    ///
    /// Joined to their parents, PostgreSQL would read all messages of the conversation as long as it has no statistics.
    static let parents = """
        SELECT \(parent("reply_to_id")) FROM json_each(?1) j CROSS JOIN messages m ON m.number = j.value
        WHERE m.reply_to_id IS NOT NULL
        UNION ALL SELECT \(parent("thread_root_id")) FROM json_each(?1) j CROSS JOIN messages m ON m.number = j.value
        WHERE m.thread_root_id IS NOT NULL
        """

    private static func parent(_ column: String) -> String {
        """
        (SELECT CASE WHEN p.deleted_at IS NULL THEN p.number END FROM messages p
            WHERE p.conversation = ?2 AND p.id = m.\(column))
        """
    }

    /// Returns the messages whose replies changed, except those that changed themselves.
    private func parents(of messages: [Int64], in conversation: Int64) throws -> [Int64] {
        guard !messages.isEmpty else { return [] }
        let known = Set(messages)
        let found = try db.rows(Self.parents, [messages, conversation]).compactMap { $0[0] as Int64? }
        return Set(found).subtracting(known).sorted()
    }

    /// Values: the message.
    static let byNumber = """
        SELECT \(StoredMessage.columns), m.seq, m.arrival FROM messages m
        JOIN conversations c ON c.number = m.conversation WHERE m.number = ?
        """

    /// Returns the present state of a message; nil if it has no row.
    func message(_ number: Int64) throws -> KnownMessage? {
        if let known = messages[number] { return known }
        let message = try db.row(Self.byNumber, [number]).map { try self.message($0) }
        messages[number] = .some(message)
        return message
    }

    private func message(_ row: SQLRow) throws -> KnownMessage {
        let stored = try StoredMessage(row)
        let arrival: Int64? = row[StoredMessage.columnCount + 1]
        let position = MessagePosition(
            seq: row[StoredMessage.columnCount], arrival: arrival.map { ChangeNumber(rawValue: $0) })
        guard stored.message.deletedAt == nil else {
            return KnownMessage(stored: stored, position: position, mentions: [], replies: .none)
        }
        // Only a text with this character mentions somebody.
        let mayMention = stored.message.text.utf8.contains(UInt8(ascii: "@"))
        try db.ahead(
            { [db] in if mayMention { _ = try FeedReading.mentions(in: stored.number, db) } },
            { [db] in
                _ = try ReplyReading.replies(to: stored.message.key, isLimited: stored.isLimited, db)
            })
        return KnownMessage(
            stored: stored, position: position,
            mentions: mayMention ? try FeedReading.mentions(in: stored.number, db) : [],
            replies: try ReplyReading.replies(to: stored.message.key, isLimited: stored.isLimited, db))
    }
}

extension SharedFeed.Changes {
    fileprivate mutating func take(_ row: SQLRow) {
        switch ChangeKind(rawValue: row[0]) {
        case .conversation: isConversation = true
        case .message:
            guard let number = row[1] as Int64? else { return }
            messages.removeAll { $0 == number }
            messages.append(number)
        case .receipt:
            let user: UserID = row.identifier(2)
            readers.removeAll { $0 == user }
            readers.append(user)
        case .items: hasItems = true
        default: break
        }
    }
}
