import ChatCore

/// The rows of `items`.
///
/// All writes through one value share one entry in the change log, made with the first write.
struct ItemRows {
    private let db: any SQLSession
    private let conversation: Int64
    private var change: FollowedChange

    /// Begins to write items of a conversation.
    init(db: any SQLSession, conversation: Int64) {
        self.db = db
        self.conversation = conversation
        change = FollowedChange(.items, conversation: conversation, in: db)
    }

    static let selection = """
        SELECT i.id, i.kind, c.id, m.id, m.timestamp, i.text, i.person_name, i.person_id, i.due_at, i.priority, i.quote,
            i.status, i.superseded_by, i.edited, i.is_dismissed, i.extracted_at, i.conversation,
            (SELECT n.timestamp FROM items x JOIN messages n ON n.number = x.message WHERE x.id = i.superseded_by)
        FROM items i JOIN messages m ON m.number = i.message JOIN conversations c ON c.number = i.conversation

        """

    /// Values: the conversation's id, kind.
    static let list =
        selection + """
            WHERE i.conversation = (SELECT number FROM conversations WHERE id = ?) AND i.kind = ? AND i.is_dismissed = 0
            """

    /// Values: message.
    static let ofMessage = selection + "WHERE i.message = ?"

    /// Values: conversation, kind.
    static let followed = "FROM items WHERE conversation = ? AND kind = ? AND is_dismissed = 0"

    /// Values: conversation, kind, the last known change, the last change to report.
    static let changed =
        selection + """
            WHERE i.conversation = ? AND i.kind = ? AND i.change > ? AND i.change <= ? AND i.is_dismissed = 0
            ORDER BY i.change, i.number
            """

    /// Returns the changes of a conversation's items after a position.
    static func changes(
        of kind: ExtractedItem.Kind, in conversation: PermittedConversation, after cursor: ChangeCursor?, limit: Int,
        in db: any SQLSession
    ) throws -> ListChanges<ExtractedItem> {
        let values: [SQLArgument] = [conversation.number.rawValue, kind.rawValue]
        let reading = FollowedList.Reading(rows: followed, values: values) { start, end in
            try db.rows(changed, values + [start, end]).compactMap { try readable($0, at: conversation.spans) }
        }
        return try FollowedList.items(of: kind, in: conversation.number.rawValue)
            .changes(after: cursor, limit: limit, in: db, reading)
    }

    static func item(_ row: SQLRow) throws -> ExtractedItem {
        ExtractedItem(
            id: row.identifier(0), kind: try row.word(1),
            key: MessageKey(conversationID: row.identifier(2), messageID: row.identifier(3)), sentAt: row.moment(4),
            text: row[5], personName: row[6], personID: (row[7] as String?).map { UserID(rawValue: $0) },
            due: row.momentIfAny(8), priority: try row.word(9), quote: row[10], status: try row.word(11),
            supersededByID: (row[12] as String?).map { ItemID(rawValue: $0) },
            editedFields: Set(try JSONColumn.list(row[13])), isDismissed: row[14], extractedAt: row.moment(15))
    }

    /// Returns an item as the reader of these times may see it, nil if not at all: an item that replaces it may be one
    /// of another time.
    static func readable(_ row: SQLRow, at spans: ReadingSpans?) throws -> ExtractedItem? {
        var item = try item(row)
        guard item.isReadable(at: spans) else { return nil }
        if let spans, let successor = row.momentIfAny(17), !spans.contains(successor) { item.supersededByID = nil }
        return item
    }

    /// Returns an item that a scope grants and that is not dismissed, as it is stored and as its asker may see it.
    static func find(
        _ id: ItemID, kind: ExtractedItem.Kind, in scope: SearchScope, at moment: Timestamp, in db: any SQLSession
    ) throws -> (stored: ExtractedItem, shown: ExtractedItem, rows: ItemRows) {
        guard ItemID(validating: id.rawValue) != nil,
            let row = try db.row(selection + "WHERE i.id = ? AND i.kind = ?", [id.rawValue, kind.rawValue]),
            let place = try Permission.conversation(row[16], in: scope, at: moment, in: db)
        else { throw RepositoryError.noSuchItem(id) }
        guard let shown = try readable(row, at: place.spans), !shown.isDismissed else {
            throw RepositoryError.noSuchItem(id)
        }
        return (try item(row), shown, ItemRows(db: db, conversation: row[16]))
    }

    static func checked(_ text: String) throws -> String {
        let text = text.trimmingWhitespace()
        guard !text.isEmpty, text.utf8.count <= ExtractedItem.textByteLimit, !text.utf8.contains(0) else {
            throw RepositoryError.invalid(
                field: "text", reason: "must have 1 to \(ExtractedItem.textByteLimit) bytes")
        }
        return text
    }

    static func name(of user: UserID, in id: ConversationID, _ db: any SQLSession) throws -> String {
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

    mutating func insert(_ item: ExtractedItem, message: Int64) throws {
        try db.run(
            """
            INSERT INTO items (id, kind, conversation, message, text, person_name, person_id, due_at, priority, quote,
                status, superseded_by, edited, is_dismissed, extracted_at, change)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                item.id.rawValue, item.kind.rawValue, conversation, message, item.text, item.personName,
                item.personID?.rawValue, item.due?.microseconds, item.priority.rawValue, item.quote,
                item.status.rawValue, item.supersededByID?.rawValue, try JSONColumn.text(item.editedFields.sorted()),
                item.isDismissed, item.extractedAt.microseconds, try change.number(),
            ])
    }

    mutating func update(_ item: ExtractedItem) throws {
        try db.run(
            """
            UPDATE items SET text = ?, person_name = ?, person_id = ?, due_at = ?, priority = ?, quote = ?, status = ?,
                superseded_by = ?, edited = ?, is_dismissed = ?, change = ? WHERE id = ?
            """,
            [
                item.text, item.personName, item.personID?.rawValue, item.due?.microseconds, item.priority.rawValue,
                item.quote, item.status.rawValue, item.supersededByID?.rawValue,
                try JSONColumn.text(item.editedFields.sorted()), item.isDismissed, try change.number(),
                item.id.rawValue,
            ])
    }

    /// Lets notifications follow an item that a person changed.
    mutating func notify(
        of item: ExtractedItem, before: ExtractedItem, by editor: UserID, at moment: Timestamp
    ) throws {
        let recipient = try NotificationRows(db: db).recipient(of: item, before: before, by: editor)
        try notify(of: item, before: before, telling: recipient, at: moment)
    }

    /// Lets notifications follow a new or changed item.
    mutating func notify(
        of item: ExtractedItem, before: ExtractedItem?, telling recipient: NotificationRows.ItemRecipient?,
        at moment: Timestamp
    ) throws {
        try NotificationRows(db: db).follow(
            item, before: before, telling: recipient, change: try change.number(), at: moment)
    }

    /// Deletes an item; a missing one is no error.
    mutating func remove(_ id: ItemID) throws {
        for removable in try Self.removable([id], in: db) { try remove(removable) }
    }

    /// An item that is to be deleted.
    struct Removable {
        fileprivate let item: ExtractedItem
        fileprivate let isNotified: Bool
    }

    /// Reads items that are to be deleted; missing ones are left out.
    static func removable(_ ids: some Sequence<ItemID>, in db: any SQLSession) throws -> [Removable] {
        try db.together(ids) { id -> Removable? in
            let notifications = NotificationRows(db: db)
            try db.ahead({ _ = try row(of: id, in: db) }, { _ = try notifications.hasRow(of: id) })
            return try row(of: id, in: db).map {
                Removable(item: try item($0), isNotified: try notifications.hasRow(of: id))
            }
        }.compactMap(\.self)
    }

    static func row(of id: ItemID, in db: any SQLSession) throws -> SQLRow? {
        try db.row(selection + "WHERE i.id = ?", [id.rawValue])
    }

    mutating func remove(_ removable: Removable) throws {
        let item = removable.item
        // The removal of a dismissed item was noted before.
        if !item.isDismissed { try logRemoval(of: item) }
        if removable.isNotified {
            try NotificationRows(db: db).forget(item: item.id, change: try change.number())
        }
        try db.run("DELETE FROM items WHERE id = ?", [item.id.rawValue])
    }

    /// Notes that an item is no longer shown, and makes the decisions valid again that it superseded.
    mutating func logRemoval(of item: ExtractedItem) throws {
        try change.logRemoval(of: item.id.rawValue, from: .items(of: item.kind, in: conversation))
        try db.run(
            "UPDATE items SET superseded_by = NULL, change = ? WHERE superseded_by = ?",
            [try change.number(), item.id.rawValue])
    }

    /// Returns the items of a message.
    static func rows(of message: Int64, in db: any SQLSession) throws -> [SQLRow] { try db.rows(ofMessage, [message]) }

    /// Follows a change of a message: items whose quote it no longer holds are deleted or, if edited, lose the quote.
    mutating func follow(_ message: Message, number: Int64) throws {
        for row in try Self.rows(of: number, in: db) {
            var item = try Self.item(row)
            let holdsQuote = !item.quote.isEmpty && message.searchableText.contains(item.quote)
            if message.deletedAt != nil || (!holdsQuote && item.editedFields.isEmpty && !item.isDismissed) {
                try remove(item.id)
            } else if !holdsQuote, !item.quote.isEmpty {
                item.quote = ""
                try update(item)
            }
        }
    }

    /// Removes a person from all items.
    static func forget(_ user: String, in db: any SQLSession) throws {
        let items = try db.rows(selection + "WHERE i.person_id = ? ORDER BY i.number", [user])
        let groups = Dictionary(grouping: items, by: { $0[16] as Int64 }).sorted { $0.key < $1.key }
        for (conversation, items) in groups {
            try assign(items, to: nil, name: nil, in: conversation, db)
        }
    }

    /// Values: conversation, person.
    static let ofPerson = selection + "WHERE i.person_id = ?2 AND i.conversation = ?1 ORDER BY i.number"

    /// Gives a person's items in a conversation to another person, dismissed ones too.
    static func move(from old: UserID, to new: Member, in conversation: Int64, db: any SQLSession) throws {
        let items = try db.rows(ofPerson, [conversation, old.rawValue])
        try assign(items, to: new.userID, name: new.displayName, in: conversation, db)
    }

    private static func assign(
        _ items: [SQLRow], to user: UserID?, name: String?, in conversation: Int64, _ db: any SQLSession
    ) throws {
        var rows = ItemRows(db: db, conversation: conversation)
        for row in items {
            var item = try item(row)
            (item.personID, item.personName) = (user, name)
            try rows.update(item)
        }
    }
}
