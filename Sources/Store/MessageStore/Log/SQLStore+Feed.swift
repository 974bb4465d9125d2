package import ChatCore
import Foundation
import Synchronization

extension SQLStore {
    /// Returns the end of the change log.
    package func latestChange() async throws -> ChangeCursor {
        // This node may not know yet of a write at another node that the caller has seen there.
        if engine.hearsEveryWrite, let known = latest.newest { return known }
        return try await read { db in try ChangeLog.end(in: db) }
    }

    /// Returns when there are changes after a cursor, or when the store is closed.
    ///
    /// - Throws: `CancellationError`.
    package func waitForChange(after cursor: ChangeCursor) async throws {
        try await latest.wait(after: cursor)
    }

    /// Returns the changes after a cursor, at most `limit`.
    ///
    /// - Throws: ``RepositoryError/expiredCursor`` for a cursor of another log, one after the end of this log, or one
    ///   before changes that were removed.
    package func changes(after cursor: ChangeCursor, limit: Int) async throws -> ChangePage {
        try await read { db in
            func next() throws -> [SQLRow] {
                try db.rows(ChangeLog.selection, [cursor.positions.first?.rawValue, max(0, limit)])
            }
            // Whether the cursor can be used is asked in the same round trip.
            try db.ahead({ _ = try ChangeLogBounds(in: db) }, { _ = try next() })
            _ = try ChangeLog.start(of: cursor, in: db)
            let changes = try next().map(ChangeLog.change)
            if let last = changes.last {
                return ChangePage(changes: changes, end: try ChangeLog.cursor(at: last.number.rawValue, in: db))
            }
            // An erasure may have removed the last changes.
            return ChangePage(changes: [], end: limit > 0 ? try ChangeLog.end(in: db) : cursor)
        }
    }

    /// Returns passages of a generation with their vectors, by ascending number, those after `after`, at most `limit`.
    package func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        try await read { db in
            try db.rows(PassageRows.page, [generation.rawValue, after.rawValue, max(0, limit)])
                .map(PassageRows.indexed)
        }
    }

    /// Returns those of `numbers` that have a vector in a generation; by ascending number.
    package func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws
        -> [IndexedPassage]
    {
        try await read { db in try PassageRows.passages(numbers, of: generation, in: db) }
    }

    /// Returns the passages that messages have in a generation; by ascending number, unknown messages add none.
    package func passages(of messages: [MessageKey], in generation: GenerationNumber) async throws -> [PassageNumber] {
        try await read { db in
            let statements = messages.filter(\.isPossible).map { key in
                SQLStatement(
                    PassageRows.ofMessage,
                    [key.conversationID.rawValue, key.messageID.rawValue, generation.rawValue])
            }
            return Set(try db.rows(statements).joined().map { PassageNumber(rawValue: $0[0]) }).sorted()
        }
    }

    /// Returns messages by ascending number, those after `after`, at most `limit`; deleted ones without content.
    package func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage] {
        try await read { db in
            try db.rows(IndexedRows.page, [after.rawValue, max(0, limit)]).map(IndexedRows.message)
        }
    }

    /// Returns those of `keys` that exist, deleted ones without content; by ascending number.
    package func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage] {
        try await read { db in try IndexedRows.messages(keys, in: db) }
    }

    /// Returns the number of passages with a vector in a generation, and the end of the log at the same moment.
    package func census(of generation: GenerationNumber) async throws -> IndexCensus {
        try await read { db in
            IndexCensus(
                count: Int(try db.number(PassageRows.count, [generation.rawValue]) ?? 0),
                cursor: try ChangeLog.end(in: db))
        }
    }

    /// Returns the number of messages with searchable content, and the end of the log at the same moment.
    package func messageCensus() async throws -> IndexCensus {
        try await read { db in
            IndexCensus(
                count: Int(try db.number(IndexedRows.count) ?? 0), cursor: try ChangeLog.end(in: db))
        }
    }
}

/// The statements that read messages for the lexical index.
enum IndexedRows {
    private static let columns = """
        m.number, m.conversation, m.sender_id, m.sender_name, m.text, m.attachments, m.timestamp, m.thread_root_id,
        m.is_embeddable, c.time_zone
        """

    /// Values: the number after which it starts, the limit.
    static let page = """
        SELECT \(columns) FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.number > ? ORDER BY m.number LIMIT ?
        """

    /// Values: conversation, message.
    static let one = """
        SELECT \(columns) FROM messages m JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.id = ?
        """

    /// Returns the messages of keys, by ascending number.
    static func messages(_ keys: [MessageKey], in db: any SQLSession) throws -> [IndexedMessage] {
        let statements = keys.filter(\.isPossible).map { key in
            SQLStatement(one, [key.conversationID.rawValue, key.messageID.rawValue])
        }
        var found: [Int64: IndexedMessage] = [:]
        for row in try db.rows(statements).joined() { found[row[0]] = try message(row) }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Counts messages that have content.
    static let count = "SELECT COUNT(*) FROM messages WHERE is_embeddable = 1"

    static func message(_ row: SQLRow) throws -> IndexedMessage {
        IndexedMessage(
            number: MessageNumber(rawValue: row[0]), conversation: ConversationNumber(rawValue: row[1]),
            content: row[8] ? try content(row) : nil)
    }

    private static func content(_ row: SQLRow) throws -> IndexedMessage.Content {
        let (text, attachments) = (row[4] as String, try JSONColumn.list(row[5]) as [Message.Attachment])
        return IndexedMessage.Content(
            senderID: row.identifier(2), senderName: row[3],
            text: Message.searchableText(text, attachments: attachments), timestamp: row.moment(6),
            timeZone: row[9], threadRootID: (row[7] as String?).map { MessageID(rawValue: $0) },
            kinds: ContentKinds(text: text, attachments: attachments))
    }
}

/// The statements that read passages for the indexes.
enum PassageRows {
    private static let selection = """
        SELECT p.number, m.conversation, c.id, m.id, m.sender_id, m.timestamp, v.components, m.number
        FROM passages p
        JOIN vectors v ON v.passage = p.number JOIN messages m ON m.number = p.message
        JOIN conversations c ON c.number = m.conversation
        """

    /// Values: generation, the number after which it starts, the limit.
    static let page = "\(selection) WHERE p.generation = ? AND p.number > ? ORDER BY p.number LIMIT ?"

    /// Values: generation, number.
    static let one = "\(selection) WHERE p.generation = ? AND p.number = ?"

    /// Values: conversation, message, generation.
    static let ofMessage = """
        SELECT p.number FROM messages m JOIN passages p ON p.message = m.number
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.id = ? AND p.generation = ?
        """

    /// As ``one``, for the passages of a message; values: generation, conversation, message.
    static let indexedOfMessage = """
        \(selection) WHERE p.generation = ?1 AND p.message = (SELECT x.number FROM messages x
            WHERE x.conversation = (SELECT number FROM conversations WHERE id = ?2) AND x.id = ?3)
        """

    /// Returns passages with vectors, by ascending number.
    static func passages(
        _ numbers: [PassageNumber], of generation: GenerationNumber, in db: any SQLSession
    ) throws -> [IndexedPassage] {
        let statements = Set(numbers).sorted().map { SQLStatement(one, [generation.rawValue, $0.rawValue]) }
        return try db.rows(statements).flatMap { try $0.map(indexed) }
    }

    /// Returns the passages with vectors that messages have.
    static func passages(
        of keys: [MessageKey], in generation: GenerationNumber, _ db: any SQLSession
    ) throws -> [IndexedPassage] {
        let statements = keys.filter(\.isPossible).map { key in
            SQLStatement(
                indexedOfMessage, [generation.rawValue, key.conversationID.rawValue, key.messageID.rawValue])
        }
        return try db.rows(statements).joined().map(indexed)
    }

    /// Values: generation, hash.
    static let ofContent = """
        SELECT v.components FROM passages p JOIN vectors v ON v.passage = p.number
        WHERE p.generation = ? AND p.content_hash = ? LIMIT 1
        """

    /// Counts passages, each of which has a vector; value: generation.
    static let count = "SELECT COUNT(*) FROM passages WHERE generation = ?"

    /// Finds any passage; value: generation.
    static let any = "SELECT number FROM passages WHERE generation = ? LIMIT 1"

    static func indexed(_ row: SQLRow) throws -> IndexedPassage {
        IndexedPassage(
            number: PassageNumber(rawValue: row[0]), conversation: ConversationNumber(rawValue: row[1]),
            message: MessageNumber(rawValue: row[7]),
            messageKey: MessageKey(conversationID: row.identifier(2), messageID: row.identifier(3)),
            senderID: row.identifier(4), timestamp: row.moment(5),
            vector: try VectorColumn.vector(row[6] ?? Data()))
    }
}
