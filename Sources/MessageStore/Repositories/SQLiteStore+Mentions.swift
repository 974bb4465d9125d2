public import ChatCore
import GRDB

extension SQLiteStore {
    public func beginMentions() async throws -> ChangeCursor {
        try await write { db in
            try db.run("UPDATE mentions SET due_at = 0 WHERE due_at IS NOT NULL AND attempts > 0")
            try db.run("UPDATE mention_deliveries SET due_at = 0 WHERE due_at IS NOT NULL AND attempts > 0")
            try db.run(
                """
                INSERT OR IGNORE INTO mention_watermark (place, change)
                SELECT 1, COALESCE(MAX(number), 0) FROM changes
                """)
            return try ChangeLog.cursor(at: try db.number("SELECT change FROM mention_watermark") ?? 0, in: db)
        }
    }

    static let messagesBeginningWithAt = """
        SELECT DISTINCT \(StoredMessage.columns) FROM changes h CROSS JOIN messages m ON m.number = h.message
        CROSS JOIN conversations c ON c.number = m.conversation
        WHERE h.number > ? AND h.number <= ? AND h.kind = ? AND m.kind = 'text' AND m.deleted_at IS NULL
            AND m.timestamp >= ? AND m.text GLOB '*@*' AND substr(trim(m.text, ' \t\n\r'), 1, 1) = '@'
        ORDER BY m.number
        """

    public func messagesBeginningWithAt(after cursor: ChangeCursor, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeCursor)
    {
        try await read { db in
            let start = try ChangeLog.number(of: cursor, in: db)
            let end = min(try ChangeLog.latest(in: db).rawValue, start + Int64(limit))
            let rows = try db.rows(
                Self.messagesBeginningWithAt, [start, end, ChangeKind.message.rawValue, oldest.microseconds])
            return (try rows.map { try StoredMessage($0).message }, try ChangeLog.cursor(at: end, in: db))
        }
    }

    public func noteMentions(_ messages: [MessageKey], through cursor: ChangeCursor, at moment: Timestamp) async throws
    {
        try await write { db in
            let end = try ChangeLog.number(of: cursor, in: db)
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
            try db.run("UPDATE mention_watermark SET change = MAX(change, ?)", [end])
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
                    "UPDATE mentions SET attempts = attempts + 1, due_at = ?, claimed_at = ? WHERE message = ?",
                    [lease.microseconds, moment.microseconds, number])
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
    public func answeredMentions(
        inThread root: MessageID, of id: ConversationID, within audience: Set<ConversationID>, limit: Int
    ) async throws -> [(question: Message, answer: Message)] {
        try await read { db in
            let rows = try db.rows(MentionRows.answered, [id.rawValue, root.rawValue, max(0, limit)])
            return try rows.reversed().compactMap { row in
                guard let question = try MentionRows.message(row[0], in: db),
                    let answer = try MentionRows.message(row[1], in: db),
                    try MentionRows.places(of: [answer.number], in: db).isSubset(of: audience)
                else { return nil }
                return (question.message, answer.message)
            }
        }
    }

    /// Returns the conversations that an answer in a conversation may be based on.
    public func audience(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws
        -> Set<ConversationID>
    {
        try await read { db in try MentionRows.audience(of: id, asker: asker, among: nil, at: moment, in: db) }
    }

    /// Posts an answer and settles its mention.
    public func post(
        _ answer: Message, to question: MessageKey, as state: Mention.State, standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> MentionPosting {
        try await write { db in
            let keys = Array(Set(sources).union([question]))
            let found = try keys.compactMap { try StoredMessage.find($0, in: db) }
            guard found.count == keys.count, found.allSatisfy({ $0.message.deletedAt == nil }),
                let asked = found.first(where: { $0.message.key == question }),
                try db.number(
                    "SELECT 1 FROM mentions WHERE message = ? AND state = ?",
                    [asked.number, Mention.State.waiting.rawValue]) != nil,
                try StoredMessage.find(answer.key, in: db) == nil, try !Tombstones.contain(answer.key, in: db)
            else { return .outdated }
            guard try !MentionRows.isEdited(found.map(\.number), sinceClaimOf: asked.number, in: db) else {
                return .outdated
            }
            let basis = try MentionRows.basis(of: found.map(\.number), in: db)
            let places = try MentionRows.places(of: basis, in: db).union(found.map(\.message.key.conversationID))
            let audience = try MentionRows.audience(
                of: question.conversationID, asker: asked.message.senderID, among: places, at: moment, in: db)
            guard places.isSubset(of: audience) else { return .audienceChanged }
            let number = try MessageWriter(db, at: moment).insert(
                answer, conversation: asked.conversation, source: MentionRows.source,
                authorID: answer.senderID.rawValue)
            for source in basis {
                try db.run("INSERT INTO mention_sources (source, answer) VALUES (?, ?)", [source, number])
            }
            try db.run(
                "UPDATE mentions SET state = ?, due_at = NULL, answer = ?, answered_at = ? WHERE message = ?",
                [state.rawValue, number, moment.microseconds, asked.number])
            if isDelivered {
                try db.run(
                    "INSERT INTO mention_deliveries (answer, attempts, due_at) VALUES (?, 0, ?)",
                    [number, moment.microseconds])
            }
            return .posted
        }
    }

    /// Says what became of a mention that is not answered.
    public func settle(_ question: MessageKey, as state: Mention.State, dueAt moment: Timestamp?) async throws {
        try await write { db in
            guard let stored = try StoredMessage.find(question, in: db) else { return }
            try MentionRows.settle(stored.number, as: state, dueAt: moment, in: db)
        }
    }

    public func nextMentionDue() async throws -> Timestamp? {
        try await read { try $0.row(MentionRows.nextDue, [])?.momentIfAny(0) }
    }

    public func nextDeliveryDue() async throws -> Timestamp? {
        try await read { try $0.row(MentionRows.nextDeliveryDue, [])?.momentIfAny(0) }
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

    public func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws {
        try await write { db in
            guard let stored = try StoredMessage.find(delivery.answer.key, in: db),
                stored.message.deletedAt == delivery.answer.deletedAt,
                stored.message.editedAt == delivery.answer.editedAt
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

    static let nextDue = "SELECT MIN(due_at) FROM mentions WHERE due_at IS NOT NULL"
    static let nextDeliveryDue = "SELECT MIN(due_at) FROM mention_deliveries WHERE due_at IS NOT NULL"

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

    /// Messages and all that the answers among them are based on; value: numbers as a list in JSON.
    static let basis = """
        WITH RECURSIVE basis(number) AS (
            SELECT j.value FROM json_each(?) j
            UNION SELECT r.source FROM basis s JOIN mention_sources r ON r.answer = s.number)
        SELECT s.number FROM basis s
        """

    /// Where the messages are that answers are based on; value: numbers as a list in JSON.
    static let places = """
        SELECT DISTINCT c.id FROM json_each(?) j CROSS JOIN mention_sources s ON s.answer = j.value
        CROSS JOIN messages m ON m.number = s.source CROSS JOIN conversations c ON c.number = m.conversation
        """

    static func basis(of messages: [Int64], in db: Database) throws -> [Int64] {
        try db.rows(basis, [JSONColumn.numbers(messages)]).map { $0[0] }
    }

    static func places(of answers: [Int64], in db: Database) throws -> Set<ConversationID> {
        Set(try db.rows(places, [JSONColumn.numbers(answers)]).map { $0.identifier(0) })
    }

    /// Whether the text of one of some messages changed since a mention was claimed: the answer may hold the old one.
    static func isEdited(_ messages: [Int64], sinceClaimOf mention: Int64, in db: Database) throws -> Bool {
        try db.number(
            """
            SELECT 1 FROM json_each(?) j CROSS JOIN messages m ON m.number = j.value
            WHERE m.text_changed_at > (SELECT claimed_at FROM mentions WHERE message = ?) LIMIT 1
            """, [JSONColumn.numbers(messages), mention]) != nil
    }

    static func isMention(_ message: Int64, in db: Database) throws -> Bool {
        try db.number("SELECT 1 FROM mentions WHERE message = ?", [message]) != nil
    }

    /// An id that no message and no membership can have: who has it sees what everybody sees.
    private static let stranger = UserID(rawValue: "")

    /// Returns which of some conversations, or of all for nil, an answer may be based on.
    ///
    /// - Complexity: One look for each present member and conversation, until none is left.
    static func audience(
        of id: ConversationID, asker: UserID, among candidates: Set<ConversationID>?, at moment: Timestamp,
        in db: Database
    ) throws -> Set<ConversationID> {
        func permitted(_ conversations: SearchScope.Conversations, for user: UserID) throws -> Set<ConversationID> {
            let scope = SearchScope(asker: user, conversations: conversations)
            return Set(try Permission.permitted(scope, at: moment, in: db).map(\.id))
        }
        guard let stored = try ConversationWriter.Stored.find(id, in: db),
            try !permitted(.only([id]), for: asker).isEmpty
        else { return [] }
        var shared = try permitted(candidates.map { .only($0) } ?? .all, for: asker)
        shared.remove(id)
        let ids = try JSONColumn.text(shared.map(\.rawValue)) ?? "[]"
        for row in try db.rows(
            "SELECT id FROM conversations WHERE kind = 'direct' AND id IN (SELECT value FROM json_each(?))", [ids])
        {
            shared.remove(row.identifier(0))
        }
        var readers = try Member.rows(of: stored.number, in: db)
            .filter { $0.userID != asker && $0.leftAt.map { $0 > moment } ?? true }.map(\.userID)
        if stored.conversation.visibility == .everyone { readers.insert(stranger, at: 0) }
        for reader in readers {
            guard !shared.isEmpty else { break }
            shared = try permitted(.only(shared), for: reader)
        }
        return shared.union([id])
    }

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

    /// Follows a message whose text changed: answers that are based on it lose their text, unless it is the question.
    static func follow(edited stored: StoredMessage, by writer: MessageWriter) throws {
        let db = writer.db
        for row in try db.rows(standing, [stored.number]) {
            let number: Int64 = row[0]
            guard let answer = try message(number, in: db), answer.message.deletedAt == nil,
                let question = try db.row("SELECT message, state FROM mentions WHERE answer = ?", [number]),
                question[1] == Mention.State.answered.rawValue, question[0] != stored.number,
                answer.message.text != MentionWithdrawal.text
            else { continue }
            try writer.replace(answer, with: answer.message.withdrawn(at: writer.moment))
            try db.run(
                "UPDATE mention_deliveries SET attempts = 0, due_at = ? WHERE answer = ?",
                [writer.moment.microseconds, number])
        }
    }
}
