import ChatCore

/// Reads changes of a person's own settings.
enum PersonalSettingsFields {
    /// Reads a change: a missing field stays, and null resets a field.
    static func change(_ body: JSONField) throws -> @Sendable (inout PersonalSettings) -> Void {
        let zone = try AskFields.timeZone(body)
        let hours = try quietHours(body["quietHours"])
        let hidesReadReceipts = try body["hideReadReceipts"].optionalFlag()
        let hidesLastSeen = try body["hideLastSeen"].optionalFlag()
        let given = Set(["timeZone", "quietHours", "hideReadReceipts", "hideLastSeen"].filter { body[$0].isGiven })
        return { settings in
            if given.contains("timeZone") { settings.timeZone = zone }
            if given.contains("quietHours") { settings.quietHours = hours }
            if given.contains("hideReadReceipts") { settings.hidesReadReceipts = hidesReadReceipts ?? false }
            if given.contains("hideLastSeen") { settings.hidesLastSeen = hidesLastSeen ?? false }
        }
    }

    private static func quietHours(_ field: JSONField) throws -> PersonalSettings.QuietHours? {
        guard field.isPresent else { return nil }
        let field = try field.object()
        let hours = PersonalSettings.QuietHours(start: try field["start"].string(), end: try field["end"].string())
        guard let hours else { throw field.error("must have two different times such as 22:00 and 07:00") }
        return hours
    }
}

/// Reads changes of a person's own settings for a conversation.
enum PreferencesFields {
    /// Reads a change: a missing field stays, and null resets a field.
    static func change(_ body: JSONField) throws -> @Sendable (inout ConversationPreferences) -> Void {
        let isMuted = try body["muted"].optionalFlag()
        let isArchived = try body["archived"].optionalFlag()
        let isPinned = try body["pinned"].optionalFlag()
        let notifications: NotificationLevel? = try body["notifications"].optionalWord()
        let given = Set(["muted", "archived", "pinned", "notifications"].filter { body[$0].isGiven })
        return { preferences in
            if given.contains("muted") { preferences.isMuted = isMuted ?? false }
            if given.contains("archived") { preferences.isArchived = isArchived ?? false }
            if given.contains("pinned") { preferences.isPinned = isPinned ?? false }
            if given.contains("notifications") { preferences.notifications = notifications }
        }
    }
}
