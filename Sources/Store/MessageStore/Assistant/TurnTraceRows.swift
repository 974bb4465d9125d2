import ChatCore
import Foundation

/// The traces of turns: a column of `turns`, and rows of `turn_hits`, so that an erasure finds each message.
enum TurnTraceRows {
    static func insert(_ trace: TurnTrace, of turn: Int64, in db: any SQLSession) throws {
        var kept = trace
        (kept.hits, kept.searchedQuestion) = ([], nil)
        let text = String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)
        try db.run(
            "UPDATE turns SET trace = ?, searched_question = ? WHERE number = ?", [text, trace.searchedQuestion, turn])
        for (place, hit) in trace.hits.prefix(TurnTrace.hitLimit).enumerated() {
            try db.run(
                """
                INSERT INTO turn_hits (turn, rank, conversation_id, message_id, score, relevance, signals)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    turn, place + 1, hit.key.conversationID.rawValue, hit.key.messageID.rawValue, hit.score,
                    hit.relevance, try JSONColumn.text(hit.signals),
                ])
        }
    }

    static func find(_ turn: TurnID, in db: any SQLSession) throws -> TurnTrace? {
        try db.ahead({ _ = try row(of: turn, in: db) }, { _ = try hits(of: turn, in: db) })
        guard let row = try row(of: turn, in: db), let text: String = row[0] else { return nil }
        var trace = try JSONDecoder().decode(TurnTrace.self, from: Data(text.utf8))
        trace.searchedQuestion = row[1]
        trace.hits = try hits(of: turn, in: db).map { row in
            TurnTrace.Hit(
                key: MessageKey(conversationID: row.identifier(0), messageID: row.identifier(1)), rank: row[2],
                score: row[3], relevance: row[4], signals: try JSONColumn.list(row[5]))
        }
        return trace
    }

    private static func row(of turn: TurnID, in db: any SQLSession) throws -> SQLRow? {
        try db.row("SELECT trace, searched_question FROM turns WHERE id = ?", [turn.rawValue])
    }

    private static func hits(of turn: TurnID, in db: any SQLSession) throws -> [SQLRow] {
        try db.rows(
            """
            SELECT conversation_id, message_id, rank, score, relevance, signals FROM turn_hits
            WHERE turn = \(TurnRows.numberOfID) ORDER BY rank
            """, [turn.rawValue])
    }

    /// Removes a message from all traces.
    static func forget(_ key: MessageKey, in db: any SQLSession) throws {
        try db.run(
            "DELETE FROM turn_hits WHERE conversation_id = ? AND message_id = ?",
            [key.conversationID.rawValue, key.messageID.rawValue])
    }

    /// Deletes traces whose filter names a user or a conversation.
    static func forget(_ id: String, among list: String, in db: any SQLSession) throws {
        try db.run(
            """
            UPDATE turns SET trace = NULL, searched_question = NULL WHERE trace IS NOT NULL
            AND EXISTS (SELECT 1 FROM json_each(trace, ?) WHERE value = ?)
            """, ["$." + list, id])
    }
}
