package import ChatCore

/// How far messages have come.
extension SQLStore {
    /// In larger conversations senders ask for receipts.
    static let toldMemberLimit = 200
    /// Senders of messages that are further back in the log are not told when somebody comes back.
    static let toldReach: Int64 = 10_000

    package func acknowledge(_ cursor: ChangeCursor, by user: UserID, at moment: Timestamp) async throws {
        try await write { db in
            let position = try ChangeLog.number(of: cursor, in: db)
            let row = try db.row(
                "SELECT position, told, told_at FROM deliveries WHERE user_id = ?", [user.rawValue])
            let (told, toldAt): (Int64, Timestamp?) = (row?[1] ?? 0, row?.momentIfAny(2))
            guard position > row?[0] ?? -1 || position > told else { return }
            try db.run(
                """
                INSERT INTO deliveries (user_id, position) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET position = excluded.position WHERE excluded.position > deliveries.position
                """, [user.rawValue, position])
            // A clock that was set back must not silence it.
            if let toldAt, toldAt <= moment, moment - toldAt < .seconds(1) { return }
            guard position > told else { return }
            let start = max(told, position.subtractingClamped(Self.toldReach))
            let senders = try db.rows(Self.newSenders, [user.rawValue, start, position])
            var isLarge: [Int64: Bool] = [:]
            var change: Int64?
            for row in senders {
                let conversation: Int64 = row[0]
                if isLarge[conversation] == nil {
                    isLarge[conversation] = try db.number(Self.isLarge, [conversation]) == 1
                }
                if isLarge[conversation] == true { continue }
                try ChangeLog.append(.delivery, conversation: conversation, user: row.identifier(1), to: db)
                change = db.insertedNumber
            }
            try db.run(
                "UPDATE deliveries SET told = ?, told_at = ?, change = COALESCE(?, change) WHERE user_id = ?",
                [position, moment.microseconds, change, user.rawValue])
        }
    }

    /// The present senders of messages to a member; values: member, the last known change, the last change.
    static let newSenders = """
        SELECT DISTINCT p.conversation, s.sender_id FROM members p
        CROSS JOIN messages s ON s.conversation = p.conversation AND s.arrival > ?2 AND s.arrival <= ?3
        CROSS JOIN members o ON o.conversation = s.conversation AND o.user_id = s.sender_id AND o.left_at IS NULL
        WHERE p.user_id = ?1 AND p.left_at IS NULL AND s.sender_id <> ?1 AND s.seq > p.joined_seq
        """

    /// Values: conversation.
    private static let isLarge = """
        SELECT COUNT(*) > \(toldMemberLimit) FROM (
            SELECT 1 FROM members WHERE conversation = ? AND left_at IS NULL LIMIT \(toldMemberLimit + 1)) AS m
        """

    package func statuses(
        of keys: [MessageKey], sender: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageStatus] {
        try await read { db in
            let keys = Set(keys)
            let statuses = StatusReading(of: sender, at: moment, in: db)
            let found = try db.together(keys) { key in
                try FeedReading.place(of: key, in: db).flatMap { try statuses.status(of: key, $0) }
            }
            return zip(keys, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    package func details(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageDetails] {
        try await read { db in
            let keys = Set(keys)
            var replies = ReplyReading(reader, at: moment, in: db)
            let statuses = StatusReading(of: reader, at: moment, in: db)
            let found = try db.together(keys) { key -> MessageDetails? in
                // What only a limited history needs otherwise is read along, because it costs no round trip.
                try db.ahead(
                    { _ = try FeedReading.place(of: key, in: db) },
                    { _ = try ReplyReading.replies(to: key, isLimited: false, db) },
                    { _ = try OutdatedRows(db: db).marks(of: key) }, { try statuses.prepare(key.conversationID) })
                guard let place = try FeedReading.place(of: key, in: db) else { return nil }
                var position = place.position
                position.replies = try replies.summary(
                    of: key, in: place.conversation, isLimited: place.isLimited)
                if place.isAnswer { position.outdated = try replies.outdated(key, in: place) }
                return MessageDetails(
                    position: position, status: try statuses.status(of: key, place))
            }
            return zip(keys, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    package func firstUnread(
        in id: ConversationID, of user: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings? {
        try await read { db in
            try PageReading.firstUnread(in: id, of: user, earlier: earlier, later: later, at: moment, in: db)
        }
    }

    fileprivate static let receivers = """
        SELECT m.user_id, m.joined_seq, m.read_seq, COALESCE(d.position, 0), EXISTS (
            SELECT 1 FROM personal_settings h WHERE h.user_id = m.user_id AND h.hides_read = 1),
            m.display_name, m.aliases, m.joined_at, m.reached_seq
        FROM members m LEFT JOIN deliveries d ON d.user_id = m.user_id
        WHERE m.conversation = (SELECT c.number FROM conversations c WHERE c.id = ?1) AND m.user_id <> ?2 AND (m.left_at IS NULL OR m.left_at > ?3) ORDER BY m.user_id
        """

    package func receipts(
        of key: MessageKey, asker: UserID, at moment: Timestamp
    ) async throws -> MessageReceipts {
        try await read { db in
            try db.ahead(
                { _ = try Permission.number(of: key.conversationID, for: asker, at: moment, in: db) },
                { _ = try StoredMessage.find(key, in: db) },
                { _ = try PersonalSettingsRows.hidesRead(asker, in: db) })
            _ = try Permission.number(of: key.conversationID, for: asker, at: moment, in: db)
            var answers = MessageReading(reader: asker, moment: moment, db: db)
            guard let stored = try StoredMessage.find(key, in: db), stored.message.deletedAt == nil,
                try !answers.hides(stored)
            else { throw RepositoryError.noSuchMessage(key) }
            let values: [SQLArgument] = [
                key.conversationID.rawValue, stored.message.senderID.rawValue, moment.microseconds,
            ]
            try db.ahead(
                { _ = try FeedReading.position(of: stored.number, in: db) },
                { _ = try db.rows(Self.receivers, values) })
            let place = try FeedReading.position(of: stored.number, in: db)
            var receipts = MessageReceipts()
            guard let seq = place.seq, let arrival = place.arrival?.rawValue else { return receipts }
            let hidesOthers = try PersonalSettingsRows.hidesRead(asker, in: db)
            let rows = try db.rows(Self.receivers, values)
            for row in rows where row[1] < seq {
                let member = Member(
                    userID: row.identifier(0), displayName: row[5], aliases: try JSONColumn.list(row[6]),
                    joinedAt: row.moment(7))
                let isHidden: Bool = row[4]
                let isShown = member.userID == asker || !(hidesOthers || isHidden)
                let isRead = isShown && row[2] >= seq
                receipts.memberCount += 1
                if isRead { receipts.readers.append(member) }
                if isRead || row[3] >= arrival || (isShown && row[8] >= seq) { receipts.receivers.append(member) }
            }
            return receipts
        }
    }
}

/// Reads how far a sender's own live messages have come, within one read transaction.
private final class StatusReading {
    /// How far another member is, for a sender.
    private struct Progress {
        let joinedSeq: Int64
        let readSeq: Int64
        /// How far the member once read; it is read or delivered.
        let reachedSeq: Int64
        let position: Int64
    }

    private let sender: UserID
    private let moment: Timestamp
    private let db: any SQLSession
    /// What the other members of conversations have received and read.
    private var known: [ConversationID: [Progress]] = [:]

    init(of sender: UserID, at moment: Timestamp, in db: any SQLSession) {
        (self.sender, self.moment, self.db) = (sender, moment, db)
    }

    /// Returns the status of a message; nil if it is not one of the sender's live messages.
    func status(of key: MessageKey, _ place: FeedReading.Place) throws -> MessageStatus? {
        guard place.sender == sender, let seq = place.position.seq, let arrival = place.position.arrival else {
            return nil
        }
        let id = key.conversationID
        let others = try known[id] ?? progress(in: id)
        known[id] = others
        let receivers = others.filter { $0.joinedSeq < seq }
        if receivers.contains(where: { $0.readSeq >= seq }) { return .read }
        return receivers.contains { $0.position >= arrival.rawValue || $0.reachedSeq >= seq } ? .delivered : .sent
    }

    /// Reads how far the other present members are, with a read position of 0 where it is hidden.
    private func progress(in conversation: ConversationID) throws -> [Progress] {
        let values = values(for: conversation)
        let hidesOthers = try PersonalSettingsRows.hidesRead(sender, in: db)
        return try db.rows(SQLStore.receivers, values).map { row in
            let isHidden: Bool = row[4]
            let isShown = !(hidesOthers || isHidden)
            return Progress(
                joinedSeq: row[1], readSeq: isShown ? row[2] : 0, reachedSeq: isShown ? row[8] : 0, position: row[3])
        }
    }

    /// The present members but the sender; values: conversation, sender, the present time.

    private func values(for conversation: ConversationID) -> [SQLArgument] {
        [conversation.rawValue, sender.rawValue, moment.microseconds]
    }

    /// Reads what messages of a conversation need, together with other reads.
    func prepare(_ conversation: ConversationID) throws {
        try db.ahead(
            { [db, sender] in _ = try PersonalSettingsRows.hidesRead(sender, in: db) },
            { [self] in _ = try db.rows(SQLStore.receivers, values(for: conversation)) })
    }
}
