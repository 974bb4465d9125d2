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
