import ChatCore

/// A conversation to which messages are added: what their rows depend on.
struct MessagePlace {
    let number: Int64
    let isDirect: Bool
    /// Whether its messages are not embedded.
    let isExcluded: Bool
    /// The position of the last live message; 0 if there is none.
    var lastSeq: Int64
    /// The members of a direct conversation, or those who want to be told of every message; nil if unknown.
    var listeners: [UserID]?

    private static let columns = "c.number, c.kind, c.is_excluded, c.head"

    /// Value: a list of ids.
    static let byIDs = """
        SELECT c.id, \(columns) FROM conversations c WHERE c.id IN (SELECT value FROM json_each(?, '$'))
        """

    /// Value: a list of ids of conversations.
    static let listeners = """
        SELECT c.id, m.user_id FROM conversations c CROSS JOIN members m ON m.conversation = c.number
        WHERE c.id IN (SELECT value FROM json_each(?1, '$')) AND c.kind = 'direct' AND m.left_at IS NULL
        UNION ALL
        SELECT c.id, p.user_id FROM conversations c CROSS JOIN preferences p ON p.conversation = c.number
        WHERE c.id IN (SELECT value FROM json_each(?1, '$')) AND c.kind <> 'direct'
            AND json_extract(p.content, '$.notifications') = 'all'
        """

    init(_ row: SQLRow, from start: Int) {
        number = row[start]
        isDirect = row[start + 1] == Conversation.Kind.direct.rawValue
        isExcluded = row[start + 2]
        lastSeq = row[start + 3]
    }

    /// Stores the positions of the last live messages.
    static func storePositions(of places: [MessagePlace], in db: any SQLSession) throws {
        try db.update("conversations", set: "head", where: "number", places.map { ($0.lastSeq, $0.number) })
    }

    static func find(_ number: Int64, in db: any SQLSession) throws -> MessagePlace? {
        try db.row("SELECT \(columns) FROM conversations c WHERE c.number = ?", [number])
            .map { MessagePlace($0, from: 0) }
    }
}
