import ChatCore
import Foundation

/// The data shown with answers: a column of `turns`, and rows of `turn_shown`, so that an erasure finds each message.
enum TurnReplyRows {
    private struct Column: Codable {
        let citations: [TurnReply.Citation]
        let notices: [String]
        let noAnswerReason: String
        let mode: String?
    }

    static func insert(_ reply: TurnReply, of turn: Int64, in db: SQLSession) throws {
        let column = Column(
            citations: reply.citations, notices: reply.notices, noAnswerReason: reply.noAnswerReason, mode: reply.mode)
        let text = String(decoding: try JSONEncoder().encode(column), as: UTF8.self)
        try db.run("UPDATE turns SET reply = ? WHERE number = ?", [text, turn])
        for (place, source) in reply.sources.enumerated() {
            try db.run(
                """
                INSERT INTO turn_shown (turn, place, conversation_id, message_id, number, rank, relevance)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    turn, place + 1, source.key.conversationID.rawValue, source.key.messageID.rawValue,
                    source.number, source.rank, source.relevance,
                ])
        }
    }

    static func reply(_ column: String?, of turn: Int64, in db: SQLSession) throws -> TurnReply? {
        guard let column else { return nil }
        let kept = try JSONDecoder().decode(Column.self, from: Data(column.utf8))
        let sources = try db.rows(
            """
            SELECT conversation_id, message_id, number, rank, relevance FROM turn_shown WHERE turn = ? ORDER BY place
            """, [turn]
        ).map { row in
            TurnReply.Source(
                key: MessageKey(conversationID: row.identifier(0), messageID: row.identifier(1)), number: row[2],
                rank: row[3], relevance: row[4])
        }
        return TurnReply(
            sources: sources, citations: kept.citations, notices: kept.notices, noAnswerReason: kept.noAnswerReason,
            mode: kept.mode)
    }

    /// Removes a message from all lists of sources.
    static func forget(_ key: MessageKey, in db: SQLSession) throws {
        try db.run(
            "DELETE FROM turn_shown WHERE conversation_id = ? AND message_id = ?",
            [key.conversationID.rawValue, key.messageID.rawValue])
    }
}
