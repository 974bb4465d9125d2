package import ChatCore

/// Notifications of people, their own settings, and their receipts.
extension UseCases {
    /// Returns everything that a client of somebody shows first, and the position of the feed after it.
    package func personalState(of asker: UserID) async throws -> PersonalState {
        try await searches.withPlace(for: asker.rawValue) { try await live.personalState(of: asker, at: now()) }
    }

    /// Returns the newest notifications of somebody, newest first.
    package func notifications(of asker: UserID, limit: Int) async throws -> [NotificationEntry] {
        let settings = try await personalSettings(of: asker)
        return try await live.notifications(of: asker, limit: limit, at: now())
            .map { NotificationEntry($0, settings: settings) }
    }

    /// Dismisses notifications of the asker on all devices; unknown ones are no error.
    package func dismissNotifications(_ numbers: [Int64], of asker: UserID) async throws {
        try await live.dismiss(numbers, of: asker, at: now())
    }

    /// Dismisses all notifications of the asker on all devices.
    package func dismissAllNotifications(of asker: UserID) async throws {
        try await live.dismissAllNotifications(of: asker, at: now())
    }

    /// Returns the asker's own settings; the standard ones if the asker set none.
    package func personalSettings(of asker: UserID) async throws -> PersonalSettings {
        try await live.personalSettings(of: [asker])[asker] ?? PersonalSettings()
    }

    /// Changes the asker's own settings, and returns them.
    package func changePersonalSettings(
        of asker: UserID, _ change: @escaping @Sendable (inout PersonalSettings) -> Void
    ) async throws -> PersonalSettings {
        try await live.changePersonalSettings(of: asker, at: now(), change)
    }

    /// Saves a message for the asker, and sets or ends its reminder.
    ///
    /// - Throws: As ``SavedMessageRepository/save(_:for:reminder:limit:at:)``; ``RepositoryError/invalid(field:reason:)``
    ///   for a reminder that is over or too far away.
    package func save(_ key: MessageKey, for asker: UserID, reminder: ReminderChange) async throws -> MessageSave {
        if case .at(let time?) = reminder {
            try check(time, field: "remindAt", dayLimit: SavedMessage.reminderDayLimit)
        }
        return try await live.save(key, for: asker, reminder: reminder, limit: SavedMessage.limit, at: now())
    }

    /// Ends that a message is saved for the asker; one that is not is no error.
    package func endSaving(_ key: MessageKey, for asker: UserID) async throws {
        try await live.endSaving(key, for: asker)
    }

    /// Returns the saved messages that the asker may read, the last saved first; all, or those with a reminder.
    package func savedMessages(
        of asker: UserID, hasReminder: Bool, before number: Int64?, limit: Int
    ) async throws -> ListPage<SavedMessage> {
        let found = try await live.savedMessages(
            of: asker, hasReminder: hasReminder, before: number, limit: limit + 1, at: now())
        return ListPage(
            found.map { saved in
                var saved = saved
                saved.message = saved.message.shown(to: asker)
                return saved
            }, limit: limit)
    }

    /// Returns who has received and read a message.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    package func receipts(of key: MessageKey, asker: UserID) async throws -> MessageReceipts {
        try await live.receipts(of: key, asker: asker, at: now())
    }
}
