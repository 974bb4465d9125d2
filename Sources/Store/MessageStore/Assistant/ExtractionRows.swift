import ChatCore

/// A running extraction.
///
/// All that it begins with is read by the id of its lease, so that with PostgreSQL it costs one round trip.
struct ExtractionRows {
    private let db: any SQLSession
    private let lease: ExtractionLease
    private let conversation: Int64
    private let watermark: Int64
    private let isLimited: Bool

    /// - Throws: ``RepositoryError/extractionUnderWay(_:)`` if the lease has ended.
    init(db: any SQLSession, lease: ExtractionLease) throws {
        let row = try Self.row(of: lease, in: db)
        guard let row else { throw RepositoryError.extractionUnderWay(lease.conversationID) }
        (self.db, self.lease) = (db, lease)
        (conversation, watermark, isLimited) = (row[0], row[1], row[2])
    }

    /// Returns who may read which times; nil if the history is not limited.
    private func readers() throws -> SpanReaders? {
        isLimited ? ReadingSpanRows.readers(try Self.spans(lease, db)) : nil
    }

    /// Begins a lease, if the asker sees the conversation and no other lease is valid there; does nothing otherwise.
    static func take(
        _ lease: ExtractionLease, for asker: UserID, until end: Timestamp, at moment: Timestamp, in db: any SQLSession
    ) throws {
        try db.run(
            """
            INSERT INTO extractions (conversation, kind, lease_id, leased_until)
            SELECT c.number, ?4, ?5, ?6 FROM conversations c WHERE c.id = ?3 AND \(Permission.sees)
            ON CONFLICT (conversation, kind) DO UPDATE SET lease_id = excluded.lease_id,
                leased_until = excluded.leased_until
            WHERE extractions.lease_id IS NULL OR extractions.leased_until IS NULL OR extractions.leased_until <= ?2
            """,
            [
                asker.rawValue, moment.microseconds, lease.conversationID.rawValue, lease.kind.rawValue, lease.id,
                end.microseconds,
            ])
    }

    /// Reads what ``init(db:lease:)`` and ``batch(limit:contextLimit:)`` need.
    static func prepare(
        _ db: any SQLSession, _ lease: ExtractionLease, _ limit: Int, contextLimit: Int
    ) throws {
        try db.ahead(
            { _ = try row(of: lease, in: db) }, { _ = try spans(lease, db) }, { _ = try changed(limit, lease, db) },
            { _ = try messages(limit, lease, db) }, { _ = try ChangeLog.end(in: db) },
            { _ = try known(lease, db) }, { _ = try context(limit, contextLimit, lease, db) })
    }

    func batch(limit: Int, contextLimit: Int) throws -> ExtractionBatch {
        let changed = try Self.changed(limit, lease, db)
        let read = try Self.messages(limit, lease, db)
        let readers = try readers()
        let beginning = changed.prefix(readers.map { Self.count(of: changed, read, with: $0) } ?? changed.count)
        let included = Set(beginning.map { $0[1] as Int64 })
        let messages = read.filter { included.contains($0.number) && $0.message.isEmbeddable }
        let isLast = changed.count < max(1, limit) && beginning.count == changed.count
        let last: Int64 = beginning.last?[0] ?? watermark
        let end = isLast ? try ChangeLog.latest(in: db).rawValue : last
        var context: [StoredMessage] = []
        if let first = messages.first {
            context =
                first.number == read.first?.number
                ? try Self.context(limit, contextLimit, lease, db) : try self.context(before: first, contextLimit)
        }
        var batch = ExtractionBatch(
            messages: messages.map(\.message), context: context.reversed().map(\.message).filter(\.isEmbeddable),
            known: try Self.known(lease, db).map(ItemRows.item), end: try ChangeLog.cursor(at: end, in: db),
            isLast: isLast)
        if let readers { batch.leaveOut(whatReadersMiss: readers) }
        return batch
    }

    /// Returns the known items that a person who sees the conversation may see, without dismissed ones.
    func items(of reader: UserID) throws -> [ExtractedItem] {
        let spans = try readers()?.spans(of: reader)
        return try Self.known(lease, db).compactMap { try ItemRows.readable($0, at: spans) }.filter { !$0.isDismissed }
    }

    /// Returns the messages of shown items that a reader may see.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - limit: The limit of ``knownMessages(_:_:_:)`` that was asked for before.
    ///   - reader: A person who sees the conversation.
    /// - Returns: The messages of the items.
    /// - Throws: Storage errors.
    func messages(
        of items: ArraySlice<ExtractedItem>, _ limit: Int, for reader: UserID
    ) throws -> [MessageKey: Message] {
        let spans = try readers()?.spans(of: reader)
        let stored = try Self.knownMessages(lease, limit, db)
        var known = Dictionary(stored.map { ($0.message.key, $0.message) }) { first, _ in first }
        let missing = Set(items.map(\.key)).subtracting(known.keys)
        for case let found? in try db.together(missing, { try StoredMessage.find($0, in: db) }) {
            known[found.message.key] = found.message
        }
        let wanted = Set(items.map(\.key))
        return known.filter { key, message in
            wanted.contains(key) && message.deletedAt == nil && spans?.contains(message.timestamp) ?? true
        }
    }

    /// Reads what ``apply(_:at:)`` needs, as far as it is known before.
    static func prepare(_ db: any SQLSession, _ changes: ItemChanges) throws {
        let notifications = NotificationRows(db: db)
        let tasks = (changes.added + changes.changed).filter { $0.kind == .actionItem }
        try db.ahead(
            { _ = try ItemRows.removable(changes.removedIDs, in: db) },
            { _ = try db.together(changes.added) { try StoredMessage.find($0.key, in: db) } },
            { _ = try db.together(changes.changed) { try ItemRows.row(of: $0.id, in: db) } },
            { _ = try db.together(tasks) { try notifications.place(of: $0) } })
    }

    func apply(_ changes: ItemChanges, at moment: Timestamp) throws {
        var rows = ItemRows(db: db, conversation: conversation)
        for removable in try ItemRows.removable(changes.removedIDs, in: db) { try rows.remove(removable) }
        let added = changes.added.filter { $0.kind == lease.kind && $0.key.conversationID == lease.conversationID }
        let messages = try db.together(added) { try StoredMessage.find($0.key, in: db) }
        let changed = try db.together(changes.changed) { try ItemRows.row(of: $0.id, in: db) }
        var edits: [Edit] = []
        for case (let item, let stored?) in zip(added, messages) where stored.message.deletedAt == nil {
            edits.append(Edit(item: item, before: nil, message: stored.number))
        }
        for case (let item, let row?) in zip(changes.changed, changed) {
            let before = try ItemRows.item(row)
            edits.append(Edit(item: before.taking(item), before: before, message: nil))
        }
        // Before the first write, because a write makes the answers to reads of its table invalid.
        let notifications = NotificationRows(db: db)
        let recipients = try db.together(edits) { try notifications.recipient(of: $0.item, before: $0.before, by: nil) }
        var told: Set<Recipient> = []
        for (edit, recipient) in zip(edits, recipients) {
            if let message = edit.message {
                try rows.insert(edit.item, message: message)
            } else {
                try rows.update(edit.item)
            }
            // A person is told once of a message with two tasks.
            let isFirst = recipient.map {
                told.insert(Recipient(user: edit.item.personID, message: $0.message)).inserted
            }
            try rows.notify(
                of: edit.item, before: edit.before, telling: isFirst == true ? recipient : nil, at: moment)
        }
    }

    /// An item that is inserted or updated.
    private struct Edit {
        let item: ExtractedItem
        /// Nil for a new one.
        let before: ExtractedItem?
        /// The number of the message of a new one.
        let message: Int64?
    }

    private struct Recipient: Hashable {
        let user: UserID?
        let message: Int64
    }
}

/// The statements.
extension ExtractionRows {
    private static func row(of lease: ExtractionLease, in db: any SQLSession) throws -> SQLRow? {
        try db.row(
            """
            SELECT x.conversation, x.watermark, c.history <> 'all'
            FROM extractions x JOIN conversations c ON c.number = x.conversation WHERE x.lease_id = ?
            """, [lease.id])
    }

    /// The conversation of a lease; value 1 is its id.
    private static let place = "(SELECT x.conversation FROM extractions x WHERE x.lease_id = ?1)"

    private static func spans(_ lease: ExtractionLease, _ db: any SQLSession) throws -> [SQLRow] {
        try db.rows(ReadingSpanRows.ofConversation + place + ReadingSpanRows.order, [lease.id])
    }

    /// The changes of messages after those that were read.
    ///
    /// Values: the lease, the kind of change, the limit.
    private static let changes = """
        FROM changes e WHERE e.number > (SELECT x.watermark FROM extractions x WHERE x.lease_id = ?1)
            AND e.conversation = \(place)
            AND e.kind = ?2 AND e.message IS NOT NULL ORDER BY e.number LIMIT ?3
        """

    private static func values(_ limit: Int, _ lease: ExtractionLease) -> [SQLArgument] {
        [lease.id, ChangeKind.message.rawValue, max(1, limit)]
    }

    /// The numbers of the messages of ``changes``.
    private static let changedMessages = "(SELECT * FROM (SELECT e.message \(changes)) AS changed)"

    /// Returns the changes of messages after those that were read: each with its number and the message's.
    private static func changed(_ limit: Int, _ lease: ExtractionLease, _ db: any SQLSession) throws -> [SQLRow] {
        try db.rows("SELECT e.number, e.message \(changes)", values(limit, lease))
    }

    /// Returns the messages of ``changed(_:_:_:)`` that are not deleted, by time.
    private static func messages(
        _ limit: Int, _ lease: ExtractionLease, _ db: any SQLSession
    ) throws -> [StoredMessage] {
        try db.rows(
            """
            SELECT \(StoredMessage.foundColumns) FROM messages m CROSS JOIN conversations c ON c.number = m.conversation
            WHERE m.number IN \(changedMessages) AND m.deleted_at IS NULL
            """, values(limit, lease)
        ).map(StoredMessage.init)
            .sorted { ($0.message.timestamp, $0.number) < ($1.message.timestamp, $1.number) }
    }

    /// Returns the messages before the first one of ``messages(_:_:_:)``, the newest first.
    private static func context(
        _ limit: Int, _ contextLimit: Int, _ lease: ExtractionLease, _ db: any SQLSession
    ) throws -> [StoredMessage] {
        try db.rows(
            """
            SELECT \(StoredMessage.columns) FROM messages m CROSS JOIN conversations c ON c.number = m.conversation
            WHERE m.conversation = \(place) AND m.deleted_at IS NULL AND (m.timestamp, m.number) < (
                SELECT f.timestamp, f.number FROM messages f
                WHERE f.number IN \(changedMessages) AND f.deleted_at IS NULL
                ORDER BY f.timestamp, f.number LIMIT 1)
            ORDER BY m.timestamp DESC, m.number DESC LIMIT ?4
            """, values(limit, lease) + [max(0, contextLimit)]
        ).map(StoredMessage.init)
    }

    private func context(before first: StoredMessage, _ limit: Int) throws -> [StoredMessage] {
        try db.rows(
            SQLStore.pageSQL,
            [lease.conversationID.rawValue, first.message.timestamp.microseconds, first.number, max(0, limit)]
        ).map(StoredMessage.init)
    }

    /// Returns the rows of the known items, dismissed ones too.
    private static func known(_ lease: ExtractionLease, _ db: any SQLSession) throws -> [SQLRow] {
        try db.rows(
            ItemRows.selection + "WHERE i.conversation = \(place) AND i.kind = ?2 ORDER BY i.number",
            [lease.id, lease.kind.rawValue])
    }

    /// Returns the messages of the newest known items that are open and valid.
    static func knownMessages(
        _ lease: ExtractionLease, _ limit: Int, _ db: any SQLSession
    ) throws -> [StoredMessage] {
        try db.rows(
            """
            SELECT \(StoredMessage.columns) FROM messages m CROSS JOIN conversations c ON c.number = m.conversation
            WHERE m.number IN (SELECT * FROM (
                SELECT i.message FROM items i WHERE i.conversation = \(place) AND i.kind = ?2 AND i.is_dismissed = 0
                    AND i.status = 'open' AND i.superseded_by IS NULL ORDER BY i.number DESC LIMIT ?3) AS shown)
            """, [lease.id, lease.kind.rawValue, max(0, limit)]
        ).map(StoredMessage.init)
    }

    /// Returns how many of the first changes may be read together: those whose messages have the same readers.
    private static func count(of changed: [SQLRow], _ read: [StoredMessage], with readers: SpanReaders) -> Int {
        let embeddable = read.filter(\.message.isEmbeddable)
        let times = Dictionary(embeddable.map { ($0.number, $0.message.timestamp) }) { first, _ in first }
        var first: Timestamp?
        let end = changed.firstIndex { row in
            guard let time = times[row[1]] else { return false }
            defer { first = first ?? time }
            return first.map { !readers.areSame(at: $0, and: time) } ?? false
        }
        return end ?? changed.count
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
