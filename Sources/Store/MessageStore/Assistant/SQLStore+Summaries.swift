package import ChatCore
import Foundation

extension SQLStore {
    /// Returns the summaries of a conversation that were written by a recipe.
    package func summaries(of id: ConversationID, by recipe: String, asker: UserID, at moment: Timestamp) async throws
        -> [SpanSummary]
    {
        try await read { db in
            let place = try Permission.conversation(id, for: asker, at: moment, in: db)
            return try db.rows(SummaryRows.list, [place.number.rawValue, recipe])
                .filter { row in place.spans.map { $0.covers(row.moment(9), through: row.moment(10)) } ?? true }
                .map { try SummaryRows.summary($0, of: id) }
        }
    }

    /// Stores a summary, unless its messages or parts have changed.
    package func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary], asker: UserID, at moment: Timestamp)
        async throws -> Bool
    {
        try await write { db in
            let id = summary.conversationID
            let permitted = try Permission.conversation(id, for: asker, at: moment, in: db)
            let conversation = permitted.number.rawValue
            try StoreRules.check(summary: summary)
            guard let place = try SummaryRows.Place(of: summary, conversation: conversation, in: db),
                place.isWithin(permitted.spans),
                try parts.isEmpty
                    ? place.holdsMessages(of: summary, in: db)
                    : parts.allSatisfy({ try SummaryRows.isKept($0, conversation: conversation, in: db) })
            else { return false }
            try place.clear(level: summary.level, in: db)
            try place.insert(summary, in: db)
            return true
        }
    }
}

/// The rows of `summaries`.
enum SummaryRows {
    /// Values: conversation, recipe.
    static let list = """
        SELECT f.id, l.id, s.level, s.message_count, s.content_hash, s.recipe, s.text, s.cited, s.made_at,
            s.first_time, s.last_time
        FROM summaries s CROSS JOIN messages f ON f.number = s.first_message
        CROSS JOIN messages l ON l.number = s.last_message
        WHERE s.conversation = ? AND s.recipe = ? ORDER BY s.level, s.first_time, s.first_message
        """

    /// Values: conversation, level, the messages of the span, recipe.
    static let kept = """
        SELECT content_hash, text FROM summaries
        WHERE conversation = ? AND level = ? AND first_message = ? AND last_message = ? AND recipe = ?
        """

    /// Values: conversation, and twice the time and the number of a message.
    static let removal = """
        DELETE FROM summaries WHERE conversation = ? AND (first_time, first_message) <= (?, ?)
            AND (last_time, last_message) >= (?, ?)
        """

    /// Values: conversation, level, time and number of the first message and of the last one.
    static let clearing = """
        DELETE FROM summaries WHERE conversation = ? AND level = ?
            AND (last_time, last_message) >= (?, ?) AND (first_time, first_message) <= (?, ?)
        """

    /// The messages of a span; values: conversation, time and number of the first one and of the last one.
    static let messages = """
        SELECT \(StoredMessage.columns) FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = ? AND m.deleted_at IS NULL
            AND (m.timestamp, m.number) >= (?, ?) AND (m.timestamp, m.number) <= (?, ?)
        ORDER BY m.timestamp, m.number
        """

    static func summary(_ row: SQLRow, of id: ConversationID) throws -> SpanSummary {
        SpanSummary(
            conversationID: id, span: .init(firstID: row.identifier(0), lastID: row.identifier(1)), level: row[2],
            messageCount: row[3], contentHash: Array(row[4] as Data), recipe: row[5], text: row[6],
            citedIDs: try JSONColumn.list(row[7]), madeAt: row.moment(8))
    }

    /// Whether a part of another summary exists unchanged.
    static func isKept(_ part: SpanSummary, conversation: Int64, in db: any SQLSession) throws -> Bool {
        guard let place = try Place(of: part, conversation: conversation, in: db) else { return false }
        let row = try db.row(
            kept, [conversation, part.level, place.first.number, place.last.number, part.recipe])
        guard let row else { return false }
        return Array(row[0] as Data) == part.contentHash && row[1] == part.text
    }

    /// Deletes every summary whose span includes a changed message.
    static func remove(covering stored: StoredMessage, in db: any SQLSession) throws {
        let place: [SQLArgument] = [stored.place.0, stored.place.1]
        try db.run(removal, [stored.conversation] + place + place)
    }

    /// Deletes the summaries of conversations that a user is or was in, or wrote in.
    static func forget(_ user: String, in db: any SQLSession) throws {
        try db.run(
            """
            DELETE FROM summaries WHERE conversation IN (SELECT conversation FROM members WHERE user_id = ?1
                UNION SELECT conversation FROM messages WHERE sender_id = ?1)
            """, [user])
    }

    /// The place of a summary in its conversation.
    struct Place {
        let conversation: Int64
        let first: StoredMessage
        let last: StoredMessage

        /// Finds the ends of the span; nil when one of them is missing, or they are not in order.
        init?(of summary: SpanSummary, conversation: Int64, in db: any SQLSession) throws {
            func end(_ id: MessageID) throws -> StoredMessage? {
                let key = MessageKey(conversationID: summary.conversationID, messageID: id)
                let stored = try StoredMessage.find(key, in: db)
                return stored?.message.deletedAt == nil ? stored : nil
            }
            guard let first = try end(summary.span.firstID), let last = try end(summary.span.lastID),
                first.place <= last.place
            else { return nil }
            self.conversation = conversation
            self.first = first
            self.last = last
        }

        private var bounds: [SQLArgument] { [first.place.0, first.place.1, last.place.0, last.place.1] }

        /// Whether all of it may be read at these times; nil for no limit.
        func isWithin(_ spans: ReadingSpans?) -> Bool {
            spans.map { $0.covers(first.message.timestamp, through: last.message.timestamp) } ?? true
        }

        /// Whether the messages of the span are those of the summary.
        func holdsMessages(of summary: SpanSummary, in db: any SQLSession) throws -> Bool {
            let messages = try db.rows(SummaryRows.messages, [conversation] + bounds)
                .map { try StoredMessage($0).message }
            return SpanSummary.contentHash(of: messages) == summary.contentHash
        }

        /// Deletes overlapping summaries of a level.
        func clear(level: Int, in db: any SQLSession) throws {
            try db.run(SummaryRows.clearing, [conversation, level] + bounds)
        }

        func insert(_ summary: SpanSummary, in db: any SQLSession) throws {
            try db.run(
                """
                INSERT INTO summaries (conversation, level, first_time, first_message, last_time, last_message,
                    message_count, content_hash, recipe, text, cited, made_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [conversation, summary.level] + bounds + [
                    summary.messageCount, Data(summary.contentHash), summary.recipe, summary.text,
                    try JSONColumn.text(summary.citedIDs), summary.madeAt.microseconds,
                ])
        }
    }
}

extension StoredMessage {
    /// Its place in the order of its conversation.
    fileprivate var place: (Int64, Int64) { (message.timestamp.microseconds, number) }
}
