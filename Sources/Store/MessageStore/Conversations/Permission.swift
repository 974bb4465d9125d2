import ChatCore

/// Decides which conversations a person may see; nothing else in the store does.
///
/// A person sees the conversations of present memberships, and open ones unless the person is a guest or a bot. The
/// time of joining is compared only with the times of messages, in conversations with a limited history; see
/// ``MessageReading``.
enum Permission {
    /// Whether the asker sees open conversations.
    private static let seesOpen = "NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.kind <> 'member')"

    private static let isMember = """
        EXISTS (SELECT 1 FROM members p WHERE p.conversation = c.number AND p.user_id = ?1
            AND (p.left_at IS NULL OR p.left_at > ?2))
        """

    /// Whether the asker sees the conversation `c`; values: asker, moment.
    static let sees = "(\(isMember) OR (c.visibility = 'everyone' AND \(seesOpen)))"

    /// Whether the asker may see the profile `f`: members that of everybody, others only their own and those of people
    /// who share a conversation with them now; values: asker, moment.
    static let seesProfile = """
        (f.user_id = ?1 OR \(seesOpen) OR EXISTS (
            SELECT 1 FROM members p CROSS JOIN members o ON o.conversation = p.conversation
            WHERE p.user_id = ?1 AND (p.left_at IS NULL OR p.left_at > ?2)
                AND o.user_id = f.user_id AND (o.left_at IS NULL OR o.left_at > ?2)))
        """

    private static let columns = "c.number, c.id, c.kind, c.name, c.time_zone, \(isMember), c.history <> 'all'"

    /// Values: asker, moment.
    static let all = """
        SELECT \(columns) FROM conversations c WHERE c.number IN (
            SELECT conversation FROM members WHERE user_id = ?1 AND (left_at IS NULL OR left_at > ?2)
            UNION ALL SELECT number FROM conversations WHERE visibility = 'everyone' AND \(seesOpen))
        ORDER BY c.id
        """

    /// The same without groups into which a stranger put the asker, who has not accepted them.
    static let accepted = """
        SELECT \(columns) FROM conversations c WHERE c.number IN (
            SELECT conversation FROM members WHERE user_id = ?1 AND (left_at IS NULL OR left_at > ?2)
            UNION ALL SELECT number FROM conversations WHERE visibility = 'everyone' AND \(seesOpen))
        AND NOT (c.kind = 'group' AND c.visibility = 'members' AND EXISTS (
            SELECT 1 FROM members i WHERE i.conversation = c.number AND i.user_id = ?1 AND i.is_invited = 1))
        ORDER BY c.id
        """

    /// Values: asker, moment, conversation.
    static let one = """
        SELECT \(columns) FROM conversations c
        WHERE c.id = ?3 AND \(sees)
        """

    /// Values: asker, moment, conversation's number.
    static let oneByNumber = """
        SELECT \(columns) FROM conversations c
        WHERE c.number = ?3 AND \(sees)
        """

    /// Values: asker, moment, a list of the numbers of messages whose conversations are meant.
    static let ofMessages = """
        SELECT c.number, c.id FROM conversations c
        WHERE c.number IN (SELECT m.conversation FROM json_each(?3) j CROSS JOIN messages m ON m.number = j.value)
            AND \(sees)
        """

    /// Values: asker, moment, the id after which it starts, the limit.
    static let page = """
        SELECT \(Conversation.columns) FROM conversations WHERE number IN (
            SELECT conversation FROM members WHERE user_id = ?1 AND (left_at IS NULL OR left_at > ?2)
            UNION ALL SELECT number FROM conversations WHERE visibility = 'everyone' AND \(seesOpen))
        AND id > ?3 ORDER BY id LIMIT ?4
        """

    /// Returns the conversations of `scope` that its asker may see at `moment`, by id.
    ///
    /// With `countsInvited` all conversations include those that the asker has not accepted.
    static func permitted(
        _ scope: SearchScope, countsInvited: Bool = true, at moment: Timestamp, in db: any SQLSession
    ) throws -> [PermittedConversation] {
        let rows = try rows(scope, countsInvited: countsInvited, at: moment, in: db)
        return try conversations(rows, for: scope.asker, in: db)
    }

    /// Returns the numbers of ``permitted(_:countsInvited:at:in:)``.
    static func permittedNumbers(
        _ scope: SearchScope, countsInvited: Bool = true, at moment: Timestamp, in db: any SQLSession
    ) throws -> Set<Int64> {
        Set(try rows(scope, countsInvited: countsInvited, at: moment, in: db).map { $0[0] as Int64 })
    }

    /// Returns the number of each conversation of ``permitted(_:countsInvited:at:in:)``, and whether its history is limited.
    ///
    /// They are known a round trip before the names and the times of the asker.
    static func places(
        _ scope: SearchScope, countsInvited: Bool = true, at moment: Timestamp, in db: any SQLSession
    ) throws -> [(number: Int64, isLimited: Bool)] {
        try rows(scope, countsInvited: countsInvited, at: moment, in: db).map { ($0[0], $0[6]) }
    }

    /// The conversations that an asker sees and some of whose members lack names in the index.
    ///
    /// Values: asker, moment.
    static let unnamed = """
        SELECT c.number FROM conversations c WHERE c.number IN (
            SELECT conversation FROM members WHERE user_id = ?1 AND (left_at IS NULL OR left_at > ?2)
            UNION ALL SELECT number FROM conversations WHERE visibility = 'everyone' AND \(seesOpen))
        AND EXISTS (SELECT 1 FROM members m INDEXED BY members_unnamed
            WHERE m.conversation = c.number AND m.is_named = 0 AND m.left_at IS NULL)
        """

    private static func rows(
        _ scope: SearchScope, countsInvited: Bool, at moment: Timestamp, in db: any SQLSession
    ) throws -> [SQLRow] {
        let values: [SQLArgument] = [scope.asker.rawValue, moment.microseconds]
        switch scope.conversations {
        case .all: return try db.rows(countsInvited ? all : accepted, values)
        case .only(let ids):
            return try db.together(ids.sorted()) { try db.row(one, values + [$0.rawValue]) }.compactMap(\.self)
        }
    }

    private static func conversations(
        _ rows: [SQLRow], for asker: UserID, in db: any SQLSession
    ) throws -> [PermittedConversation] {
        let limited = rows.filter { $0[6] }.map { $0[0] as Int64 }
        try db.ahead(
            { _ = try ReadingSpanRows(db: db).spans(of: asker, in: limited) },
            { _ = try db.together(rows) { try displayName($0, for: asker, in: db) } })
        let spans = try ReadingSpanRows(db: db).spans(of: asker, in: limited)
        return try db.together(rows) { row in
            PermittedConversation(
                id: row.identifier(1), number: ConversationNumber(rawValue: row[0]),
                displayName: try displayName(row, for: asker, in: db), timeZone: row[4], isMember: row[5],
                spans: spans[row[0]])
        }
    }

    /// Returns which times of a conversation an asker may read; nil if the asker does not see it.
    ///
    /// It costs one round trip, also if the history is limited.
    static func times(
        of id: ConversationID, for asker: UserID, at moment: Timestamp, in db: any SQLSession
    ) throws -> PermittedTimes? {
        let rows = try db.rows([
            SQLStatement(one, [asker.rawValue, moment.microseconds, id.rawValue]),
            SQLStatement(ReadingSpanRows.ofOne, [asker.rawValue, id.rawValue]),
        ])
        guard let row = rows[0].first else { return nil }
        return PermittedTimes(spans: ReadingSpanRows.spans(rows[1])[row[0]])
    }

    /// The times of a conversation that somebody may read; nil for all.
    struct PermittedTimes {
        let spans: ReadingSpans?
    }

    /// Returns the number of a conversation that `asker` may see.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` otherwise.
    static func number(
        of id: ConversationID, for asker: UserID, at moment: Timestamp, in db: any SQLSession
    ) throws -> Int64 {
        try conversation(id, for: asker, at: moment, in: db).number.rawValue
    }

    /// Returns a conversation that `asker` may see.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` otherwise.
    static func conversation(
        _ id: ConversationID, for asker: UserID, at moment: Timestamp, in db: any SQLSession
    ) throws -> PermittedConversation {
        let scope = SearchScope(asker: asker, conversations: .only([id]))
        guard let found = try permitted(scope, at: moment, in: db).first else {
            throw RepositoryError.noSuchConversation(id)
        }
        return found
    }

    /// Returns whether a conversation lies within `scope` and its asker may see it at `moment`.
    static func permits(_ conversation: Int64, _ scope: SearchScope, at moment: Timestamp, in db: any SQLSession) throws
        -> Bool
    {
        try row(of: conversation, in: scope, at: moment, in: db) != nil
    }

    /// Returns a conversation if it lies within `scope` and its asker may see it at `moment`.
    static func conversation(
        _ number: Int64, in scope: SearchScope, at moment: Timestamp, in db: any SQLSession
    ) throws -> PermittedConversation? {
        guard let row = try row(of: number, in: scope, at: moment, in: db) else { return nil }
        return try conversations([row], for: scope.asker, in: db).first
    }

    private static func row(
        of conversation: Int64, in scope: SearchScope, at moment: Timestamp, in db: any SQLSession
    ) throws -> SQLRow? {
        let values: [SQLArgument] = [scope.asker.rawValue, moment.microseconds, conversation]
        guard let row = try db.row(oneByNumber, values) else { return nil }
        switch scope.conversations {
        case .all: return row
        case .only(let ids): return ids.contains(row.identifier(1)) ? row : nil
        }
    }

    /// Returns the numbers of the conversations within `scope` among rows of ``ofMessages`` for its asker.
    static func numbers(_ rows: [SQLRow], in scope: SearchScope) -> Set<Int64> {
        switch scope.conversations {
        case .all: return Set(rows.map { $0[0] })
        case .only(let ids): return Set(rows.filter { ids.contains($0.identifier(1)) }.map { $0[0] })
        }
    }

    /// Returns the earliest end after `moment` among a person's memberships.
    static func nextEnd(of asker: UserID, after moment: Timestamp, in db: any SQLSession) throws -> Timestamp? {
        try db.number(
            "SELECT MIN(left_at) FROM members WHERE user_id = ? AND left_at > ?",
            [asker.rawValue, moment.microseconds]
        ).map { Timestamp(microseconds: $0) }
    }

    /// The most members whose names make the name of a direct conversation; only groups have more, and they have names.
    static let namedMemberLimit = 16

    private static func displayName(_ row: SQLRow, for asker: UserID, in db: any SQLSession) throws -> String {
        if let name: String = row[3], !name.isEmpty { return name }
        let kind: Conversation.Kind = try row.word(2)
        guard kind == .direct else { return row[1] }
        let others = try db.rows(
            "SELECT display_name FROM members WHERE conversation = ? AND user_id <> ? ORDER BY user_id LIMIT \(namedMemberLimit)",
            [row[0] as Int64, asker.rawValue])
        return others.isEmpty ? row[1] : others.map { $0[0] }.joined(separator: ", ")
    }
}
