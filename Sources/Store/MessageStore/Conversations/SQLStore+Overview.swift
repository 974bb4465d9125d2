package import ChatCore

/// A conversation in the list of an operator.
package struct ConversationOverview: Hashable, Codable, Sendable {
    /// Its id.
    package let id: ConversationID
    /// Its name; nil for one between people.
    package let name: String?
    /// Direct or group.
    package let kind: Conversation.Kind
    /// The visibility to others.
    package let visibility: Conversation.Visibility
    /// The first source of its people or messages; nil if it has none.
    package let source: String?
    /// Present members.
    package let memberCount: Int
    /// Messages that are not deleted.
    package let messageCount: Int
    /// The time of the latest message.
    package let lastMessageAt: Timestamp?
}

/// The members that an import would add to a conversation, and those that it would remove.
package struct MembershipPreview: Hashable, Codable, Sendable {
    /// The conversation.
    package let conversationID: ConversationID
    /// The users who would join, by id.
    package let joining: [UserID]
    /// The users who would leave, by id.
    package let leaving: [UserID]

    package init(conversationID: ConversationID, joining: [UserID], leaving: [UserID]) {
        self.conversationID = conversationID
        self.joining = joining
        self.leaving = leaving
    }
}

extension SQLStore {
    /// Returns all conversations by id, without a check of permission; for operators.
    ///
    /// - Parameters:
    ///   - id: The only wanted conversation; nil for all.
    ///   - moment: The present time.
    /// - Returns: Empty for an unknown conversation.
    /// - Throws: Storage errors.
    package func overviews(of id: ConversationID? = nil, at moment: Timestamp) async throws -> [ConversationOverview] {
        try await read { db in
            try db.rows(
                """
                SELECT c.id, c.name, c.kind, c.visibility,
                    COALESCE((SELECT p.source FROM members p WHERE p.conversation = c.number LIMIT 1),
                        (SELECT m.source FROM messages m WHERE m.conversation = c.number LIMIT 1)),
                    (SELECT COUNT(*) FROM members p WHERE p.conversation = c.number
                        AND (p.left_at IS NULL OR p.left_at > ?1)),
                    (SELECT COUNT(*) FROM messages m WHERE m.conversation = c.number AND m.deleted_at IS NULL),
                    (SELECT MAX(m.timestamp) FROM messages m
                        WHERE m.conversation = c.number AND m.deleted_at IS NULL)
                FROM conversations c WHERE ?2 IS NULL OR c.id = ?2 ORDER BY c.id
                """, [moment.microseconds, id?.rawValue]
            ).map { row in
                ConversationOverview(
                    id: row.identifier(0), name: row[1], kind: try row.word(2), visibility: try row.word(3),
                    source: row[4], memberCount: row[5], messageCount: row[6], lastMessageAt: row.momentIfAny(7))
            }
        }
    }

    /// Returns the memberships that an import of rosters would begin and end; nothing is changed.
    ///
    /// - Parameters:
    ///   - rosters: The rosters, each with the source of its people's ids.
    ///   - moment: The present time.
    /// - Returns: One preview for each roster, in their order.
    /// - Throws: Storage errors.
    package func previewImport(
        _ rosters: [(source: String, roster: ConversationRoster)], at moment: Timestamp
    ) async throws -> [MembershipPreview] {
        try await write { db in
            var previews: [MembershipPreview] = []
            for (source, roster) in rosters {
                let id = roster.conversation.id
                let before = try Self.present(in: id, at: moment, db)
                var after = before
                try db.undoing {
                    do {
                        _ = try ConversationWriter(db: db, moment: moment)
                            .store(roster, source: source, mode: .importing)
                        after = try Self.present(in: id, at: moment, db)
                    } catch is RepositoryError {
                        // The import will report it.
                    }
                }
                previews.append(
                    MembershipPreview(
                        conversationID: id, joining: after.subtracting(before).sorted(),
                        leaving: before.subtracting(after).sorted()))
            }
            return previews
        }
    }

    private static func present(in id: ConversationID, at moment: Timestamp, _ db: any SQLSession) throws -> Set<UserID>
    {
        let rows = try db.rows(
            """
            SELECT p.user_id FROM members p JOIN conversations c ON c.number = p.conversation
            WHERE c.id = ? AND (p.left_at IS NULL OR p.left_at > ?)
            """, [id.rawValue, moment.microseconds])
        return Set(rows.map { $0.identifier(0) })
    }
}
