import ChatCore

/// A list whose changes are followed.
///
/// Each of its rows has the number of its last change; removed rows are noted in `removals`.
struct FollowedList {
    /// The kind of the list, as in `removals`.
    let name: String
    /// The conversation of the list; nil for a list across conversations.
    let conversation: Int64?
    /// The owner of the list; nil if all who may see the conversation share it.
    let owner: UserID?

    /// A conversation's items of a kind.
    static func items(of kind: ExtractedItem.Kind, in conversation: Int64) -> FollowedList {
        FollowedList(name: kind.rawValue, conversation: conversation, owner: nil)
    }

    /// A user's turns with the assistant of a conversation.
    static func exchange(of owner: UserID, in conversation: Int64) -> FollowedList {
        FollowedList(name: "turn", conversation: conversation, owner: owner)
    }

    /// A user's threads.
    static func threads(of owner: UserID) -> FollowedList {
        FollowedList(name: "thread", conversation: nil, owner: owner)
    }

    /// The rows of the list in `removals`; ``values`` are its values.
    private var condition: String {
        """
        list = ? AND conversation \(conversation == nil ? "IS NULL" : "= ?")
            AND owner_id \(owner == nil ? "IS NULL" : "= ?")
        """
    }

    private var values: [SQLArgument] {
        [name] + [conversation].compactMap(\.self) + [owner?.rawValue].compactMap(\.self)
    }

    /// Values: those of the list, the last known change.
    private var lastRemoval: String { "SELECT MAX(change) FROM removals WHERE \(condition) AND change > ?" }

    /// Values: those of the list, the last known change, the last change to report.
    var removed: String {
        "SELECT id FROM removals WHERE \(condition) AND change > ? AND change <= ? ORDER BY change, id"
    }

    /// The statements that read the rows of a list.
    struct Reading<Element: Hashable & Sendable> {
        /// The shown rows of the list, as FROM and WHERE.
        let rows: String
        /// The values of ``rows``.
        let values: [SQLArgument]
        /// Returns the elements whose change is after the first number and at most the second one, in order.
        let elements: (Int64, Int64) throws -> [Element]

        /// The change of the last row of a page; values: those of `rows`, the last known change, the limit minus 1.
        var pageEnd: String { FollowedList.pageEnd(rows) }

        /// The last change of a row; values: those of `rows`, the last known change.
        var lastChange: String { FollowedList.lastChange(rows) }
    }

    static func lastChange(_ rows: String) -> String {
        "SELECT change \(rows) AND change > ? ORDER BY change DESC LIMIT 1"
    }

    static func pageEnd(_ rows: String) -> String {
        "SELECT change \(rows) AND change > ? ORDER BY change LIMIT 1 OFFSET ?"
    }

    /// Returns the changes of the list after a position, or the whole list for nil; see ``ListChanges``.
    ///
    /// The end depends on the list's own changes only, so that a follower learns nothing of other changes in the store.
    func changes<Element>(
        after cursor: ChangeCursor?, limit: Int, in db: any SQLSession, _ reading: Reading<Element>
    ) throws -> ListChanges<Element> {
        // Rows of earlier versions have the number 0.
        let start = try cursor.map { try ChangeLog.number(of: $0, in: db) } ?? -1
        try db.ahead(
            { _ = try ChangeLog.end(in: db) },
            { _ = try db.number(reading.pageEnd, reading.values + [start, max(1, limit) - 1]) },
            { _ = try lastChange(after: start, in: db, reading) })
        let last = try db.number(reading.pageEnd, reading.values + [start, max(1, limit) - 1])
        let end = try last.map { max($0, 1) } ?? lastChange(after: start, in: db, reading) ?? max(start, 0)
        try db.ahead(
            { _ = try db.rows(self.removed, values + [start, end]) }, { _ = try reading.elements(start, end) })
        let removed = try db.rows(removed, values + [start, end]).map { $0.identifier(0) as Identifier<Element> }
        return ListChanges(
            items: try reading.elements(start, end), removedIDs: removed, next: try ChangeLog.cursor(at: end, in: db))
    }

    /// The list's own last change after `start`; nil when there is none.
    private func lastChange<Element>(
        after start: Int64, in db: any SQLSession, _ reading: Reading<Element>
    ) throws -> Int64? {
        try db.ahead(
            { _ = try db.number(reading.lastChange, reading.values + [start]) },
            { _ = try db.number(lastRemoval, values + [start]) })
        let ofRow = try db.number(reading.lastChange, reading.values + [start])
        let ofRemoval = try db.number(lastRemoval, values + [start])
        return [ofRow, ofRemoval].compactMap { $0 }.max().map { max($0, 1) }
    }
}

/// The entries of the change log for all list changes of one call, one for each owner; made when they are first needed.
struct FollowedChange {
    private let db: any SQLSession
    private let kind: ChangeKind
    private let conversation: Int64?
    private var made: [UserID?: Int64] = [:]

    init(_ kind: ChangeKind, conversation: Int64? = nil, in db: any SQLSession) {
        self.db = db
        self.kind = kind
        self.conversation = conversation
    }

    /// The number in the change log of the entry for an owner; nil for a list that belongs to nobody.
    mutating func number(of owner: UserID? = nil) throws -> Int64 {
        if let known = made[owner] { return known }
        try ChangeLog.append(kind, conversation: conversation, user: owner, to: db)
        let number = db.insertedNumber
        made[owner] = number
        return number
    }

    /// Notes that an element was removed from a list.
    mutating func logRemoval(of id: String, from list: FollowedList) throws {
        try db.run(
            "INSERT INTO removals (list, conversation, owner_id, change, id) VALUES (?, ?, ?, ?, ?)",
            [list.name, list.conversation, list.owner?.rawValue, try number(of: list.owner), id])
    }
}
