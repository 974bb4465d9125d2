import ChatCore

/// The rows of `outdated_turns` and `outdated_posts`, within one transaction.
struct OutdatedRows {
    /// The most marks of an answer that are looked at.
    private static let markLimit = 8

    let db: any SQLSession

    // MARK: Reading

    /// A mark of an answer, newest message first: the reader decides which ones are seen.
    struct Found {
        let mark: OutdatedMark
        let newer: MessageReading.Subject
    }

    private static let columns = """
        c.id, m.id, o.noted_at, m.number, m.timestamp, m.kind = 'assistant'
        """

    private static let newest = """
        CROSS JOIN messages m ON m.number = o.newer CROSS JOIN conversations c ON c.number = m.conversation
        """

    private static let order = "AND m.deleted_at IS NULL ORDER BY m.timestamp DESC, m.number DESC LIMIT \(markLimit)"

    /// Values: the turn's id.
    static let ofTurn = """
        SELECT \(columns) FROM outdated_turns o \(newest) WHERE o.turn = \(TurnRows.numberOfID) \(order)
        """

    /// Values: conversation's id, message's id.
    static let ofMessage = """
        SELECT \(columns) FROM outdated_posts o \(newest) WHERE o.answer = (
            SELECT a.number FROM messages a WHERE a.conversation = (SELECT number FROM conversations WHERE id = ?1)
                AND a.id = ?2) \(order)
        """

    private static func found(_ row: SQLRow) -> Found {
        let key = MessageKey(conversationID: row.identifier(0), messageID: row.identifier(1))
        return Found(
            mark: OutdatedMark(by: key, notedAt: row.moment(2)),
            newer: MessageReading.Subject(number: row[3], timestamp: row.moment(4), isAnswer: row[5]))
    }

    /// Returns the marks of a turn.
    func marks(of turn: TurnID) throws -> [Found] { try db.rows(Self.ofTurn, [turn.rawValue]).map(Self.found) }

    /// Returns the marks of a posted answer; their messages are of its conversation.
    func marks(of answer: MessageKey) throws -> [Found] {
        try db.rows(Self.ofMessage, [answer.conversationID.rawValue, answer.messageID.rawValue]).map(Self.found)
    }

    /// Values: asker, the last known change, the last change.
    static let changed = """
        SELECT t.id, h.id, c.id, m.id FROM outdated_turns o CROSS JOIN turns t ON t.number = o.turn
        LEFT JOIN threads h ON h.number = t.thread \(newest)
        WHERE o.change > ?2 AND o.change <= ?3 AND t.asker_id = ?1 AND m.deleted_at IS NULL
        ORDER BY o.change, t.number, m.number
        """

    // MARK: Writing

    /// The turns that a message makes wrong, without those of its edit: number, thread, asker, id; value: message.
    private static let turnsNoted = """
        SELECT t.number, t.thread, t.asker_id, t.id FROM outdated_turns o CROSS JOIN turns t ON t.number = o.turn
        WHERE o.newer = ? AND o.older <> o.newer ORDER BY t.number
        """

    /// The posted answers that a message makes wrong: number, conversation, ids; value: message.
    private static let postsNoted = """
        SELECT a.number, a.conversation, c.id, a.id FROM outdated_posts o CROSS JOIN messages a ON a.number = o.answer
        CROSS JOIN conversations c ON c.number = a.conversation WHERE o.newer = ? ORDER BY a.number
        """

    /// Notes the answers that a message makes wrong, instead of those that were noted before.
    ///
    /// - Returns: How many were not noted before.
    func set(_ answers: [OutdatedAnswer], by newer: StoredMessage, at moment: Timestamp) throws -> Int {
        var turns: [TurnID: MessageKey] = [:]
        var posts: [MessageKey: MessageKey] = [:]
        for answer in answers {
            switch answer.id {
            case .turn(let id): turns[id] = turns[id] ?? answer.older
            // Its readers are asked for no right to see another conversation.
            case .message(let key) where key.conversationID == newer.message.key.conversationID:
                posts[key] = posts[key] ?? answer.older
            case .message: continue
            }
        }
        return try set(turns, by: newer.number, at: moment) + set(posts, by: newer.number, at: moment)
    }

    private func set(_ turns: [TurnID: MessageKey], by newer: Int64, at moment: Timestamp) throws -> Int {
        var change = FollowedChange(.threads, in: db)
        var known: Set<TurnID> = []
        for row in try db.rows(Self.turnsNoted, [newer]) where !known.contains(row.identifier(3)) {
            let id: TurnID = row.identifier(3)
            known.insert(id)
            guard turns[id] == nil else { continue }
            try ThreadRows.log(row, by: &change, in: db)
            try db.run("DELETE FROM outdated_turns WHERE turn = ? AND newer = ?", [row[0] as Int64, newer])
        }
        var count = 0
        for (id, older) in turns.sorted(by: { $0.key < $1.key }) where !known.contains(id) {
            guard let older = try StoredMessage.find(older, in: db), older.message.deletedAt == nil,
                try !VerdictRows(db: db).holds(older: older.number, newer: newer),
                let row = try db.row(
                    "SELECT number, thread, asker_id FROM turns WHERE id = ? AND redaction IS NULL", [id.rawValue])
            else { continue }
            let entry = try ThreadRows.log(row, by: &change, in: db)
            try db.run(
                """
                INSERT INTO outdated_turns (turn, newer, older, change, noted_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, [row[0] as Int64, newer, older.number, entry, moment.microseconds])
            count += 1
        }
        return count
    }

    private func set(_ posts: [MessageKey: MessageKey], by newer: Int64, at moment: Timestamp) throws -> Int {
        var known: Set<MessageKey> = []
        for row in try db.rows(Self.postsNoted, [newer]) {
            let key = MessageKey(conversationID: row.identifier(2), messageID: row.identifier(3))
            known.insert(key)
            guard posts[key] == nil else { continue }
            try db.run("DELETE FROM outdated_posts WHERE answer = ? AND newer = ?", [row[0] as Int64, newer])
            try ChangeLog.append(.message, conversation: row[1], message: row[0], to: db)
        }
        var count = 0
        for (key, older) in posts.sorted(by: { $0.key < $1.key }) where !known.contains(key) {
            guard let older = try StoredMessage.find(older, in: db), older.message.deletedAt == nil,
                try !VerdictRows(db: db).holds(older: older.number, newer: newer),
                let answer = try StoredMessage.find(key, in: db), answer.message.deletedAt == nil,
                answer.message.text != MentionWithdrawal.text
            else { continue }
            try db.run(
                """
                INSERT INTO outdated_posts (answer, newer, older, noted_at) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, [answer.number, newer, older.number, moment.microseconds])
            try ChangeLog.append(.message, conversation: answer.conversation, message: answer.number, to: db)
            count += 1
        }
        return count
    }

    // MARK: Following

    /// Values: message.
    private static let turnsOfMessage = """
        SELECT DISTINCT t.number, t.thread, t.asker_id FROM turns t
        WHERE t.number IN (SELECT turn FROM outdated_turns WHERE newer = ?1)
        """

    /// Values: message.
    private static let postsOfMessage = """
        SELECT DISTINCT a.number, a.conversation FROM messages a
        WHERE a.number IN (SELECT answer FROM outdated_posts WHERE newer = ?1) AND a.deleted_at IS NULL
        """

    /// Reads what ``follow(deleted:)`` needs.
    func prepare(deleted message: Int64) throws {
        try db.ahead(
            { _ = try db.rows(Self.turnsOfMessage, [message]) }, { _ = try db.rows(Self.postsOfMessage, [message]) })
    }

    /// Follows the deletion of a message: what it made wrong is not marked any more.
    func follow(deleted message: Int64) throws {
        try ThreadRows.log(turns: try db.rows(Self.turnsOfMessage, [message]), in: db)
        for row in try db.rows(Self.postsOfMessage, [message]) {
            try ChangeLog.append(.message, conversation: row[1], message: row[0], to: db)
        }
        for table in ["outdated_turns", "outdated_posts"] {
            try db.run("DELETE FROM \(table) WHERE newer = ?1 OR older = ?1", [message])
        }
        try forget(answer: message)
    }

    /// Reads what ``remove(older:newer:)`` needs.
    func prepare(older: Int64, newer: Int64) throws {
        let pair: [SQLArgument] = [older, newer]
        try db.ahead(
            { _ = try db.rows(Self.turnsOfPair, pair) }, { _ = try db.rows(Self.postsOfPair, pair) })
    }

    /// Removes the marks by which a message makes answers wrong that are based on an earlier one.
    func remove(older: Int64, newer: Int64) throws {
        let pair: [SQLArgument] = [older, newer]
        try ThreadRows.log(turns: try db.rows(Self.turnsOfPair, pair), in: db)
        for row in try db.rows(Self.postsOfPair, pair) {
            try ChangeLog.append(.message, conversation: row[1], message: row[0], to: db)
        }
        for table in ["outdated_turns", "outdated_posts"] {
            try db.run("DELETE FROM \(table) WHERE older = ? AND newer = ?", pair)
        }
    }

    /// Values: the earlier message, the later one.
    private static let turnsOfPair = """
        SELECT t.number, t.thread, t.asker_id FROM turns t
        WHERE t.number IN (SELECT turn FROM outdated_turns WHERE older = ?1 AND newer = ?2)
        """

    /// Values: the earlier message, the later one.
    private static let postsOfPair = """
        SELECT a.number, a.conversation FROM messages a
        WHERE a.number IN (SELECT answer FROM outdated_posts WHERE older = ?1 AND newer = ?2) AND a.deleted_at IS NULL
        """

    /// Removes the marks of a posted answer that is gone, or whose text is.
    func forget(answer: Int64) throws { try db.run("DELETE FROM outdated_posts WHERE answer = ?", [answer]) }
}

extension OutdatedRows {
    /// Values: conversation's id, the message's id, the limit.
    static let turnsCiting = """
        SELECT t.id, t.answer, s.message_id FROM (
            SELECT turn, place, message_id FROM turn_shown WHERE conversation_id = ?1 AND number IS NOT NULL
            ORDER BY turn DESC LIMIT ?3) s
        CROSS JOIN turns t ON t.number = s.turn
        WHERE t.redaction IS NULL AND t.answer <> ''
            AND (t.reply IS NULL OR t.reply NOT LIKE '%"\(TurnReply.asOfNotice)"%') AND NOT EXISTS (
            SELECT 1 FROM turn_sources k WHERE k.turn = s.turn AND k.conversation_id = ?1 AND k.message_id = ?2)
        ORDER BY s.turn DESC, s.place
        """

    /// Values: conversation's number, the message's number, the limit.
    static let postsCiting = """
        SELECT a.id, a.text, m.id FROM (
            SELECT answer, answered_at FROM mentions WHERE conversation = ?1 AND answered_at IS NOT NULL
                AND state = 'answered' AND answer IS NOT NULL ORDER BY answered_at DESC LIMIT ?3) s
        CROSS JOIN messages a ON a.number = s.answer CROSS JOIN mention_sources r ON r.answer = a.number
        CROSS JOIN messages m ON m.number = r.source
        WHERE a.deleted_at IS NULL AND m.conversation = ?1 AND m.deleted_at IS NULL AND m.kind <> 'assistant'
            AND NOT EXISTS (SELECT 1 FROM mention_sources k WHERE k.answer = a.number AND k.source = ?2)
        ORDER BY s.answered_at DESC, a.number DESC
        """
}
