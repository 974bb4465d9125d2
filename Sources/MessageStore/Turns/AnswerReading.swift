import ChatCore
import GRDB

/// Decides within one transaction which of the assistant's messages a reader may see.
///
/// An answer that was posted in a conversation may be based on messages of others. Who may not see one of these
/// conversations, or not any more, does not see the answer.
struct AnswerReading {
    let reader: UserID
    let moment: Timestamp
    let db: Database
    private var isPermitted: [Int64: Bool] = [:]

    init(reader: UserID, moment: Timestamp, db: Database) {
        (self.reader, self.moment, self.db) = (reader, moment, db)
    }

    /// The other conversations that an answer is based on; values: answer, its conversation.
    static let elsewhere = """
        SELECT DISTINCT s.conversation FROM mention_sources r CROSS JOIN messages s ON s.number = r.source
        WHERE r.answer = ?1 AND s.conversation <> ?2
        """

    /// Whether the reader may not see a message.
    mutating func hides(_ stored: StoredMessage) throws -> Bool {
        guard stored.message.kind == .assistant else { return false }
        return try hides(stored.number, in: stored.conversation)
    }

    /// Whether the reader may not see a message of the assistant.
    mutating func hides(_ message: Int64, in conversation: Int64) throws -> Bool {
        for row in try db.rows(Self.elsewhere, [message, conversation]) where try !permits(row[0]) { return true }
        return false
    }

    private mutating func permits(_ conversation: Int64) throws -> Bool {
        if let known = isPermitted[conversation] { return known }
        let scope = SearchScope(asker: reader, conversations: .all)
        let permits = try Permission.permits(conversation, scope, at: moment, in: db)
        isPermitted[conversation] = permits
        return permits
    }
}
