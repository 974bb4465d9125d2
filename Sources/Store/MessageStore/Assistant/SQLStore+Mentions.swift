package import ChatCore

extension SQLStore {
    /// Returns the position where the search for mentions continues.
    package func beginMentions() async throws -> ChangeCursor {
        try await write { db in
            try db.run("UPDATE mentions SET due_at = 0 WHERE due_at IS NOT NULL AND attempts > 0")
            try db.run("UPDATE mention_deliveries SET due_at = 0 WHERE due_at IS NOT NULL AND attempts > 0")
            return try Watermark.mentions.begin(in: db)
        }
    }

    static let messagesBeginningWithAt = """
        SELECT DISTINCT \(StoredMessage.columns) FROM changes h CROSS JOIN messages m ON m.number = h.message
        CROSS JOIN conversations c ON c.number = m.conversation
        WHERE h.number > ? AND h.number <= ? AND h.kind = ? AND m.kind = 'text' AND m.deleted_at IS NULL
            AND m.timestamp >= ? AND m.text LIKE '%@%' AND substr(trim(m.text, ' \t\n\r'), 1, 1) = '@'
        ORDER BY m.number
        """

    /// Returns the next messages whose text begins with `@`.
    package func messagesBeginningWithAt(after cursor: ChangeCursor, limit: Int, since oldest: Timestamp) async throws
        -> (messages: [Message], through: ChangeCursor)
    {
        try await read { db in
            try Watermark.messages(
                Self.messagesBeginningWithAt, [oldest.microseconds], after: cursor, limit: limit, in: db)
        }
    }

    /// Stores new mentions, and the position up to which changes were looked at.
    package func queueMentions(_ messages: [MessageKey], through cursor: ChangeCursor, at moment: Timestamp)
        async throws
    {
        try await write { db in
            let found = try db.rows(messages.compactMap(StoredMessage.finding)).joined().map(StoredMessage.init)
            for stored in found where stored.message.deletedAt == nil {
                try db.run(
                    """
                    INSERT INTO mentions (message, conversation, state, attempts, due_at)
                    VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING
                    """, [stored.number, stored.conversation, Mention.State.waiting.rawValue, moment.microseconds])
            }
            try Watermark.mentions.advance(to: cursor, in: db)
        }
    }

    /// Claims the mention that has been due longest.
    package func claimMention(until lease: Timestamp, at moment: Timestamp) async throws -> Mention? {
        let due = MentionRows.due
        guard try await read({ try $0.number(due, [moment.microseconds]) }) != nil else { return nil }
        return try await write { db in
            while let number = try db.number(due, [moment.microseconds]) {
                guard let stored = try MentionRows.message(number, in: db), stored.message.deletedAt == nil else {
                    try MentionRows.settle(number, as: .dropped, dueAt: nil, in: db)
                    continue
                }
                try db.run(
                    "UPDATE mentions SET attempts = attempts + 1, due_at = ?, claimed_at = ? WHERE message = ?",
                    [lease.microseconds, moment.microseconds, number])
                let attempts = try db.number("SELECT attempts FROM mentions WHERE message = ?", [number]) ?? 1
                let outcome = try db.row("SELECT outcome FROM link_outcomes WHERE message = ?", [number])
                return Mention(
                    message: stored.message, attempts: Int(attempts),
                    linkOutcome: (outcome?[0] as String?).flatMap { LinkOutcome(rawValue: $0) })
            }
            return nil
        }
    }

    /// Makes what was claimed due again.
    package func giveBackMention(claimedUntil lease: Timestamp, at moment: Timestamp) async throws {
        try await write { db in
            try db.run(
                "UPDATE mentions SET due_at = ? WHERE due_at = ? AND state = ? AND attempts > 0",
                [moment.microseconds, lease.microseconds, Mention.State.waiting.rawValue])
        }
    }

    /// Counts mentions by state.
    package func mentionCounts() async throws -> [String: Int] {
        try await read { db in
            let rows = try db.rows("SELECT state, COUNT(*) FROM mentions GROUP BY state")
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: +)
        }
    }

    /// Counts the answers that were posted in a conversation after a moment.
    package func answerCount(in id: ConversationID, since moment: Timestamp) async throws -> Int {
        try await read { db in
            Int(try db.number(MentionRows.answerCount, [id.rawValue, moment.microseconds]) ?? 0)
        }
    }

    /// Returns the newest questions and answers of a thread.
    package func answeredMentions(
        inThread root: MessageID, of id: ConversationID, within audience: Set<ConversationID>, limit: Int
    ) async throws -> [(question: Message, answer: Message)] {
        try await read { db in
            let rows = try db.rows(MentionRows.answered, [id.rawValue, root.rawValue, max(0, limit)])
            return try rows.reversed().compactMap { row in
                guard let question = try MentionRows.message(row[0], in: db),
                    let answer = try MentionRows.message(row[1], in: db),
                    try MentionRows.places(of: [answer.number], in: db).isSubset(of: audience)
                else { return nil }
                return (question.message, answer.message)
            }
        }
    }

    /// Returns the conversations that an answer in a conversation may be based on.
    package func audience(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws
        -> Set<ConversationID>
    {
        try await read { db in try MentionRows.audience(of: id, asker: asker, among: nil, at: moment, in: db) }
    }

    /// Posts an answer and settles its mention.
    package func post(
        _ answer: Message, to question: MessageKey, attempt: Int?, as state: Mention.State,
        standingOn sources: [MessageKey],
        isDelivered: Bool, at moment: Timestamp
    ) async throws -> MentionPosting {
        try await write { db in
            let keys = Array(Set(sources).union([question]))
            let found = try keys.compactMap { try StoredMessage.find($0, in: db) }
            guard found.count == keys.count, found.allSatisfy({ $0.message.deletedAt == nil }),
                let asked = found.first(where: { $0.message.key == question }),
                try db.number(
                    "SELECT 1 FROM mentions WHERE message = ? AND state = ? AND attempts = COALESCE(?, attempts)",
                    [asked.number, Mention.State.waiting.rawValue, attempt]) != nil,
                try StoredMessage.find(answer.key, in: db) == nil, try !Tombstones.contain(answer.key, in: db)
            else { return .outdated }
            guard try !MentionRows.isEdited(found.map(\.number), sinceClaimOf: asked.number, in: db) else {
                return .outdated
            }
            let basis = try MentionRows.basis(of: found.map(\.number), in: db)
            let places = try MentionRows.places(of: basis, in: db).union(found.map(\.message.key.conversationID))
            let audience = try MentionRows.audience(
                of: question.conversationID, asker: asked.message.senderID, among: places, at: moment, in: db)
            guard places.isSubset(of: audience) else { return .audienceChanged }
            guard let place = try MessagePlace.find(asked.conversation, in: db) else { return .outdated }
            let (number, stored) = try MessageWriter(db, at: moment).insert(
                answer, in: place, source: MentionRows.source, authorID: answer.senderID.rawValue)
            try MessagePlace.storePositions(of: [stored], in: db)
            for source in basis {
                try db.run("INSERT INTO mention_sources (source, answer) VALUES (?, ?)", [source, number])
            }
            try db.run(
                "UPDATE mentions SET state = ?, due_at = NULL, answer = ?, answered_at = ? WHERE message = ?",
                [state.rawValue, number, moment.microseconds, asked.number])
            if isDelivered {
                try db.run(
                    "INSERT INTO mention_deliveries (answer, attempts, due_at) VALUES (?, 0, ?)",
                    [number, moment.microseconds])
            }
            return .posted
        }
    }

    /// Settles a mention without an answer.
    package func settle(
        _ question: MessageKey, attempt: Int?, as state: Mention.State, dueAt moment: Timestamp?
    ) async throws {
        try await write { db in
            guard let stored = try StoredMessage.find(question, in: db) else { return }
            try MentionRows.settle(stored.number, attempt: attempt, as: state, dueAt: moment, in: db)
        }
    }

    /// Returns when the next mention is due; nil when none waits.
    package func nextMentionDue() async throws -> Timestamp? {
        try await read { try $0.row(MentionRows.nextDue, [])?.momentIfAny(0) }
    }

    /// Returns when the next delivery is due; nil when none waits.
    package func nextDeliveryDue() async throws -> Timestamp? {
        try await read { try $0.row(MentionRows.nextDeliveryDue, [])?.momentIfAny(0) }
    }

    /// Claims the answer whose delivery to another system has been due longest.
    package func claimDelivery(until lease: Timestamp, at moment: Timestamp) async throws -> MentionDelivery? {
        let due = MentionRows.deliveryDue
        guard try await read({ try $0.number(due, [moment.microseconds]) }) != nil else { return nil }
        return try await write { db in
            guard let number = try db.number(due, [moment.microseconds]),
                let stored = try MentionRows.message(number, in: db)
            else { return nil }
            try db.run(
                "UPDATE mention_deliveries SET attempts = attempts + 1, due_at = ? WHERE answer = ?",
                [lease.microseconds, number])
            let attempts = try db.number("SELECT attempts FROM mention_deliveries WHERE answer = ?", [number]) ?? 1
            return MentionDelivery(answer: stored.message, attempts: Int(attempts))
        }
    }

    /// Settles a delivery.
    package func settle(_ delivery: MentionDelivery, retryAt moment: Timestamp?) async throws {
        try await write { db in
            guard let stored = try StoredMessage.find(delivery.answer.key, in: db),
                stored.message.deletedAt == delivery.answer.deletedAt,
                stored.message.editedAt == delivery.answer.editedAt
            else { return }
            try db.run(
                "UPDATE mention_deliveries SET due_at = ? WHERE answer = ?", [moment?.microseconds, stored.number])
        }
    }
}
