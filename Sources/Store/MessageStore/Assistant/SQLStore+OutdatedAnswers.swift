package import ChatCore

extension SQLStore {
    /// Returns the position where the comparison of messages with answers continues.
    package func beginOutdatedAnswers() async throws -> ChangeCursor {
        try await write { db in try Watermark.outdatedAnswers.begin(in: db) }
    }

    /// Only of conversations with answers, so that an import costs nothing where nobody has asked.
    static let messagesToCompare = """
        SELECT DISTINCT \(StoredMessage.columns) FROM changes h CROSS JOIN messages m ON m.number = h.message
        CROSS JOIN conversations c ON c.number = m.conversation
        WHERE h.number > ? AND h.number <= ? AND h.kind = ? AND m.kind IN ('text', 'bot') AND m.deleted_at IS NULL
            AND (EXISTS (SELECT 1 FROM turn_shown s WHERE s.conversation_id = c.id)
                OR EXISTS (SELECT 1 FROM mentions n WHERE n.conversation = c.number AND n.answered_at IS NOT NULL))
        ORDER BY m.number
        """

    /// Returns messages that were added or changed after a position, of conversations with answers.
    package func messagesToCompare(after cursor: ChangeCursor, limit: Int) async throws
        -> (messages: [Message], through: ChangeCursor)
    {
        try await read { db in
            try Watermark.messages(Self.messagesToCompare, after: cursor, limit: limit, in: db)
        }
    }

    /// The most messages of answers that are looked at.
    private static let citationLimit = 400
    /// The most posted answers that are looked at.
    private static let postLimit = 20

    /// Returns the newest answers that are based on messages of a message's conversation.
    package func citingAnswers(of key: MessageKey, limit: Int, preceding: Int) async throws -> CitingAnswers? {
        try await read { db in
            guard let stored = try StoredMessage.find(key, in: db), stored.message.deletedAt == nil else { return nil }
            let id = key.conversationID
            let turns = try db.rows(
                OutdatedRows.turnsCiting, [id.rawValue, key.messageID.rawValue, Self.citationLimit])
            let posts = try db.rows(
                OutdatedRows.postsCiting, [stored.conversation, stored.number, Self.postLimit])
            var gathered = GatheredCitations(conversation: id, limit: limit)
            for row in posts {
                gathered.add(row, .message(MessageKey(conversationID: id, messageID: row.identifier(0))))
            }
            for row in turns { gathered.add(row, .turn(row.identifier(0))) }
            guard !gathered.order.isEmpty else { return nil }
            let cited = try db.together(gathered.order) { try StoredMessage.find($0, in: db)?.message }
            let place: [SQLArgument] = [
                id.rawValue, stored.message.timestamp.microseconds, stored.number, max(0, preceding),
            ]
            return CitingAnswers(
                timeZone: try ConversationWriter.Stored.find(id, in: db)?.conversation.timeZone,
                cited: cited.compactMap { $0.flatMap { $0.deletedAt == nil ? $0 : nil } },
                preceding: try db.rows(Self.pageSQL, place).map { try StoredMessage($0).message },
                answers: gathered.answers)
        }
    }

    /// Notes which answers a message makes wrong, instead of those that were noted before.
    package func noteOutdated(_ answers: [OutdatedAnswer], by message: Message, at moment: Timestamp) async throws
        -> Int
    {
        try await write { db in
            guard let stored = try StoredMessage.find(message.key, in: db), stored.message.deletedAt == nil,
                stored.message.searchableText == message.searchableText
            else { return 0 }
            return try OutdatedRows(db: db).set(answers, by: stored, at: moment)
        }
    }

    /// Notes the position up to which messages were compared.
    package func noteCompared(through cursor: ChangeCursor) async throws {
        try await write { db in try Watermark.outdatedAnswers.advance(to: cursor, in: db) }
    }
}

/// Answers with the messages that they are based on, from rows of one message each.
private struct GatheredCitations {
    let conversation: ConversationID
    /// The most messages.
    let limit: Int
    /// The messages of the newest answers first.
    private(set) var order: [MessageKey] = []
    private var places: [GivenAnswerID: Int] = [:]
    private(set) var answers: [CitingAnswers.Answer] = []

    init(conversation: ConversationID, limit: Int) {
        (self.conversation, self.limit) = (conversation, limit)
    }

    /// Takes a row with the answer's text and the message's id in its second and third column.
    mutating func add(_ row: SQLRow, _ id: GivenAnswerID) {
        let key = MessageKey(conversationID: conversation, messageID: row.identifier(2))
        if !order.contains(key) {
            guard order.count < limit else { return }
            order.append(key)
        }
        guard let place = places[id] else {
            places[id] = answers.count
            answers.append(CitingAnswers.Answer(id: id, text: row[1], keys: [key]))
            return
        }
        answers[place] = CitingAnswers.Answer(id: id, text: answers[place].text, keys: answers[place].keys.union([key]))
    }
}
