import ChatCore

/// Changes rows of `messages` and the rows that depend on them, within one transaction.
struct MessageWriter {
    let db: any SQLSession
    var moment: Timestamp
    /// Whether the messages come from a history.
    let isBacklog: Bool
    /// The generations that are not retired.
    let generations: [Generation]

    /// A generation, and the time of the oldest message that it covers.
    struct Generation {
        let number: Int64
        let since: Int64?

        func covers(_ timestamp: Timestamp) -> Bool { since.map { timestamp.microseconds >= $0 } ?? true }
    }

    init(_ db: any SQLSession, at moment: Timestamp) throws {
        self.init(db, at: moment, isBacklog: false, generations: try db.rows(Self.activeGenerations))
    }

    /// - Parameters:
    ///   - db: The transaction.
    ///   - moment: The present time.
    ///   - isBacklog: Whether the messages come from a history.
    ///   - generations: The rows of ``activeGenerations``.
    init(_ db: any SQLSession, at moment: Timestamp, isBacklog: Bool, generations: [SQLRow]) {
        self.db = db
        self.moment = moment
        self.isBacklog = isBacklog
        self.generations = generations.map { Generation(number: $0[0], since: $0[1]) }
    }

    /// Reads what replacing a message begins with.
    static func prepare(_ key: MessageKey, in db: any SQLSession) throws {
        try db.ahead({ _ = try StoredMessage.find(key, in: db) }, { _ = try db.rows(activeGenerations) })
    }

    static let activeGenerations = "SELECT number, since FROM generations WHERE state <> 'retired'"

    private static let insertion = """
        INSERT INTO messages (conversation, id, revision, source, author_id, sender_id, sender_name, text, kind,
            timestamp, edited_at, reply_to_id, thread_root_id, attachments, reactions, extra, local_id, url,
            is_embeddable, seq, arrival)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The revision counts what is embedded.
    ///
    /// So a claimed message that only got a reaction or another time is embedded as it was claimed. Otherwise its
    /// vectors would be thrown away, and its queue entry would wait for the end of the lease.
    private static let renewal = """
        UPDATE messages SET revision = revision + ?, sender_id = ?, sender_name = ?, text = ?, kind = ?, timestamp = ?,
            edited_at = ?, deleted_at = ?, reply_to_id = ?, thread_root_id = ?, attachments = ?, reactions = ?,
            extra = ?, local_id = ?, url = ?, is_embeddable = ?, source = COALESCE(?, source),
            author_id = COALESCE(?, author_id), text_changed_at = COALESCE(?, text_changed_at)
        WHERE number = ?
        """

    /// Stores a new message, its change and its queue entries; a live one gets a position.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - place: Its conversation.
    ///   - source: Where its author is known.
    ///   - authorID: The author's id there.
    ///   - mentions: The members whom it mentions; nil to look them up.
    /// - Returns: The message's number, and the conversation with the message, whose position the caller stores.
    /// - Throws: Storage errors.
    @discardableResult
    func insert(
        _ message: Message, in place: MessagePlace, source: String, authorID: String, mentions: [MemberMention]? = nil
    ) throws -> (number: Int64, place: MessagePlace) {
        var place = place
        let change = try db.lastChange() + 1
        if !isBacklog {
            place.lastSeq += 1
        }
        let isEmbeddable = message.isEmbeddable
        try db.run(
            Self.insertion,
            [
                place.number, message.key.messageID.rawValue, 1, source, authorID, message.senderID.rawValue,
                message.senderName, message.text, message.kind.rawValue, message.timestamp.microseconds,
                message.editedAt?.microseconds, message.replyToID?.rawValue, message.threadRootID?.rawValue,
                try JSONColumn.text(message.attachments), try JSONColumn.text(message.reactions), message.extra,
                message.localID, message.url, isEmbeddable, isBacklog ? nil : place.lastSeq,
                isBacklog ? nil : change,
            ])
        let number = db.insertedNumber
        try ChangeLog.append(.message, conversation: place.number, message: number, to: db)
        if !isBacklog {
            try LiveRows(db: db).address(
                number, as: message, in: place.number, seq: place.lastSeq, mentions: mentions)
            try NotificationRows(db: db).announce(
                number, message, in: place, mentioning: mentions, change: change, at: moment)
        }
        if !message.fileIDs.isEmpty { try FileRows(db: db).settle(message, number: number) }
        if isEmbeddable, !place.isExcluded {
            try enqueue(number, timestamp: message.timestamp)
        }
        return (number, place)
    }

    /// Stores new content of a message; passages of the old content are deleted if they differ.
    ///
    /// - Parameters:
    ///   - stored: The present row.
    ///   - message: The new content.
    ///   - author: The source and the author's id there; nil when the author does not change.
    /// - Throws: Storage errors.
    func replace(_ stored: StoredMessage, with message: Message, author: (source: String, id: String)? = nil) throws {
        let isOtherText = message.deletedAt == nil && message.differs(from: stored.message)
        let keepsVectors =
            stored.message.embedsLike(message) && isCoveredAlike(stored.message.timestamp, message.timestamp)
        try db.run(
            Self.renewal,
            [
                keepsVectors ? 0 : 1,
                message.senderID.rawValue, message.senderName, message.text, message.kind.rawValue,
                message.timestamp.microseconds, message.editedAt?.microseconds, message.deletedAt?.microseconds,
                message.replyToID?.rawValue, message.threadRootID?.rawValue,
                try JSONColumn.text(message.attachments), try JSONColumn.text(message.reactions), message.extra,
                message.localID, message.url, message.isEmbeddable, author?.source, author?.id,
                isOtherText ? moment.microseconds : nil, stored.number,
            ])
        try ChangeLog.append(.message, conversation: stored.conversation, message: stored.number, to: db)
        let change = db.insertedNumber
        try prepare(stored, message, isOtherText: isOtherText)
        if stored.message.fileIDs != message.fileIDs {
            try FileRows(db: db).settle(message, number: stored.number)
        }
        if stored.message.missingFileIDs != message.missingFileIDs {
            try RemoteFileRows(db: db).settle(message, number: stored.number)
        }
        try notify(of: message, instead: stored, isOtherText: isOtherText, change: change)
        if message.deletedAt != nil, stored.message.deletedAt == nil {
            try MentionRows.follow(deleted: stored, by: self)
            try OutdatedRows(db: db).follow(deleted: stored.number)
        }
        if isOtherText {
            try TurnRows.redact(standingOnEdited: stored, at: moment, in: db)
            try MentionRows.follow(edited: stored, by: self)
        }
        if stored.message.searchableText != message.searchableText || message.deletedAt != nil {
            var rows = ItemRows(db: db, conversation: stored.conversation)
            try rows.follow(message, number: stored.number)
            try VerdictRows(db: db).forget(message: stored.number)
        }
        if !stored.message.isSummarizedLike(message) { try SummaryRows.remove(covering: stored, in: db) }
        if keepsVectors {
            try retime(stored, to: message.timestamp)
        } else {
            try retirePassages(of: stored)
            for generation in generations {
                try db.run(
                    "DELETE FROM queue WHERE generation = ? AND message = ?", [generation.number, stored.number])
            }
            if message.isEmbeddable, try MessagePlace.find(stored.conversation, in: db)?.isExcluded == false {
                try enqueue(stored.number, timestamp: message.timestamp)
            }
        }
    }

    /// Reads what follows from another content, in one round trip if the database is not here.
    private func prepare(_ stored: StoredMessage, _ message: Message, isOtherText: Bool) throws {
        let (number, conversation) = (stored.number, stored.conversation)
        let notifications = NotificationRows(db: db)
        let key = stored.message.key
        try db.ahead(
            { _ = try FileRows.ids(of: number, in: db) }, { _ = try notifications.mentioned(in: number) },
            { if isOtherText { _ = try LiveRows(db: db).mentions(number, as: message, in: conversation) } },
            { if isOtherText { try notifications.prepare(edited: number, message, in: conversation) } },
            { _ = try MentionRows.follows(number, in: db) },
            { _ = try TurnRows.standing(on: key, includingEdited: message.deletedAt != nil, in: db) },
            { _ = try MentionRows.isMention(number, in: db) }, { _ = try ItemRows.rows(of: number, in: db) },
            { if message.deletedAt != nil { try OutdatedRows(db: db).prepare(deleted: number) } },
            { _ = try passages(of: stored) }, { _ = try MessagePlace.find(conversation, in: db) })
    }

    /// Notes again whom a message mentions, and lets notifications of it follow.
    private func notify(
        of message: Message, instead stored: StoredMessage, isOtherText: Bool, change: Int64
    ) throws {
        let (number, conversation) = (stored.number, stored.conversation)
        let notifications = NotificationRows(db: db)
        let before = isOtherText ? try notifications.mentioned(in: number) : []
        if isOtherText || message.deletedAt != nil {
            try LiveRows(db: db).readdress(number, as: message, in: conversation)
        }
        guard message.deletedAt == nil else {
            try db.run("DELETE FROM saved_messages WHERE message = ?", [number])
            return try notifications.remove(message: number, change: change)
        }
        if stored.message.senderID != message.senderID || stored.message.senderName != message.senderName {
            try notifications.follow(movedMessage: number, to: message.senderID, change: change)
        }
        if isOtherText {
            try notifications.follow(
                edited: number, message, in: conversation, mentioning: before, tells: !isBacklog, change: change,
                at: moment)
        }
    }

    /// Whether the same generations cover messages of both times.
    private func isCoveredAlike(_ old: Timestamp, _ new: Timestamp) -> Bool {
        generations.allSatisfy { $0.covers(old) == $0.covers(new) }
    }

    private func retime(_ stored: StoredMessage, to timestamp: Timestamp) throws {
        guard stored.message.timestamp != timestamp else { return }
        for generation in generations {
            try db.run(
                "UPDATE queue SET message_time = ? WHERE generation = ? AND message = ?",
                [timestamp.microseconds, generation.number, stored.number])
        }
    }

    private func passages(of stored: StoredMessage) throws -> [SQLRow] {
        try db.rows("SELECT number FROM passages WHERE message = ? ORDER BY number", [stored.number])
    }

    private func retirePassages(of stored: StoredMessage) throws {
        let rows = try passages(of: stored)
        for row in rows {
            try ChangeLog.append(.retired, conversation: stored.conversation, passage: row[0], to: db)
        }
        if !rows.isEmpty { try db.run("DELETE FROM passages WHERE message = ?", [stored.number]) }
    }

    private func enqueue(_ number: Int64, timestamp: Timestamp) throws {
        for generation in generations where generation.covers(timestamp) {
            try db.run(
                """
                INSERT INTO queue (generation, message, state, attempts, is_retry, is_backlog, message_time, queued_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    generation.number, number, QueueState.ready.rawValue, 0, false, isBacklog, timestamp.microseconds,
                    moment.microseconds,
                ])
        }
    }
}
