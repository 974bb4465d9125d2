package import ChatCore

extension SQLStore {
    /// Begins an extraction.
    package func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        at moment: Timestamp
    ) async throws -> ExtractionLease {
        try await write { db in
            let conversation = try Permission.number(of: id, for: asker, at: moment, in: db)
            let values: [SQLArgument] = [conversation, kind.rawValue]
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

    /// Returns the next messages of a lease's extraction.
    package func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws
        -> ExtractionBatch
    {
        try await read { db in
            try ExtractionRows(db: db, lease: lease).batch(limit: limit, contextLimit: contextLimit)
        }
    }

    /// Stores the items of a batch, and notes that it was read.
    package func commit(
        _ changes: ItemChanges, of lease: ExtractionLease, through cursor: ChangeCursor, until end: Timestamp?,
        at moment: Timestamp
    ) async throws {
        try await write { db in
            let rows = try ExtractionRows(db: db, lease: lease)
            try rows.apply(changes, at: moment)
            // Two texts, because PostgreSQL finds no type for a value that is only compared with NULL.
            let ending = end == nil ? ", lease_id = NULL" : ""
            try db.run(
                """
                UPDATE extractions SET watermark = CASE WHEN watermark < ?1 THEN ?1 ELSE watermark END,
                    leased_until = ?2\(ending)
                WHERE lease_id = ?3
                """,
                [try ChangeLog.number(of: cursor, in: db), end?.microseconds, lease.id])
        }
    }

    /// Ends an extraction.
    package func endExtraction(_ lease: ExtractionLease) async throws {
        try await write { db in
            try db.run("UPDATE extractions SET lease_id = NULL, leased_until = NULL WHERE lease_id = ?", [lease.id])
        }
    }

    /// Returns the items of a kind that a scope grants.
    package func items(of kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp) async throws
        -> [ExtractedItem]
    {
        try await read { db in
            let permitted = try Permission.permitted(scope, at: moment, in: db)
            return try db.together(permitted) { conversation in
                try db.rows(ItemRows.list, [conversation.number.rawValue, kind.rawValue])
                    .compactMap { try ItemRows.readable($0, at: conversation.spans) }
            }.joined().sorted { $0.precedes($1) }
        }
    }

    /// Returns the changes of a conversation's items after a position.
    package func itemChanges(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, after cursor: ChangeCursor?, limit: Int,
        at moment: Timestamp
    ) async throws -> ListChanges<ExtractedItem> {
        try await read { db in
            let conversation = try Permission.conversation(id, for: asker, at: moment, in: db)
            return try ItemRows.changes(of: kind, in: conversation, after: cursor, limit: limit, in: db)
        }
    }

    /// Edits an item on behalf of a person.
    package func edit(
        _ id: ItemID, _ edit: ItemEdit, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp
    ) async throws -> ExtractedItem {
        try await write { db in
            let (before, shown, found) = try ItemRows.find(id, kind: kind, in: scope, at: moment, in: db)
            var rows = found
            var item = before
            if let text = edit.text { item.text = try ItemRows.checked(text) }
            if let person = edit.personID {
                item.personID = person
                item.personName = try person.map { try ItemRows.name(of: $0, in: item.key.conversationID, db) }
            }
            if let due = edit.due { item.due = due }
            if let status = edit.status { item.status = status }
            item.editedFields.formUnion(edit.fields)
            try rows.update(item)
            try rows.notify(of: item, before: before, by: scope.asker, at: moment)
            item.supersededByID = shown.supersededByID
            return item
        }
    }

    /// Dismisses an item on behalf of a person.
    package func dismiss(_ id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp)
        async throws
    {
        try await write { db in
            let (before, _, found) = try ItemRows.find(id, kind: kind, in: scope, at: moment, in: db)
            var rows = found
            var item = before
            item.isDismissed = true
            try rows.update(item)
            try rows.logRemoval(of: item)
            try rows.notify(of: item, before: before, by: scope.asker, at: moment)
        }
    }
}

/// A running extraction.
private struct ExtractionRows {
    let db: any SQLSession
    let lease: ExtractionLease
    let conversation: Int64
    let watermark: Int64

    init(db: any SQLSession, lease: ExtractionLease) throws {
        let row = try db.row("SELECT conversation, watermark FROM extractions WHERE lease_id = ?", [lease.id])
        guard let row else { throw RepositoryError.extractionUnderWay(lease.conversationID) }
        (self.db, self.lease) = (db, lease)
        (conversation, watermark) = (row[0], row[1])
    }

    func batch(limit: Int, contextLimit: Int) throws -> ExtractionBatch {
        try db.ahead(
            { _ = try self.messages(of: self.changed(limit)) },
            { _ = try ReadingSpanRows(db: db).readers(of: conversation) },
            { _ = try ChangeLog.latest(in: db) }, { _ = try known() })
        let changed = try self.changed(limit)
        let read = try self.messages(of: changed)
        let readers = try ReadingSpanRows(db: db).readers(of: conversation)
        let beginning = changed.prefix(readers.map { Self.count(of: changed, read, with: $0) } ?? changed.count)
        let included = Set(beginning.map { $0[1] as Int64 })
        let messages = read.filter { included.contains($0.number) }
            .sorted { ($0.message.timestamp, $0.number) < ($1.message.timestamp, $1.number) }
        let isLast = changed.count < max(1, limit) && beginning.count == changed.count
        let last: Int64 = beginning.last?[0] ?? watermark
        let end = isLast ? try ChangeLog.latest(in: db).rawValue : last
        var batch = ExtractionBatch(
            messages: messages.map(\.message), context: try context(before: messages.first, contextLimit),
            known: try known(), end: try ChangeLog.cursor(at: end, in: db), isLast: isLast)
        if let readers { batch.leaveOut(whatReadersMiss: readers) }
        return batch
    }

    /// Returns the changes of messages after those that were read: each with its number and the message's.
    private func changed(_ limit: Int) throws -> [SQLRow] {
        try db.rows(
            """
            SELECT number, message FROM changes
            WHERE number > ? AND conversation = ? AND kind = ? AND message IS NOT NULL ORDER BY number LIMIT ?
            """, [watermark, conversation, ChangeKind.message.rawValue, max(1, limit)])
    }

    private func messages(of changed: [SQLRow]) throws -> [StoredMessage] {
        let numbers = Set(changed.map { $0[1] as Int64 }).sorted()
        return try db.rows(StoredMessage.byNumbers, [numbers]).map(StoredMessage.init)
            .filter { $0.message.isEmbeddable }
    }

    /// Returns how many of the first changes may be read together: those whose messages have the same readers.
    private static func count(of changed: [SQLRow], _ read: [StoredMessage], with readers: SpanReaders) -> Int {
        let times = Dictionary(read.map { ($0.number, $0.message.timestamp) }) { first, _ in first }
        var first: Timestamp?
        let end = changed.firstIndex { row in
            guard let time = times[row[1]] else { return false }
            defer { first = first ?? time }
            return first.map { !readers.areSame(at: $0, and: time) } ?? false
        }
        return end ?? changed.count
    }

    private func known() throws -> [ExtractedItem] {
        try db.rows(
            ItemRows.selection + "WHERE i.conversation = ? AND i.kind = ? ORDER BY i.number",
            [conversation, lease.kind.rawValue]
        ).map(ItemRows.item)
    }

    private func context(before first: StoredMessage?, _ limit: Int) throws -> [Message] {
        guard let first else { return [] }
        return try db.rows(
            SQLStore.pageSQL,
            [lease.conversationID.rawValue, first.message.timestamp.microseconds, first.number, max(0, limit)]
        ).map { try StoredMessage($0).message }.filter(\.isEmbeddable).reversed()
    }

    func apply(_ changes: ItemChanges, at moment: Timestamp) throws {
        var rows = ItemRows(db: db, conversation: conversation)
        for id in changes.removedIDs { try rows.remove(id) }
        let added = changes.added.filter { $0.kind == lease.kind && $0.key.conversationID == lease.conversationID }
        let messages = try db.together(added) { try StoredMessage.find($0.key, in: db) }
        for case (let item, let stored?) in zip(added, messages) where stored.message.deletedAt == nil {
            try rows.insert(item, message: stored.number)
            try rows.notify(of: item, before: nil, by: nil, at: moment)
        }
        for item in changes.changed {
            let row = try db.row(ItemRows.selection + "WHERE i.id = ?", [item.id.rawValue])
            guard let row else { continue }
            let before = try ItemRows.item(row)
            let item = before.taking(item)
            try rows.update(item)
            try rows.notify(of: item, before: before, by: nil, at: moment)
        }
    }
}

extension ExtractionBatch {
    /// Leaves out of what the model reads what not everybody may read who may read the messages: what it finds is shown
    /// to all of these.
    fileprivate mutating func leaveOut(whatReadersMiss readers: SpanReaders) {
        guard let time = messages.first?.timestamp else { return }
        context.removeAll { !readers.mayRead($0.timestamp, whoeverReads: time) }
        unshownIDs = Set(known.filter { !readers.mayRead($0.sentAt, whoeverReads: time) }.map(\.id))
        apartIDs = Set(known.filter { !readers.areSame(at: $0.sentAt, and: time) }.map(\.id))
    }
}
