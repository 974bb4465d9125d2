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

    /// The beginning of a statement on `basis`: the turns of a list, and all that entered their prompts.
    ///
    /// Value: a list of ids.
    private static let ofBasis = """
        WITH RECURSIVE basis(number) AS (
            SELECT number FROM turns WHERE id IN (SELECT value FROM json_each(?, '$'))
            UNION SELECT h.earlier FROM basis b JOIN turn_history h ON h.turn = b.number)

        """

    /// In the order of their numbers.
    private static let basis =
        ofBasis + """
            SELECT t.number, t.asker_id, t.redaction IS NOT NULL, h.conversation_id,
                (SELECT w.conversation_id FROM turn_conversations w WHERE w.turn = t.number) FROM basis b
            JOIN turns t ON t.number = b.number LEFT JOIN threads h ON h.number = t.thread ORDER BY t.number
            """

    private static let earlierOfBasis =
        ofBasis + "SELECT h.turn, h.earlier FROM basis b JOIN turn_history h ON h.turn = b.number"

    private static let sourcesOfBasis =
        ofBasis + """
            SELECT s.turn, s.conversation_id, s.message_id, t.asker_id FROM basis b
            JOIN turn_sources s ON s.turn = b.number JOIN turns t ON t.number = b.number
            """

    /// What turns are based on, by number.
    private struct Basis {
        let earlier: [Int64: [Int64]]
        let sources: [Int64: [MessageKey]]

        init(_ earlier: [SQLRow], _ sources: [SQLRow]) {
            self.earlier = Dictionary(grouping: earlier) { $0[0] as Int64 }.mapValues { $0.map { $0[1] } }
            self.sources = Dictionary(grouping: sources) { $0[0] as Int64 }.mapValues { $0.map(TurnReading.source) }
        }
    }

    private static func source(_ row: SQLRow) -> MessageKey {
        MessageKey(conversationID: row.identifier(1), messageID: row.identifier(2))
    }

    /// Returns the parts of turns that their askers may see.
    mutating func readable(_ turns: [Turn]) throws -> [ReadableTurn] {
        let db = db
        try db.ahead([self]) { try $0.prepare(turns) }
        let numbers = try numbers(of: turns)
        let ids = turns.map(\.id.rawValue)
        let basis = Basis(try db.rows(Self.earlierOfBasis, [ids]), try db.rows(Self.sourcesOfBasis, [ids]))
        for row in try db.rows(Self.basis, [ids]) { wholes[row[0]] = try isWhole(row, basis) }
        return try zip(turns, numbers).map { turn, number in
            let seen = try turn.sourceKeys.filter { try sees($0, turn.askerID) }
            let isLost = try number.map { try lost.contains($0) || isMention(turn) } ?? false
            return ReadableTurn(
                turn, seeing: seen, seesRest: number.flatMap { wholes[$0] } ?? false, seesQuestion: !isLost,
                sources: try sources(of: turn), outdated: try outdated(turn))
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
            { try prepareOutdated(turns) },
            { try prepareBasis(of: turns) })
    }

    private func prepare(_ sources: [(user: UserID, key: MessageKey)]) throws {
        _ = try db.together(sources) { user, key in
            var reading = self
            _ = try reading.shows(key, user)
        }
    }

    private func prepareOutdated(_ turns: [Turn]) throws {
        let marks = try db.together(turns) { turn in
            try OutdatedRows(db: db).marks(of: turn.id).map { (user: turn.askerID, key: $0.mark.by) }
        }.flatMap(\.self)
        guard !marks.isEmpty else { return }
        try db.ahead(
            { try prepare(marks) }, { _ = try db.together(marks) { try StoredMessage.find($0.key, in: db) } })
    }

    private func prepareBasis(of turns: [Turn]) throws {
        let ids = turns.map(\.id.rawValue)
        try db.ahead(
            { _ = try numbers(of: turns) },
            { _ = try db.together(turns) { try db.rows(Self.mention, [$0.id.rawValue]) } },
            { _ = try db.rows(Self.basis, [ids]) }, { _ = try db.rows(Self.earlierOfBasis, [ids]) },
            { try prepare(try db.rows(Self.sourcesOfBasis, [ids]).map { ($0.identifier(3), Self.source($0)) }) })
    }

    /// Decides about a turn whose history is decided already.
    private mutating func isWhole(_ row: SQLRow, _ basis: Basis) throws -> Bool {
        let (number, asker): (Int64, UserID) = (row[0], row.identifier(1))
        let isRedacted: Bool = row[2]
        for case let conversation? in [row[3] as String?, row[4] as String?]
        where try conversations(of: asker)[ConversationID(rawValue: conversation)] == nil {
            lost.insert(number)
            return false
        }
        guard !isRedacted else { return false }
        guard basis.earlier[number, default: []].allSatisfy({ wholes[$0] ?? false }) else { return false }
        return try basis.sources[number, default: []].allSatisfy { try sees($0, asker) }
    }

    /// Value: the turn's id.
    private static let mention = """
        SELECT c.id FROM turn_sources s JOIN conversations c ON c.id = s.conversation_id
        JOIN messages m ON m.conversation = c.number AND m.id = s.message_id
        JOIN mentions n ON n.message = m.number WHERE s.turn = \(TurnRows.numberOfID)
        """

    /// Whether a turn was asked by a message of a conversation that its asker does not see.
    private mutating func isMention(_ turn: Turn) throws -> Bool {
        let permitted = try conversations(of: turn.askerID)
        return try db.rows(Self.mention, [turn.id.rawValue]).contains { permitted[$0.identifier(0)] == nil }
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

    /// Returns the newest message that makes a turn's answer wrong and that its asker sees.
    private mutating func outdated(_ turn: Turn) throws -> ReadableTurn.Outdated? {
        let names = try conversations(of: turn.askerID)
        for mark in try OutdatedRows(db: db).marks(of: turn.id).map(\.mark) {
            guard let name = names[mark.by.conversationID], try sees(mark.by, turn.askerID),
                let message = try StoredMessage.find(mark.by, in: db)?.message, message.deletedAt == nil
            else { continue }
            return ReadableTurn.Outdated(message: message, conversationName: name, notedAt: mark.notedAt)
        }
        return nil
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
