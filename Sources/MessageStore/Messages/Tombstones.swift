import ChatCore
import GRDB

/// The rows of `tombstones`: messages of which no row is kept, and which do not come back.
enum Tombstones {
    static func exist(in db: Database) throws -> Bool {
        try db.number("SELECT 1 FROM tombstones LIMIT 1") != nil
    }

    static func contain(_ key: MessageKey, in db: Database) throws -> Bool {
        try db.number(
            "SELECT 1 FROM tombstones WHERE conversation_id = ? AND message_id = ?",
            [key.conversationID.rawValue, key.messageID.rawValue]) != nil
    }

    static func set(_ key: MessageKey, at moment: Timestamp, in db: Database) throws {
        try db.run(
            "INSERT OR IGNORE INTO tombstones (conversation_id, message_id, deleted_at) VALUES (?, ?, ?)",
            [key.conversationID.rawValue, key.messageID.rawValue, moment.microseconds])
    }
}

/// The rows of `conversation_tombstones`: conversations that their source deleted before they came, and when.
enum ConversationTombstones {
    static func time(of id: ConversationID, in db: Database) throws -> Int64? {
        try db.number("SELECT deleted_at FROM conversation_tombstones WHERE conversation_id = ?", [id.rawValue])
    }

    static func set(_ id: ConversationID, at moment: Timestamp, in db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO conversation_tombstones (conversation_id, deleted_at) VALUES (?, ?)",
            [id.rawValue, moment.microseconds])
    }

    static func remove(_ id: ConversationID, in db: Database) throws {
        try db.run("DELETE FROM conversation_tombstones WHERE conversation_id = ?", [id.rawValue])
    }
}
