import ChatCore

/// Changes the rows of a live chat, within one transaction: mentions, and where memberships begin.
struct LiveRows {
    let db: any SQLSession

    /// Notes again which members a message mentions, after its text changed.
    func readdress(_ number: Int64, as message: Message, in conversation: Int64) throws {
        try db.run("DELETE FROM addressed WHERE message = ?", [number])
        guard message.deletedAt == nil, Self.mayMention(message),
            let seq = try mentions(number, as: message, in: conversation)
        else { return }
        try address(number, as: message, in: conversation, seq: seq)
    }

    /// Reads what ``readdress(_:as:in:)`` needs; returns the message's position, nil without one.
    func mentions(_ number: Int64, as message: Message, in conversation: Int64) throws -> Int64? {
        try db.ahead({
            if Self.mayMention(message) { _ = try MemberNameRows(db: db).mentions(in: message.text, of: conversation) }
        })
        return try db.number("SELECT seq FROM messages WHERE number = ? AND seq IS NOT NULL", [number])
    }

    /// Only a text with this character mentions somebody.
    static func mayMention(_ message: Message) -> Bool {
        message.kind.isTalk && message.text.utf8.contains(UInt8(ascii: "@"))
    }

    /// Notes the members that a live message mentions; messages of history have no position and mention nobody.
    ///
    /// `mentions` are nil to look them up.
    func address(
        _ number: Int64, as message: Message, in conversation: Int64, seq: Int64, mentions: [MemberMention]? = nil
    ) throws {
        guard Self.mayMention(message) else { return }
        for mention in try mentions ?? MemberNameRows(db: db).mentions(in: message.text, of: conversation) {
            try db.run(
                """
                INSERT INTO addressed (message, range_start, range_end, user_id, conversation, seq)
                VALUES (?, ?, ?, ?, ?, ?)
                """, [number, mention.start, mention.end, mention.userID.rawValue, conversation, seq])
        }
    }

    /// Begins a membership: everything up to now counts as read.
    ///
    /// `invitation` tells who added the member, if that is another person.
    func join(_ user: UserID, in conversation: Int64, invitation: Invitation? = nil) throws {
        try db.run(
            """
            UPDATE members SET (joined_seq, read_seq, read_at) =
                (SELECT head, head, CAST(NULL AS BIGINT) FROM conversations WHERE number = ?1),
                added_by = ?3, added_at = ?4, is_invited = ?5
            WHERE conversation = ?1 AND user_id = ?2
            """,
            [
                conversation, user.rawValue, invitation?.person.rawValue, invitation?.moment.microseconds,
                invitation?.isByStranger ?? false,
            ])
    }

    /// Accepts a membership that a stranger gave; does nothing to others.
    func accept(_ user: UserID, in conversation: Int64) throws {
        try db.run(
            "UPDATE members SET is_invited = 0 WHERE conversation = ? AND user_id = ? AND is_invited = 1",
            [conversation, user.rawValue])
    }

    /// Takes the role from a member who left; see ``appointAdministrator(in:at:)``.
    func handOver(from user: UserID, in conversation: Int64, at moment: Timestamp) throws {
        try db.run(
            "UPDATE members SET role = 'member' WHERE conversation = ? AND user_id = ? AND role <> 'member'",
            [conversation, user.rawValue])
        if db.changedRowCount > 0 { try appointAdministrator(in: conversation, at: moment) }
    }

    /// Makes the person who is a member longest the administrator, if there is none any more.
    func appointAdministrator(in conversation: Int64, at moment: Timestamp) throws {
        try db.run(
            """
            UPDATE members SET role = 'admin' WHERE conversation = ?1 AND user_id = (
                SELECT m.user_id FROM members m WHERE m.conversation = ?1 AND (m.left_at IS NULL OR m.left_at > ?2)
                    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = m.user_id AND u.kind = 'bot')
                ORDER BY m.joined_at, m.user_id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM members a WHERE a.conversation = ?1 AND a.role = 'admin'
                AND (a.left_at IS NULL OR a.left_at > ?2))
            """, [conversation, moment.microseconds])
    }

    /// Returns a present member's own receipt; nil for others.
    func ownReceipt(of user: UserID, in id: ConversationID, at moment: Timestamp) throws -> Receipt? {
        try db.row(
            Self.ownReceipt, [id.rawValue, moment.microseconds, user.rawValue]
        ).map { Self.receipt($0, for: user, hidesOthers: false) }
    }

    /// Values: the conversation's id, the moment, the member.
    private static let ownReceipt =
        receipts(of: "(SELECT number FROM conversations WHERE id = ?1)") + " AND m.user_id = ?3"

    /// Returns the receipt of a present member, as a reader may see it; nil for others.
    func receipt(
        of user: UserID, in conversation: Int64, for reader: UserID, at moment: Timestamp
    ) throws -> Receipt? {
        let hidesOthers = try user != reader && PersonalSettingsRows.hidesRead(reader, in: db)
        return try db.row(
            Self.receipts + " AND m.user_id = ?3", [conversation, moment.microseconds, user.rawValue]
        ).map { Self.receipt($0, for: reader, hidesOthers: hidesOthers) }
    }

    /// Returns the receipts of all present members, by user id, as a reader may see them.
    func receipts(in conversation: Int64, for reader: UserID, at moment: Timestamp) throws -> [Receipt] {
        let hidesOthers = try PersonalSettingsRows.hidesRead(reader, in: db)
        return try db.rows(Self.receipts + " ORDER BY m.user_id", [conversation, moment.microseconds])
            .map { Self.receipt($0, for: reader, hidesOthers: hidesOthers) }
    }

    /// What is delivered follows from the last change that reached a device.
    private static let receipts = receipts(of: "?1")

    private static func receipts(of conversation: String) -> String {
        """
        SELECT m.user_id, m.read_seq, m.read_at, m.joined_seq, COALESCE((
            SELECT s.seq FROM messages s WHERE s.conversation = m.conversation AND s.arrival <= (
                SELECT d.position FROM deliveries d WHERE d.user_id = m.user_id)
            ORDER BY s.arrival DESC LIMIT 1), 0), EXISTS (
                SELECT 1 FROM personal_settings h WHERE h.user_id = m.user_id AND h.hides_read = 1), m.reached_seq
        FROM members m WHERE m.conversation = \(conversation) AND (m.left_at IS NULL OR m.left_at > ?2)
        """
    }

    /// Returns a receipt as a reader may see it.
    ///
    /// A message that was read was also delivered, and stays delivered when it is marked as unread. If one of two
    /// people hides read receipts, both see the other's read position as 0, and reading does not move the delivered
    /// position.
    private static func receipt(_ row: SQLRow, for reader: UserID, hidesOthers: Bool) -> Receipt {
        let user: UserID = row.identifier(0)
        let delivered: Int64 = row[4]
        guard user == reader || !(hidesOthers || row[5]) else {
            return Receipt(userID: user, readSeq: 0, deliveredSeq: delivered, joinedSeq: row[3])
        }
        return Receipt(
            userID: user, readSeq: row[1], readAt: row.momentIfAny(2), deliveredSeq: max(row[1], row[6], delivered),
            joinedSeq: row[3])
    }
}
