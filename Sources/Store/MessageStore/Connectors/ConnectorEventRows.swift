import ChatCore
import Crypto
import Foundation

/// The rows of `connector_events` of one room.
struct ConnectorEventRows {
    let db: any SQLSession
    /// The number of the room.
    let room: Int64

    private static let columns = "id, kind, target, author_id, emoji"

    /// Values: room, a list of ids.
    private static let known = """
        SELECT \(columns) FROM connector_events
        WHERE room = ?1 AND id IN (SELECT value FROM json_each(?2, '$'))
        """

    /// Returns those of the events that are known.
    func find(_ ids: [String]) throws -> [String: ConnectorEvent] {
        guard !ids.isEmpty else { return [:] }
        return try db.rows(Self.known, [room, ids]).reduce(into: [:]) { found, row in
            let event = try Self.event(row)
            found[event.id] = event
        }
    }

    /// Returns the events of an answer, with those that are being removed.
    func events(of answer: MessageID) throws -> [ConnectorEvent] {
        try db.rows(
            """
            SELECT \(Self.columns) FROM connector_events
            WHERE room = ? AND target = ? AND kind IN ('answer', 'deletion') ORDER BY id
            """,
            [room, answer.rawValue]
        ).map(Self.event)
    }

    /// Adds an event; the target of an answer may be known later than the event, and an answer may be removed.
    func add(_ event: ConnectorEvent) throws {
        try db.run(
            """
            INSERT INTO connector_events (room, id, kind, target, author_id, emoji) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (room, id) DO UPDATE SET kind = excluded.kind, target = CASE
                WHEN excluded.kind = 'deletion' THEN excluded.target
                ELSE COALESCE(connector_events.target, excluded.target) END
                WHERE excluded.kind IN ('answer', 'deletion') AND connector_events.kind IN ('answer', excluded.kind)
            """,
            [
                room, event.id, event.kind.rawValue, event.target?.rawValue, event.reaction?.authorID.rawValue,
                event.reaction?.emoji,
            ])
    }

    /// Counts the event of a message as refused.
    func refuse(_ id: MessageID) throws {
        try db.run(
            "UPDATE connector_events SET kind = 'refused' WHERE room = ? AND id = ? AND kind = 'message'",
            [room, id.rawValue])
    }

    /// Ends the reactions among the events, which keep nothing but their count.
    func endReactions(_ ids: [String]) throws {
        guard !ids.isEmpty else { return }
        try db.run(
            """
            UPDATE connector_events SET target = NULL, author_id = NULL, emoji = NULL
            WHERE room = ?1 AND kind = 'reaction' AND id IN (SELECT value FROM json_each(?2, '$'))
            """, [room, ids])
    }

    /// Begins or ends a reaction that has no id in its source.
    func apply(_ change: ConnectorEvent.ReactionChange) throws {
        let id = Self.id(of: change.reaction, to: change.target)
        guard change.isRemoved else {
            return try add(
                ConnectorEvent(id: id, kind: .reaction, target: change.target, reaction: change.reaction))
        }
        try db.run("DELETE FROM connector_events WHERE room = ? AND id = ? AND kind = 'reaction'", [room, id])
    }

    /// Makes these reactions the only ones to a message; one that was erased with its person does not come back.
    func replaceReactions(to target: MessageID, with reactions: [ConnectorEvent.Reaction]) throws {
        let rows = reactions.map { (id: Self.id(of: $0, to: target), reaction: $0) }
        try db.run(
            """
            DELETE FROM connector_events WHERE room = ?1 AND target = ?2 AND kind = 'reaction'
                AND NOT (id IN (SELECT value FROM json_each(?3, '$')))
            """, [room, target.rawValue, rows.map(\.id)])
        for row in rows {
            try add(ConnectorEvent(id: row.id, kind: .reaction, target: target, reaction: row.reaction))
        }
    }

    /// The id of a reaction that has none in its source; it does not show who reacted.
    private static func id(of reaction: ConnectorEvent.Reaction, to target: MessageID) -> String {
        let text = [target.rawValue, reaction.authorID.rawValue, reaction.emoji].joined(separator: "\n")
        let digest = SHA256.hash(data: Data(text.utf8)).prefix(16)
        return "reaction-" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the reactions to messages, by user; an emoji that was used first by its event's id comes first.
    func reactions(to targets: [MessageID], source: String) throws -> [MessageID: [Message.Reaction]] {
        guard !targets.isEmpty else { return [:] }
        let rows = try db.rows(
            """
            SELECT e.target, e.emoji, COALESCE(i.user_id, e.author_id) FROM connector_events e
            LEFT JOIN identities i ON i.source = ?3 AND i.external_id = e.author_id
            WHERE e.room = ?1 AND e.kind = 'reaction' AND e.target IN (SELECT value FROM json_each(?2, '$'))
            ORDER BY e.target, e.id
            """, [room, targets.map(\.rawValue), source])
        return rows.reduce(into: [:]) { found, row in
            let reaction = Message.Reaction(emoji: row[1], userIDs: [row.identifier(2)])
            found[row.identifier(0), default: []].append(reaction)
        }
    }

    private static func event(_ row: SQLRow) throws -> ConnectorEvent {
        let author: String? = row[3]
        let emoji: String? = row[4]
        let reaction = author.flatMap { author in
            emoji.map { ConnectorEvent.Reaction(authorID: UserID(rawValue: author), emoji: $0) }
        }
        return ConnectorEvent(
            id: row[0], kind: try row.word(1), target: (row[2] as String?).map { MessageID(rawValue: $0) },
            reaction: reaction)
    }
}

extension ConnectorEventRows {
    /// Forgets the reactions of a user who is erased, before the user's identities go.
    static func forget(user id: String, in db: any SQLSession) throws {
        try db.run(
            """
            UPDATE connector_events SET target = NULL, author_id = NULL, emoji = NULL
            WHERE author_id = ?1 OR author_id IN (SELECT external_id FROM identities WHERE user_id = ?1)
            """, [id])
        // Waiting events may say something of the person: without them the connector compares.
        try db.run(
            """
            UPDATE connector_inbox SET body = ''
            WHERE body IS NOT NULL AND source IN (SELECT source FROM identities WHERE user_id = ?)
            """, [id])
    }

    /// Forgets the events of a conversation that is erased; its rooms stay, so that they are not read again.
    static func forget(conversation id: String, in db: any SQLSession) throws {
        try db.run(
            """
            DELETE FROM connector_events WHERE room IN (
                SELECT number FROM connector_rooms WHERE conversation_id = ?)
            """, [id])
        try db.run(
            "UPDATE connector_rooms SET progress = ? WHERE conversation_id = ?", [ConnectorRoom.erasedProgress, id])
        try db.run(
            """
            UPDATE connector_inbox SET body = ''
            WHERE body IS NOT NULL AND source IN (SELECT source FROM connector_rooms WHERE conversation_id = ?)
            """, [id])
    }
}
