package import ChatCore

extension SQLStore {
    /// Begins an extraction.
    package func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        at moment: Timestamp
    ) async throws -> ExtractionLease {
        try await write { db in
            func held() throws -> Int64? {
                try db.number(
                    """
                    SELECT leased_until FROM extractions WHERE conversation = (SELECT number FROM conversations WHERE id = ?)
                        AND kind = ? AND lease_id IS NOT NULL
                    """, [id.rawValue, kind.rawValue])
            }
            try db.ahead(
                { _ = try Permission.number(of: id, for: asker, at: moment, in: db) }, { _ = try held() })
            let conversation = try Permission.number(of: id, for: asker, at: moment, in: db)
            if let held = try held(), held > moment.microseconds {
                throw RepositoryError.extractionUnderWay(id)
            }
            try db.run(
                """
                INSERT INTO extractions (conversation, kind, lease_id, leased_until) VALUES (?, ?, ?, ?)
                ON CONFLICT (conversation, kind) DO UPDATE SET lease_id = excluded.lease_id,
                    leased_until = excluded.leased_until
                """, [conversation, kind.rawValue, leaseID, end.microseconds])
            return ExtractionLease(id: leaseID, kind: kind, conversationID: id)
        }
    }

    /// Returns the next messages of a lease's extraction.
    package func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws
        -> ExtractionBatch
    {
        try await read { db in
            try ExtractionRows.prepare(db, lease, limit: limit)
            return try ExtractionRows(db: db, lease: lease).batch(limit: limit, contextLimit: contextLimit)
        }
    }

    /// Stores the items of a batch, and notes that it was read.
    package func commit(
        _ changes: ItemChanges, of lease: ExtractionLease, through cursor: ChangeCursor, until end: Timestamp?,
        at moment: Timestamp
    ) async throws {
        try await write { db in
            try db.ahead(
                { _ = try ExtractionRows(db: db, lease: lease) }, { try ExtractionRows.prepare(db, changes) })
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
            func rows(in id: ConversationID) throws -> [SQLRow] {
                try db.rows(ItemRows.list, [id.rawValue, kind.rawValue])
            }
            if case .only(let ids) = scope.conversations {
                try db.ahead(
                    { _ = try Permission.permitted(scope, at: moment, in: db) },
                    { _ = try db.together(ids) { try rows(in: $0) } })
            }
            let permitted = try Permission.permitted(scope, at: moment, in: db)
            return try db.together(permitted) { conversation in
                try rows(in: conversation.id).compactMap { try ItemRows.readable($0, at: conversation.spans) }
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
        let row = try Self.row(of: lease, in: db)
        guard let row else { throw RepositoryError.extractionUnderWay(lease.conversationID) }
        (self.db, self.lease) = (db, lease)
        (conversation, watermark) = (row[0], row[1])
    }

    private static func row(of lease: ExtractionLease, in db: any SQLSession) throws -> SQLRow? {
        try db.row("SELECT conversation, watermark FROM extractions WHERE lease_id = ?", [lease.id])
    }

    /// Reads what ``init(db:lease:)`` and the beginning of ``batch(limit:contextLimit:)`` need, by the id of the lease.
    static func prepare(_ db: any SQLSession, _ lease: ExtractionLease, limit: Int) throws {
        try db.ahead(
            { _ = try row(of: lease, in: db) }, { _ = try changed(limit, lease, db) },
            { _ = try messages(limit, lease, db) }, { _ = try ChangeLog.end(in: db) }, { _ = try known(lease, db) })
    }

    func batch(limit: Int, contextLimit: Int) throws -> ExtractionBatch {
        let changed = try Self.changed(limit, lease, db)
        let read = try Self.messages(limit, lease, db)
        let earliest = Self.ordered(read).first
        try db.ahead(
            { _ = try ReadingSpanRows(db: db).readers(of: conversation) },
            { _ = try context(before: earliest, contextLimit) })
        let readers = try ReadingSpanRows(db: db).readers(of: conversation)
        let beginning = changed.prefix(readers.map { Self.count(of: changed, read, with: $0) } ?? changed.count)
        let included = Set(beginning.map { $0[1] as Int64 })
        let messages = Self.ordered(read.filter { included.contains($0.number) })
        let isLast = changed.count < max(1, limit) && beginning.count == changed.count
        let last: Int64 = beginning.last?[0] ?? watermark
        let end = isLast ? try ChangeLog.latest(in: db).rawValue : last
        var batch = ExtractionBatch(
            messages: messages.map(\.message), context: try context(before: messages.first, contextLimit),
            known: try Self.known(lease, db), end: try ChangeLog.cursor(at: end, in: db), isLast: isLast)
        if let readers { batch.leaveOut(whatReadersMiss: readers) }
        return batch
    }

    /// Returns the changes of messages after those that were read: each with its number and the message's.
    private static func changed(_ limit: Int, _ lease: ExtractionLease, _ db: any SQLSession) throws -> [SQLRow] {
        try db.rows("SELECT e.number, e.message \(changes)", values(limit, lease))
    }

    /// The changes of messages after those that were read.
    ///
    /// Values: the lease, the kind of change, the limit.
    private static let changes = """
        FROM changes e WHERE e.number > (SELECT x.watermark FROM extractions x WHERE x.lease_id = ?1)
            AND e.conversation = (SELECT x.conversation FROM extractions x WHERE x.lease_id = ?1)
            AND e.kind = ?2 AND e.message IS NOT NULL ORDER BY e.number LIMIT ?3
        """

    private static func values(_ limit: Int, _ lease: ExtractionLease) -> [SQLArgument] {
        [lease.id, ChangeKind.message.rawValue, max(1, limit)]
    }

    /// Returns the messages of ``changed(_:_:_:)``.
    private static func messages(
        _ limit: Int, _ lease: ExtractionLease, _ db: any SQLSession
    ) throws -> [StoredMessage] {
        try db.rows(
            """
            SELECT \(StoredMessage.foundColumns) FROM messages m CROSS JOIN conversations c ON c.number = m.conversation
            WHERE m.number IN (SELECT * FROM (SELECT e.message \(changes)) AS changed) AND m.deleted_at IS NULL
            """, values(limit, lease)
        ).map(StoredMessage.init).filter { $0.message.isEmbeddable }
    }

    private static func ordered(_ messages: [StoredMessage]) -> [StoredMessage] {
        messages.sorted { ($0.message.timestamp, $0.number) < ($1.message.timestamp, $1.number) }
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

    private static func known(_ lease: ExtractionLease, _ db: any SQLSession) throws -> [ExtractedItem] {
        try db.rows(
            ItemRows.selection + """
                WHERE i.conversation = (SELECT x.conversation FROM extractions x WHERE x.lease_id = ?) AND i.kind = ?
                ORDER BY i.number
                """, [lease.id, lease.kind.rawValue]
        ).map(ItemRows.item)
    }

    private func context(before first: StoredMessage?, _ limit: Int) throws -> [Message] {
        guard let first else { return [] }
        return try db.rows(
            SQLStore.pageSQL,
            [lease.conversationID.rawValue, first.message.timestamp.microseconds, first.number, max(0, limit)]
        ).map { try StoredMessage($0).message }.filter(\.isEmbeddable).reversed()
    }

    /// Reads what ``apply(_:at:)`` needs, as far as it is known before.
    static func prepare(_ db: any SQLSession, _ changes: ItemChanges) throws {
        try db.ahead(
            { _ = try ItemRows.removable(changes.removedIDs, in: db) },
            { _ = try db.together(changes.added) { try StoredMessage.find($0.key, in: db) } },
            { _ = try db.together(changes.changed) { try ItemRows.row(of: $0.id, in: db) } })
    }

    func apply(_ changes: ItemChanges, at moment: Timestamp) throws {
        var rows = ItemRows(db: db, conversation: conversation)
        for removable in try ItemRows.removable(changes.removedIDs, in: db) { try rows.remove(removable) }
        let added = changes.added.filter { $0.kind == lease.kind && $0.key.conversationID == lease.conversationID }
        let messages = try db.together(added) { try StoredMessage.find($0.key, in: db) }
        for case (let item, let stored?) in zip(added, messages) where stored.message.deletedAt == nil {
            try rows.insert(item, message: stored.number)
            try rows.notify(of: item, before: nil, by: nil, at: moment)
        }
        for item in changes.changed {
            guard let row = try ItemRows.row(of: item.id, in: db) else { continue }
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
