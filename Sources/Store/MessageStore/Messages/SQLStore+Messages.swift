package import ChatCore

extension SQLStore {
    /// Stores messages; each succeeds or fails on its own, all in one transaction.
    ///
    /// A local id is unique per conversation, source and author.
    package func accept(_ messages: [Message], source: String, mode: AcceptMode, at moment: Timestamp) async throws
        -> [AcceptOutcome]
    {
        let isHistory = mode == .importing
        let drafts = messages.map { AcceptBatch.Draft(MessageDraft($0)) }
        if !isHistory { try await makeNames(for: messages, by: .server(defaultUser: nil), at: moment) }
        return try await write { db in
            var batch = try AcceptBatch(drafts, source: source, mode: mode, isBacklog: isHistory, at: moment, in: db)
            let posted = try batch.accept(drafts.count, at: moment)
            try batch.storePositions()
            if isHistory { try batch.completeTimes() }
            return posted.map(\.outcome)
        }
    }

    /// Stores messages in portions that keep the writer busy for a short time; others write between them.
    package func post(
        _ drafts: [MessageDraft], by writer: Writer, source: String, at moment: Timestamp
    ) async throws -> [PostedMessage] {
        var rest = drafts[...]
        let first = Self.portion(of: &rest, by: writer)
        try await makeNames(for: drafts.map(\.message), by: writer, at: moment)
        guard !rest.isEmpty else {
            return first.isEmpty ? [] : try await post(Post(drafts: first, source: source, moment: moment))
        }
        try Task.checkCancellation()
        return try await withoutCancellation { [self, rest] in
            var posted = try await post(Post(drafts: first, source: source, moment: moment))
            var rest = rest
            while !rest.isEmpty {
                let next = Self.portion(of: &rest, by: writer)
                posted += try await post(Post(drafts: next, source: source, moment: moment))
            }
            return posted
        }
    }

    /// Takes the first messages, as many as reach the weight of a transaction, and reads their mentions.
    ///
    /// The names that a text may mention are many times its size, so they are read for one portion at a time.
    private static func portion(of drafts: inout ArraySlice<MessageDraft>, by writer: Writer) -> [AcceptBatch.Draft] {
        var portion: [AcceptBatch.Draft] = []
        var weight = 0
        while let next = drafts.first {
            let draft = AcceptBatch.Draft(next, for: writer.reader)
            weight += draft.weight
            guard portion.isEmpty || weight <= WaitingWrites<Post>.weightLimit else { break }
            portion.append(draft)
            drafts.removeFirst()
        }
        return portion
    }

    private func post(_ post: Post) async throws -> [PostedMessage] {
        try await write(post, weight: post.drafts.reduce(0) { $0 + $1.weight }) { posts, db in
            var outcomes = [[PostedMessage]](repeating: [], count: posts.count)
            for (source, places) in Dictionary(grouping: posts.indices, by: { posts[$0].source }) {
                var batch = try AcceptBatch(
                    places.flatMap { posts[$0].drafts }, source: source, mode: .posting, isBacklog: false,
                    at: posts[places[0]].moment, in: db)
                for place in places {
                    let post = posts[place]
                    outcomes[place] = try zip(post.drafts, batch.accept(post.drafts.count, at: post.moment))
                        .map { draft, posted in
                            guard posted.seq == nil else { return posted }
                            let seq = try Self.seq(of: draft.given.message, posted.outcome, in: db)
                            return PostedMessage(outcome: posted.outcome, seq: seq)
                        }
                }
                try batch.storePositions()
            }
            return outcomes
        }
    }

    /// A part of a call of ``post(_:by:source:at:)``.
    private struct Post: Sendable {
        let drafts: [AcceptBatch.Draft]
        let source: String
        let moment: Timestamp
    }

    private static func seq(of message: Message, _ outcome: AcceptOutcome, in db: any SQLSession) throws -> Int64? {
        let id: MessageID
        switch outcome {
        case .inserted, .updated: id = message.key.messageID
        case .unchanged(let known): id = known
        case .deletedBefore, .conflict, .noSuchConversation, .invalid: return nil
        }
        return try db.number(
            """
            SELECT m.seq FROM conversations c JOIN messages m ON m.conversation = c.number
            WHERE c.id = ? AND m.id = ?
            """, [message.key.conversationID.rawValue, id.rawValue])
    }

    /// Gives a message another text and other files; what it has already changes nothing.
    package func edit(
        _ key: MessageKey, text: String?, files ids: [FileID]?, by writer: Writer, at moment: Timestamp
    ) async throws -> Message {
        if let text { try await makeNames(forText: text, in: key.conversationID, by: writer, at: moment) }
        return try await write { db in
            let rights = WritingRights(of: writer, at: moment, in: db)
            try db.ahead({ try rights.prepare(key) }, { try MessageWriter.prepare(key, in: db) })
            let stored = try rights.changeable(key)
            guard stored.message.deletedAt == nil else { throw RepositoryError.noSuchMessage(key) }
            var message = stored.message
            if let text { message.text = text }
            if let ids { message = try FileRows(db: db).attach(ids, to: message, of: stored) }
            guard message != stored.message else { return message }
            guard !message.attachments.isEmpty || message.text.contains(where: { !$0.isWhitespace }) else {
                throw RepositoryError.invalid(field: "text", reason: "must not be empty")
            }
            try StoreRules.check(edited: message)
            message.editedAt = moment
            try MessageWriter(db, at: moment).replace(stored, with: message)
            return message
        }
    }

    /// Deletes a message and redacts the turns that are based on it; ids and times stay as a tombstone.
    package func delete(_ key: MessageKey, by writer: Writer, at moment: Timestamp) async throws {
        try await write { db in
            let rights = WritingRights(of: writer, at: moment, in: db)
            try db.ahead({ try rights.prepare(key) }, { try MessageWriter.prepare(key, in: db) })
            let stored = try rights.changeable(key)
            guard stored.message.deletedAt == nil else { return }
            try MessageWriter(db, at: moment).replace(stored, with: stored.message.tombstone(at: moment))
            try TurnRows.redact(standingOn: key, in: db)
        }
        // The write-ahead log still holds the deleted content. If a search runs longer than the store waits, it stays
        // there until the next checkpoint.
        try? await checkpoint()
    }

    /// Values: conversation's id, timestamp and number of the message before which it ends, limit.
    static let pageSQL = """
        SELECT \(StoredMessage.columns) FROM messages m CROSS JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.deleted_at IS NULL
            AND (m.timestamp, m.number) < (?, ?)
        ORDER BY m.timestamp DESC, m.number DESC LIMIT ?
        """

    /// Values: conversation's id, timestamp and number of the message after which it begins, limit.
    static let laterPageSQL = """
        SELECT \(StoredMessage.columns) FROM messages m CROSS JOIN conversations c ON c.number = m.conversation
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?) AND m.deleted_at IS NULL
            AND (m.timestamp, m.number) > (?, ?)
        ORDER BY m.timestamp, m.number LIMIT ?
        """

    /// Returns messages of one conversation, newest first, deleted ones left out.
    package func page(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        try await read { db in
            try PageReading(of: id, asker: asker, around: before, expecting: limit, at: moment, in: db)
                .page(Self.pageSQL, limit: limit)
        }
    }

    /// Returns messages of one conversation after another message, oldest first, deleted ones left out.
    package func page(
        of id: ConversationID, asker: UserID, after: MessageID, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        try await read { db in
            try PageReading(of: id, asker: asker, around: after, at: moment, in: db)
                .page(Self.laterPageSQL, limit: limit)
        }
    }

    /// Returns a message and its neighbours.
    package func surroundings(
        of key: MessageKey, asker: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings {
        try await read { db in
            try PageReading(of: key.conversationID, asker: asker, around: key.messageID, at: moment, in: db)
                .surroundings(earlier: earlier, later: later)
        }
    }

    /// Returns the first message from a time on, and its neighbours.
    package func messages(
        of id: ConversationID, from time: Timestamp, asker: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings {
        try await read { db in
            try PageReading(of: id, asker: asker, from: time, at: moment, in: db)
                .beginning(earlier: earlier, later: later)
        }
    }

    /// Returns those of `keys` that exist, are not deleted and lie within `scope` at `moment`.
    package func messages(_ keys: [MessageKey], in scope: SearchScope, at moment: Timestamp) async throws
        -> [MessageKey: Message]
    {
        try await read { db in
            let wanted = scope.narrowed(to: Set(keys.map(\.conversationID)))
            let keys = Set(keys)
            try db.ahead(
                { _ = try Permission.permittedNumbers(wanted, at: moment, in: db) },
                { _ = try db.together(keys) { try StoredMessage.find($0, in: db) } })
            // By number, because ids with different bytes can be equal as Swift strings.
            let permitted = try Permission.permittedNumbers(wanted, at: moment, in: db)
            var reading = MessageReading(reader: scope.asker, moment: moment, db: db)
            let found = try db.together(keys) { key -> Message? in
                guard let stored = try StoredMessage.find(key, in: db), stored.message.deletedAt == nil,
                    permitted.contains(stored.conversation), try !reading.hides(stored)
                else { return nil }
                return stored.message
            }
            return zip(keys, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// Returns those of `keys` that exist, without a check of permission.
    package func stored(_ keys: [MessageKey]) async throws -> [MessageKey: Message] {
        try await read { db in
            let rows = try db.rows(Set(keys).compactMap(StoredMessage.finding))
            return try rows.joined().reduce(into: [:]) { found, row in
                let message = try StoredMessage(row).message
                found[message.key] = message
            }
        }
    }

    /// Returns messages by their numbers, if they exist, are not deleted and lie within a scope, with the messages that
    /// repeat the best of them, from one transaction.
    package func visible(
        _ messages: [MessageNumber], passagesOf generation: GenerationNumber?, repeatsOf best: [MessageNumber],
        limit: Int, in scope: SearchScope, at moment: Timestamp
    ) async throws -> (messages: [VisibleMessage], repeats: [MessageNumber: [MessageNumber]]) {
        try await read { db in
            let numbers = Array(Set(messages.map(\.rawValue)))
            var statements = [
                SQLStatement(StoredMessage.byNumbers, [numbers]),
                SQLStatement(Permission.ofMessages, [scope.asker.rawValue, moment.microseconds, numbers]),
                SQLStatement(ReadingSpanRows.ofMessages, [scope.asker.rawValue, numbers]),
            ]
            if let generation {
                statements.append(SQLStatement(CandidateReading.passages, [numbers, generation.rawValue]))
                statements += best.map {
                    SQLStatement(
                        CandidateReading.likelyRepeats,
                        [$0.rawValue, generation.rawValue, scope.asker.rawValue, limit])
                }
            }
            // In one round trip, though the passages of what the asker may not see are not used.
            let found = try db.rows(statements)
            var messageReading = MessageReading(reader: scope.asker, moment: moment, db: db)
            messageReading.know(found[2])
            try db.ahead(found[0]) { [messageReading] row in
                var reading = messageReading
                _ = try reading.hides(StoredMessage(row))
            }
            var reading = CandidateReading(messageReading, permitted: Permission.numbers(found[1], in: scope))
            let byNumber = Dictionary(found[0].map { ($0[0] as Int64, $0) }) { first, _ in first }
            for number in messages { if let row = byNumber[number.rawValue] { try reading.take(row) } }
            let visible = reading.visible(with: found.count > 3 ? found[3] : [])
            let likely = Set(visible.filter { CandidateReading.isLikelyRepeated($0.message) }.map(\.number))
            let repeats = zip(best, found.dropFirst(4)).filter { likely.contains($0.0) }
                .map { ($0, $1.map { MessageNumber(rawValue: $0[0]) }) }
            return (visible, Dictionary(repeats) { first, _ in first })
        }
    }

    /// Returns messages that begin with the same embedded text as given ones and may be read.
    package func repeats(
        of messages: [MessageNumber], for asker: UserID, in generation: GenerationNumber, limit: Int
    ) async throws -> [MessageNumber: [MessageNumber]] {
        try await read { db in
            let found = try db.rows(
                messages.map {
                    SQLStatement(
                        CandidateReading.repeats, [$0.rawValue, generation.rawValue, asker.rawValue, limit])
                })
            let pairs = zip(messages, found).map { ($0, $1.map { MessageNumber(rawValue: $0[0]) }) }
            return Dictionary(pairs.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
        }
    }
}

/// Collects the candidates that a reader may see, each once.
struct CandidateReading {
    static let passages = """
        SELECT p.message, p.number, p.range_start, p.range_end
        FROM json_each(?) j CROSS JOIN passages p ON p.message = j.value AND p.generation = ?
        ORDER BY p.message, p.ordinal
        """

    /// Messages with the same first passage as another one; values: that message, generation, reader, limit.
    ///
    /// The reader's times decide before the limit does: messages that are hidden take no place of others.
    static let repeats = """
        SELECT n.number FROM passages p
        CROSS JOIN messages m ON m.number = p.message
        CROSS JOIN passages o ON o.generation = p.generation AND o.content_hash = p.content_hash
        CROSS JOIN messages n ON n.number = o.message AND n.conversation = m.conversation
        CROSS JOIN conversations c ON c.number = n.conversation
        WHERE p.message = ?1 AND p.generation = ?2 AND p.ordinal = 0 AND o.ordinal = 0 AND o.message <> p.message
            AND (c.history = 'all' OR EXISTS (
                SELECT 1 FROM reading_spans s WHERE s.conversation = n.conversation AND s.user_id IN (?3, '')
                    AND s.since <= n.timestamp AND (s.until IS NULL OR s.until > n.timestamp)))
        ORDER BY n.timestamp DESC, n.number DESC LIMIT ?4
        """

    /// The same for a message with a text of several words, because a short one ("ok") may have thousands.
    static let likelyRepeats = repeats.replacing(
        "WHERE p.message = ?1", with: "WHERE p.message = ?1 AND m.text LIKE '% % % %'")

    /// Whether ``likelyRepeats`` finds the messages that repeat a message.
    static func isLikelyRepeated(_ message: Message) -> Bool {
        message.text.utf8.count { $0 == UInt8(ascii: " ") } >= 3
    }

    private var reading: MessageReading
    /// The conversations that the asker may see.
    private let permitted: Set<Int64>
    private var found: [StoredMessage] = []
    private var seen: Set<Int64> = []

    init(_ reading: MessageReading, permitted: Set<Int64>) {
        self.reading = reading
        self.permitted = permitted
    }

    mutating func take(_ row: SQLRow) throws {
        guard seen.insert(row[0]).inserted, permitted.contains(row[1]) else { return }
        let stored = try StoredMessage(row)
        guard try !reading.hides(stored) else { return }
        found.append(stored)
    }

    /// Joins the collected messages and their passages, by ordinal.
    ///
    /// - Parameter rows: The rows of ``passages``, also of other messages.
    /// - Returns: The messages in the order of the collection.
    func visible(with rows: [SQLRow]) -> [VisibleMessage] {
        var passages: [Int64: [Passage]] = [:]
        for row in rows {
            let start: Int = row[2]
            passages[row[0], default: []].append(
                Passage(number: PassageNumber(rawValue: row[1]), range: start..<max(start, row[3])))
        }
        return found.map { stored in
            VisibleMessage(
                number: MessageNumber(rawValue: stored.number), message: stored.message,
                conversation: ConversationNumber(rawValue: stored.conversation),
                passages: passages[stored.number] ?? [])
        }
    }
}

extension SearchScope {
    /// The part of the scope in these conversations.
    func narrowed(to ids: Set<ConversationID>) -> SearchScope {
        switch conversations {
        case .all: SearchScope(asker: asker, conversations: .only(ids))
        case .only(let wanted): SearchScope(asker: asker, conversations: .only(wanted.intersection(ids)))
        }
    }
}
