import ChatCore

/// The rows of `tombstones`: messages without a row, which are refused when they are sent again.
enum Tombstones {
    /// Returns a row if there are any.
    static let any = "SELECT 1 FROM tombstones LIMIT 1"

    static func contain(_ key: MessageKey, in db: any SQLSession) throws -> Bool {
        try db.number(
            "SELECT 1 FROM tombstones WHERE conversation_id = ? AND message_id = ?",
            [key.conversationID.rawValue, key.messageID.rawValue]) != nil
    }

    /// Notes that a message went with the last change, for clients who follow later.
    static func logChange(of key: MessageKey, in db: any SQLSession) throws {
        try db.run(
            "UPDATE tombstones SET change = ? WHERE conversation_id = ? AND message_id = ?",
            [try ChangeLog.latest(in: db).rawValue, key.conversationID.rawValue, key.messageID.rawValue])
    }

    static func set(_ key: MessageKey, at moment: Timestamp, in db: any SQLSession) throws {
        try db.run(
            """
            INSERT INTO tombstones (conversation_id, message_id, deleted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [key.conversationID.rawValue, key.messageID.rawValue, moment.microseconds])
    }
}

/// The rows of `conversation_tombstones`: conversations that their source deleted before they arrived, and the time.
enum ConversationTombstones {
    static func time(of id: ConversationID, in db: any SQLSession) throws -> Int64? {
        try db.number("SELECT deleted_at FROM conversation_tombstones WHERE conversation_id = ?", [id.rawValue])
    }

    static func set(_ id: ConversationID, at moment: Timestamp, in db: any SQLSession) throws {
        try db.run(
            """
            INSERT INTO conversation_tombstones (conversation_id, deleted_at) VALUES (?, ?)
            ON CONFLICT (conversation_id) DO UPDATE SET deleted_at = excluded.deleted_at
            """,
            [id.rawValue, moment.microseconds])
    }

    static func remove(_ id: ConversationID, in db: any SQLSession) throws {
        try db.run("DELETE FROM conversation_tombstones WHERE conversation_id = ?", [id.rawValue])
    }
}
