import ChatCore

/// The rows of `turns`, `turn_sources` and `turn_history`.
enum TurnRows {
    /// The beginning of a statement on `standing`: the turns that are based on a message.
    ///
    /// The message entered their prompt, alone or with its whole conversation, or the prompt of a turn in their
    /// history. Values: conversation, message.
    static let standing = """
        WITH RECURSIVE standing(number) AS (
            SELECT turn FROM turn_sources WHERE conversation_id = ?1 AND message_id = ?2
            UNION SELECT w.turn FROM conversations c JOIN messages m ON m.conversation = c.number AND m.id = ?2
                JOIN turn_conversations w ON w.conversation_id = c.id AND w.through >= m.number WHERE c.id = ?1
            UNION SELECT h.turn FROM standing s JOIN turn_history h ON h.earlier = s.number)

        """

    /// As ``standing``: the turns of a user that are based on a whole conversation, or on such a turn in their history.
    ///
    /// Values: conversation, asker.
    private static let standingOnWhole = """
        WITH RECURSIVE standing(number) AS (
            SELECT w.turn FROM turn_conversations w JOIN turns t ON t.number = w.turn
                WHERE w.conversation_id = ?1 AND t.asker_id = ?2
            UNION SELECT h.turn FROM standing s JOIN turn_history h ON h.earlier = s.number)

        """

    /// The turns of a user's exchange with the assistant of a conversation; values: conversation, owner.
    static let followed = """
        FROM turns WHERE thread = (SELECT h.number FROM threads h WHERE h.conversation_id = ? AND h.owner_id = ?)
        """

    /// Values: conversation, owner, the last known change, the last change to report.
    static let changed = """
        WHERE thread = (SELECT h.number FROM threads h WHERE h.conversation_id = ? AND h.owner_id = ?)
            AND change > ? AND change <= ? ORDER BY change, number
        """

    /// The end of a statement on `standing`: those of the turns that belong to a thread and still have texts, with the
    /// thread; one more value: whether all texts go.
    static let standingInThreads = """
        SELECT t.number, t.thread, t.asker_id FROM standing s CROSS JOIN turns t ON t.number = s.number
        WHERE t.thread IS NOT NULL AND (t.redaction IS NULL OR (?3 = 1 AND t.redaction <> 'source_deleted'))
        ORDER BY t.number
        """

    /// Reads what ``insert(_:trace:inOwnThread:in:)`` needs, apart from the thread.
    static func prepare(_ turn: Turn, in db: any SQLSession) throws {
        try db.ahead(
            { _ = try db.number(idNumber, [turn.id.rawValue]) }, { _ = try earlier(of: turn, in: db) },
            { _ = try TurnRedaction(of: turn, after: [], in: db) })
    }

    /// Stores a turn; `inOwnThread` says that its thread is known to be the asker's.
    static func insert(
        _ turn: Turn, trace: TurnTrace?, inOwnThread: Bool = false, in db: any SQLSession
    ) throws {
        let checked = inOwnThread ? nil : turn.threadID
        try db.ahead(
            { try prepare(turn, in: db) },
            { _ = try checked.map { try ThreadRows.number(of: $0, user: turn.askerID, in: db) } })
        guard try db.number(idNumber, [turn.id.rawValue]) == nil else {
            throw RepositoryError.conflict("a turn with this id exists")
        }
        _ = try checked.map { try ThreadRows.number(of: $0, user: turn.askerID, in: db) }
        let history = try earlier(of: turn, in: db)
        let redaction = try TurnRedaction(of: turn, after: history, in: db)
        try db.run(
            """
            INSERT INTO turns (id, asker_id, question, answer, asked_at, thread, redaction)
            VALUES (?, ?, ?, ?, ?, (SELECT h.number FROM threads h WHERE h.id = ?), ?)
            """,
            [
                turn.id.rawValue, turn.askerID.rawValue, redaction?.takesQuestion == true ? "" : turn.question,
                redaction == nil ? turn.answer : "", turn.askedAt.microseconds, turn.threadID?.rawValue,
                redaction?.reason.rawValue,
            ])
        let number = db.insertedNumber
        if let reply = turn.reply, redaction == nil { try TurnReplyRows.insert(reply, of: number, in: db) }
        try insertSources(of: turn, number: number, in: db)
        if let conversation = turn.wholeConversationID {
            try db.run(
                """
                INSERT INTO turn_conversations (turn, conversation_id, through)
                VALUES (?1, ?2, (SELECT COALESCE(MAX(m.number), 0) FROM messages m
                    JOIN conversations c ON c.number = m.conversation WHERE c.id = ?2))
                """, [number, conversation.rawValue])
        }
        for case let earlier? in history {
            try db.run("INSERT INTO turn_history (turn, earlier) VALUES (?, ?)", [number, earlier[0] as Int64])
        }
        if let trace, redaction == nil { try TurnTraceRows.insert(trace, of: number, in: db) }
        if let thread = turn.threadID {
            var change = FollowedChange(.threads, in: db)
            let entry = try change.number(of: turn.askerID)
            try db.run("UPDATE turns SET change = ? WHERE number = ?", [entry, number])
            try db.run(
                """
                UPDATE threads SET updated_at = CASE WHEN updated_at < ?1 THEN ?1 ELSE updated_at END, change = ?2
                WHERE id = ?3
                """,
                [turn.askedAt.microseconds, entry, thread.rawValue])
        }
    }

    private static let idNumber = "SELECT number FROM turns WHERE id = ?"

    /// Returns number and redaction of each turn that entered a turn's prompt; nil for a deleted one.
    private static func earlier(of turn: Turn, in db: any SQLSession) throws -> [SQLRow?] {
        try db.rows(
            Set(turn.historyIDs).map { id in
                SQLStatement(
                    "SELECT number, redaction FROM turns WHERE id = ? AND asker_id = ? AND question <> ''",
                    [id.rawValue, turn.askerID.rawValue])
            }
        ).map(\.first)
    }

    private static func insertSources(of turn: Turn, number: Int64, in db: any SQLSession) throws {
        for (rank, key) in turn.sourceKeys.enumerated() {
            try db.run(
                "INSERT INTO turn_sources (turn, rank, conversation_id, message_id) VALUES (?, ?, ?, ?)",
                [number, rank + 1, key.conversationID.rawValue, key.messageID.rawValue])
        }
    }

    /// Returns the turns in threads that are based on a message, without those that say nothing of it any more.
    static func standing(on key: MessageKey, includingEdited: Bool, in db: any SQLSession) throws -> [SQLRow] {
        try db.rows(
            standing + standingInThreads, [key.conversationID.rawValue, key.messageID.rawValue, includingEdited])
    }

    /// Removes question and answer from the turns that are based on a deleted message.
    static func redact(standingOn key: MessageKey, in db: any SQLSession) throws {
        try remove(standing, [key.conversationID.rawValue, key.messageID.rawValue], in: db)
    }

    /// Removes question and answer from a user's turns that are based on a whole conversation.
    static func redact(standingOnWhole conversation: ConversationID, of asker: UserID, in db: any SQLSession) throws {
        try remove(standingOnWhole, [conversation.rawValue, asker.rawValue], in: db)
    }

    /// Returns those who have turns that are based on a whole conversation.
    static func askers(ofWhole conversation: ConversationID, in db: any SQLSession) throws -> [UserID] {
        try db.rows(
            """
            SELECT DISTINCT t.asker_id FROM turn_conversations w JOIN turns t ON t.number = w.turn
            WHERE w.conversation_id = ? ORDER BY t.asker_id
            """, [conversation.rawValue]
        ).map { $0.identifier(0) }
    }

    private static func remove(_ standing: String, _ values: [SQLArgument], in db: any SQLSession) throws {
        try ThreadRows.log(turns: try db.rows(standing + standingInThreads, values + [true]), in: db)
        try db.run(
            standing + "DELETE FROM turn_hits WHERE turn IN (SELECT number FROM standing)", values)
        try db.run(
            standing + "DELETE FROM turn_shown WHERE turn IN (SELECT number FROM standing)", values)
        try db.run(
            standing + "DELETE FROM outdated_turns WHERE turn IN (SELECT number FROM standing)", values)
        try db.run(
            standing + """
                UPDATE turns SET question = '', answer = '', rating_reason = NULL, searched_question = NULL, trace = NULL,
                    reply = NULL, redaction = 'source_deleted' WHERE number IN (SELECT number FROM standing)
                """, values)
    }

    /// Removes the answer from the turns that are based on an edited message, and the question if it was asked there.
    static func redact(
        standingOnEdited stored: StoredMessage, at moment: Timestamp, in db: any SQLSession
    ) throws {
        let key = stored.message.key
        let values: [SQLArgument] = [key.conversationID.rawValue, key.messageID.rawValue]
        try ThreadRows.log(turns: try standing(on: key, includingEdited: false, in: db), in: db)
        let asks = try MentionRows.isMention(stored.number, in: db)
        try db.run(
            standing + """
                UPDATE turns SET answer = '', rating_reason = NULL, searched_question = NULL,
                    \(asks ? "question = ''," : "") redaction = COALESCE(redaction, 'source_edited')
                WHERE number IN (SELECT number FROM standing)
                """, values)
        try db.run(
            standing + """
                DELETE FROM outdated_turns WHERE turn IN (SELECT number FROM standing) AND newer <> older
                """, values)
        // The edited message is the answer to the question now; a question that was edited is none.
        if !asks { try db.run(markEdited, values + [stored.number, moment.microseconds]) }
    }

    /// Marks the turns that an edit made wrong; values: conversation's id, message's id, its number, the present time.
    private static let markEdited = """
        INSERT INTO outdated_turns (turn, newer, older, change, noted_at)
        SELECT DISTINCT t.number, e.number, e.number, t.change, CAST(?4 AS BIGINT)
        FROM turn_sources s CROSS JOIN turns t ON t.number = s.turn CROSS JOIN messages e ON e.number = ?3
        WHERE s.conversation_id = ?1 AND s.message_id = ?2 AND t.redaction = 'source_edited'
        ON CONFLICT DO NOTHING
        """

    /// Returns the number of a turn; if `user` is given, the user must be its asker.
    static func number(of id: TurnID, user: UserID?, in db: any SQLSession) throws -> Int64 {
        let row = try db.row("SELECT number, asker_id FROM turns WHERE id = ?", [id.rawValue])
        guard let row, user.map({ $0 == row.identifier(1) }) ?? true else { throw RepositoryError.noSuchTurn(id) }
        return row[0]
    }

    /// Returns a turn; if `user` is given, the user must be its asker.
    static func find(_ id: TurnID, user: UserID?, in db: any SQLSession) throws -> Turn {
        try db.ahead(
            { _ = try row(of: id, in: db) }, { try prepare(id, in: db) },
            { _ = try TurnReplyRows.shown(by: id, in: db) })
        guard let row = try row(of: id, in: db), user.map({ $0 == row.identifier(2) }) ?? true else {
            throw RepositoryError.noSuchTurn(id)
        }
        return try turn(row, in: db)
    }

    private static func row(of id: TurnID, in db: any SQLSession) throws -> SQLRow? {
        try db.row(selection("WHERE id = ?"), [id.rawValue, 1])
    }

    /// Deletes a turn.
    ///
    /// Turns whose prompt it entered inherit its messages and its history.
    static func remove(_ number: Int64, in db: any SQLSession) throws {
        let row = try db.row(
            """
            SELECT t.id, t.thread, h.owner_id, c.number FROM turns t JOIN threads h ON h.number = t.thread
            LEFT JOIN conversations c ON c.id = h.conversation_id WHERE t.number = ?
            """, [number])
        if let row {
            var change = FollowedChange(.threads, in: db)
            if let conversation: Int64 = row[3] {
                try change.logRemoval(of: row[0], from: .exchange(of: row.identifier(2), in: conversation))
            }
            try db.run(
                "UPDATE threads SET change = ? WHERE number = ?",
                [try change.number(of: row.identifier(2)), row[1] as Int64])
        }
        for statement in inheritance { try db.run(statement, [number]) }
        try db.run("DELETE FROM turns WHERE number = ?", [number])
    }

    /// Pass the sources of a turn to those whose prompt it entered; value: its number.
    private static let inheritance = [
        """
        INSERT INTO turn_sources (turn, rank, conversation_id, message_id)
        SELECT h.turn, (SELECT COALESCE(MAX(o.rank), 0) FROM turn_sources o WHERE o.turn = h.turn) + s.rank,
            s.conversation_id, s.message_id
        FROM turn_history h JOIN turn_sources s ON s.turn = h.earlier WHERE h.earlier = ?
        """,
        """
        INSERT INTO turn_conversations (turn, conversation_id, through)
        SELECT h.turn, w.conversation_id, w.through
        FROM turn_history h JOIN turn_conversations w ON w.turn = h.earlier WHERE h.earlier = ?
        ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO turn_history (turn, earlier)
        SELECT h.turn, e.earlier FROM turn_history h JOIN turn_history e ON e.turn = h.earlier WHERE h.earlier = ?
        ON CONFLICT DO NOTHING
        """,
    ]

    /// Values: the thread's id and its owner, or the asker.
    static func owned(inThread: Bool) -> String {
        inThread ? "WHERE thread = \(ThreadRows.numberOfID) " : "WHERE asker_id = ? "
    }

    /// Values: the thread's id and its owner, or the asker; for later pages time and number of the turn before which it begins.
    static func page(inThread: Bool, isFirst: Bool) -> String {
        owned(inThread: inThread) + (isFirst ? "" : "AND (asked_at, number) < (?, ?) ")
            + "ORDER BY asked_at DESC, number DESC"
    }

    static func selection(_ condition: String) -> String {
        """
        SELECT number, id, asker_id, question, answer, asked_at,
            (SELECT h.id FROM threads h WHERE h.number = thread), rating, rating_reason, rated_at,
            (SELECT w.conversation_id FROM turn_conversations w WHERE w.turn = number), redaction, reply
        FROM turns \(condition) LIMIT ?
        """
    }

    static func list(_ condition: String, _ values: [SQLArgument], _ limit: Int, in db: any SQLSession) throws -> [Turn]
    {
        try db.together(try db.rows(selection(condition), values + [max(0, limit)])) { row in
            try db.ahead(
                { try prepare(row.identifier(1), in: db) },
                { _ = try TurnReplyRows.reply(row[12], of: row.identifier(1), in: db) })
            return try turn(row, in: db)
        }
    }

    /// Reads what ``turn(_:in:)`` needs besides the turn's row and its reply.
    private static func prepare(_ id: TurnID, in db: any SQLSession) throws {
        try db.ahead({ _ = try sources(of: id, in: db) }, { _ = try history(of: id, in: db) })
    }

    /// Makes a turn from its row of ``selection(_:)``.
    private static func turn(_ row: SQLRow, in db: any SQLSession) throws -> Turn {
        let id: TurnID = row.identifier(1)
        return Turn(
            id: id, askerID: row.identifier(2), question: row[3], answer: row[4],
            sourceKeys: try sources(of: id, in: db),
            wholeConversationID: (row[10] as String?).map { ConversationID(rawValue: $0) }, askedAt: row.moment(5),
            threadID: (row[6] as String?).map { ThreadID(rawValue: $0) },
            historyIDs: try history(of: id, in: db), feedback: try feedback(row),
            redaction: (row[11] as String?).flatMap { Turn.Redaction(rawValue: $0) },
            reply: try TurnReplyRows.reply(row[12], of: id, in: db))
    }

    private static func feedback(_ row: SQLRow) throws -> TurnFeedback? {
        guard let givenAt = row.momentIfAny(9) else { return nil }
        return TurnFeedback(rating: try row.word(7), reason: row[8], givenAt: givenAt)
    }

    /// The number of a turn, as a value of a statement; value: its id.
    ///
    /// With it everything about a turn can be read together with its number.
    static let numberOfID = "(SELECT number FROM turns WHERE id = ?)"

    private static func sources(of turn: TurnID, in db: any SQLSession) throws -> [MessageKey] {
        try db.rows(
            "SELECT conversation_id, message_id FROM turn_sources WHERE turn = \(numberOfID) ORDER BY rank",
            [turn.rawValue]
        ).map { MessageKey(conversationID: $0.identifier(0), messageID: $0.identifier(1)) }
    }

    private static func history(of turn: TurnID, in db: any SQLSession) throws -> [TurnID] {
        try db.rows(
            """
            SELECT t.id FROM turn_history h JOIN turns t ON t.number = h.earlier WHERE h.turn = \(numberOfID)
            ORDER BY h.earlier
            """, [turn.rawValue]
        ).map { $0.identifier(0) }
    }
}

/// The texts that a new turn must not hold, because messages changed after it was asked.
struct TurnRedaction {
    let reason: Turn.Redaction
    /// Whether the question is removed too.
    let takesQuestion: Bool

    /// Decides about a turn; nil when nothing changed.
    ///
    /// - Parameters:
    ///   - turn: The turn.
    ///   - history: Number and redaction of each turn that entered its prompt; nil for a deleted one.
    ///   - db: The store.
    /// - Throws: Storage errors.
    init?(of turn: Turn, after history: [SQLRow?], in db: any SQLSession) throws {
        let keys = turn.sourceKeys.filter(\.isPossible)
        let finding = keys.compactMap(StoredMessage.finding)
        let changing = keys.map { key in
            SQLStatement(
                Self.textChange, [key.conversationID.rawValue, key.messageID.rawValue, turn.askedAt.microseconds])
        }
        try db.ahead(
            { _ = try db.rows(finding + changing) }, { _ = try Self.hasLostMessages(turn, in: db) },
            { _ = try Self.hasEditedMessages(turn, in: db) })
        let sources = try db.rows(finding).joined().map(StoredMessage.init)
        if try sources.contains(where: { $0.message.deletedAt != nil }) || history.contains(where: { $0 == nil })
            || Self.hasLostMessages(turn, in: db)
        {
            (reason, takesQuestion) = (.sourceDeleted, true)
            return
        }
        let edited = try db.rows(changing).joined().map { $0[0] as Int64 }
        let isHistoryRedacted = history.contains { ($0?[1] as String?) != nil }
        guard try !edited.isEmpty || isHistoryRedacted || Self.hasEditedMessages(turn, in: db) else { return nil }
        reason = .sourceEdited
        takesQuestion = try edited.contains { try MentionRows.isMention($0, in: db) }
    }

    /// Values: conversation, message, the time of the turn.
    private static let textChange = """
        SELECT m.number FROM conversations c JOIN messages m ON m.conversation = c.number
        WHERE c.id = ? AND m.id = ? AND m.text_changed_at > ?
        """

    /// Whether the whole conversation that a turn is based on lost a message after the turn was asked.
    private static func hasLostMessages(_ turn: Turn, in db: any SQLSession) throws -> Bool {
        guard let conversation = turn.wholeConversationID else { return false }
        return try db.number(
            """
            SELECT 1 FROM messages WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)
                AND deleted_at >= ?2
            UNION ALL SELECT 1 FROM tombstones WHERE conversation_id = ?1 AND deleted_at >= ?2 LIMIT 1
            """, [conversation.rawValue, turn.askedAt.microseconds]) != nil
    }

    /// Values: conversation, the time of the turn.
    static let editedInConversation = """
        SELECT 1 FROM messages WHERE conversation = (SELECT number FROM conversations WHERE id = ?1)
            AND text_changed_at > ?2 AND text_changed_at IS NOT NULL LIMIT 1
        """

    /// Whether a text of the whole conversation that a turn is based on changed after the turn was asked.
    private static func hasEditedMessages(_ turn: Turn, in db: any SQLSession) throws -> Bool {
        guard let conversation = turn.wholeConversationID else { return false }
        return try db.number(editedInConversation, [conversation.rawValue, turn.askedAt.microseconds]) != nil
    }
}
