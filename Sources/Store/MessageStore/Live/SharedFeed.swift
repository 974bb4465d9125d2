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

    /// Whether another part lies within this one.
    func contains(_ other: FeedSpan) -> Bool { start <= other.start && other.end <= end }
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
        /// What makes an answer wrong.
        var outdated: [OutdatedRows.Found] = []
    }

    private struct Place: Hashable {
        let conversation: Int64
        let span: FeedSpan
    }

    /// The rows of the log, of one conversation.
    fileprivate struct Log {
        let rows: [SQLRow]
        /// Messages without a row, with the change that erased them.
        let erased: [(change: Int64, id: MessageID)]
        /// The messages to which the changed ones reply.
        let parents: [Int64: Set<Int64>]
    }

    /// The longest part of the log for which the affected people are looked up.
    private static let lengthLimit: Int64 = 4_096

    private let db: any SQLSession
    private let moment: Timestamp
    private var knownBounds: ChangeLogBounds?
    /// Whether the pages of several readers are read.
    private(set) var isPrepared = false
    /// For each conversation the part of the log that holds those of all requests.
    private var spans: [ConversationID: FeedSpan] = [:]
    private let logs = Memory<Place, Log?>()
    private let places = Memory<Place, Changes?>()
    private let stored = Memory<Int64, (message: StoredMessage, position: MessagePosition)?>()
    private let messages = Memory<Int64, KnownMessage?>()
    private var numbers: [ConversationID: Int64] = [:]
    private var members: [ConversationID: Set<UserID>] = [:]
    /// The people for whom alone something changed; nil if that is not known.
    private var concerned: Set<UserID>?

    init(_ db: any SQLSession, at moment: Timestamp) {
        self.db = db
        self.moment = moment
    }

    /// Reads what is known of all requests together.
    ///
    /// - Parameters:
    ///   - requests: The parts of the log that will be read.
    ///   - limit: The most changes of one conversation.
    /// - Throws: ``RepositoryError``.
    func prepare(_ requests: [FeedRequest], limit: Int) throws {
        guard requests.count > 1 else { return }
        var askers: [ConversationID: Set<UserID>] = [:]
        for request in requests {
            for id in request.range.conversations ?? [] {
                askers[id, default: []].insert(request.reader)
                widen(id, by: request.range, limit: limit)
            }
        }
        try db.ahead(
            { _ = try self.bounds() },
            { [askers] in for (id, users) in askers where users.count > 1 { _ = try self.rows(of: id, among: users) } },
            { _ = try self.rowsOfConcerned(requests.map(\.range)) })
        _ = try bounds()
        for (id, users) in askers where users.count > 1 { try findMembers(of: id, among: users) }
        try findConcerned(requests.map(\.range))
        isPrepared = true
    }

    /// The part of the log that can be read.
    func bounds() throws -> ChangeLogBounds {
        if let knownBounds { return knownBounds }
        let bounds = try ChangeLogBounds(in: db)
        knownBounds = bounds
        return bounds
    }

    private func widen(_ id: ConversationID, by range: FeedRange, limit: Int) {
        guard let start = range.start.positions.first?.rawValue, let end = range.end?.positions.first?.rawValue else {
            return
        }
        let known = spans[id]
        spans[id] = FeedSpan(min(known?.start ?? start, start), max(known?.end ?? end, end), limit: limit)
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
        try places.value(of: Place(conversation: conversation, span: span)) {
            if let wide = spans[id], wide != span, wide.contains(span), let log = try log(of: conversation, id, wide) {
                return log.changes(in: span)
            }
            return try log(of: conversation, id, span)?.changes(in: span)
        }
    }

    /// Returns a part of the log; nil if it is longer than the limit.
    private func log(of conversation: Int64, _ id: ConversationID, _ span: FeedSpan) throws -> Log? {
        try logs.value(of: Place(conversation: conversation, span: span)) { try readLog(conversation, id, span) }
    }

    private func readLog(_ conversation: Int64, _ id: ConversationID, _ span: FeedSpan) throws -> Log? {
        let erased: [SQLArgument] = [id.rawValue, span.start]
        let values: [SQLArgument] = [conversation, span.start, span.end, span.limit + 1]
        try db.ahead(
            { [db] in _ = try db.rows(FeedReading.ofConversation, values) },
            { [db] in _ = try db.rows(FeedReading.erasedMessages, erased) })
        let rows = try db.rows(FeedReading.ofConversation, values)
        guard rows.count <= span.limit else { return nil }
        let messages = Set(rows.compactMap { ChangeKind(rawValue: $0[1]) == .message ? $0[2] as Int64? : nil })
        return Log(
            rows: rows,
            erased: try db.rows(FeedReading.erasedMessages, erased).map { ($0[0], $0.identifier(1)) },
            parents: try parents(of: messages.sorted(), in: conversation))
    }

    /// Values: a list of messages, their conversation.
    ///
    /// Joined to their parents, PostgreSQL would read all messages of the conversation as long as it has no statistics.
    static let parents = """
        SELECT m.number, \(parent("reply_to_id")) FROM json_each(?1) j CROSS JOIN messages m ON m.number = j.value
        WHERE m.reply_to_id IS NOT NULL
        UNION ALL SELECT m.number, \(parent("thread_root_id")) FROM json_each(?1) j CROSS JOIN messages m ON m.number = j.value
        WHERE m.thread_root_id IS NOT NULL
        """

    private static func parent(_ column: String) -> String {
        """
        (SELECT CASE WHEN p.deleted_at IS NULL THEN p.number END FROM messages p
            WHERE p.conversation = ?2 AND p.id = m.\(column))
        """
    }

    /// Returns the messages to which messages reply, for each.
    private func parents(of messages: [Int64], in conversation: Int64) throws -> [Int64: Set<Int64>] {
        guard !messages.isEmpty else { return [:] }
        return try db.rows(Self.parents, [messages, conversation]).reduce(into: [:]) { parents, row in
            if let parent = row[1] as Int64? { parents[row[0], default: []].insert(parent) }
        }
    }

    /// Values: the message.
    static let byNumber = """
        SELECT \(StoredMessage.columns), m.seq, m.arrival FROM messages m
        JOIN conversations c ON c.number = m.conversation WHERE m.number = ?
        """

    /// Returns the present state of a message; nil if it has no row.
    func message(_ number: Int64) throws -> KnownMessage? {
        try messages.value(of: number) { try storedMessage(number).map { try known($0, at: $1) } }
    }

    private func storedMessage(_ number: Int64) throws -> (message: StoredMessage, position: MessagePosition)? {
        try stored.value(of: number) {
            try db.row(Self.byNumber, [number]).map { row in
                let arrival: Int64? = row[StoredMessage.columnCount + 1]
                return (
                    try StoredMessage(row),
                    MessagePosition(
                        seq: row[StoredMessage.columnCount], arrival: arrival.map { ChangeNumber(rawValue: $0) })
                )
            }
        }
    }

    private func known(_ stored: StoredMessage, at position: MessagePosition) throws -> KnownMessage {
        guard stored.message.deletedAt == nil else {
            return KnownMessage(stored: stored, position: position, mentions: [], replies: .none)
        }
        // Only a text with this character mentions somebody.
        let mayMention = stored.message.text.utf8.contains(UInt8(ascii: "@"))
        let isAnswer = stored.message.kind == .assistant
        let key = stored.message.key
        if mayMention || isAnswer {
            try db.ahead(
                { [db] in if mayMention { _ = try FeedReading.mentions(in: stored.number, db) } },
                { [db] in if isAnswer { _ = try OutdatedRows(db: db).marks(of: key) } },
                { [db] in _ = try ReplyReading.replies(to: key, isLimited: stored.isLimited, db) })
        }
        return KnownMessage(
            stored: stored, position: position,
            mentions: mayMention ? try FeedReading.mentions(in: stored.number, db) : [],
            replies: try ReplyReading.replies(to: key, isLimited: stored.isLimited, db),
            outdated: isAnswer ? try OutdatedRows(db: db).marks(of: key) : [])
    }
}

/// Values that are read once.
private final class Memory<Key: Hashable, Value> {
    private var values: [Key: Value] = [:]

    func value(of key: Key, reading read: () throws -> Value) rethrows -> Value {
        if let known = values[key] { return known }
        let value = try read()
        values[key] = value
        return value
    }
}

extension SharedFeed.Log {
    /// Returns what is in a part of the log; nil if that is more than its limit.
    fileprivate func changes(in span: FeedSpan) -> SharedFeed.Changes? {
        let rows = rows.filter { span.start < $0[0] && $0[0] <= span.end }
        guard rows.count <= span.limit else { return nil }
        var changes = SharedFeed.Changes()
        for row in rows { changes.take(row) }
        changes.erased = erased.filter { $0.change > span.start }.map(\.id)
        let changed = changes.messages
        let replied = changed.reduce(into: Set()) { $0.formUnion(parents[$1] ?? []) }
        changes.messages += replied.subtracting(changed).sorted()
        return changes
    }
}

extension SharedFeed.Changes {
    fileprivate mutating func take(_ row: SQLRow) {
        switch ChangeKind(rawValue: row[1]) {
        case .conversation: isConversation = true
        case .message:
            guard let number = row[2] as Int64? else { return }
            messages.removeAll { $0 == number }
            messages.append(number)
        case .receipt:
            let user: UserID = row.identifier(3)
            readers.removeAll { $0 == user }
            readers.append(user)
        case .items: hasItems = true
        default: break
        }
    }
}
