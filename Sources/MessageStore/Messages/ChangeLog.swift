import ChatCore
import GRDB

/// What a row of `changes` tells of.
enum ChangeKind: Int {
    case conversation = 1
    case message = 2
    case embedded = 3
    case retired = 4
    case generation = 5
    case items = 6
    case threads = 7
}

/// Writes and reads the change sequence.
enum ChangeLog {
    static func append(
        _ kind: ChangeKind, conversation: Int64? = nil, message: Int64? = nil, passage: Int64? = nil,
        generation: Int64? = nil, to db: Database
    ) throws {
        try db.run(
            "INSERT INTO changes (kind, conversation, message, passage, generation) VALUES (?, ?, ?, ?, ?)",
            [kind.rawValue, conversation, message, passage, generation])
    }

    static func latest(in db: Database) throws -> ChangeNumber {
        ChangeNumber(rawValue: try db.number("SELECT MAX(number) FROM changes") ?? 0)
    }

    static let selection = """
        SELECT e.number, e.kind, c.id, m.id, e.passage, e.generation FROM changes e
        LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN messages m ON m.number = e.message
        WHERE e.number > ? ORDER BY e.number LIMIT ?
        """

    static func change(_ row: Row) throws -> Change {
        Change(
            number: ChangeNumber(rawValue: row[0]),
            conversationID: (row[2] as String?).map { ConversationID(rawValue: $0) }, subject: try subject(row))
    }

    private static func subject(_ row: Row) throws -> Change.Subject {
        let passage = PassageNumber(rawValue: row[4] ?? 0)
        let generation = GenerationNumber(rawValue: row[5] ?? 0)
        switch ChangeKind(rawValue: row[1]) {
        case .conversation: return .conversation
        case .message: return .message(row.identifier(3))
        case .embedded: return .embedded(passage, generation)
        case .retired: return .retired(passage)
        case .generation: return .generation(generation)
        case .items: return .items
        case .threads: return .threads
        case nil: throw RepositoryError.unavailable(reason: "a stored change is of an unknown kind")
        }
    }
}
