import ChatCore

/// Removes the content of an erasure from the tables, within one transaction.
struct ErasureRows {
    let db: any SQLSession
    let subject: ErasureSubject

    /// The SQL condition for the messages `m` of the subject.
    var condition: String {
        switch subject {
        case .user:
            "(m.sender_id = ?1 OR m.number IN (SELECT s.answer FROM schedule_posts s WHERE s.owner_id = ?1))"
        case .conversation: "m.conversation = (SELECT number FROM conversations WHERE id = ?1)"
        }
    }

    /// The SQL condition for the files `f` of the subject.
    var fileCondition: String {
        let attached = "f.message IN (SELECT m.number FROM messages m WHERE \(condition))"
        return switch subject {
        case .user: "(f.owner_id = ?1 AND f.message IS NULL) OR \(attached)"
        case .conversation: attached
        }
    }

    /// The id of the subject, the value of `?1`.
    var id: String {
        switch subject {
        case .user(let id): id.rawValue
        case .conversation(let id): id.rawValue
        }
    }

    /// Counts the rows that an erasure would remove.
    func counts() throws -> ErasureCounts {
        func count(_ sql: String) throws -> Int { Int(try db.number(sql, [id]) ?? 0) }
        let numbers = "SELECT m.number FROM messages m WHERE \(condition)"
        var counts = ErasureCounts()
        counts.messages = try count("SELECT COUNT(*) FROM messages m WHERE \(condition)")
        counts.vectors = try count("SELECT COUNT(*) FROM passages WHERE message IN (\(numbers))")
        counts.queued = try count("SELECT COUNT(*) FROM queue WHERE message IN (\(numbers))")
        counts.redactedTurns = try count(
            """
            \(standing) SELECT COUNT(*) FROM standing s JOIN turns t ON t.number = s.number
            WHERE t.question <> '' AND \(isOthers)
            """)
        counts.files = try count("SELECT COUNT(*) FROM files f WHERE \(fileCondition)")
        switch subject {
        case .user:
            counts.turns = try count("SELECT COUNT(*) FROM turns WHERE asker_id = ?1")
            counts.memberships = try count("SELECT COUNT(*) FROM members WHERE user_id = ?1")
            counts.identities = try count("SELECT COUNT(*) FROM identities WHERE user_id = ?1")
            counts.reactions = try reactionsOfUser().count
            counts.accounts = try count("SELECT COUNT(*) FROM accounts WHERE user_id = ?1")
            counts.profiles = try count("SELECT COUNT(*) FROM profiles WHERE user_id = ?1")
            counts.pictures = try count("SELECT COUNT(*) FROM profiles WHERE user_id = ?1 AND picture IS NOT NULL")
            counts.scheduledMessages = try count("SELECT COUNT(*) FROM scheduled_messages WHERE user_id = ?1")
            counts.schedules = try count("SELECT COUNT(*) FROM schedules WHERE owner_id = ?1")
            counts.savedMessages = try count("SELECT COUNT(*) FROM saved_messages WHERE user_id = ?1")
            counts.devices = try count("SELECT COUNT(*) FROM push_devices WHERE user_id = ?1")
        case .conversation:
            counts.turns = try count(
                "SELECT COUNT(*) FROM turns WHERE thread IN (SELECT number FROM threads WHERE conversation_id = ?1)")
            counts.conversations = try count("SELECT COUNT(*) FROM conversations WHERE id = ?1")
            counts.memberships = try count(
                "SELECT COUNT(*) FROM members WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)")
            counts.pictures = try count(
                """
                SELECT COUNT(*) FROM conversation_pictures
                WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)
                """)
            counts.scheduledMessages = try count(
                """
                SELECT COUNT(*) FROM scheduled_messages
                WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)
                """)
            counts.schedules = try count("SELECT COUNT(*) FROM schedules WHERE conversation_id = ?1")
        }
        return counts
    }

    /// The beginning of a statement on `standing`: the turns that are based on the subject's messages.
    var standing: String {
        """
        WITH RECURSIVE standing(number) AS (
            SELECT s.turn FROM turn_sources s JOIN conversations c ON c.id = s.conversation_id
            JOIN messages m ON m.conversation = c.number AND m.id = s.message_id WHERE \(condition)
            UNION SELECT w.turn FROM messages m JOIN conversations c ON c.number = m.conversation
            JOIN turn_conversations w ON w.conversation_id = c.id AND w.through >= m.number WHERE \(condition)
            UNION SELECT h.turn FROM standing s JOIN turn_history h ON h.earlier = s.number)
        """
    }

    /// The SQL condition for turns `t` that are not erased as a whole.
    private var isOthers: String {
        switch subject {
        case .user: "t.asker_id <> ?1"
        case .conversation:
            "(t.thread IS NULL OR t.thread NOT IN (SELECT number FROM threads WHERE conversation_id = ?1))"
        }
    }

    /// Removes all content and leaves marks, so that the indexes can follow.
    ///
    /// - Returns: The counts of the removed content.
    func empty(at moment: Timestamp) throws -> ErasureCounts {
        let counts = try counts()
        let writer = try MessageWriter(db, at: moment)
        let rows = try db.rows(
            """
            SELECT \(StoredMessage.columns) FROM messages m JOIN conversations c ON c.number = m.conversation
            WHERE \(condition) ORDER BY m.number
            """, [id])
        var parents: Set<MessageKey> = []
        for row in rows {
            let stored = try StoredMessage(row)
            let key = stored.message.key
            try Tombstones.set(key, at: stored.message.deletedAt ?? moment, in: db)
            try SpentLocalIDs.record(stored, in: db)
            try markLine(stored, at: moment)
            for parent in [stored.message.replyToID, stored.message.threadRootID].compactMap(\.self) {
                parents.insert(MessageKey(conversationID: key.conversationID, messageID: parent))
            }
            try TurnRows.redact(standingOn: key, in: db)
            try db.run(
                "DELETE FROM turn_sources WHERE conversation_id = ? AND message_id = ?",
                [key.conversationID.rawValue, key.messageID.rawValue])
            try TurnTraceRows.forget(key, in: db)
            try TurnReplyRows.forget(key, in: db)
            if stored.message.deletedAt == nil {
                try writer.replace(stored, with: stored.message.tombstone(at: moment))
            }
            // Also of a message that was deleted before: clients may have missed that.
            try Tombstones.logChange(of: key, in: db)
        }
        try logReplies(to: parents)
        switch subject {
        case .user: try emptyUser(at: moment)
        case .conversation: try emptyConversation(at: moment)
        }
        try db.eraseShortLived()
        return counts
    }

    /// Leaves a mark of a message of an import, because another export may give it another id.
    private func markLine(_ stored: StoredMessage, at moment: Timestamp) throws {
        let message = stored.message
        guard message.deletedAt == nil, !message.text.isEmpty,
            let row = try db.row("SELECT source FROM messages WHERE number = ?", [stored.number]), row[0] != "api"
        else { return }
        let id = message.key.conversationID
        let mark = ErasedLine.mark(text: ErasedLine.key(of: message.text), time: message.timestamp, in: id)
        try Tombstones.set(MessageKey(conversationID: id, messageID: mark), at: moment, in: db)
    }

    /// Notes that messages lost replies, because the erased replies leave no row by which clients learn of it.
    private func logReplies(to parents: Set<MessageKey>) throws {
        for key in parents.sorted() {
            guard let parent = try StoredMessage.find(key, in: db), parent.message.deletedAt == nil else { continue }
            try ChangeLog.append(.message, conversation: parent.conversation, message: parent.number, to: db)
        }
    }

    private func emptyUser(at moment: Timestamp) throws {
        try AuthorityRows(db: db).remember(erasureOf: id, at: moment)
        try AuditRows(db: db).forget(subject)
        try VerdictRows(db: db).forgetMarks(by: id)
        try db.run("DELETE FROM turns WHERE asker_id = ?", [id])
        try db.run("DELETE FROM threads WHERE owner_id = ?", [id])
        try db.run("DELETE FROM removals WHERE owner_id = ?", [id])
        try db.run("DELETE FROM user_tokens WHERE user_id = ?", [id])
        try TurnTraceRows.forget(id, among: "senderIDs", in: db)
        try ItemRows.forget(id, in: db)
        try FileRows(db: db).forget(id)
        try SummaryRows.forget(id, in: db)
        try ConnectorEventRows.forget(user: id, in: db)
        try LinkRows.forget(user: id, in: db)
        try ScheduleRows.forget(user: id, in: db)
        for (number, conversation, reactions) in try reactionsOfUser() {
            try db.run(
                "UPDATE messages SET reactions = ? WHERE number = ?", [try JSONColumn.text(reactions), number])
            try ChangeLog.append(.message, conversation: conversation, message: number, to: db)
        }
        let conversations = try db.rows("SELECT conversation, role FROM members WHERE user_id = ?", [id])
        try db.run("DELETE FROM members WHERE user_id = ?", [id])
        try db.run("UPDATE members SET added_by = NULL WHERE added_by = ?", [id])
        try db.run("UPDATE conversations SET made_by = NULL WHERE made_by = ?", [id])
        let writer = ConversationWriter(db: db, moment: moment)
        for row in conversations {
            if row[1] == MemberRole.admin.rawValue {
                try LiveRows(db: db).appointAdministrator(in: row[0], at: moment)
            }
            try writer.touch(row[0])
        }
        // Without the user, so that the end of the log does not go back.
        try db.run(
            "UPDATE changes SET user_id = NULL WHERE user_id = ? AND kind = \(ChangeKind.threads.rawValue)", [id])
        let tables = [
            "reading_spans", "preferences", "deliveries", "addressed", "departures", "notifications",
            "notification_marks", "saved_messages", "scheduled_messages", "scheduled_marks",
            "device_marks", "personal_settings", "profiles", "replacement_verdicts", "changes", "account_links",
            "account_sessions", "assistant_readings", "accounts",
        ]
        for table in tables {
            try db.run("DELETE FROM \(table) WHERE user_id = ?", [id])
        }
        try db.run("DELETE FROM direct_pairs WHERE first_id = ?1 OR second_id = ?1", [id])
        try db.run("DELETE FROM push_devices WHERE user_id = ?", [id])
        try db.run("DELETE FROM account_links WHERE maker = ?", [id])
        try db.run("DELETE FROM identities WHERE user_id = ?", [id])
        try db.run("DELETE FROM users WHERE id = ?", [id])
    }

    private func emptyConversation(at moment: Timestamp) throws {
        try AuditRows(db: db).forget(subject)
        var change = FollowedChange(.threads, in: db)
        for row in try db.rows("SELECT id FROM threads WHERE conversation_id = ?", [id]) {
            try ThreadRows.remove(row.identifier(0), tellingOwner: &change, in: db)
        }
        try TurnTraceRows.forget(id, among: "conversationIDs", in: db)
        try db.run("DELETE FROM assistant_readings WHERE conversation_id = ?", [id])
        try ConnectorEventRows.forget(conversation: id, in: db)
        try ScheduleRows.forget(conversation: id, in: db)
        let conversation = ConversationID(rawValue: id)
        guard let stored = try ConversationWriter.Stored.find(conversation, in: db) else { return }
        let number = stored.number
        try tellMembers(of: number)
        let writer = ConversationWriter(db: db, moment: moment)
        if stored.conversation.visibility == .everyone { try writer.logClosing(of: stored) }
        try NotificationRows(db: db).remove(
            conversation: number, change: try ChangeLog.latest(in: db).rawValue)
        // Their clients read the list again.
        for row in try db.rows("SELECT DISTINCT user_id FROM scheduled_messages WHERE conversation = ?", [number]) {
            try ScheduledRows(db: db).mark(row.identifier(0))
        }
        for table in [
            "members", "reading_spans", "preferences", "direct_pairs", "scheduled_messages", "conversation_pictures",
        ] {
            try db.run("DELETE FROM \(table) WHERE conversation = ?", [number])
        }
        try db.run("DELETE FROM extractions WHERE conversation = ?", [number])
        try db.run("DELETE FROM summaries WHERE conversation = ?", [number])
        try db.run("DELETE FROM removals WHERE conversation = ?", [number])
        try db.run(
            "UPDATE conversations SET name = NULL, time_zone = NULL, visibility = 'members' WHERE number = ?", [number])
        try writer.touch(number)
    }

    /// Notes for the present members that the conversation is gone.
    private func tellMembers(of conversation: Int64) throws {
        let members = try Member.rows(of: conversation, in: db).filter { $0.leftAt == nil }
        for member in members {
            try ChangeLog.append(.membership, conversation: conversation, user: member.userID, to: db)
            try db.run(
                "INSERT INTO departures (user_id, change, conversation_id) VALUES (?, ?, ?)",
                [member.userID.rawValue, db.insertedNumber, id])
        }
    }

    /// Returns messages of others that the user reacted to, with the remaining reactions.
    private func reactionsOfUser() throws -> [(number: Int64, conversation: Int64, reactions: [Message.Reaction])] {
        let rows = try db.rows(
            "SELECT number, conversation, reactions FROM messages WHERE reactions IS NOT NULL AND sender_id <> ?", [id])
        return try rows.compactMap { row in
            let reactions: [Message.Reaction] = try JSONColumn.list(row[2])
            let remaining = reactions.compactMap { reaction -> Message.Reaction? in
                let users = reaction.userIDs.filter { $0 != UserID(rawValue: id) }
                guard users.count < reaction.userIDs.count else { return reaction }
                return users.isEmpty ? nil : Message.Reaction(emoji: reaction.emoji, userIDs: users)
            }
            return remaining == reactions ? nil : (row[0], row[1], remaining)
        }
    }

    /// Removes what arrived meanwhile besides messages, and the marks that ``empty(at:)`` left.
    ///
    /// - Parameters:
    ///   - moment: The present time.
    ///   - othersFollow: See ``removeMarks(othersFollow:)``.
    /// - Returns: See ``removeMarks(othersFollow:)``.
    /// - Throws: Storage errors.
    func finish(at moment: Timestamp, othersFollow: Bool) throws -> Bool {
        if case .user = subject { try emptyUser(at: moment) }
        return try removeMarks(othersFollow: othersFollow)
    }

    /// Removes the marks that ``empty(at:)`` left; the indexes of this node must have followed them.
    ///
    /// - Parameter othersFollow: Whether other nodes follow the log. An index of theirs that has not read the changes of an
    ///   erased message finds neither them nor the row later, so a new change with the message's number follows.
    /// - Returns: False when new content has arrived, which must be emptied first.
    /// - Throws: Storage errors.
    private func removeMarks(othersFollow: Bool) throws -> Bool {
        let marked = "SELECT m.number FROM messages m WHERE \(condition) AND m.deleted_at IS NOT NULL"
        if othersFollow {
            try db.run(
                """
                INSERT INTO changes (kind, message)
                SELECT \(ChangeKind.erasedMessage.rawValue), erased.number FROM (\(marked) ORDER BY m.number) erased
                """, [id])
        }
        // A change must not refer to a removed message.
        try db.run(
            "DELETE FROM changes WHERE message IN (\(marked)) AND kind <> \(ChangeKind.erasedMessage.rawValue)", [id])
        try db.run("DELETE FROM messages WHERE number IN (\(marked))", [id])
        guard try db.number("SELECT 1 FROM messages m WHERE \(condition) LIMIT 1", [id]) == nil else { return false }
        guard case .conversation = subject,
            let number = try db.number("SELECT number FROM conversations WHERE id = ?", [id])
        else { return true }
        guard try db.number("SELECT 1 FROM members WHERE conversation = ? LIMIT 1", [number]) == nil else {
            return false
        }
        let kinds = [
            ChangeKind.conversation, .message, .items, .membership, .receipt, .personal, .delivery, .readingRights,
        ].map { Int64($0.rawValue) }
        try db.run(
            "DELETE FROM changes WHERE conversation = ? AND kind IN (SELECT value FROM json_each(?))",
            [number, kinds])
        // These report removed passages, which an index that follows later has to learn of.
        try db.run("UPDATE changes SET conversation = NULL WHERE conversation = ?", [number])
        try db.run("DELETE FROM conversations WHERE number = ?", [number])
        return true
    }
}
