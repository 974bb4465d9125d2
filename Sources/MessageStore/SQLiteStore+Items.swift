public import ChatCore
import GRDB

extension SQLiteStore {
    /// Begins an extraction.
    public func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        at moment: Timestamp
    ) async throws -> ExtractionLease {
        try await write { db in
            let scope = SearchScope(asker: asker, conversations: .only([id]))
            guard let conversation = try Permission.permitted(scope, at: moment, in: db).first else {
                throw RepositoryError.noSuchConversation(id)
            }
            let values: [SQLValue] = [conversation.number.rawValue, kind.rawValue]
            let held = try db.number(
                "SELECT leased_until FROM extractions WHERE conversation = ? AND kind = ? AND lease_id IS NOT NULL",
                values)
            if let held, held > moment.microseconds {
                throw RepositoryError.extractionUnderWay(id)
            }
            try db.run(
                """
                INSERT INTO extractions (conversation, kind, lease_id, leased_until) VALUES (?, ?, ?, ?)
                ON CONFLICT (conversation, kind) DO UPDATE SET lease_id = excluded.lease_id,
                    leased_until = excluded.leased_until
                """, values + [leaseID, end.microseconds])
            return ExtractionLease(id: leaseID, kind: kind, conversationID: id)
        }
    }

    /// Returns what a lease's extraction reads next.
    public func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws
        -> ExtractionBatch
    {
        try await read { db in
            try ExtractionRows(db: db, lease: lease).batch(limit: limit, contextLimit: contextLimit)
        }
    }

    /// Stores what was found in a batch, and notes that it was read.
    public func commit(
        _ changes: ItemChanges, of lease: ExtractionLease, through number: ChangeNumber, until end: Timestamp,
        at moment: Timestamp
    ) async throws {
        try await write { db in
            let rows = try ExtractionRows(db: db, lease: lease)
            try rows.apply(changes)
            try db.run(
                "UPDATE extractions SET watermark = MAX(watermark, ?), leased_until = ? WHERE lease_id = ?",
                [number.rawValue, end.microseconds, lease.id])
        }
    }

    /// Ends an extraction.
    public func endExtraction(_ lease: ExtractionLease) async throws {
        try await write { db in
            try db.run("UPDATE extractions SET lease_id = NULL, leased_until = NULL WHERE lease_id = ?", [lease.id])
        }
    }

    /// Returns the items of a kind that a scope grants.
    public func items(of kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp) async throws
        -> [ExtractedItem]
    {
        try await read { db in
            try Permission.permitted(scope, at: moment, in: db).flatMap { conversation in
                try db.rows(
                    ItemRows.selection + "WHERE i.conversation = ? AND i.kind = ? AND i.is_dismissed = 0",
                    [conversation.number.rawValue, kind.rawValue]
                ).map(ItemRows.item)
            }.sorted { $0.precedes($1) }
        }
    }

    /// Changes an item for a person.
    public func edit(
        _ id: ItemID, _ edit: ItemEdit, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp
    ) async throws -> ExtractedItem {
        try await write { db in
            var item = try ItemRows.find(id, kind: kind, in: scope, at: moment, in: db)
            if let text = edit.text { item.text = try ItemRows.checked(text) }
            if let person = edit.personID {
                item.personID = person
                item.personName = try person.map { try ItemRows.name(of: $0, in: item.key.conversationID, db) }
            }
            if let due = edit.due { item.due = due }
            if let status = edit.status { item.status = status }
            item.editedFields.formUnion(edit.fields)
            try ItemRows.update(item, in: db)
            return item
        }
    }

    /// Takes an item away for a person.
    public func dismiss(_ id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp)
        async throws
    {
        try await write { db in
            var item = try ItemRows.find(id, kind: kind, in: scope, at: moment, in: db)
            item.isDismissed = true
            try ItemRows.update(item, in: db)
            try ItemRows.revive(supersededBy: item.id, in: db)
        }
    }
}

/// The rows of `items`.
enum ItemRows {
    static let selection = """
        SELECT i.id, i.kind, c.id, m.id, m.timestamp, i.text, i.person_name, i.person_id, i.due_at, i.priority, i.quote,
            i.status, i.superseded_by, i.edited, i.is_dismissed, i.extracted_at, i.conversation
        FROM items i JOIN messages m ON m.number = i.message JOIN conversations c ON c.number = i.conversation

        """

    static func item(_ row: Row) throws -> ExtractedItem {
        ExtractedItem(
            id: row.identifier(0), kind: try row.word(1),
            key: MessageKey(conversationID: row.identifier(2), messageID: row.identifier(3)), sentAt: row.moment(4),
            text: row[5], personName: row[6], personID: (row[7] as String?).map { UserID(rawValue: $0) },
            due: row.momentIfAny(8), priority: try row.word(9), quote: row[10], status: try row.word(11),
            supersededByID: (row[12] as String?).map { ItemID(rawValue: $0) },
            editedFields: Set(try JSONColumn.list(row[13])), isDismissed: row[14], extractedAt: row.moment(15))
    }

    /// Returns an item that a scope grants and that nobody took away.
    static func find(
        _ id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp, in db: Database
    ) throws -> ExtractedItem {
        guard ItemID(validating: id.rawValue) != nil,
            let row = try db.row(selection + "WHERE i.id = ? AND i.kind = ?", [id.rawValue, kind.rawValue]),
            try Permission.permits(row[16], scope, at: moment, in: db)
        else { throw RepositoryError.noSuchItem(id) }
        let item = try item(row)
        guard !item.isDismissed else { throw RepositoryError.noSuchItem(id) }
        return item
    }

    static func checked(_ text: String) throws -> String {
        let text = text.trimmingWhitespace()
        guard !text.isEmpty, text.utf8.count <= ExtractedItem.textByteLimit, !text.utf8.contains(0) else {
            throw RepositoryError.invalid(
                field: "text", reason: "must have 1 to \(ExtractedItem.textByteLimit) bytes")
        }
        return text
    }

    static func name(of user: UserID, in id: ConversationID, _ db: Database) throws -> String {
        let row = try db.row(
            """
            SELECT m.display_name FROM members m JOIN conversations c ON c.number = m.conversation
            WHERE c.id = ? AND m.user_id = ?
            """, [id.rawValue, user.rawValue])
        guard UserID(validating: user.rawValue) != nil, let row else {
            throw RepositoryError.invalid(field: "person", reason: "is no member of the conversation")
        }
        return row[0]
    }

    static func insert(_ item: ExtractedItem, conversation: Int64, message: Int64, in db: Database) throws {
        try db.run(
            """
            INSERT INTO items (id, kind, conversation, message, text, person_name, person_id, due_at, priority, quote,
                status, superseded_by, edited, is_dismissed, extracted_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                item.id.rawValue, item.kind.rawValue, conversation, message, item.text, item.personName,
                item.personID?.rawValue, item.due?.microseconds, item.priority.rawValue, item.quote,
                item.status.rawValue, item.supersededByID?.rawValue, try JSONColumn.text(item.editedFields.sorted()),
                item.isDismissed, item.extractedAt.microseconds,
            ])
    }

    static func update(_ item: ExtractedItem, in db: Database) throws {
        try db.run(
            """
            UPDATE items SET text = ?, person_name = ?, person_id = ?, due_at = ?, priority = ?, quote = ?, status = ?,
                superseded_by = ?, edited = ?, is_dismissed = ? WHERE id = ?
            """,
            [
                item.text, item.personName, item.personID?.rawValue, item.due?.microseconds, item.priority.rawValue,
                item.quote, item.status.rawValue, item.supersededByID?.rawValue,
                try JSONColumn.text(item.editedFields.sorted()), item.isDismissed, item.id.rawValue,
            ])
    }

    static func remove(_ id: ItemID, in db: Database) throws {
        try revive(supersededBy: id, in: db)
        try db.run("DELETE FROM items WHERE id = ?", [id.rawValue])
    }

    /// Makes decisions valid again whose successor goes.
    static func revive(supersededBy id: ItemID, in db: Database) throws {
        try db.run("UPDATE items SET superseded_by = NULL WHERE superseded_by = ?", [id.rawValue])
    }

    /// Follows a message that says something else now: what it does not say any more goes.
    static func follow(_ message: Message, number: Int64, in db: Database) throws {
        for row in try db.rows(selection + "WHERE i.message = ?", [number]) {
            var item = try item(row)
            let holdsQuote = !item.quote.isEmpty && message.searchableText.contains(item.quote)
            if message.deletedAt != nil || (!holdsQuote && item.editedFields.isEmpty && !item.isDismissed) {
                try remove(item.id, in: db)
            } else if !holdsQuote {
                item.quote = ""
                try update(item, in: db)
            }
        }
    }

    /// Takes a person out of all items.
    static func forget(_ user: String, in db: Database) throws {
        try db.run("UPDATE items SET person_id = NULL, person_name = NULL WHERE person_id = ?", [user])
    }
}

/// One extraction under way.
private struct ExtractionRows {
    let db: Database
    let lease: ExtractionLease
    let conversation: Int64
    let watermark: Int64

    init(db: Database, lease: ExtractionLease) throws {
        let row = try db.row("SELECT conversation, watermark FROM extractions WHERE lease_id = ?", [lease.id])
        guard let row else { throw RepositoryError.extractionUnderWay(lease.conversationID) }
        (self.db, self.lease) = (db, lease)
        (conversation, watermark) = (row[0], row[1])
    }

    func batch(limit: Int, contextLimit: Int) throws -> ExtractionBatch {
        let changed = try db.rows(
            """
            SELECT number, message FROM changes
            WHERE number > ? AND conversation = ? AND kind = ? AND message IS NOT NULL ORDER BY number LIMIT ?
            """, [watermark, conversation, ChangeKind.message.rawValue, max(1, limit)])
        let numbers = Set(changed.map { $0[1] as Int64 })
        let messages = try db.rows(StoredMessage.byNumbers, [JSONColumn.numbers(numbers)]).map(StoredMessage.init)
            .filter { $0.message.isEmbeddable }
            .sorted { ($0.message.timestamp, $0.number) < ($1.message.timestamp, $1.number) }
        let known = try db.rows(
            ItemRows.selection + "WHERE i.conversation = ? AND i.kind = ? ORDER BY i.number",
            [conversation, lease.kind.rawValue]
        ).map(ItemRows.item)
        let isLast = changed.count < max(1, limit)
        let last: Int64 = changed.last?[0] ?? watermark
        let end = isLast ? try ChangeLog.latest(in: db).rawValue : last
        return ExtractionBatch(
            messages: messages.map(\.message), context: try context(before: messages.first, contextLimit),
            known: known, end: ChangeNumber(rawValue: end), isLast: isLast)
    }

    private func context(before first: StoredMessage?, _ limit: Int) throws -> [Message] {
        guard let first else { return [] }
        return try db.rows(
            SQLiteStore.pageSQL, [conversation, first.message.timestamp.microseconds, first.number, max(0, limit)]
        ).map { try StoredMessage($0).message }.filter(\.isEmbeddable).reversed()
    }

    func apply(_ changes: ItemChanges) throws {
        for id in changes.removedIDs { try ItemRows.remove(id, in: db) }
        for item in changes.added where item.kind == lease.kind {
            guard item.key.conversationID == lease.conversationID,
                let stored = try StoredMessage.find(item.key, in: db),
                stored.message.deletedAt == nil
            else { continue }
            try ItemRows.insert(item, conversation: stored.conversation, message: stored.number, in: db)
        }
        for item in changes.changed {
            let row = try db.row(ItemRows.selection + "WHERE i.id = ?", [item.id.rawValue])
            guard let row else { continue }
            try ItemRows.update(try ItemRows.item(row).taking(item), in: db)
        }
    }
}
