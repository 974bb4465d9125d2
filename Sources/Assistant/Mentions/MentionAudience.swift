import ChatCore

/// What every reader of a conversation may see.
struct MentionAudience: Sendable {
    let store: any MentionRepository
    let reach: MentionSettings.Reach

    /// Returns the conversations that an answer in `id` may be based on; see ``MentionRepository/audience(of:asker:at:)``.
    ///
    /// - Returns: Their ids; empty when the asker may not see the conversation.
    func conversations(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> Set<ConversationID> {
        let shared = try await store.audience(of: id, asker: asker, at: moment)
        return reach == .audience ? shared : shared.intersection([id])
    }
}
