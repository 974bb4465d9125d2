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
    private var isPermitted: [Int64: Bool] = [:]
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

    /// The messages that an answer is based on, if a reader of the answer may not see them all; values: answer, its
    /// conversation.
    static let basis = """
        SELECT DISTINCT s.conversation, s.timestamp, c.history <> 'all' FROM mention_sources r
        CROSS JOIN messages s ON s.number = r.source CROSS JOIN conversations c ON c.number = s.conversation
        WHERE r.answer = ?1 AND (s.conversation <> ?2 OR c.history <> 'all')
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

    private mutating func hidesBasis(of answer: Int64, in conversation: Int64) throws -> Bool {
        let rows = try db.rows(Self.basis, [answer, conversation])
        try db.ahead(rows) { [self] row in
            var reading = self
            let isLimited: Bool = row[2]
            _ = try row[0] == conversation || reading.permits(row[0])
            if isLimited { _ = try reading.isBeyond(row.moment(1), in: row[0]) }
        }
        for row in rows {
            if try row[0] != conversation && !permits(row[0]) { return true }
            let isLimited: Bool = row[2]
            if try isLimited && isBeyond(row.moment(1), in: row[0]) { return true }
        }
        return false
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

    private mutating func spans(in conversation: Int64) throws -> ReadingSpans? {
        if let known = spans[conversation] { return known }
        let found = try ReadingSpanRows(db: db).spans(of: reader, in: [conversation])[conversation]
        spans[conversation] = .some(found)
        return found
    }

    private mutating func permits(_ conversation: Int64) throws -> Bool {
        if let known = isPermitted[conversation] { return known }
        let scope = SearchScope(asker: reader, conversations: .all)
        let permits = try Permission.permits(conversation, scope, at: moment, in: db)
        isPermitted[conversation] = permits
        return permits
    }
}
