public import ChatCore
import Foundation
import GRDB

extension SQLiteStore {
    /// Returns the number of the newest change; 0 when there is none.
    public func latestChange() async throws -> ChangeNumber {
        try await read { db in
            ChangeNumber(rawValue: try db.number("SELECT MAX(number) FROM changes") ?? 0)
        }
    }

    /// Returns the changes after `number` in order, at most `limit`.
    public func changes(after number: ChangeNumber, limit: Int) async throws -> [Change] {
        try await read { db in
            try db.rows(ChangeLog.selection, [number.rawValue, max(0, limit)]).map(ChangeLog.change)
        }
    }

    /// Returns passages of a generation with their vectors, by ascending number, those after `after`, at most `limit`.
    public func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        try await read { db in
            try db.rows(PassageRows.page, [generation.rawValue, after.rawValue, max(0, limit)])
                .map(PassageRows.indexed)
        }
    }

    /// Returns those of `numbers` that (still) have a vector in a generation; by ascending number.
    public func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws
        -> [IndexedPassage]
    {
        try await read { db in
            try Set(numbers).sorted().compactMap { number in
                try db.row(PassageRows.one, [generation.rawValue, number.rawValue]).map(PassageRows.indexed)
            }
        }
    }
}

/// Passages as the indexes read them.
enum PassageRows {
    private static let selection = """
        SELECT p.number, m.conversation, c.id, m.id, m.sender_id, m.timestamp, v.components FROM passages p
        JOIN vectors v ON v.passage = p.number JOIN messages m ON m.number = p.message
        JOIN conversations c ON c.number = m.conversation
        """

    /// Values: generation, the number that it starts after, the most wanted.
    static let page = "\(selection) WHERE p.generation = ? AND p.number > ? ORDER BY p.number LIMIT ?"

    /// Values: generation, number.
    static let one = "\(selection) WHERE p.generation = ? AND p.number = ?"

    static func indexed(_ row: Row) throws -> IndexedPassage {
        IndexedPassage(
            number: PassageNumber(rawValue: row[0]), conversation: ConversationNumber(rawValue: row[1]),
            messageKey: MessageKey(conversationID: row.identifier(2), messageID: row.identifier(3)),
            senderID: row.identifier(4), timestamp: row.moment(5),
            vector: try row.withUnsafeData(atIndex: 6) { try VectorColumn.vector($0 ?? Data()) })
    }
}
