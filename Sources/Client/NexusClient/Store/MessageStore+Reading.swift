import Foundation
import GRDB
public import NexusModel

/// Stored messages in their order.
public struct StoredPage: Hashable, Sendable {
    /// The messages, first to last.
    public var messages: [ChatMessage]
    /// Where messages may be missing: directly before each of these places.
    ///
    /// ``MessageStore/page(in:before:limit:)`` and
    /// ``MessageStore/newest(in:limit:)`` stop at the first one and do not list it.
    public var gaps: [TimelinePosition] = []
    /// Whether there may be messages before these, stored or not.
    public var hasEarlier: Bool
    /// Whether the messages directly before these are not stored.
    public var beginsAtGap: Bool
}

/// A stored text that was found.
public struct StoredMatch: Hashable, Sendable {
    /// The conversation.
    public var conversationId: String
    /// The message.
    public var message: ChatMessage
}

/// What is stored.
extension MessageStore {
    /// What a session begins with.
    struct Contents: Sendable {
        var state: ChatState
        var outgoing: [OutgoingMessage]
        var changes: [OutgoingChange]
        var drafts: [String: Draft]
        var marks: [String: String]
    }

    /// The most messages of one conversation that a session begins with: those that are unread, and the last one.
    private static let firstCount = ConversationState.countLimit + 1

    /// Reads what a session begins with.
    func contents(user: String?) throws(StoreError) -> Contents {
        try read { db in
            let rows = StoreRows(db)
            let settings: ChatSettings? = try rows.text("settings").map { try StoreRows.value(Data($0.utf8)) }
            let notifications: [ChatNotification]? = try rows.text("notifications").map {
                try StoreRows.value(Data($0.utf8))
            }
            let receipts = try rows.receipts()
            let conversations = try rows.rows("SELECT * FROM conversation").map { row in
                try rows.conversation(row, receipts: receipts[row["number"]] ?? [], limit: Self.firstCount)
            }
            let queue = try rows.queue()
            return Contents(
                state: ChatState(
                    userID: user, cursor: try rows.text("cursor").flatMap { FeedCursor($0) },
                    conversations: conversations, settings: settings, notifications: notifications ?? []),
                outgoing: queue.compactMap(\.message), changes: queue.compactMap(\.change),
                drafts: try rows.drafts(), marks: try rows.marks())
        }
    }

    /// Returns the newest messages of a conversation that have no gap between them, nor after them.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - limit: The most messages.
    /// - Returns: The messages, first to last.
    /// - Throws: ``StoreError``.
    public func newest(in id: String, limit: Int) throws(StoreError) -> StoredPage {
        try read { db in try StoreRows(db).page(in: id, before: StoreRows.end, limit: limit) }
    }

    /// Returns the messages before a place that have no gap between them, nor before it.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - position: The place; it need not be of a stored message.
    ///   - limit: The most messages.
    /// - Returns: The messages, first to last.
    /// - Throws: ``StoreError``.
    public func page(in id: String, before position: TimelinePosition, limit: Int) throws(StoreError) -> StoredPage {
        try read { db in try StoreRows(db).page(in: id, before: position, limit: limit) }
    }

    /// Returns stored messages with the gaps between them.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - position: The messages are before this place; nil for the newest.
    ///   - limit: The most messages.
    /// - Returns: The messages, first to last.
    /// - Throws: ``StoreError``.
    public func timeline(
        of id: String, before position: TimelinePosition? = nil, limit: Int = 100
    ) throws(StoreError) -> StoredPage {
        try read { db in
            let rows = StoreRows(db)
            guard let place = try rows.place(id) else {
                return StoredPage(messages: [], hasEarlier: false, beginsAtGap: false)
            }
            let end = position ?? StoreRows.end
            let messages = try rows.messages(of: place.number, from: StoreRows.beginning, before: end, limit: limit + 1)
            let shown = Array(messages.suffix(limit))
            let isAll = messages.count <= limit
            let first = isAll ? StoreRows.beginning : shown.first.map { TimelinePosition($0) } ?? StoreRows.beginning
            let gaps = try rows.gaps(of: place.number, from: first, through: end)
            // Without messages the gap is all that there is.
            let firstPlace = shown.first.map { TimelinePosition($0) } ?? StoreRows.end
            let beginsAtGap = gaps.first.map { $0 <= firstPlace } ?? false
            return StoredPage(
                messages: shown, gaps: gaps, hasEarlier: !isAll || beginsAtGap, beginsAtGap: beginsAtGap)
        }
    }

    /// Returns a stored message; nil if it is not stored.
    ///
    /// - Throws: ``StoreError``.
    public func message(_ id: String, in conversation: String) throws(StoreError) -> ChatMessage? {
        try read { db in
            let rows = StoreRows(db)
            guard let place = try rows.place(conversation) else { return nil }
            let row = try rows.row(
                "SELECT text, body FROM message WHERE conversation = ? AND id = ?", [place.number, id])
            return try row.map { try StoreRows.message($0) }
        }
    }

    /// Returns the first stored message after a place; nil if there is none.
    ///
    /// - Throws: ``StoreError``.
    func message(after position: TimelinePosition, in conversation: String) throws(StoreError) -> ChatMessage? {
        try read { db in
            let rows = StoreRows(db)
            guard let place = try rows.place(conversation) else { return nil }
            return try rows.row(
                """
                SELECT text, body FROM message WHERE conversation = ? AND (seq, time, id) >= (?, ?, ?)
                ORDER BY seq, time, id LIMIT 1
                """, [place.number, position.seq, position.time, position.id]
            ).map { try StoreRows.message($0) }
        }
    }

    /// Returns the place of the stored message after the next `count` ones; nil if there are not so many.
    ///
    /// - Throws: ``StoreError``.
    func position(
        _ count: Int, after position: TimelinePosition, in conversation: String
    ) throws(StoreError) -> TimelinePosition? {
        try read { db in
            let rows = StoreRows(db)
            guard let place = try rows.place(conversation) else { return nil }
            return try rows.position(after: position, skipping: count, in: place.number)
        }
    }

    /// Finds stored messages that have a word with each of the beginnings in `text`, newest first.
    ///
    /// - Parameters:
    ///   - text: Words, or their beginnings; case and accents make no difference.
    ///   - conversation: Where to look; nil for everywhere.
    ///   - limit: The most messages.
    /// - Returns: The messages and their conversations.
    /// - Throws: ``StoreError``.
    public func search(
        _ text: String, in conversation: String? = nil, limit: Int = 50
    ) throws(StoreError) -> [StoredMatch] {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty else { return [] }
        let query = words.map { "\"\($0)\"*" }.joined(separator: " ")
        return try read { db in
            try StoreRows(db).rows(
                """
                SELECT conversation.id AS place, message.text, message.body FROM words
                JOIN message ON message.number = words.rowid
                JOIN conversation ON conversation.number = message.conversation
                WHERE words MATCH ?1 AND (?2 IS NULL OR conversation.id = ?2)
                ORDER BY json_extract(message.body, '$.timestamp') DESC, message.seq DESC LIMIT ?3
                """, [query, conversation, limit]
            ).map { StoredMatch(conversationId: $0["place"], message: try StoreRows.message($0)) }
        }
    }

    /// How many messages are stored.
    ///
    /// - Throws: ``StoreError``.
    public func messageCount() throws(StoreError) -> Int {
        try read { db in try StoreRows(db).row("SELECT count(*) FROM message")?[0] ?? 0 }
    }
}

extension StoreRows {
    /// Returns all receipts by the numbers of their conversations.
    ///
    /// SQLite reads the JSON: there are many, and `JSONDecoder` takes three times as long.
    func receipts() throws -> [Int64: [ChatReceipt]] {
        let found = try rows(
            """
            SELECT conversation, json_extract(body, '$.userId'), json_extract(body, '$.readSeq'),
                json_extract(body, '$.deliveredSeq'), json_extract(body, '$.joinedSeq'), json_extract(body, '$.readAt')
            FROM (SELECT conversation, CAST(body AS TEXT) AS body FROM receipt)
            """)
        return try found.reduce(into: [:]) { receipts, row in
            guard let user = row[1] as String?, let read = row[2] as Int64?, let delivered = row[3] as Int64?,
                let joined = row[4] as Int64?
            else { throw StoreError.damaged }
            var receipt = ChatReceipt(userId: user, readSeq: read, deliveredSeq: delivered, joinedSeq: joined)
            receipt.readAt = (row[5] as String?).flatMap { TimeText.date($0) }
            receipts[row[0], default: []].append(receipt)
        }
    }

    /// Returns a conversation with its last message and the unread ones.
    func conversation(_ row: Row, receipts: [ChatReceipt], limit: Int) throws -> ConversationState {
        let (number, readSeq) = (row["number"] as Int64, row["readSeq"] as Int64)
        let gap = try gap(upTo: Self.end, in: number) ?? Self.beginning
        // One bound: SQLite would read all messages after the gap for a second one.
        let unread = max(gap, TimelinePosition(after: readSeq))
        var found = try newest(limit, of: number, from: unread)
        if found.isEmpty { found = try newest(1, of: number, from: gap) }
        var mentioning: Set<String> = []
        let messages = try found.map { row in
            let message = try Self.message(row)
            if row["isMention"] { mentioning.insert(message.id) }
            return message
        }
        return ConversationState(
            entry: try Self.value(row["entry"]), members: try Self.value(row["members"]), receipts: receipts,
            head: row["head"], readSeq: readSeq, messages: messages, mentioning: mentioning,
            deletedSeqs: try self.rows(
                "SELECT seq FROM tombstone WHERE conversation = ? AND seq > ?", [number, readSeq]
            )
            .map { $0[0] })
    }

    /// Returns the rows of the newest messages from a place on, last to first.
    private func newest(_ limit: Int, of number: Int64, from start: TimelinePosition) throws -> [Row] {
        try rows(
            """
            SELECT seq, text, body, isMention FROM message WHERE conversation = ? AND (seq, time, id) >= (?, ?, ?)
            ORDER BY seq DESC, time DESC, id DESC LIMIT ?
            """, [number, start.seq, start.time, start.id, limit])
    }

    func page(in id: String, before end: TimelinePosition, limit: Int) throws -> StoredPage {
        guard let place = try place(id) else { return StoredPage(messages: [], hasEarlier: false, beginsAtGap: false) }
        let gap = try gap(upTo: end, in: place.number)
        let messages = try messages(of: place.number, from: gap ?? Self.beginning, before: end, limit: limit + 1)
        let isAll = messages.count <= limit
        return StoredPage(
            messages: isAll ? messages : Array(messages.suffix(limit)), hasEarlier: !isAll || gap != nil,
            beginsAtGap: isAll && gap != nil)
    }

    /// Returns the last messages of a range, in their order.
    func messages(
        of number: Int64, from start: TimelinePosition, before end: TimelinePosition, limit: Int
    ) throws -> [ChatMessage] {
        try rows(
            """
            SELECT text, body FROM message
            WHERE conversation = ? AND (seq, time, id) >= (?, ?, ?) AND (seq, time, id) < (?, ?, ?)
            ORDER BY seq DESC, time DESC, id DESC LIMIT ?
            """, [number, start.seq, start.time, start.id, end.seq, end.time, end.id, limit]
        ).reversed().map { try Self.message($0) }
    }

    func gaps(
        of number: Int64, from start: TimelinePosition, through end: TimelinePosition
    ) throws -> [TimelinePosition] {
        try rows(
            """
            SELECT seq, time, id FROM gap
            WHERE conversation = ? AND (seq, time, id) >= (?, ?, ?) AND (seq, time, id) <= (?, ?, ?)
            ORDER BY seq, time, id
            """, [number, start.seq, start.time, start.id, end.seq, end.time, end.id]
        ).map { Self.position($0) }
    }
}
