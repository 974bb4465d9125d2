import ChatCore

/// The state of a queue entry.
enum QueueState: Int {
    /// It can be claimed.
    case ready = 0
    /// A worker has it until `due_at`.
    case leased = 1
    /// It failed and can be claimed from `due_at` on.
    case waiting = 2
    /// It was given up.
    case failed = 3
}

/// The statements of the queue.
enum QueueRows {
    /// Returns the statement that ends leases and waiting times that are over; values: generation, generation, moment.
    ///
    /// - Parameter end: What ends the reading of the rows; see ``SQLSession/skippingLocked(_:)``.
    /// - Returns: An `UPDATE`.
    static func wake(end: String = "") -> String {
        """
        UPDATE queue SET state = 0, due_at = NULL WHERE generation = ? AND message IN (
            SELECT message FROM queue WHERE generation = ? AND due_at <= ?\(end))
        """
    }

    /// Values: generation, 1 to include backlog or 0, limit.
    static let ready = """
        SELECT \(StoredMessage.foundColumns), q.attempts, q.is_backlog FROM queue q
        JOIN messages m ON m.number = q.message JOIN conversations c ON c.number = m.conversation
        WHERE q.generation = ? AND q.state = 0 AND q.is_backlog <= ?
        ORDER BY q.is_backlog, q.is_retry, q.message_time DESC, q.message DESC LIMIT ?
        """

    /// Counts embedded messages, each of which has a passage 0; value: generation.
    static let embedded = "SELECT COUNT(*) FROM passages WHERE generation = ? AND ordinal = 0"

    /// Counts messages that would be embedded if their conversations were not excluded; value: the earliest time.
    ///
    /// SQLite reads the tables of a `CROSS JOIN` in its order: the few conversations, not all messages.
    static let excluded = """
        SELECT COUNT(*) FROM conversations c CROSS JOIN messages m ON m.conversation = c.number
        WHERE c.is_excluded = 1 AND m.is_embeddable = 1 AND m.timestamp >= ?
        """

    /// Counts entries that wait or are in work; value: generation.
    static let pending = "SELECT COUNT(*) FROM queue WHERE generation = ? AND state <> 3"

    /// The earliest end of a lease or a waiting time; values: generation, moment.
    static let nextDue = "SELECT MIN(due_at) FROM queue WHERE generation = ? AND due_at > ?"

    /// Values: the end of the lease, generation, message.
    static let lease = "UPDATE queue SET state = 1, due_at = ? WHERE generation = ? AND message = ?"

    /// Values: generation, conversation, message, revision.
    static let current = """
        SELECT m.number, m.conversation, q.state FROM messages m JOIN conversations c ON c.number = m.conversation
        JOIN queue q ON q.generation = ? AND q.message = m.number
        WHERE c.id = ? AND m.id = ? AND m.revision = ?
        """

    /// The entry of a claimed item whose message has not changed.
    struct Entry {
        let message: Int64
        let conversation: Int64
        let state: QueueState?
    }

    /// Leases ready entries.
    static func claim(
        _ limit: Int, for generation: Int64, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        in db: any SQLSession
    ) throws -> [WorkItem] {
        let rows = try db.rows(ready + db.skippingLocked("q"), [generation, includesBacklog ? 1 : 0, limit])
        return try rows.map { row in
            let stored = try StoredMessage(row)
            try db.run(Self.lease, [lease.microseconds, generation, stored.number])
            return WorkItem(
                messageKey: stored.message.key, revision: Int(stored.revision),
                generation: GenerationNumber(rawValue: generation), senderName: stored.message.senderName,
                searchableText: stored.message.searchableText, attempts: row[StoredMessage.columnCount],
                isBacklog: row[StoredMessage.columnCount + 1])
        }
    }

    /// Returns the entry of each item; nil for one whose message has changed, and for one that was finished.
    static func entries(of items: [WorkItem], in db: any SQLSession) throws -> [Entry?] {
        try db.rows(
            items.map { item in
                let key = item.messageKey
                return SQLStatement(
                    current,
                    [item.generation.rawValue, key.conversationID.rawValue, key.messageID.rawValue, item.revision])
            }
        ).map { rows in
            rows.first.map { Entry(message: $0[0], conversation: $0[1], state: QueueState(rawValue: $0[2])) }
        }
    }
}
