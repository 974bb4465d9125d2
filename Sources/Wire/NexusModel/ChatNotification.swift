/// A notification of a person.
public struct ChatNotification: Hashable, Sendable, Codable, Identifiable {
    /// Its number among those of the person.
    public var id: Int64
    /// Why the person gets it: `direct`, `mention`, `reply`, `message`, or another word.
    public var kind: String
    /// The conversation.
    public var conversationId: String
    /// The message.
    public var messageId: String
    /// The message's position among the live messages.
    public var seq: Int64?
    /// The writer.
    public var senderId: String
    /// The writer's name.
    public var senderName: String
    /// The present text of the message, shortened; of a task, its title.
    public var text: String
    /// When it was made, as ISO 8601.
    public var createdAt: String
    /// Whether it came in the quiet hours: it is shown without sound.
    public var quiet: Bool

    public init(
        id: Int64, kind: String, conversationId: String, messageId: String, seq: Int64? = nil, senderId: String,
        senderName: String, text: String, createdAt: String, quiet: Bool
    ) {
        self.id = id
        self.kind = kind
        self.conversationId = conversationId
        self.messageId = messageId
        self.seq = seq
        self.senderId = senderId
        self.senderName = senderName
        self.text = text
        self.createdAt = createdAt
        self.quiet = quiet
    }
}

/// The newest notifications of a person.
public struct ChatNotificationList: Hashable, Sendable, Codable {
    /// Unread and not dismissed, newest first.
    public var notifications: [ChatNotification]

    public init(notifications: [ChatNotification]) {
        self.notifications = notifications
    }
}
