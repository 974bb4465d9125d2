import ChatCore
import Crypto
import Foundation

/// The rows of `mentions`, their sources and deliveries.
enum MentionRows {
    /// The source of the assistant's messages.
    static let source = "nexus"
    /// The sender of the assistant's messages.
    static let assistant = UserID(rawValue: "nexus")
    static let assistantName = "Nexus"

    /// Values: the present time.
    static let due = "SELECT message FROM mentions WHERE due_at <= ? ORDER BY due_at, message LIMIT 1"

    /// Values: the present time.
    static let deliveryDue = "SELECT answer FROM mention_deliveries WHERE due_at <= ? ORDER BY due_at, answer LIMIT 1"

    static let nextDue = "SELECT MIN(due_at) FROM mentions WHERE due_at IS NOT NULL"
    static let nextDeliveryDue = "SELECT MIN(due_at) FROM mention_deliveries WHERE due_at IS NOT NULL"

    /// Values: conversation, the time after which answers count.
    static let answerCount = """
        SELECT COUNT(*) FROM mentions WHERE conversation = (SELECT number FROM conversations WHERE id = ?)
            AND answered_at > ?
        """

    /// Values: conversation, the root message of the thread, the limit.
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

    /// Messages, and all messages that the answers among them are based on; value: a list of numbers.
    static let basis = """
        WITH RECURSIVE basis(number) AS (
            SELECT j.value FROM json_each(?) j
            UNION SELECT r.source FROM basis s JOIN mention_sources r ON r.answer = s.number)
        SELECT s.number FROM basis s
        """

    /// The conversations of the messages that answers are based on; value: a list of numbers.
    static let places = """
        SELECT DISTINCT c.id FROM json_each(?) j CROSS JOIN mention_sources s ON s.answer = j.value
        CROSS JOIN messages m ON m.number = s.source CROSS JOIN conversations c ON c.number = m.conversation
        """

    static func basis(of messages: [Int64], in db: any SQLSession) throws -> [Int64] {
        try db.rows(basis, [messages]).map { $0[0] }
    }

    static func places(of answers: [Int64], in db: any SQLSession) throws -> Set<ConversationID> {
        Set(try db.rows(places, [answers]).map { $0.identifier(0) })
    }

    /// Whether the text of one of the messages changed after a mention was claimed: the answer may hold the old text.
    static func isEdited(_ messages: [Int64], sinceClaimOf mention: Int64, in db: any SQLSession) throws -> Bool {
        try db.number(
            """
            SELECT 1 FROM json_each(?) j CROSS JOIN messages m ON m.number = j.value
            WHERE m.text_changed_at > (SELECT claimed_at FROM mentions WHERE message = ?) LIMIT 1
            """, [messages, mention]) != nil
    }

    /// Returns the answers that are based on a message.
    static func follows(_ message: Int64, in db: any SQLSession) throws -> [SQLRow] {
        try db.rows(standing, [message])
    }

    static func isMention(_ message: Int64, in db: any SQLSession) throws -> Bool {
        try db.number("SELECT 1 FROM mentions WHERE message = ?", [message]) != nil
    }

    /// An id that no user can have: it sees only what everybody sees.
    private static let stranger = UserID(rawValue: "")

    /// Returns the conversations among `candidates`, or among all for nil, that an answer may be based on.
    ///
    /// - Complexity: One lookup for each present member and conversation, until no conversation is left.
    static func audience(
        of id: ConversationID, asker: UserID, among candidates: Set<ConversationID>?, at moment: Timestamp,
        in db: any SQLSession
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
        for row in try db.rows(
            "SELECT id FROM conversations WHERE kind = 'direct' AND id IN (SELECT value FROM json_each(?, '$'))",
            [shared.map(\.rawValue)])
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
        return try withoutForeign(shared, in: id, for: readers + [asker], db).union([id])
    }

    /// Leaves out what people read in Nexus only, in a room of a source in which they are joined with authors: there they
    /// get what the source lets the authors read.
    private static func withoutForeign(
        _ shared: Set<ConversationID>, in room: ConversationID, for people: [UserID], _ db: any SQLSession
    ) throws -> Set<ConversationID> {
        guard !shared.isEmpty,
            let row = try db.row(
                "SELECT source FROM connector_rooms WHERE conversation_id = ? LIMIT 1", [room.rawValue])
        else { return shared }
        let source: String = row[0]
        let linked = try db.rows(
            """
            SELECT l.user_id, COALESCE(i.kind, 'member') = 'member' FROM person_links l
            LEFT JOIN identities i ON i.source = l.source AND i.external_id = l.author_id
            WHERE l.source = ?1 AND l.user_id IN (SELECT value FROM json_each(?2, '$'))
            """, [source, people.map(\.rawValue)])
        return try linked.reduce(shared) { shared, row in
            let readable = try db.rows(
                """
                SELECT c.id, c.visibility = 'everyone', EXISTS (
                    SELECT 1 FROM members p WHERE p.conversation = c.number AND p.user_id = ?1 AND p.importer = ?2)
                FROM conversations c WHERE c.id IN (SELECT value FROM json_each(?3, '$'))
                """, [row[0] as String, source, shared.map(\.rawValue)])
            let isMember: Bool = row[1]
            return Set(readable.filter { $0[2] || (isMember && $0[1]) }.map { $0.identifier(0) })
        }
    }

    static func message(_ number: Int64, in db: any SQLSession) throws -> StoredMessage? {
        try db.row(
            """
            SELECT \(StoredMessage.columns) FROM messages m JOIN conversations c ON c.number = m.conversation
            WHERE m.number = ?
            """, [number]
        ).map(StoredMessage.init)
    }

    static func settle(
        _ number: Int64, attempt: Int? = nil, as state: Mention.State, dueAt moment: Timestamp?, in db: any SQLSession
    ) throws {
        try db.run(
            """
            UPDATE mentions SET state = ?, due_at = ?
            WHERE message = ? AND state = ? AND attempts = COALESCE(?, attempts)
            """, [state.rawValue, moment?.microseconds, number, Mention.State.waiting.rawValue, attempt])
    }

    /// Follows the deletion of a message: deletes answers that are based on it, and delivers these deletions.
    static func follow(deleted stored: StoredMessage, by writer: MessageWriter) throws {
        let db = writer.db
        try db.run(
            "UPDATE mention_deliveries SET attempts = 0, due_at = ? WHERE answer = ?",
            [writer.moment.microseconds, stored.number])
        for row in try follows(stored.number, in: db) {
            guard let answer = try message(row[0], in: db), answer.message.deletedAt == nil else { continue }
            if let digest = try DigestRows.remaining(of: answer, without: stored, by: writer) {
                try replace(answer, with: digest, by: writer)
                continue
            }
            try writer.replace(answer, with: answer.message.tombstone(at: writer.moment))
            try TurnRows.redact(standingOn: answer.message.key, in: db)
        }
    }

    /// Replaces a posted answer, and delivers the change.
    private static func replace(_ answer: StoredMessage, with message: Message, by writer: MessageWriter) throws {
        try writer.replace(answer, with: message)
        try OutdatedRows(db: writer.db).forget(answer: answer.number)
        try writer.db.run(
            "UPDATE mention_deliveries SET attempts = 0, due_at = ? WHERE answer = ?",
            [writer.moment.microseconds, answer.number])
    }

    /// Follows an edit of a message: answers that are based on it lose their text, unless the message is the question.
    static func follow(edited stored: StoredMessage, by writer: MessageWriter) throws {
        let db = writer.db
        for row in try follows(stored.number, in: db) {
            let number: Int64 = row[0]
            guard let answer = try message(number, in: db), answer.message.deletedAt == nil,
                answer.message.text != MentionWithdrawal.text
            else { continue }
            if let digest = try DigestRows.remaining(of: answer, without: stored, by: writer) {
                try replace(answer, with: digest, by: writer)
            } else if try isWithdrawn(number, byEditOf: stored.number, in: db) {
                try replace(answer, with: answer.message.withdrawn(at: writer.moment), by: writer)
            }
        }
    }

    /// Whether an answer loses its text when a message that it is based on is edited.
    private static func isWithdrawn(_ answer: Int64, byEditOf message: Int64, in db: any SQLSession) throws -> Bool {
        guard let question = try db.row("SELECT message, state FROM mentions WHERE answer = ?", [answer]) else {
            return try db.number("SELECT 1 FROM schedule_posts WHERE answer = ?", [answer]) != nil
        }
        return question[1] == Mention.State.answered.rawValue && question[0] != message
    }

    /// Returns 32 digits that stand for texts; the same texts always give the same ones.
    static func digest(_ texts: [String]) -> String {
        SHA256.hash(data: Data(texts.joined(separator: "\u{0}").utf8)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
