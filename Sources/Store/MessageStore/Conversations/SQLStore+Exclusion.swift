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
            guard let found = try ExclusionWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            guard found.embedding.choice != choice else { return found.embedding }
            try db.run(
                "UPDATE conversations SET embedding = ? WHERE number = ?", [choice.rawValue, found.number])
            try ConversationWriter(db: db, moment: moment).touch(found.number)
            let writer = ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: moment)
            return ConversationEmbedding(choice: choice, isExcluded: try writer.apply(to: id).isExcluded)
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
        let number: Int64
        let kind: Conversation.Kind
        let embedding: ConversationEmbedding

        static func find(_ id: ConversationID, in db: any SQLSession) throws -> Stored? {
            try db.row("SELECT number, kind, embedding, is_excluded FROM conversations WHERE id = ?", [id.rawValue])
                .map { row in
                    Stored(
                        number: row[0], kind: try row.word(1),
                        embedding: ConversationEmbedding(choice: try row.word(2), isExcluded: row[3]))
                }
        }
    }

    /// Applies the choice for a conversation, or the rule, to its vectors and queue entries.
    func apply(to id: ConversationID) throws -> (isExcluded: Bool, isChanged: Bool) {
        guard let stored = try Stored.find(id, in: db) else { throw RepositoryError.noSuchConversation(id) }
        let isExcluded =
            switch stored.embedding.choice {
            case .standard: stored.kind == .direct && excludesDirect
            case .included: false
            case .excluded: true
            }
        guard isExcluded != stored.embedding.isExcluded else { return (isExcluded, false) }
        try db.run("UPDATE conversations SET is_excluded = ? WHERE number = ?", [isExcluded, stored.number])
        if isExcluded { try dropVectors(of: stored.number) } else { try enqueue(stored.number) }
        return (isExcluded, true)
    }

    private func dropVectors(of conversation: Int64) throws {
        let messages = "SELECT number FROM messages WHERE conversation = ?"
        let passages = try db.rows(
            "SELECT number FROM passages WHERE message IN (\(messages)) ORDER BY number", [conversation])
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
