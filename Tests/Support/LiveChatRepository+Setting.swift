package import ChatCore

extension LiveChatRepository {
    /// Replaces a person's own settings for a conversation.
    package func setPreferences(
        _ preferences: ConversationPreferences, of id: ConversationID, for user: UserID, at moment: Timestamp
    ) async throws {
        _ = try await changePreferences(of: id, for: user, at: moment) { $0 = preferences }
    }
}

extension NotificationRepository {
    /// Replaces a person's own settings.
    package func setPersonalSettings(_ settings: PersonalSettings, of user: UserID, at moment: Timestamp) async throws {
        _ = try await changePersonalSettings(of: user, at: moment) { $0 = settings }
    }
}
