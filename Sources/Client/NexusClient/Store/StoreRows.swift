import Foundation
import GRDB
import NexusModel

/// The rows of a store in one transaction.
struct StoreRows {
    /// What is needed of a row of `conversation`.
    struct Place {
        let number: Int64
        var head: Int64
        let resetAt: Int64
        let membersAt: Int64
    }

    let db: Database
    let revision: Int64
    var work = MessageStore.Work()
    var addedCount = 0
    /// Messages of a frame that belong into a gap and were left out.
    var skipped: [String] = []

    init(_ db: Database, revision: Int64 = 0) {
        self.db = db
        self.revision = revision
    }

    func run(_ sql: String, _ values: [(any DatabaseValueConvertible)?] = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    }

    func rows(_ sql: String, _ values: [(any DatabaseValueConvertible)?] = []) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: StatementArguments(values))
    }

    func row(_ sql: String, _ values: [(any DatabaseValueConvertible)?] = []) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: StatementArguments(values))
    }

    func text(_ key: String) throws -> String? { try row("SELECT value FROM meta WHERE key = ?", [key])?[0] }

    func number(_ key: String) throws -> Int64? { try text(key).flatMap { Int64($0) } }

    func set(_ key: String, _ value: String) throws {
        try run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, value])
    }

    /// Notes the position after a transaction.
    func set(cursor: FeedCursor) throws { try set("cursor", cursor.text) }

    func place(_ id: String) throws -> Place? {
        try row("SELECT number, head, resetAt, membersAt FROM conversation WHERE id = ?", [id]).map { row in
            Place(number: row[0], head: row[1], resetAt: row[2], membersAt: row[3])
        }
    }

    static func data(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

    static func value<Value: Decodable>(_ data: Data) throws -> Value {
        do { return try JSONDecoder().decode(Value.self, from: data) } catch { throw StoreError.damaged }
    }
}

/// Conversations.
extension StoreRows {
    /// Stores the entry of a conversation; returns its row and whether it is new.
    func store(_ entry: ChatConversation) throws -> (place: Place, isNew: Bool) {
        let body = try Self.data(entry)
        guard var place = try place(entry.id) else {
            let members = try Self.data(entry.members ?? [])
            try run(
                """
                INSERT INTO conversation (id, entry, members, head, readSeq, resetAt, membersAt)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, [entry.id, body, members, entry.head, entry.readSeq, revision, revision])
            return (
                Place(number: db.lastInsertedRowID, head: entry.head, resetAt: revision, membersAt: revision), true
            )
        }
        place.head = max(place.head, entry.head)
        try run(
            "UPDATE conversation SET entry = ?, head = ?, readSeq = ? WHERE number = ?",
            [body, place.head, entry.readSeq, place.number])
        if let members = entry.members { try store(members, of: place.number) }
        return (place, false)
    }

    func store(_ members: [ChatMember], of number: Int64) throws {
        try run(
            "UPDATE conversation SET members = ?, membersAt = ? WHERE number = ?",
            [try Self.data(members), revision, number])
    }

    /// Stores receipts.
    ///
    /// Those that changed after the revision `start` are newer, and all others are replaced; without
    /// `start` those that are not in `receipts` stay.
    func store(_ receipts: [ChatReceipt], replacingUpTo start: Int64?, of number: Int64) throws {
        if let start { try run("DELETE FROM receipt WHERE conversation = ? AND revision <= ?", [number, start]) }
        for receipt in receipts {
            try run(
                """
                INSERT INTO receipt (conversation, user, revision, body) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET revision = ?3, body = ?4 WHERE revision <= ?5
                """, [number, receipt.userId, revision, try Self.data(receipt), start ?? .max])
        }
    }

    /// Removes the messages of a conversation: what they were is not known any more.
    func unload(_ place: Place) throws {
        for table in ["message", "gap", "tombstone"] {
            try run("DELETE FROM \(table) WHERE conversation = ?", [place.number])
        }
        try run("UPDATE conversation SET resetAt = ? WHERE number = ?", [revision, place.number])
        try addGap(TimelinePosition(after: place.head), in: place.number)
    }

    /// Removes the words of deleted messages, which stay in the index until it is merged.
    func mergeWords() throws { try run("INSERT INTO words (words) VALUES ('optimize')") }

    /// Removes everything of a conversation, except messages that were not sent: they are the person's.
    ///
    /// - Returns: The ids of what is no longer in the queue: changes, and messages that the server has stored.
    /// - Throws: Errors of the database.
    func erase(_ id: String) throws -> [String] {
        if let place = try place(id) {
            for table in ["message", "gap", "tombstone", "receipt"] {
                try run("DELETE FROM \(table) WHERE conversation = ?", [place.number])
            }
            try run("DELETE FROM conversation WHERE number = ?", [place.number])
            try mergeWords()
        }
        try run("DELETE FROM draft WHERE conversation = ?", [id])
        try run("DELETE FROM mark WHERE conversation = ?", [id])
        let isOver = "conversation = ? AND (NOT isMessage OR state = 'sent')"
        let removed = try rows("SELECT localId FROM outbox WHERE \(isOver) ORDER BY number", [id])
        try run("DELETE FROM outbox WHERE \(isOver)", [id])
        return removed.map { $0[0] }
    }
}
