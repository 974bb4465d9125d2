import ChatCore

extension Conversation {
    static let columns = "id, kind, visibility, name, time_zone, created_at, updated_at, history"

    static let columnCount = 8

    init(_ row: SQLRow, from first: Int) throws {
        self.init(
            id: row.identifier(first), kind: try row.word(first + 1), visibility: try row.word(first + 2),
            history: try row.word(first + 7), name: row[first + 3], timeZone: row[first + 4],
            createdAt: row.moment(first + 5),
            updatedAt: row.moment(first + 6))
    }
}

extension Member {
    static let columns = "user_id, display_name, aliases, joined_at, left_at"

    init(_ row: SQLRow, from first: Int) throws {
        self.init(
            userID: row.identifier(first), displayName: row[first + 1], aliases: try JSONColumn.list(row[first + 2]),
            joinedAt: row.moment(first + 3), leftAt: row.momentIfAny(first + 4))
    }

    /// Value: the conversation's id.
    static let ofConversation = """
        SELECT \(columns) FROM members WHERE conversation = (SELECT number FROM conversations WHERE id = ?)
        ORDER BY user_id
        """

    /// Values: the conversation's id, a list of users.
    static let someOfConversation = """
        SELECT \(columns) FROM members WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)
            AND user_id IN (SELECT value FROM json_each(?2, '$')) ORDER BY user_id
        """

    /// Values: the conversation's id, the user after whom it starts, the limit.
    static let page = """
        SELECT \(columns) FROM members WHERE conversation = (SELECT number FROM conversations WHERE id = ?)
            AND user_id > ? ORDER BY user_id LIMIT ?
        """

    /// Values: the conversation's id, the moment, a user; no count if the user is not among them.
    static let presentCount = """
        SELECT COUNT(*) FROM members WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)
            AND (left_at IS NULL OR left_at > ?2)
        HAVING COUNT(CASE WHEN user_id = ?3 THEN 1 END) > 0
        """

    /// Whether a member has a role, and may read what is written from a moment on; no row for somebody who is not
    /// present then.
    ///
    /// Values: the moment, the conversation's id, the user.
    static let leaving = """
        SELECT m.role <> 'member', EXISTS (
            SELECT 1 FROM reading_spans s WHERE s.conversation = m.conversation AND s.user_id = m.user_id
                AND (s.until IS NULL OR s.until > ?1))
        FROM members m WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?2) AND m.user_id = ?3
            AND (m.left_at IS NULL OR m.left_at > ?1)
        """

    /// Returns a conversation's members, past ones too, by user id.
    static func rows(of conversation: Int64, in db: any SQLSession) throws -> [Member] {
        try db.rows("SELECT \(columns) FROM members WHERE conversation = ? ORDER BY user_id", [conversation])
            .map { try Member($0, from: 0) }
    }

    static func find(_ user: UserID, of conversation: Int64, in db: any SQLSession) throws -> Member? {
        try db.row(
            "SELECT \(columns) FROM members WHERE conversation = ? AND user_id = ?", [conversation, user.rawValue]
        ).map { try Member($0, from: 0) }
    }

    /// The same membership for another person.
    func renamed(_ user: UserID) -> Member {
        Member(userID: user, displayName: displayName, aliases: aliases, joinedAt: joinedAt, leftAt: leftAt)
    }

    /// Merges another membership of the same person: from the earlier joining on, and present if either is.
    mutating func merge(_ other: Member) {
        joinedAt = min(joinedAt, other.joinedAt)
        if let left = leftAt, let otherLeft = other.leftAt { leftAt = max(left, otherLeft) } else { leftAt = nil }
    }
}

/// A membership, and the source that decides about it.
struct Membership {
    var member: Member
    /// The source whose imports give and end it; nil if it was given in another way.
    var importer: String?

    static func find(_ user: UserID, of conversation: Int64, in db: any SQLSession) throws -> Membership? {
        try db.row(
            "SELECT \(Member.columns), importer FROM members WHERE conversation = ? AND user_id = ?",
            [conversation, user.rawValue]
        ).map { Membership(member: try Member($0, from: 0), importer: $0[5]) }
    }
}
