import ChatCore

/// A row of `messages` with the id of its conversation.
struct StoredMessage {
    var number: Int64
    var conversation: Int64
    var revision: Int64
    var message: Message
    /// Whether the history of its conversation is limited.
    var isLimited: Bool

    static let columns = """
        m.number, m.conversation, m.revision, c.id, m.id, m.sender_id, m.sender_name, m.text, m.kind, m.timestamp,
        m.edited_at, m.deleted_at, m.reply_to_id, m.thread_root_id, m.attachments, m.reactions, m.extra, m.local_id,
        m.url, c.history <> 'all'
        """

    static let columnCount = 20

    /// The columns of candidates and of the queue: ``columns`` without those that are neither found nor embedded.
    ///
    /// Members decide the length of reactions and `extra`, and a search reads many messages.
    static let foundColumns = """
        m.number, m.conversation, m.revision, c.id, m.id, m.sender_id, m.sender_name, m.text, m.kind, m.timestamp,
        m.edited_at, m.deleted_at, m.reply_to_id, m.thread_root_id, m.attachments, NULL, NULL, NULL,
        m.url, c.history <> 'all'
        """

    static let byKey = """
        SELECT \(columns) FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.id = ?
        """

    static let byNumber = """
        SELECT \(columns) FROM messages m JOIN conversations c ON c.number = m.conversation WHERE m.number = ?
        """

    /// The value is a list of numbers, because one statement for all costs less than one for each.
    static let byNumbers = """
        SELECT \(foundColumns) FROM json_each(?) j CROSS JOIN messages m ON m.number = j.value
        CROSS JOIN conversations c ON c.number = m.conversation WHERE m.deleted_at IS NULL
        """

    init(_ row: SQLRow) throws {
        number = row[0]
        conversation = row[1]
        revision = row[2]
        message = Message(
            key: MessageKey(conversationID: row.identifier(3), messageID: row.identifier(4)),
            senderID: row.identifier(5), senderName: row[6], text: row[7], kind: try row.word(8),
            timestamp: row.moment(9), editedAt: row.momentIfAny(10), deletedAt: row.momentIfAny(11),
            replyToID: (row[12] as String?).map { MessageID(rawValue: $0) },
            threadRootID: (row[13] as String?).map { MessageID(rawValue: $0) },
            attachments: try JSONColumn.list(row[14]), reactions: try JSONColumn.list(row[15]), extra: row[16],
            localID: row[17], url: row[18])
        isLimited = row[19]
    }

    /// Returns the message of a key, also a deleted one.
    ///
    /// An id that no message can have is not looked up, because for SQLite a text ends at the first NUL.
    static func find(_ key: MessageKey, in db: any SQLSession) throws -> StoredMessage? {
        try finding(key).flatMap { try db.row($0.sql, $0.values) }.map(StoredMessage.init)
    }

    /// The statement of ``find(_:in:)``; nil if no message can have the id.
    static func finding(_ key: MessageKey) -> SQLStatement? {
        guard key.isPossible else { return nil }
        return SQLStatement(byKey, [key.conversationID.rawValue, key.messageID.rawValue])
    }
}

extension MessageKey {
    /// Whether a message can have the id; for SQLite a text ends at the first NUL.
    var isPossible: Bool { MessageID(validating: messageID.rawValue) != nil }
}

extension Message {
    /// Whether it has something to embed: not a message of the system or the assistant, nor one without text and
    /// captions.
    var isEmbeddable: Bool {
        guard deletedAt == nil, kind.isTalk else { return false }
        return text.contains { !$0.isWhitespace }
            || (!attachments.isEmpty && searchableText.contains { !$0.isWhitespace })
    }

    /// Whether its vectors are valid for `other` too.
    func embedsLike(_ other: Message) -> Bool {
        isEmbeddable == other.isEmbeddable
            && (!isEmbeddable || (senderName == other.senderName && searchableText == other.searchableText))
    }

    /// The message with another sender.
    func written(by user: UserID) -> Message {
        guard user != senderID else { return self }
        return Message(
            key: key, senderID: user, senderName: senderName, text: text, kind: kind, timestamp: timestamp,
            editedAt: editedAt, deletedAt: deletedAt, replyToID: replyToID, threadRootID: threadRootID,
            attachments: attachments, reactions: reactions, extra: extra, localID: localID, url: url)
    }

    /// The remains of the message after its deletion.
    func tombstone(at moment: Timestamp) -> Message {
        Message(
            key: key, senderID: senderID, senderName: "", text: "", kind: kind, timestamp: timestamp,
            deletedAt: moment, replyToID: replyToID, threadRootID: threadRootID, localID: localID)
    }
}
