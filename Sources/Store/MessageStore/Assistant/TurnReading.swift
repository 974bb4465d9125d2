import ChatCore

/// Decides within one transaction which parts of their turns askers may see.
///
/// A turn is based on its sources and on the turns that entered its prompt; each turn is checked once.
struct TurnReading {
    let db: any SQLSession
    let moment: Timestamp
    /// The names of the conversations that askers see.
    private var permitted: [UserID: [ConversationID: String]] = [:]
    /// Whether the asker of a turn may see all of it, by number.
    private var wholes: [Int64: Bool] = [:]
    /// The numbers of turns that were asked in a conversation that their askers do not see.
    private var lost: Set<Int64> = []
    private var readings: [UserID: MessageReading] = [:]

    init(db: any SQLSession, moment: Timestamp) {
        self.db = db
        self.moment = moment
    }

    /// The turns of a list, and all that entered their prompts, in the order of their numbers.
    private static let basis = """
        WITH RECURSIVE basis(number) AS (
            SELECT value FROM json_each(?)
            UNION SELECT h.earlier FROM basis b JOIN turn_history h ON h.turn = b.number)
        SELECT t.number, t.asker_id, t.redaction IS NOT NULL, h.conversation_id,
            (SELECT w.conversation_id FROM turn_conversations w WHERE w.turn = t.number) FROM basis b
        JOIN turns t ON t.number = b.number LEFT JOIN threads h ON h.number = t.thread ORDER BY t.number
        """

    /// Returns the parts of turns that their askers may see.
    mutating func readable(_ turns: [Turn]) throws -> [ReadableTurn] {
        let db = db
        try db.ahead([self]) { try $0.prepare(turns) }
        let numbers = try numbers(of: turns)
        for row in try db.rows(Self.basis, [numbers.compactMap { $0 }]) {
            wholes[row[0]] = try isWhole(row)
        }
        return try zip(turns, numbers).map { turn, number in
            let seen = try turn.sourceKeys.filter { try sees($0, turn.askerID) }
            let isLost = try number.map { try lost.contains($0) || isMention($0, turn) } ?? false
            return ReadableTurn(
                turn, seeing: seen, seesRest: number.flatMap { wholes[$0] } ?? false, seesQuestion: !isLost,
                sources: try sources(of: turn))
        }
    }

    private func numbers(of turns: [Turn]) throws -> [Int64?] {
        try db.together(turns) { try db.number("SELECT number FROM turns WHERE id = ?", [$0.id.rawValue]) }
    }

    /// Reads what ``readable(_:)`` needs, in few round trips if the database is not here.
    private func prepare(_ turns: [Turn]) throws {
        let shown = turns.flatMap { turn in turn.shownSources.map { (turn.askerID, $0.key) } }
        let sources = turns.flatMap { turn in turn.sourceKeys.map { (turn.askerID, $0) } }
        try db.ahead(
            {
                _ = try db.together(Set(turns.map(\.askerID))) { user in
                    var reading = self
                    _ = try reading.conversations(of: user)
                }
            },
            { try prepare(sources + shown) }, { _ = try db.together(shown) { try StoredMessage.find($1, in: db) } },
            { try prepareBasis(of: turns) })
    }

    private func prepare(_ sources: [(user: UserID, key: MessageKey)]) throws {
        _ = try db.together(sources) { user, key in
            var reading = self
            _ = try reading.shows(key, user)
        }
    }

    private func prepareBasis(of turns: [Turn]) throws {
        let numbers = try numbers(of: turns).compactMap(\.self)
        try db.ahead(
            { _ = try db.together(numbers) { try db.rows(Self.mention, [$0]) } },
            {
                _ = try db.together(try db.rows(Self.basis, [numbers])) { row in
                    let number: Int64 = row[0]
                    try db.ahead(
                        { _ = try db.rows(Self.earlier, [number]) },
                        { try prepare(try sources(of: number).map { (row.identifier(1), $0) }) })
                }
            })
    }

    /// Value: turn.
    private static let earlier = "SELECT earlier FROM turn_history WHERE turn = ?"

    private func sources(of turn: Int64) throws -> [MessageKey] {
        try db.rows("SELECT conversation_id, message_id FROM turn_sources WHERE turn = ?", [turn])
            .map { MessageKey(conversationID: $0.identifier(0), messageID: $0.identifier(1)) }
    }

    /// Decides about a turn whose history is decided already.
    private mutating func isWhole(_ row: SQLRow) throws -> Bool {
        let (number, asker): (Int64, UserID) = (row[0], row.identifier(1))
        let isRedacted: Bool = row[2]
        for case let conversation? in [row[3] as String?, row[4] as String?]
        where try conversations(of: asker)[ConversationID(rawValue: conversation)] == nil {
            lost.insert(number)
            return false
        }
        guard !isRedacted else { return false }
        let earlier = try db.rows(Self.earlier, [number])
        guard earlier.allSatisfy({ wholes[$0[0]] ?? false }) else { return false }
        return try sources(of: number).allSatisfy { try sees($0, asker) }
    }

    /// Values: turn.
    private static let mention = """
        SELECT c.id FROM turn_sources s JOIN conversations c ON c.id = s.conversation_id
        JOIN messages m ON m.conversation = c.number AND m.id = s.message_id
        JOIN mentions n ON n.message = m.number WHERE s.turn = ?
        """

    /// Whether a turn was asked by a message of a conversation that its asker does not see.
    private mutating func isMention(_ number: Int64, _ turn: Turn) throws -> Bool {
        let permitted = try conversations(of: turn.askerID)
        return try db.rows(Self.mention, [number]).contains { permitted[$0.identifier(0)] == nil }
    }

    /// Whether a user sees a message.
    ///
    /// It must exist, not be deleted, and lie in a conversation of the user, at a time that the user may read. An answer
    /// of the assistant must not be based on messages that the user may not see.
    mutating func sees(_ key: MessageKey, _ user: UserID) throws -> Bool {
        try conversations(of: user)[key.conversationID] != nil && shows(key, user)
    }

    /// Whether a message of a conversation that a user sees is shown to the user.
    private mutating func shows(_ key: MessageKey, _ user: UserID) throws -> Bool {
        let row = try db.row(
            """
            SELECT m.number, m.conversation, m.kind, m.timestamp, c.history <> 'all' FROM messages m
            JOIN conversations c ON c.number = m.conversation
            WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.id = ?
                AND m.deleted_at IS NULL
            """, [key.conversationID.rawValue, key.messageID.rawValue])
        guard let row else { return false }
        var reading = readings[user] ?? MessageReading(reader: user, moment: moment, db: db)
        defer { readings[user] = reading }
        let message = MessageReading.Subject(
            number: row[0], timestamp: row.moment(3), isAnswer: row[2] == Message.Kind.assistant.rawValue)
        return try !reading.hides(message, in: row[1], isLimited: row[4])
    }

    /// Returns the listed sources of a turn that its asker sees, in their present state.
    private mutating func sources(of turn: Turn) throws -> [ReadableTurn.Source] {
        let names = try conversations(of: turn.askerID)
        return try turn.shownSources.compactMap { source in
            guard let name = names[source.key.conversationID], try sees(source.key, turn.askerID),
                let message = try StoredMessage.find(source.key, in: db)?.message, message.deletedAt == nil
            else { return nil }
            return ReadableTurn.Source(
                message: message, conversationName: name, number: source.number, rank: source.rank,
                relevance: source.relevance, place: source.place)
        }
    }

    private mutating func conversations(of user: UserID) throws -> [ConversationID: String] {
        if let known = permitted[user] { return known }
        let scope = SearchScope(asker: user, conversations: .all)
        let found = try Permission.permitted(scope, at: moment, in: db)
        let names = Dictionary(found.map { ($0.id, $0.displayName) }, uniquingKeysWith: { first, _ in first })
        permitted[user] = names
        return names
    }
}
