import ChatCore

/// The rows of `reading_spans`: the times whose messages people may read in conversations with a limited history.
///
/// A conversation has rows only while its history is ``Conversation/History/joined``. Memberships begin and end spans; an
/// import that knows more replaces them.
struct ReadingSpanRows {
    let db: any SQLSession

    /// The user of the times that everybody may read who may see the conversation.
    private static let everybody = ChangeLog.everybody.rawValue

    /// Values: reader, a list of conversations' numbers.
    ///
    /// A limited conversation without a span has one row with nulls.
    static let list = """
        SELECT c.number, s.since, s.until FROM json_each(?2) j
        CROSS JOIN conversations c ON c.number = j.value AND c.history <> 'all'
        LEFT JOIN reading_spans s ON s.conversation = c.number AND s.user_id IN (?1, '')
        """

    /// Returns the times that a reader may read in those of the conversations that have a limited history.
    func spans(of reader: UserID, in conversations: [Int64]) throws -> [Int64: ReadingSpans] {
        guard !conversations.isEmpty else { return [:] }
        return Self.spans(try db.rows(Self.list, [reader.rawValue, conversations]))
    }

    /// The rows of ``list`` for a conversation; values: reader, the conversation's id.
    static let ofOne = """
        SELECT c.number, s.since, s.until FROM conversations c
        LEFT JOIN reading_spans s ON s.conversation = c.number AND s.user_id IN (?1, '')
        WHERE c.id = ?2 AND c.history <> 'all'
        """

    /// The rows of ``list`` for the conversations of messages; values: reader, a list of messages' numbers.
    static let ofMessages = """
        SELECT DISTINCT c.number, s.since, s.until FROM json_each(?2) j CROSS JOIN messages m ON m.number = j.value
        CROSS JOIN conversations c ON c.number = m.conversation AND c.history <> 'all'
        LEFT JOIN reading_spans s ON s.conversation = c.number AND s.user_id IN (?1, '')
        """

    /// Returns the times of conversations with a limited history, from rows of ``list`` or ``ofMessages``.
    static func spans(_ rows: [SQLRow]) -> [Int64: ReadingSpans] {
        var found: [Int64: [ReadingSpan]] = [:]
        for row in rows {
            guard let since = row.momentIfAny(1) else {
                found[row[0], default: []] += []
                continue
            }
            found[row[0], default: []].append(ReadingSpan(since: since, until: row.momentIfAny(2)))
        }
        return found.mapValues { ReadingSpans($0) }
    }

    /// Returns who may read which times of a conversation; nil if its history is not limited.
    func readers(of conversation: Int64) throws -> SpanReaders? {
        guard try isLimited(conversation) else { return nil }
        return Self.readers(try db.rows(Self.ofConversation + "?" + Self.order, [conversation]))
    }

    /// Returns who may read which times, from all rows of a conversation.
    static func readers(_ rows: [SQLRow]) -> SpanReaders {
        var spans = times(rows)
        let shared = ReadingSpans(spans.removeValue(forKey: everybody) ?? [])
        let own = spans.map { (UserID(rawValue: $0.key), ReadingSpans($0.value)) }
        return SpanReaders(own: Dictionary(own) { first, _ in first }, shared: shared)
    }

    /// Whether the history of a conversation is limited.
    private func isLimited(_ conversation: Int64) throws -> Bool {
        try db.number("SELECT 1 FROM conversations WHERE number = ? AND history <> 'all'", [conversation]) != nil
    }

    /// Follows a membership: its beginning begins a span, its end ends it.
    ///
    /// Who comes back does not read the time of the absence, whatever date of joining is given.
    func follow(
        _ member: Member, before old: Member?, in conversation: Int64, since: Timestamp?, isLimited: Bool? = nil,
        at moment: Timestamp
    ) throws {
        let wasPresent = old.map { $0.leftAt == nil } ?? false
        guard wasPresent != (member.leftAt == nil) || old == nil,
            try isLimited ?? self.isLimited(conversation)
        else { return }
        if let left = member.leftAt, wasPresent {
            try end(of: member.userID, in: conversation, at: left)
        } else {
            let isBack = old?.leftAt.map { member.joinedAt <= $0 } ?? false
            let start = isBack ? moment : since ?? member.joinedAt
            try insert(
                [ReadingSpan(since: start, until: member.leftAt)], of: member.userID.rawValue, in: conversation)
            try log(member.userID, in: conversation)
        }
    }

    /// Ends what a person may read, when a membership ends.
    func end(of user: UserID, in conversation: Int64, at moment: Timestamp) throws {
        try close(of: user, in: conversation, at: moment)
        if db.changedRowCount > 0 { try log(user, in: conversation) }
    }

    /// Ends spans as ``end(of:in:at:)`` does, of which there are some.
    func endOpen(of user: UserID, in conversation: Int64, at moment: Timestamp) throws {
        try close(of: user, in: conversation, at: moment)
        try log(user, in: conversation)
    }

    private func close(of user: UserID, in conversation: Int64, at moment: Timestamp) throws {
        try db.run(
            """
            UPDATE reading_spans SET until = ?1 WHERE conversation = ?2 AND user_id = ?3
                AND (until IS NULL OR until > ?1)
            """, [moment.microseconds, conversation, user.rawValue])
    }

    /// Reports that other messages can be read: clients drop those that they have, and load them again.
    func log(_ user: UserID, in conversation: Int64) throws {
        try ChangeLog.append(.readingRights, conversation: conversation, user: user, to: db)
    }

    /// Begins to limit a history: present members keep what they may read now, later ones get what follows.
    func limit(_ conversation: Int64) throws {
        try lift(conversation)
        try db.run(
            """
            INSERT INTO reading_spans (conversation, user_id, since, until)
            SELECT conversation, user_id, ?, left_at FROM members WHERE conversation = ?
            """, [Timestamp.distantPast.microseconds, conversation])
    }

    /// Ends all limits of a history.
    func lift(_ conversation: Int64) throws {
        try db.run("DELETE FROM reading_spans WHERE conversation = ?", [conversation])
    }

    /// Lets everybody read what was written before a moment.
    func share(until moment: Timestamp, in conversation: Int64) throws {
        try lift(conversation)
        try insert([ReadingSpan(until: moment)], of: Self.everybody, in: conversation)
    }

    /// Replaces the spans of a conversation by those that an import states; returns whether something changed.
    func replace(with rights: ReadingRights, source: String, in conversation: Int64) throws -> Bool {
        let before = try rows(of: conversation)
        var stated: [String: [ReadingSpan]] = [:]
        stated[Self.everybody] = rights.shared
        for (author, spans) in rights.own {
            let user = try Authors.user(of: author.rawValue, source: source, in: db) ?? author
            stated[user.rawValue, default: []] += spans
        }
        // People whom a source does not name that knows everything have none of its time.
        if rights.since == nil { for user in before.keys where stated[user] == nil { stated[user] = [] } }
        var known = before
        for reader in rights.earlierReaders ?? [] {
            let user = try Authors.user(of: reader.rawValue, source: source, in: db)?.rawValue ?? reader.rawValue
            stated[user, default: []] += []
            known[user, default: []] += before[Self.everybody] ?? []
        }
        if rights.earlierReaders != nil { known[Self.everybody] = [] }
        for (user, spans) in stated.sorted(by: { $0.key < $1.key }) {
            // A new conversation has no other rights.
            let spans = before.isEmpty ? spans : rights.continued(known[user] ?? [], by: spans)
            try db.run("DELETE FROM reading_spans WHERE conversation = ? AND user_id = ?", [conversation, user])
            try insert(ReadingSpans(spans).spans, of: user, in: conversation)
        }
        return try rows(of: conversation).mapValues { ReadingSpans($0) } != before.mapValues { ReadingSpans($0) }
    }

    private func rows(of conversation: Int64) throws -> [String: [ReadingSpan]] {
        Self.times(try db.rows(Self.ofConversation + "?" + Self.order, [conversation]))
    }

    /// Followed by the conversation's number, and by ``order``.
    static let ofConversation = "SELECT user_id, since, until FROM reading_spans WHERE conversation = "
    static let order = " ORDER BY user_id, since"

    private static func times(_ rows: [SQLRow]) -> [String: [ReadingSpan]] {
        Dictionary(grouping: rows) { $0[0] as String }.mapValues { rows in
            rows.map { ReadingSpan(since: $0.moment(1), until: $0.momentIfAny(2)) }
        }
    }

    /// Gives the spans of a person to another one, who may have some already.
    func move(from user: UserID, to other: UserID, in conversation: Int64) throws {
        let rows = try db.rows(
            "SELECT since, until FROM reading_spans WHERE conversation = ? AND user_id = ?",
            [conversation, user.rawValue])
        try insert(
            rows.map { ReadingSpan(since: $0.moment(0), until: $0.momentIfAny(1)) }, of: other.rawValue,
            in: conversation)
        try db.run(
            "DELETE FROM reading_spans WHERE conversation = ? AND user_id = ?", [conversation, user.rawValue])
        for user in rows.isEmpty ? [] : [user, other] { try log(user, in: conversation) }
    }

    /// Adds spans; of two that begin at the same time the longer one counts.
    private func insert(_ spans: [ReadingSpan], of user: String, in conversation: Int64) throws {
        for span in spans {
            try db.run(
                """
                INSERT INTO reading_spans (conversation, user_id, since, until) VALUES (?, ?, ?, ?)
                ON CONFLICT (conversation, user_id, since) DO UPDATE SET until = CASE
                    WHEN reading_spans.until IS NULL OR excluded.until IS NULL THEN NULL
                    WHEN reading_spans.until < excluded.until THEN excluded.until ELSE reading_spans.until END
                """, [conversation, user, span.since.microseconds, span.until?.microseconds])
        }
    }
}
