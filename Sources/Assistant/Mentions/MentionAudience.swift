import ChatCore

/// What every reader of a conversation may see.
struct MentionAudience: Sendable {
    let store: any ConversationRepository
    let reach: MentionSettings.Reach

    /// Returns the conversations that an answer in `id` may stand on.
    ///
    /// These are the ones that all present members of it may see, `id` among them. Where everybody may read it, those
    /// are the ones that everybody may read.
    ///
    /// - Parameters:
    ///   - id: Where the answer is posted.
    ///   - asker: Who asked.
    ///   - moment: The present time.
    /// - Returns: Their ids; empty when the asker may not see the conversation.
    /// - Throws: ``RepositoryError``.
    func conversations(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> Set<ConversationID> {
        guard try await permitted([id], for: asker, at: moment) == [id] else { return [] }
        guard reach == .audience else { return [id] }
        let roster = try await store.roster(of: id)
        if roster.conversation.visibility == .everyone {
            // Somebody who is a member of nothing sees what everybody sees.
            return try await store.permitted(SearchScope(asker: Self.stranger, conversations: .all), at: moment)
                .reduce(into: [id]) { $0.insert($1.id) }
        }
        var shared = Set(
            try await store.permitted(SearchScope(asker: asker, conversations: .all), at: moment).map(\.id))
        for member in roster.members where member.leftAt.map({ $0 > moment }) ?? true && member.userID != asker {
            guard shared.count > 1 else { break }
            shared = try await permitted(shared, for: member.userID, at: moment).union([id])
        }
        return shared.union([id])
    }

    /// An id that no message and no membership can have.
    private static let stranger = UserID(rawValue: "")

    private func permitted(
        _ ids: Set<ConversationID>, for user: UserID, at moment: Timestamp
    ) async throws -> Set<ConversationID> {
        let scope = SearchScope(asker: user, conversations: .only(ids))
        return Set(try await store.permitted(scope, at: moment).map(\.id))
    }
}
