import ChatCore
import Foundation

/// The data shown with answers: a column of `turns`, and rows of `turn_shown`, so that an erasure finds each message.
enum TurnReplyRows {
    private struct Column: Codable {
        let citations: [TurnReply.Citation]
        let notices: [String]
        let noAnswerReason: String
        let mode: String?
        /// Nil for turns of before, and if no source has one.
        var found: [FoundPlace]?
        /// Nil for turns of before, and for answers that were not checked.
        var sentences: [TurnReply.Sentence]?
    }

    /// Which bytes of a source were found; `place` is that of its row.
    private struct FoundPlace: Codable {
        let place: Int
        let start: Int
        let end: Int
    }

    static func insert(_ reply: TurnReply, of turn: Int64, in db: any SQLSession) throws {
        let found = reply.sources.enumerated().compactMap { place, source in
            source.place.map { FoundPlace(place: place + 1, start: $0.lowerBound, end: $0.upperBound) }
        }
        let column = Column(
            citations: reply.citations, notices: reply.notices, noAnswerReason: reply.noAnswerReason, mode: reply.mode,
            found: found.isEmpty ? nil : found, sentences: reply.sentences)
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

    static func reply(_ column: String?, of turn: TurnID, in db: any SQLSession) throws -> TurnReply? {
        guard let column else { return nil }
        let kept = try JSONDecoder().decode(Column.self, from: Data(column.utf8))
        let places = Dictionary(
            (kept.found ?? []).map { ($0.place, $0.start..<max($0.start, $0.end)) },
            uniquingKeysWith: { first, _ in first })
        let sources = try shown(by: turn, in: db).map { row in
            TurnReply.Source(
                key: MessageKey(conversationID: row.identifier(0), messageID: row.identifier(1)), number: row[2],
                rank: row[3], relevance: row[4], place: places[row[5]])
        }
        return TurnReply(
            sources: sources, citations: kept.citations, sentences: kept.sentences, notices: kept.notices,
            noAnswerReason: kept.noAnswerReason, mode: kept.mode)
    }

    /// Returns the rows of the sources that are shown with an answer.
    static func shown(by turn: TurnID, in db: any SQLSession) throws -> [SQLRow] {
        try db.rows(
            """
            SELECT conversation_id, message_id, number, rank, relevance, place FROM turn_shown
            WHERE turn = \(TurnRows.numberOfID) ORDER BY place
            """, [turn.rawValue])
    }

    /// Removes a message from all lists of sources.
    static func forget(_ key: MessageKey, in db: any SQLSession) throws {
        try db.run(
            "DELETE FROM turn_shown WHERE conversation_id = ? AND message_id = ?",
            [key.conversationID.rawValue, key.messageID.rawValue])
    }
}
