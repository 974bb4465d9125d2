import ChatCore

/// The rows of `spent_local_ids`: local ids of erased messages, so that a repeated message does not come back under
/// another id.
///
/// A deleted message keeps its own local id in its row.
enum SpentLocalIDs {
    /// Notes the local id of a message that is erased.
    static func record(_ stored: StoredMessage, in db: any SQLSession) throws {
        guard let localID = stored.message.localID,
            let row = try db.row("SELECT source, author_id FROM messages WHERE number = ?", [stored.number])
        else { return }
        try db.run(
            "INSERT INTO spent_local_ids (conversation_id, mark) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [
                stored.message.key.conversationID.rawValue,
                mark(source: row[0], authorID: row[1], localID: localID),
            ])
    }

    static func contain(
        _ localID: String, of authorID: String, source: String, in conversation: ConversationID, _ db: any SQLSession
    ) throws -> Bool {
        try db.number(
            "SELECT 1 FROM spent_local_ids WHERE conversation_id = ? AND mark = ?",
            [conversation.rawValue, mark(source: source, authorID: authorID, localID: localID)]) != nil
    }

    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) of 64 bits; no id has a NUL.
    private static func mark(source: String, authorID: String, localID: String) -> Int64 {
        let bytes = [source, authorID, localID].joined(separator: "\0").utf8
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}
