package import ChatCore
import Synchronization

extension SQLStore {
    /// Returns whether a conversation is embedded.
    package func embedding(of id: ConversationID) async throws -> ConversationEmbedding {
        try await read { db in
            guard let found = try ExclusionWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            return found.embedding
        }
    }

    /// Excludes a conversation from embedding, includes it, or applies the rule for its kind.
    package func setEmbedding(
        _ choice: ConversationEmbedding.Choice, of id: ConversationID, at moment: Timestamp
    ) async throws -> ConversationEmbedding {
        let excludesDirect = excludesDirect.withLock { $0 }
        let embedding = try await write { db in
            let writer = ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: moment)
            try db.ahead(
                { _ = try ExclusionWriter.Stored.find(id, in: db) },
                { if choice == .excluded { _ = try writer.passages(of: id) } })
            guard var found = try ExclusionWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            guard found.embedding.choice != choice else { return found.embedding }
            // Before the conversation changes, which makes the answer void.
            let passages = choice == .excluded ? try writer.passages(of: id) : nil
            try db.run(
                "UPDATE conversations SET embedding = ? WHERE number = ?", [choice.rawValue, found.number])
            found.embedding.choice = choice
            try ConversationWriter(db: db, moment: moment).touch(found.number)
            found.embedding.isExcluded = try writer.apply(to: found, with: passages).isExcluded
            return found.embedding
        }
        // The write-ahead log still holds the deleted vectors.
        try? await checkpoint()
        return embedding
    }

    /// Returns the conversations that are excluded at present.
    package func excludedConversations() async throws -> Set<ConversationNumber> {
        try await read { db in
            Set(
                try db.rows("SELECT number FROM conversations WHERE is_excluded = 1")
                    .map { ConversationNumber(rawValue: $0[0]) })
        }
    }

    /// Sets the rule for direct conversations, present and future ones.
    package func setDirectExclusion(_ isExcluded: Bool, at moment: Timestamp) async throws -> Int {
        excludesDirect.withLock { $0 = isExcluded }
        return try await write { db in
            let writer = ExclusionWriter(db: db, excludesDirect: isExcluded, moment: moment)
            let rows = try db.rows(
                """
                SELECT id FROM conversations WHERE kind = 'direct' AND embedding = 'default' AND is_excluded <> ?
                """, [isExcluded])
            return try rows.filter { try writer.apply(to: $0.identifier(0)).isChanged }.count
        }
    }
}

/// Excludes conversations from embedding and includes them, within one transaction.
struct ExclusionWriter {
    let db: any SQLSession
    let excludesDirect: Bool
    let moment: Timestamp

    /// The columns of a conversation that decide about embedding.
    struct Stored {
        let id: ConversationID
        let number: Int64
        let kind: Conversation.Kind
        var embedding: ConversationEmbedding

        static func find(_ id: ConversationID, in db: any SQLSession) throws -> Stored? {
            try db.row("SELECT number, kind, embedding, is_excluded FROM conversations WHERE id = ?", [id.rawValue])
                .map { row in
                    Stored(
                        id: id, number: row[0], kind: try row.word(1),
                        embedding: ConversationEmbedding(choice: try row.word(2), isExcluded: row[3]))
                }
        }
    }

    /// Applies the choice for a conversation, or the rule, to its vectors and queue entries.
    func apply(to id: ConversationID) throws -> (isExcluded: Bool, isChanged: Bool) {
        guard let stored = try Stored.find(id, in: db) else { throw RepositoryError.noSuchConversation(id) }
        return try apply(to: stored)
    }

    /// Applies the choice for a conversation that was read, as ``apply(to:)`` does; `passages` are its passages, if known.
    func apply(to stored: Stored, with passages: [SQLRow]? = nil) throws -> (isExcluded: Bool, isChanged: Bool) {
        let isExcluded =
            switch stored.embedding.choice {
            case .standard: stored.kind == .direct && excludesDirect
            case .included: false
            case .excluded: true
            }
        guard isExcluded != stored.embedding.isExcluded else { return (isExcluded, false) }
        try db.run("UPDATE conversations SET is_excluded = ? WHERE number = ?", [isExcluded, stored.number])
        if isExcluded {
            try drop(try passages ?? self.passages(of: stored.id), of: stored.number)
        } else {
            try enqueue(stored.number)
        }
        return (isExcluded, true)
    }

    /// Returns the numbers of a conversation's passages.
    func passages(of id: ConversationID) throws -> [SQLRow] {
        try db.rows(
            """
            SELECT p.number FROM passages p WHERE p.message IN (
                SELECT m.number FROM messages m
                WHERE m.conversation = (SELECT c.number FROM conversations c WHERE c.id = ?)) ORDER BY p.number
            """, [id.rawValue])
    }

    /// Drops the vectors of a conversation, and what waits to be embedded.
    private func drop(_ passages: [SQLRow], of conversation: Int64) throws {
        let messages = "SELECT number FROM messages WHERE conversation = ?"
        for row in passages {
            try ChangeLog.append(.retired, conversation: conversation, passage: row[0], to: db)
        }
        try db.run("DELETE FROM passages WHERE message IN (\(messages))", [conversation])
        // By generation first, because the table has no index that begins with the message.
        try db.run(
            """
            DELETE FROM queue WHERE generation IN (SELECT number FROM generations) AND message IN (\(messages))
            """, [conversation])
    }

    private func enqueue(_ conversation: Int64) throws {
        try db.run(
            """
            INSERT INTO queue (generation, message, state, attempts, is_retry, is_backlog, message_time, queued_at)
            SELECT g.number, m.number, 0, 0, 0, 1, m.timestamp, ? FROM generations g
            JOIN messages m ON m.conversation = ? WHERE m.is_embeddable = 1 AND g.state <> 'retired'
                AND (g.since IS NULL OR m.timestamp >= g.since)
            ON CONFLICT DO NOTHING
            """, [moment.microseconds, conversation])
    }
}
