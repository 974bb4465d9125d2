/// A notification as the person's clients show it.
package struct NotificationEntry: Hashable, Sendable {
    /// The notification.
    package let notification: PersonalNotification
    /// Whether it came in the person's quiet hours, so that it is shown without sound.
    package let isQuiet: Bool

    /// The most notifications that a client is given at a time, the newest ones.
    package static let limit = 100

    package init(_ notification: PersonalNotification, settings: PersonalSettings) {
        self.notification = notification
        isQuiet = settings.isQuiet(at: notification.createdAt)
    }
}

/// Everything that a client of a person shows first, of one moment.
package struct PersonalState: Hashable, Sendable {
    /// The conversations that the person sees, as a list shows them.
    package var entries: [InboxEntry]
    /// The newest notifications, newest first; at most ``NotificationEntry/limit``.
    package var notifications: [NotificationEntry]
    /// The own settings.
    package var settings: PersonalSettings
    /// The position of the feed after this state.
    package var cursor: ChangeCursor

    package init(
        entries: [InboxEntry], notifications: [NotificationEntry], settings: PersonalSettings, cursor: ChangeCursor
    ) {
        self.entries = entries
        self.notifications = notifications
        self.settings = settings
        self.cursor = cursor
    }
}

/// How far a sent message has come.
package enum MessageStatus: String, Codable, Sendable, CaseIterable {
    /// It is stored.
    case sent
    /// It reached a device of another member.
    case delivered
    /// Another member read it.
    case read
}

/// Who of a conversation has received and read a message.
package struct MessageReceipts: Hashable, Sendable {
    /// The present members who had joined before the message, without its sender.
    package var memberCount: Int
    /// Those of them who show that they read it, by user id.
    package var readers: [Member]
    /// Those of them to whom it was delivered, by user id.
    package var receivers: [Member]

    package init(memberCount: Int = 0, readers: [Member] = [], receivers: [Member] = []) {
        self.memberCount = memberCount
        self.readers = readers
        self.receivers = receivers
    }
}
