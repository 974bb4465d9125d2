package import ChatCore

extension SQLStore: ScheduledMessageRepository {
    package func scheduledMessages(
        of author: UserID, after place: ScheduledMessage.Place?, limit: Int
    ) async throws -> [ScheduledMessage] {
        try await read { db in
            try db.rows(
                ScheduledRows.ofAuthor,
                [
                    author.rawValue, place?.sendAt.microseconds ?? .min, place?.createdAt.microseconds ?? .min,
                    place?.id.rawValue ?? "", limit,
                ]
            ).map { try ScheduledRows.scheduled($0) }
        }
    }

    package func schedule(_ message: ScheduledMessage, limit: Int, at moment: Timestamp) async throws -> Bool {
        if case .invalid(let field, let reason) = StoreRules.refusal(of: message.message(at: moment)) {
            throw RepositoryError.invalid(field: field, reason: reason)
        }
        return try await write { db in
            let (author, conversation) = (message.authorID.rawValue, message.conversationID.rawValue)
            let found = try db.rows([
                SQLStatement(Permission.one, [author, moment.microseconds, conversation]),
                SQLStatement(ScheduledRows.one, [author, message.id.rawValue]),
                SQLStatement(ScheduledRows.count, [author]),
            ])
            guard let place: Int64 = found[0].first?[0] else {
                throw RepositoryError.noSuchConversation(message.conversationID)
            }
            if let known = try found[1].first.map({ try ScheduledRows.scheduled($0) }) {
                guard known.isSame(as: message) else { throw RepositoryError.conflict("scheduled message") }
                return false
            }
            let count: Int = found[2].first?[0] ?? 0
            guard count < limit else {
                throw RepositoryError.invalid(
                    field: "sendAt", reason: "cannot be set: \(limit) messages are scheduled, send or delete some first"
                )
            }
            try ScheduledRows(db: db).insert(message, in: place)
            return true
        }
    }

    package func changeScheduled(
        _ id: MessageID, of author: UserID, text: String?, sendAt: Timestamp?
    ) async throws -> ScheduledMessage {
        if let text { try StoreRules.check(text: text) }
        return try await write { db in
            let rows = ScheduledRows(db: db)
            // Read here, so that of two changes at the same moment neither undoes the other.
            guard var message = try rows.find(id, of: author) else { throw RepositoryError.noSuchScheduledMessage(id) }
            if let text { message.text = text }
            if let sendAt { (message.sendAt, message.refusal) = (sendAt, nil) }
            try db.run(
                "UPDATE scheduled_messages SET text = ?, send_at = ?, refusal = ? WHERE user_id = ? AND id = ?",
                [
                    message.text, message.sendAt.microseconds, message.refusal?.rawValue, author.rawValue, id.rawValue,
                ])
            try rows.mark(author)
            return message
        }
    }

    package func deleteScheduled(_ id: MessageID, of author: UserID) async throws {
        try await write { db in
            guard try ScheduledRows(db: db).delete(id, of: author) else {
                throw RepositoryError.noSuchScheduledMessage(id)
            }
        }
    }

    package func sendScheduled(
        _ id: MessageID, of author: UserID, at moment: Timestamp
    ) async throws -> (message: Message, posted: PostedMessage) {
        try await nameMembers(for: try await scheduledMessage(id, of: author), at: moment)
        return try await write { db in
            let rows = ScheduledRows(db: db)
            guard let scheduled = try rows.find(id, of: author) else {
                throw RepositoryError.noSuchScheduledMessage(id)
            }
            return (scheduled.message(at: moment), try rows.send(scheduled, at: moment))
        }
    }

    package func sendNextScheduled(lateLimit: Duration, at moment: Timestamp) async throws -> ScheduledSending? {
        let due = try await read { db in
            try db.row(ScheduledRows.due, [moment.microseconds]).map { try ScheduledRows.scheduled($0) }
        }
        guard let due else { return nil }
        try await nameMembers(for: due, at: moment)
        return try await write { db in
            let rows = ScheduledRows(db: db)
            guard let scheduled = try rows.find(due.id, of: due.authorID), scheduled == due else { return .outdated }
            guard let refusal = try rows.sendOrRefuse(scheduled, lateLimit: lateLimit, at: moment) else { return .sent }
            try rows.refuse(scheduled, refusal)
            return .refused(refusal)
        }
    }

    package func nextScheduledMessage() async throws -> Timestamp? {
        try await read { try $0.row(ScheduledRows.nextDue, [])?.momentIfAny(0) }
    }

    /// Makes the names that the message may mention, as for every message that is posted.
    private func nameMembers(for scheduled: ScheduledMessage, at moment: Timestamp) async throws {
        let author = IdentifiedPerson(id: scheduled.authorID)
        try await makeNames(for: [scheduled.message(at: moment)], by: .person(author), at: moment)
    }
}

/// The rows of `scheduled_messages`, within one transaction.
struct ScheduledRows {
    let db: any SQLSession

    private static let selection = """
        SELECT s.id, s.user_id, s.author_name, c.id, s.text, s.reply_to_id, s.thread_root_id, s.send_at, s.refusal,
            s.created_at
        FROM scheduled_messages s CROSS JOIN conversations c ON c.number = s.conversation
        """

    /// Values: author, the three columns of the place before the first row, the most rows.
    static let ofAuthor =
        selection + """
             WHERE s.user_id = ? AND (s.send_at, s.created_at, s.id) > (?, ?, ?)
            ORDER BY s.send_at, s.created_at, s.id LIMIT ?
            """

    /// Values: the present time.
    static let due =
        selection + " WHERE s.refusal IS NULL AND s.send_at <= ? ORDER BY s.send_at, s.user_id, s.id LIMIT 1"

    static let nextDue = "SELECT MIN(send_at) FROM scheduled_messages WHERE refusal IS NULL"

    /// Values: author.
    static let count = "SELECT COUNT(*) FROM scheduled_messages WHERE user_id = ?"

    /// Values: author, id.
    static let one = selection + " WHERE s.user_id = ? AND s.id = ?"

    static func scheduled(_ row: SQLRow) throws -> ScheduledMessage {
        ScheduledMessage(
            id: row.identifier(0), authorID: row.identifier(1), authorName: row[2], conversationID: row.identifier(3),
            text: row[4], replyToID: (row[5] as String?).map { MessageID(rawValue: $0) },
            threadRootID: (row[6] as String?).map { MessageID(rawValue: $0) }, sendAt: row.moment(7),
            refusal: try row.wordIfAny(8), createdAt: row.moment(9))
    }

    func find(_ id: MessageID, of author: UserID) throws -> ScheduledMessage? {
        try db.row(Self.one, [author.rawValue, id.rawValue]).map { try Self.scheduled($0) }
    }

    func insert(_ message: ScheduledMessage, in place: Int64) throws {
        try db.run(
            """
            INSERT INTO scheduled_messages (user_id, id, conversation, text, reply_to_id, thread_root_id, author_name,
                send_at, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                message.authorID.rawValue, message.id.rawValue, place, message.text, message.replyToID?.rawValue,
                message.threadRootID?.rawValue, message.authorName, message.sendAt.microseconds,
                message.createdAt.microseconds,
            ])
        try mark(message.authorID)
    }

    /// Deletes a scheduled message; returns false if there is none.
    func delete(_ id: MessageID, of author: UserID) throws -> Bool {
        try db.run("DELETE FROM scheduled_messages WHERE user_id = ? AND id = ?", [author.rawValue, id.rawValue])
        guard db.changedRowCount > 0 else { return false }
        try mark(author)
        return true
    }

    /// Lets the author's clients read the list again, and the node that sends look at the next time.
    func mark(_ author: UserID) throws {
        try ChangeLog.append(.personal, user: author, to: db)
        try db.run(
            """
            INSERT INTO scheduled_marks (user_id, change) VALUES (?, ?)
            ON CONFLICT (user_id) DO UPDATE SET change = excluded.change
            """, [author.rawValue, db.insertedNumber])
    }

    /// Posts the message as its author posts others; once it is stored, the scheduled one is gone.
    func send(_ scheduled: ScheduledMessage, at moment: Timestamp) throws -> PostedMessage {
        let author = scheduled.authorID
        let account: String? = try db.row("SELECT name FROM accounts WHERE user_id = ?", [author.rawValue])?[0]
        let given = MessageDraft(
            scheduled.message(at: moment), omitting: [.senderName, .timestamp],
            knownName: account ?? scheduled.authorName)
        var batch = try AcceptBatch(
            [AcceptBatch.Draft(given, for: author)], source: Self.source, mode: .posting, isBacklog: false, at: moment,
            in: db)
        let posted = try batch.accept(1, at: moment)[0]
        switch posted.outcome {
        case .inserted, .updated, .unchanged:
            try batch.storePositions()
            _ = try delete(scheduled.id, of: author)
        case .deletedBefore, .conflict, .noSuchConversation, .invalid: break
        }
        return posted
    }

    /// The source of what people write.
    private static let source = "api"

    /// Sends a message whose time has come; returns the reason if it is refused.
    func sendOrRefuse(
        _ scheduled: ScheduledMessage, lateLimit: Duration, at moment: Timestamp
    ) throws -> ScheduledMessage.Refusal? {
        guard moment - scheduled.sendAt <= lateLimit else { return .missed }
        // Whose account is disabled cannot post, either.
        let account = try db.row("SELECT is_disabled FROM accounts WHERE user_id = ?", [scheduled.authorID.rawValue])
        if account?[0] ?? false { return .accountDisabled }
        switch try send(scheduled, at: moment).outcome {
        case .inserted, .updated, .unchanged: return nil
        case .noSuchConversation: return .conversationLeft
        case .invalid(let field, _) where ["replyTo", "threadRoot"].contains(field): return .replyGone
        case .invalid, .conflict, .deletedBefore: return .notAccepted
        }
    }

    /// Notes why a message was not sent.
    func refuse(_ scheduled: ScheduledMessage, _ refusal: ScheduledMessage.Refusal) throws {
        try db.run(
            "UPDATE scheduled_messages SET refusal = ? WHERE user_id = ? AND id = ?",
            [refusal.rawValue, scheduled.authorID.rawValue, scheduled.id.rawValue])
        try mark(scheduled.authorID)
    }
}

extension ScheduledMessage {
    /// Whether a repeated request means the same message.
    fileprivate func isSame(as other: ScheduledMessage) -> Bool {
        conversationID == other.conversationID && text == other.text && replyToID == other.replyToID
            && threadRootID == other.threadRootID && sendAt == other.sendAt
    }
}
