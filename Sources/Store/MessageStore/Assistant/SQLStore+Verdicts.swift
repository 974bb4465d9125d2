package import ChatCore

extension SQLStore {
    package func setVerdict(
        _ kind: ReplacementVerdict.Kind?, on subject: ReplacementVerdict.Subject, by user: UserID,
        at moment: Timestamp
    ) async throws {
        try await write { db in
            let rights = WritingRights(of: .trusted(user), at: moment, in: db)
            try db.ahead({ try rights.prepare(subject.older) }, { try rights.prepare(subject.newer) })
            let (older, newer) = (
                try rights.talk(subject.older, "message"), try rights.talk(subject.newer, "replacedBy")
            )
            guard (older.message.timestamp, older.number) < (newer.message.timestamp, newer.number) else {
                throw RepositoryError.invalid(field: "replacedBy", reason: "must be a later message than message")
            }
            if let range = subject.range, range.isEmpty || range.upperBound > older.message.shownText.utf16.count {
                throw RepositoryError.invalid(
                    field: "end", reason: "must be after start, and within the text of the message")
            }
            try VerdictRows(db: db).set(kind, on: older, subject.range, by: user, newer, at: moment)
        }
    }

    package func verdicts(
        on keys: [MessageKey], in scope: SearchScope, at moment: Timestamp
    ) async throws -> [ReplacementVerdict] {
        try await read { db in
            let keys = keys.filter(\.isPossible)
            func ofMessage(_ key: MessageKey) throws -> [SQLRow] {
                try db.rows(VerdictRows.ofMessage, [key.conversationID.rawValue, key.messageID.rawValue])
            }
            try db.ahead(
                { _ = try db.row(VerdictRows.any, []) }, { _ = try db.together(keys, ofMessage) })
            // Many teams correct nothing: the messages need not be looked up.
            guard !keys.isEmpty, try db.row(VerdictRows.any, []) != nil else { return [] }
            let found = try zip(keys, try db.together(keys, ofMessage)).flatMap { key, rows in
                try rows.reversed().map { (older: key, row: $0, newer: try StoredMessage($0)) }
            }
            guard !found.isEmpty else { return [] }
            let places = Set(found.map(\.newer.message.key.conversationID))
            let wanted = scope.narrowed(to: places)
            let permitted = Dictionary(
                try Permission.permitted(wanted, at: moment, in: db).map { ($0.number.rawValue, $0) },
                uniquingKeysWith: { first, _ in first })
            var reading = MessageReading(reader: scope.asker, moment: moment, db: db)
            return try found.compactMap { older, row, newer in
                guard let conversation = permitted[newer.conversation], try !reading.hides(newer) else { return nil }
                return VerdictRows.verdict(row, on: older, newer.message, in: conversation)
            }
        }
    }

    package func verdicts(
        naming keys: [MessageKey]
    ) async throws -> [MessageKey: [MessageKey: ReplacementVerdict.Kind]] {
        try await read { db in
            let keys = keys.filter(\.isPossible)
            guard !keys.isEmpty, try db.row(VerdictRows.any, []) != nil else { return [:] }
            let found = try db.together(keys) { key in
                let rows = try db.rows(VerdictRows.byNewer, [key.conversationID.rawValue, key.messageID.rawValue])
                let verdicts = rows.map { (row: SQLRow) -> (MessageKey, ReplacementVerdict.Kind) in
                    let older = MessageKey(conversationID: key.conversationID, messageID: row.identifier(0))
                    return (older, row[1] ? .replaced : .holds)
                }
                return (key, Dictionary(verdicts, uniquingKeysWith: { _, last in last }))
            }
            return Dictionary(found.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension WritingRights {
    /// Returns a message of a person or a program that the writer sees.
    fileprivate func talk(_ key: MessageKey, _ field: String) throws -> StoredMessage {
        let stored = try seen(key)
        guard stored.message.deletedAt == nil else { throw RepositoryError.noSuchMessage(key) }
        guard stored.message.kind.isTalk else {
            throw RepositoryError.invalid(field: field, reason: "must be a message of a person or a program")
        }
        return stored
    }
}

/// The rows of `replacement_verdicts`, within one transaction.
struct VerdictRows {
    /// The most verdicts on a message that are read, the last ones, also those whose later message the reader does not see.
    private static let readLimit = 1_024
    /// The most verdicts of a person on a message.
    private static let personLimit = 64

    let db: any SQLSession

    static let any = "SELECT 1 FROM replacement_verdicts LIMIT 1"

    /// The verdicts on a message, the last one first; values: conversation's id, message's id.
    static let ofMessage = """
        SELECT \(StoredMessage.columns), v.is_replaced, v.range_start, v.range_end, v.user_id, v.said_at, (
            SELECT p.display_name FROM members p WHERE p.conversation = o.conversation AND p.user_id = v.user_id)
        FROM messages o CROSS JOIN replacement_verdicts v ON v.older = o.number
        CROSS JOIN messages m ON m.number = v.newer CROSS JOIN conversations c ON c.number = m.conversation
        WHERE o.conversation = (SELECT number FROM conversations WHERE id = ?) AND o.id = ? AND m.deleted_at IS NULL
        ORDER BY v.said_at DESC, v.user_id DESC, v.newer DESC, v.range_start DESC LIMIT \(readLimit)
        """

    /// The verdicts that name a later message, the last one last; values: conversation's id, message's id.
    static let byNewer = """
        SELECT m.id, v.is_replaced FROM messages n CROSS JOIN replacement_verdicts v ON v.newer = n.number
        CROSS JOIN messages m ON m.number = v.older
        WHERE n.conversation = (SELECT number FROM conversations WHERE id = ?) AND n.id = ?
            AND m.conversation = n.conversation AND m.deleted_at IS NULL
        ORDER BY v.said_at, v.user_id, v.range_start
        """

    static func verdict(
        _ row: SQLRow, on older: MessageKey, _ newer: Message, in conversation: PermittedConversation
    ) -> ReplacementVerdict {
        let start = StoredMessage.columnCount
        let (first, end): (Int, Int) = (row[start + 1], row[start + 2])
        let user: UserID = row.identifier(start + 3)
        let name: String? = row[start + 5]
        return ReplacementVerdict(
            row[start] ? .replaced : .holds, older: older, range: first < end ? first..<end : nil, newer: newer,
            in: conversation, by: user, named: name.flatMap { $0.isEmpty ? nil : $0 } ?? user.rawValue,
            at: row.moment(start + 4))
    }

    /// Removes the marks on answers that a person's verdicts made; their messages are compared again.
    func forgetMarks(by user: String) throws {
        let said = try db.rows(
            """
            SELECT DISTINCT v.older, v.newer, m.conversation FROM replacement_verdicts v
            CROSS JOIN messages m ON m.number = v.newer WHERE v.user_id = ? AND v.is_replaced = 1
            """, [user])
        let marks = OutdatedRows(db: db)
        for row in said {
            try marks.remove(older: row[0], newer: row[1])
            try ChangeLog.append(.message, conversation: row[2], message: row[1], to: db)
        }
    }

    /// The person's verdicts on two messages; values: the earlier message, the later one, the person.
    private static let own = """
        SELECT range_start FROM replacement_verdicts WHERE older = ? AND newer = ? AND user_id = ?
        """

    /// The number of a person's verdicts on a message; values: the message, the person.
    private static let ofPerson = "SELECT COUNT(*) FROM replacement_verdicts WHERE older = ? AND user_id = ?"

    /// Stores what a person says; see ``VerdictRepository/setVerdict(_:on:by:at:)``.
    func set(
        _ kind: ReplacementVerdict.Kind?, on older: StoredMessage, _ range: Range<Int>?, by user: UserID,
        _ newer: StoredMessage, at moment: Timestamp
    ) throws {
        let pair: [SQLArgument] = [older.number, newer.number, user.rawValue]
        let marks = OutdatedRows(db: db)
        try db.ahead(
            { _ = try db.rows(Self.own, pair) },
            { _ = try db.number(Self.ofPerson, [older.number, user.rawValue]) },
            { try marks.prepare(older: older.number, newer: newer.number) })
        let starts = try db.rows(Self.own, pair).map { $0[0] as Int }
        let gone = starts.filter { (range?.lowerBound ?? $0) == $0 }
        guard kind != nil || !gone.isEmpty else { return }
        let saidCount = Int(try db.number(Self.ofPerson, [older.number, user.rawValue]) ?? 0)
        guard kind == nil || saidCount - gone.count < Self.personLimit else {
            throw RepositoryError.invalid(
                field: "message", reason: "has \(Self.personLimit) verdicts by you: take some back first")
        }
        guard kind == nil || starts.count - gone.count < ReplacementVerdict.limit else {
            throw RepositoryError.invalid(
                field: "message", reason: "has \(ReplacementVerdict.limit) verdicts by you: give one without start")
        }
        // What a person took back no longer makes answers wrong, unless the comparison finds so.
        if kind != .replaced { try marks.remove(older: older.number, newer: newer.number) }
        for start in gone {
            try db.run(
                """
                DELETE FROM replacement_verdicts WHERE older = ? AND newer = ? AND user_id = ? AND range_start = ?
                """, pair + [start])
        }
        if let kind {
            try db.run(
                """
                INSERT INTO replacement_verdicts (older, newer, user_id, range_start, range_end, is_replaced, said_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                pair + [range?.lowerBound ?? 0, range?.upperBound ?? 0, kind == .replaced, moment.microseconds])
        }
        // Answers are compared with the later message again; its readers read it again, too.
        try ChangeLog.append(.message, conversation: newer.conversation, message: newer.number, to: db)
    }

    /// Whether the last verdict on two messages says that the earlier one still holds.
    func holds(older: Int64, newer: Int64) throws -> Bool {
        let row = try db.row(
            """
            SELECT is_replaced FROM replacement_verdicts WHERE older = ? AND newer = ?
            ORDER BY said_at DESC, user_id DESC, range_start DESC LIMIT 1
            """, [older, newer])
        return row.map { !($0[0] as Bool) } ?? false
    }

    /// Removes the verdicts on a message that is gone, or whose words are others.
    func forget(message: Int64) throws {
        try db.run("DELETE FROM replacement_verdicts WHERE older = ?1 OR newer = ?1", [message])
    }
}
