public import ChatCore
import GRDB

extension SQLiteStore {
    /// Keeps a turn; one that stands on a message that has been deleted meanwhile is kept redacted.
    ///
    /// A turn with an id that is taken is ``RepositoryError/conflict(_:)``.
    public func record(_ turn: Turn) async throws {
        try await write { db in try TurnRows.insert(turn, in: db) }
    }

    /// Returns a user's turns, newest first, from before a turn, at most `limit`.
    public func turns(of user: UserID, before: TurnID?, limit: Int) async throws -> [Turn] {
        try await read { db in
            var place = (Int64.max, Int64.max)
            if let before {
                let row = try db.row(
                    "SELECT asked_at, number FROM turns WHERE id = ? AND asker_id = ?",
                    [before.rawValue, user.rawValue])
                guard let row else { throw RepositoryError.invalid(field: "before", reason: "names no turn") }
                place = (row[0], row[1])
            }
            return try TurnRows.list(
                "WHERE asker_id = ? AND (asked_at, number) < (?, ?) ORDER BY asked_at DESC, number DESC",
                [user.rawValue, place.0, place.1], limit, in: db)
        }
    }

    /// Returns the turns of all users that were not redacted, newest first, at most `limit`.
    public func recentTurns(limit: Int) async throws -> [Turn] {
        try await read { db in
            try TurnRows.list("WHERE question <> '' ORDER BY asked_at DESC, number DESC", [], limit, in: db)
        }
    }
}

/// The rows of `turns` and `turn_sources`.
enum TurnRows {
    static func insert(_ turn: Turn, in db: Database) throws {
        guard try db.number("SELECT number FROM turns WHERE id = ?", [turn.id.rawValue]) == nil else {
            throw RepositoryError.conflict("a turn with this id exists")
        }
        let isRedacted = try turn.sourceKeys.contains { try StoredMessage.find($0, in: db)?.message.deletedAt != nil }
        try db.run(
            "INSERT INTO turns (id, asker_id, question, answer, asked_at) VALUES (?, ?, ?, ?, ?)",
            [
                turn.id.rawValue, turn.askerID.rawValue, isRedacted ? "" : turn.question,
                isRedacted ? "" : turn.answer, turn.askedAt.microseconds,
            ])
        let number = db.lastInsertedRowID
        for (rank, key) in turn.sourceKeys.enumerated() {
            try db.run(
                "INSERT INTO turn_sources (turn, rank, conversation_id, message_id) VALUES (?, ?, ?, ?)",
                [number, rank + 1, key.conversationID.rawValue, key.messageID.rawValue])
        }
    }

    static func redact(standingOn key: MessageKey, in db: Database) throws {
        try db.run(
            """
            UPDATE turns SET question = '', answer = ''
            WHERE number IN (SELECT turn FROM turn_sources WHERE conversation_id = ? AND message_id = ?)
            """, [key.conversationID.rawValue, key.messageID.rawValue])
    }

    static func list(_ condition: String, _ values: [SQLValue], _ limit: Int, in db: Database) throws -> [Turn] {
        let rows = try db.rows(
            "SELECT number, id, asker_id, question, answer, asked_at FROM turns \(condition) LIMIT ?",
            values + [max(0, limit)])
        return try rows.map { row in
            let sources = try db.rows(
                "SELECT conversation_id, message_id FROM turn_sources WHERE turn = ? ORDER BY rank", [row[0] as Int64])
            return Turn(
                id: row.identifier(1), askerID: row.identifier(2), question: row[3], answer: row[4],
                sourceKeys: sources.map {
                    MessageKey(conversationID: $0.identifier(0), messageID: $0.identifier(1))
                }, askedAt: row.moment(5))
        }
    }
}
