package import ChatCore

extension SQLStore {
    /// Begins an extraction.
    ///
    /// Not among the transactions that write the log: a lease is not in it, and messages are read meanwhile.
    package func beginExtraction(
        of kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, leaseID: String, until end: Timestamp,
        reading limits: ExtractionLimits, at moment: Timestamp
    ) async throws -> ExtractionBeginning {
        let lease = ExtractionLease(id: leaseID, kind: kind, conversationID: id)
        return try await engine.writeAside(seesOneState: true) { db in
            try ExtractionRows.take(lease, for: asker, until: end, at: moment, in: db)
            let seeing = WritingRights.seeing(id, by: asker, at: moment)
            try db.ahead(
                { _ = try db.rows(seeing.sql, seeing.values) },
                { try ExtractionRows.prepare(db, lease, limits.messages, contextLimit: limits.context) },
                { _ = try ExtractionRows.knownMessages(lease, limits.known, db) },
                { _ = try Self.roster(of: id, in: db) })
            guard try db.row(seeing.sql, seeing.values) != nil else { throw RepositoryError.noSuchConversation(id) }
            let rows = try ExtractionRows(db: db, lease: lease)
            let batch = try rows.batch(limit: limits.messages, contextLimit: limits.context)
            return ExtractionBeginning(
                lease: lease, roster: try Self.roster(of: id, in: db), items: try rows.items(of: asker), batch: batch,
                knownMessages: try rows.messages(of: batch.shownItems(limit: limits.known), limits.known, for: asker))
        }
    }

    /// Returns the next messages of a lease's extraction.
    package func nextMessages(for lease: ExtractionLease, limit: Int, contextLimit: Int) async throws
        -> ExtractionBatch
    {
        try await read { db in
            try ExtractionRows.prepare(db, lease, limit, contextLimit: contextLimit)
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
            let found: [[ExtractedItem]]
            switch scope.conversations {
            case .all:
                found = try db.together(Permission.permitted(scope, at: moment, in: db)) { conversation in
                    try rows(in: conversation.id).compactMap { try ItemRows.readable($0, at: conversation.spans) }
                }
            case .only(let ids):
                func times(_ id: ConversationID) throws -> Permission.PermittedTimes? {
                    try Permission.times(of: id, for: scope.asker, at: moment, in: db)
                }
                try db.ahead(ids) { id in
                    try db.ahead({ _ = try times(id) }, { _ = try rows(in: id) })
                }
                found = try ids.map { id in
                    guard let times = try times(id) else { return [] }
                    return try rows(in: id).compactMap { try ItemRows.readable($0, at: times.spans) }
                }
            }
            return found.joined().sorted { $0.precedes($1) }
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
