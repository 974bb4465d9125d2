import ChatCore

/// Reads conversations as they are in a person's list, within one read transaction.
struct InboxReading {
    let user: UserID
    let moment: Timestamp
    let db: any SQLSession
    private var reading: MessageReading

    init(_ user: UserID, at moment: Timestamp, in db: any SQLSession) {
        self.user = user
        self.moment = moment
        self.db = db
        reading = MessageReading(reader: user, moment: moment, db: db)
    }

    /// Returns the entries of all conversations that the person sees.
    mutating func entries() throws -> [InboxEntry] {
        let db = db
        try db.ahead(
            { [self] in _ = try permitted() },
            { [self] in _ = try db.together(places()) { try prepare($0.number, isLimited: $0.isLimited) } })
        return try db.together(try permitted()) { try entry(of: $0) }
    }

    private var scope: SearchScope { SearchScope(asker: user, conversations: .all) }

    private func permitted() throws -> [PermittedConversation] { try Permission.permitted(scope, at: moment, in: db) }

    private func places() throws -> [(number: Int64, isLimited: Bool)] {
        try Permission.places(scope, at: moment, in: db)
    }

    /// Returns the entries of the conversations that a text is looked for in.
    ///
    /// The names of members are looked up in their index, so that the members themselves are not read, and only entries
    /// that match are read.
    mutating func entries(matching query: InboxQuery) throws -> [InboxEntry] {
        let db = db
        try db.ahead(
            { [self] in _ = try permitted() },
            { [self] in
                let numbers = try places().map(\.number)
                try db.ahead(
                    { _ = try conversations(of: numbers, withMember: query.beginning) },
                    // Whether they may be seen is asked together with the entries.
                    { _ = try db.together(numbers) { try db.cursor(Self.newest, [$0]) } })
            })
        let seen = try permitted()
        let named = try conversations(of: seen.map(\.number.rawValue), withMember: query.beginning)
        return try db.together(seen) { conversation -> InboxEntry? in
            let number = conversation.number.rawValue
            if !named.contains(number), !query.isIn(conversation.displayName),
                try newestMessage(in: number).map({ query.isIn($0.text) }) != true
            {
                return nil
            }
            return try entry(of: conversation)
        }.compactMap(\.self)
    }

    /// Values: a list of conversations' numbers, a beginning, the first text after those that begin with it.
    static let withMember = """
        SELECT j.value FROM json_each(?1) j WHERE EXISTS (
            SELECT 1 FROM member_names n
            WHERE n.conversation = j.value AND n.is_part = 1 AND n.name >= ?2 AND n.name < ?3)
        """

    private func conversations(of numbers: [Int64], withMember beginning: String?) throws -> Set<Int64> {
        guard let beginning else { return [] }
        let rows = try db.rows(Self.withMember, [numbers, beginning, MemberNameRows.end(of: beginning)])
        return Set(rows.map { $0[0] })
    }

    /// Returns the entry of one conversation; nil if the person may not see it.
    mutating func entry(of id: ConversationID) throws -> InboxEntry? {
        try Permission.permitted(SearchScope(asker: user, conversations: .only([id])), at: moment, in: db).first
            .map { try entry(of: $0) }
    }

    private static let conversation = "SELECT \(Conversation.columns), head FROM conversations WHERE number = ?"

    private static let membership = """
        SELECT m.role, m.read_seq, p.content FROM (SELECT 1) AS one LEFT JOIN members m ON m.conversation = ?1
            AND m.user_id = ?2 AND (m.left_at IS NULL OR m.left_at > ?3)
        LEFT JOIN preferences p ON p.conversation = ?1 AND p.user_id = ?2
        """

    private mutating func entry(of permitted: PermittedConversation) throws -> InboxEntry {
        let number = permitted.number.rawValue
        try prepare(number, isLimited: permitted.spans != nil)
        guard let row = try db.row(Self.conversation, [number]),
            let own = try db.row(Self.membership, [number, user.rawValue, moment.microseconds])
        else { throw RepositoryError.noSuchConversation(permitted.id) }
        let conversation = try Conversation(row, from: 0)
        let head: Int64 = row[Conversation.columnCount]
        let role: MemberRole? = try (own[0] as String?).map { try Self.role($0) }
        // Somebody who only reads an open conversation has no read position, and so nothing unread.
        let readSeq: Int64 = own[1] ?? head
        let newest = try newestMessage(in: number)
        let unread =
            head > readSeq
            ? try unread(in: number, after: readSeq, isLimited: permitted.spans != nil) : (count: 0, first: nil)
        return InboxEntry(
            conversation: conversation, displayName: permitted.displayName, head: head, lastMessage: newest,
            activeAt: newest?.timestamp ?? conversation.createdAt, readSeq: readSeq, unreadCount: unread.count,
            mentionCount: unread.count == 0
                ? 0 : try mentions(in: number, after: readSeq, isLimited: permitted.spans != nil),
            firstUnreadID: unread.first,
            role: role, preferences: try (own[2] as String?).map { try JSONColumn.value($0) } ?? .init(),
            members: conversation.kind == .direct
                ? try Member.rows(of: number, in: db).filter { $0.leftAt == nil } : [],
            admins: conversation.kind == .group
                ? try admins(of: number) : [])
    }

    /// Reads what an entry needs, in two round trips if the database is not here.
    private func prepare(_ number: Int64, isLimited: Bool) throws {
        let (db, reading, own) = (db, self, [number, user.rawValue, moment.microseconds] as [SQLArgument])
        try db.ahead(
            { _ = try db.row(Self.conversation, [number]) },
            {
                guard let readSeq = try db.row(Self.membership, own)?[1] as Int64? else { return }
                var (unread, mentions) = (reading, reading)
                try db.ahead(
                    { _ = try unread.unread(in: number, after: readSeq, isLimited: isLimited) },
                    { _ = try mentions.mentions(in: number, after: readSeq, isLimited: isLimited) })
            },
            {
                var reading = reading
                _ = try reading.newestMessage(in: number)
            },
            { _ = try Member.rows(of: number, in: db) }, { _ = try reading.admins(of: number) })
    }

    private func admins(of conversation: Int64) throws -> [UserID] {
        try db.rows(Self.admins, [conversation, moment.microseconds]).map { $0.identifier(0) }
    }

    static let admins = """
        SELECT user_id FROM members INDEXED BY members_with_roles
        WHERE conversation = ? AND role <> 'member' AND (left_at IS NULL OR left_at > ?) ORDER BY user_id
        """

    private static func role(_ word: String) throws -> MemberRole {
        guard let role = MemberRole(rawValue: word) else {
            throw RepositoryError.unavailable(reason: "a stored role is unknown")
        }
        return role
    }

    private static let newest = """
        SELECT \(StoredMessage.columns) FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = ? AND m.deleted_at IS NULL ORDER BY m.timestamp DESC, m.number DESC LIMIT 20
        """

    /// Returns the newest message that the person may see.
    private mutating func newestMessage(in conversation: Int64) throws -> Message? {
        let cursor = try db.cursor(Self.newest, [conversation])
        while let row = try cursor.next() {
            let stored = try StoredMessage(row)
            if try !reading.hides(stored) { return stored.message }
        }
        return nil
    }

    static let unread = """
        SELECT number, id, kind, timestamp FROM messages WHERE conversation = ? AND seq > ? AND deleted_at IS NULL AND sender_id <> ?
            AND kind <> 'system' ORDER BY seq LIMIT ?
        """

    mutating func unread(
        in conversation: Int64, after seq: Int64, isLimited: Bool
    ) throws -> (count: Int, first: MessageID?) {
        let rows = try db.rows(
            Self.unread, [conversation, seq, user.rawValue, InboxEntry.countLimit])
        let db = db
        let seen = try db.together(rows) { row -> MessageID? in
            try hides(row[0], row.moment(3), row[2], in: conversation, isLimited) ? nil : row.identifier(1)
        }.compactMap(\.self)
        return (seen.count, seen.first)
    }

    /// Whether the person may not see a message of this number, time and kind.
    private mutating func hides(
        _ number: Int64, _ timestamp: Timestamp, _ kind: String, in conversation: Int64, _ isLimited: Bool
    ) throws -> Bool {
        let isAnswer = kind == Message.Kind.assistant.rawValue
        return try reading.hides(
            MessageReading.Subject(number: number, timestamp: timestamp, isAnswer: isAnswer), in: conversation,
            isLimited: isLimited)
    }

    /// A position has one message, so each of its values is the only one.
    static let mentions = """
        SELECT a.seq, MIN(a.message), MIN(m.timestamp), MIN(m.kind) FROM addressed a JOIN messages m ON m.number = a.message
        WHERE a.conversation = ? AND a.user_id = ? AND a.seq > ? AND m.sender_id <> ? GROUP BY a.seq LIMIT ?
        """

    private mutating func mentions(in conversation: Int64, after seq: Int64, isLimited: Bool) throws -> Int {
        let rows = try db.rows(
            Self.mentions, [conversation, user.rawValue, seq, user.rawValue, InboxEntry.countLimit])
        guard isLimited else { return rows.count }
        let db = db
        return try db.together(rows) { row in
            try !hides(row[1], row.moment(2), row[3], in: conversation, isLimited)
        }.count { $0 }
    }
}

/// A text that is looked for in a person's list of conversations.
struct InboxQuery: Sendable {
    private let text: String
    /// What a word of a member's name must begin with; nil if the text has no word.
    let beginning: String?

    init(_ text: String) {
        self.text = text.lowercased()
        beginning = MemberName.beginning(text)
    }

    func isIn(_ other: String) -> Bool { other.lowercased().contains(text) }
}
