/// A notification as the person's clients show it.
public struct NotificationEntry: Hashable, Sendable {
    /// The notification.
    public let notification: PersonalNotification
    /// Whether it came in the person's quiet hours, so that it is shown without sound.
    public let isQuiet: Bool

    /// The most notifications that a client is given at a time, the newest ones.
    public static let limit = 100

    public init(_ notification: PersonalNotification, settings: PersonalSettings) {
        self.notification = notification
        isQuiet = settings.isQuiet(at: notification.createdAt)
    }
}

/// Everything that a client of a person shows first, of one moment.
public struct PersonalState: Hashable, Sendable {
    /// The conversations that the person sees, as a list shows them.
    public var entries: [InboxEntry]
    /// The newest notifications, newest first; at most ``NotificationEntry/limit``.
    public var notifications: [NotificationEntry]
    /// The own settings.
    public var settings: PersonalSettings
    /// The position of the feed after this state.
    public var cursor: ChangeCursor

    public init(
        entries: [InboxEntry], notifications: [NotificationEntry], settings: PersonalSettings, cursor: ChangeCursor
    ) {
        self.entries = entries
        self.notifications = notifications
        self.settings = settings
        self.cursor = cursor
    }
}

/// How far a sent message has come.
public enum MessageStatus: String, Codable, Sendable, CaseIterable {
    /// It is stored.
    case sent
    /// It reached a device of another member.
    case delivered
    /// Another member read it.
    case read
}

/// Who of a conversation has received and read a message.
public struct MessageReceipts: Hashable, Sendable {
    /// The present members who had joined before the message, without its sender.
    public var memberCount: Int
    /// Those of them who show that they read it, by user id.
    public var readers: [Member]
    /// Those of them to whom it was delivered, by user id.
    public var receivers: [Member]

    public init(memberCount: Int = 0, readers: [Member] = [], receivers: [Member] = []) {
        self.memberCount = memberCount
        self.readers = readers
        self.receivers = receivers
    }
}
