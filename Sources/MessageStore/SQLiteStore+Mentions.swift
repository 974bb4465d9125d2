public import ChatCore
import GRDB

extension SQLiteStore {
    /// Returns up to which change messages were looked through, and makes what was claimed due again.
    public func beginMentions() async throws -> ChangeNumber {
        try await write { db in
            try db.run("UPDATE mentions SET due_at = 0 WHERE due_at IS NOT NULL AND attempts > 0")
            try db.run("UPDATE mention_deliveries SET due_at = 0 WHERE due_at IS NOT NULL AND attempts > 0")
            try db.run(
                """
                INSERT OR IGNORE INTO mention_watermark (place, change)
                SELECT 1, COALESCE(MAX(number), 0) FROM changes
                """)
            return ChangeNumber(rawValue: try db.number("SELECT change FROM mention_watermark") ?? 0)
        }
    }

    static let messagesBeginningWithAt = """
        SELECT DISTINCT \(StoredMessage.columns) FROM changes h CROSS JOIN messages m ON m.number = h.message
        CROSS JOIN conversations c ON c.number = m.conversation
        WHERE h.number > ? AND h.number <= ? AND h.kind = ? AND m.kind = 'text' AND m.deleted_at IS NULL
            AND m.timestamp >= ? AND m.text GLOB '*@*' AND substr(trim(m.text, ' \t\n\r'), 1, 1) = '@'
        ORDER BY m.number
        """

    /// Returns messages of people that came or changed after a change and begin with `@`.
    public func messagesBeginningWithAt(after number: ChangeNumber, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeNumber)
    {
        try await read { db in
            let newest = try db.number("SELECT COALESCE(MAX(number), 0) FROM changes") ?? 0
            let end = min(newest, number.rawValue + Int64(limit))
            let rows = try db.rows(
                Self.messagesBeginningWithAt,
                [number.rawValue, end, ChangeKind.message.rawValue, oldest.microseconds])
            return (try rows.map { try StoredMessage($0).message }, ChangeNumber(rawValue: max(end, number.rawValue)))
        }
    }

    /// Notes mentions and up to which change messages were looked through.
    public func noteMentions(_ messages: [MessageKey], through number: ChangeNumber, at moment: Timestamp) async throws
    {
        try await write { db in
            for key in messages {
                guard let stored = try StoredMessage.find(key, in: db), stored.message.deletedAt == nil else {
                    continue
                }
                try db.run(
                    """
                    INSERT OR IGNORE INTO mentions (message, conversation, state, attempts, due_at)
                    VALUES (?, ?, ?, 0, ?)
                    """, [stored.number, stored.conversation, Mention.State.waiting.rawValue, moment.microseconds])
            }
            try db.run("UPDATE mention_watermark SET change = MAX(change, ?)", [number.rawValue])
        }
    }

    /// Claims the mention that has been due longest.
    public func claimMention(until lease: Timestamp, at moment: Timestamp) async throws -> Mention? {
        let due = MentionRows.due
        guard try await read({ try $0.number(due, [moment.microseconds]) }) != nil else { return nil }
        return try await write { db in
            while let number = try db.number(due, [moment.microseconds]) {
                guard let stored = try MentionRows.message(number, in: db), stored.message.deletedAt == nil else {
                    try MentionRows.settle(number, as: .dropped, dueAt: nil, in: db)
                    continue
                }
                try db.run(
                    "UPDATE mentions SET attempts = attempts + 1, due_at = ? WHERE message = ?",
                    [lease.microseconds, number])
                let attempts = try db.number("SELECT attempts FROM mentions WHERE message = ?", [number]) ?? 1
                return Mention(message: stored.message, attempts: Int(attempts))
            }
            return nil
        }
    }

    /// Counts mentions by what became of them.
    public func mentionCounts() async throws -> [String: Int] {
        try await read { db in
            let rows = try db.rows("SELECT state, COUNT(*) FROM mentions GROUP BY state")
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: +)
        }
    }

    /// Counts the answers that were posted in a conversation since a moment.
    public func answerCount(in id: ConversationID, since moment: Timestamp) async throws -> Int {
        try await read { db in
            Int(try db.number(MentionRows.answerCount, [id.rawValue, moment.microseconds]) ?? 0)
        }
    }

    /// Returns the newest questions and answers of a thread.
    public func answeredMentions(inThread root: MessageID, of id: ConversationID, limit: Int) async throws
        -> [(question: Message, answer: Message)]
    {
        try await read { db in
            let rows = try db.rows(MentionRows.answered, [id.rawValue, root.rawValue, max(0, limit)])
            return try rows.reversed().compactMap { row in
                guard let question = try MentionRows.message(row[0], in: db),
                    let answer = try MentionRows.message(row[1], in: db)
                else { return nil }
                return (question.message, answer.message)
            }
        }
    }

    /// Posts an answer and settles its mention.
    public func post(
        _ answer: Message, to question: MessageKey, as state: Mention.State, standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> Bool {
        try await write { db in
            let keys = Array(Set(sources).union([question]))
            let found = try keys.compactMap { try StoredMessage.find($0, in: db) }
            guard found.count == keys.count, found.allSatisfy({ $0.message.deletedAt == nil }),
                let asked = found.first(where: { $0.message.key == question }),
                try db.number(
                    "SELECT 1 FROM mentions WHERE message = ? AND state = ?",
                    [asked.number, Mention.State.waiting.rawValue]) != nil,
                try StoredMessage.find(answer.key, in: db) == nil, try !Tombstones.contain(answer.key, in: db)
            else { return false }
            let number = try MessageWriter(db, at: moment).insert(
                answer, conversation: asked.conversation, source: MentionRows.source,
                authorID: answer.senderID.rawValue)
            for source in found {
                try db.run("INSERT INTO mention_sources (source, answer) VALUES (?, ?)", [source.number, number])
            }
            try db.run(
                "UPDATE mentions SET state = ?, due_at = NULL, answer = ?, answered_at = ? WHERE message = ?",
                [state.rawValue, number, moment.microseconds, asked.number])
            if isDelivered {
                try db.run(
                    "INSERT INTO mention_deliveries (answer, attempts, due_at) VALUES (?, 0, ?)",
                    [number, moment.microseconds])
            }
            return true
        }
    }

    /// Says what became of a mention that is not answered.
    public func settle(_ question: MessageKey, as state: Mention.State, dueAt moment: Timestamp?) async throws {
        try await write { db in
            guard let stored = try StoredMessage.find(question, in: db) else { return }
            try MentionRows.settle(stored.number, as: state, dueAt: moment, in: db)
        }
    }

    /// Claims the answer that another system has to be told of longest.
    public func claimDelivery(until lease: Timestamp, at moment: Timestamp) async throws -> MentionDelivery? {
        let due = MentionRows.deliveryDue
        guard try await read({ try $0.number(due, [moment.microseconds]) }) != nil else { return nil }
        return try await write { db in
            guard let number = try db.number(due, [moment.microseconds]),
                let stored = try MentionRows.message(number, in: db)
            else { return nil }
            try db.run(
                "UPDATE mention_deliveries SET attempts = attempts + 1, due_at = ? WHERE answer = ?",
                [lease.microseconds, number])
            let attempts = try db.number("SELECT attempts FROM mention_deliveries WHERE answer = ?", [number]) ?? 1
            return MentionDelivery(answer: stored.message, attempts: Int(attempts))
        }
    }

    /// Says what became of a delivery.
    public func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws {
        try await write { db in
            guard let stored = try StoredMessage.find(delivery.answer.key, in: db),
                stored.message.deletedAt == delivery.answer.deletedAt
            else { return }
            try db.run(
                "UPDATE mention_deliveries SET due_at = ? WHERE answer = ?", [moment?.microseconds, stored.number])
        }
    }
}

/// The rows of `mentions` and what belongs to them.
enum MentionRows {
    /// The source that the assistant's messages come from.
    static let source = "nexus"

    /// Values: the present time.
    static let due = "SELECT message FROM mentions WHERE due_at <= ? ORDER BY due_at, message LIMIT 1"

    /// Values: the present time.
    static let deliveryDue = "SELECT answer FROM mention_deliveries WHERE due_at <= ? ORDER BY due_at, answer LIMIT 1"

    /// Values: conversation, the time after which.
    static let answerCount = """
        SELECT COUNT(*) FROM mentions WHERE conversation = (SELECT number FROM conversations WHERE id = ?)
            AND answered_at > ?
        """

    /// Values: conversation, the message that the thread hangs on, the most wanted.
    static let answered = """
        SELECT n.message, n.answer FROM mentions n CROSS JOIN messages m ON m.number = n.message
        CROSS JOIN messages a ON a.number = n.answer
        WHERE n.conversation = (SELECT number FROM conversations WHERE id = ?1) AND n.answered_at IS NOT NULL
            AND n.state = 'answered' AND (m.thread_root_id = ?2 OR m.id = ?2)
            AND m.deleted_at IS NULL AND a.deleted_at IS NULL
        ORDER BY n.answered_at DESC, n.message DESC LIMIT ?3
        """

    /// Values: source.
    static let standing = "SELECT answer FROM mention_sources WHERE source = ?"

    static func message(_ number: Int64, in db: Database) throws -> StoredMessage? {
        try db.row(
            """
            SELECT \(StoredMessage.columns) FROM messages m JOIN conversations c ON c.number = m.conversation
            WHERE m.number = ?
            """, [number]
        ).map(StoredMessage.init)
    }

    static func settle(_ number: Int64, as state: Mention.State, dueAt moment: Timestamp?, in db: Database) throws {
        try db.run(
            "UPDATE mentions SET state = ?, due_at = ? WHERE message = ? AND state = ?",
            [state.rawValue, moment?.microseconds, number, Mention.State.waiting.rawValue])
    }

    /// Follows a message that is deleted: answers that stand on it go, and who was told of one is told that it went.
    static func follow(deleted stored: StoredMessage, by writer: MessageWriter) throws {
        let db = writer.db
        try db.run(
            "UPDATE mention_deliveries SET attempts = 0, due_at = ? WHERE answer = ?",
            [writer.moment.microseconds, stored.number])
        for row in try db.rows(standing, [stored.number]) {
            guard let answer = try message(row[0], in: db), answer.message.deletedAt == nil else { continue }
            try writer.replace(answer, with: answer.message.tombstone(at: writer.moment))
            try TurnRows.redact(standingOn: answer.message.key, in: db)
        }
    }
}
