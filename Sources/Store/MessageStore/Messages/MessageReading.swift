import ChatCore

/// Decides within one transaction which messages of a permitted conversation a reader may see.
///
/// In a conversation with a limited history these are the messages of the reader's times. A posted answer of the
/// assistant may be based on messages of other conversations, or of other times: a reader who may not see one of these,
/// or no longer, does not see the answer.
struct MessageReading {
    let reader: UserID
    let moment: Timestamp
    let db: any SQLSession
    /// The times of the reader; nil for a conversation without limits.
    private var spans: [Int64: ReadingSpans?] = [:]

    init(reader: UserID, moment: Timestamp, db: any SQLSession) {
        (self.reader, self.moment, self.db) = (reader, moment, db)
    }

    /// What decides about a message, besides its conversation.
    struct Subject {
        /// The message's number.
        let number: Int64
        let timestamp: Timestamp
        /// Whether the assistant wrote it.
        let isAnswer: Bool
    }

    /// A row if an answer is based on a message that a reader may not see; values: reader, moment, answer, its
    /// conversation, which the reader sees.
    static let hidden = """
        SELECT 1 FROM mention_sources r
        CROSS JOIN messages s ON s.number = r.source CROSS JOIN conversations c ON c.number = s.conversation
        WHERE r.answer = ?3 AND (s.conversation <> ?4 OR c.history <> 'all')
            AND NOT ((s.conversation = ?4 OR \(Permission.sees)) AND (c.history = 'all' OR EXISTS (
                SELECT 1 FROM reading_spans x WHERE x.conversation = c.number AND x.user_id IN (?1, '')
                    AND x.since <= s.timestamp AND (x.until IS NULL OR x.until > s.timestamp))))
        LIMIT 1
        """

    /// Returns a message of a conversation that the reader may see, which is not checked here.
    ///
    /// - Throws: ``RepositoryError/noSuchMessage(_:)`` for one that is missing or hidden: the two cannot be told apart.
    mutating func find(_ key: MessageKey) throws -> StoredMessage {
        guard let stored = try StoredMessage.find(key, in: db), try !hides(stored) else {
            throw RepositoryError.noSuchMessage(key)
        }
        return stored
    }

    /// Whether the reader may not see a message.
    mutating func hides(_ stored: StoredMessage) throws -> Bool {
        let message = stored.message
        let subject = Subject(
            number: stored.number, timestamp: message.timestamp, isAnswer: message.kind == .assistant)
        return try hides(subject, in: stored.conversation, isLimited: stored.isLimited)
    }

    /// Whether the reader may not see a message; `isLimited` says whether the conversation's history is limited.
    mutating func hides(_ message: Subject, in conversation: Int64, isLimited: Bool) throws -> Bool {
        if isLimited, try isBeyond(message.timestamp, in: conversation) { return true }
        return try message.isAnswer && hidesBasis(of: message.number, in: conversation)
    }

    private func hidesBasis(of answer: Int64, in conversation: Int64) throws -> Bool {
        try db.number(Self.hidden, [reader.rawValue, moment.microseconds, answer, conversation]) != nil
    }

    /// Whether a moment of a conversation with a limited history is not among the reader's times.
    private mutating func isBeyond(_ moment: Timestamp, in conversation: Int64) throws -> Bool {
        guard let spans = try spans(in: conversation) else { return false }
        return !spans.contains(moment)
    }

    /// Whether the reader may see messages of all times of a conversation.
    mutating func readsAll(of conversation: Int64) throws -> Bool {
        try spans(in: conversation).map { $0 == ReadingSpans([ReadingSpan()]) } ?? true
    }

    /// Takes the times of limited conversations, from rows of ``ReadingSpanRows/ofMessages``.
    mutating func know(_ rows: [SQLRow]) {
        for (conversation, times) in ReadingSpanRows.spans(rows) { spans[conversation] = times }
    }

    private mutating func spans(in conversation: Int64) throws -> ReadingSpans? {
        if let known = spans[conversation] { return known }
        let found = try ReadingSpanRows(db: db).spans(of: reader, in: [conversation])[conversation]
        spans[conversation] = .some(found)
        return found
    }
}
