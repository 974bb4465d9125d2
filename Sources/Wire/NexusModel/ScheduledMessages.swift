/// A message that the person wrote to be sent later.
public struct ScheduledChatMessage: Hashable, Sendable, Codable, Identifiable {
    /// Its id, which the message keeps.
    public var id: String
    /// The conversation.
    public var conversationId: String
    /// The text.
    public var text: String
    /// The message to which it replies; nil if there is none.
    public var replyTo: String?
    /// The first message of its thread; nil outside of threads.
    public var threadRoot: String?
    /// When it is to be sent, as ISO 8601.
    public var sendAt: String
    /// Why it was not sent: `conversation_left`, `account_disabled`, `reply_gone`, `missed`, `not_accepted`; nil while it
    /// waits.
    public var refusedReason: String?
    /// When it was scheduled, as ISO 8601.
    public var createdAt: String

    public init(
        id: String, conversationId: String, text: String, replyTo: String? = nil, threadRoot: String? = nil,
        sendAt: String, refusedReason: String? = nil, createdAt: String
    ) {
        self.id = id
        self.conversationId = conversationId
        self.text = text
        self.replyTo = replyTo
        self.threadRoot = threadRoot
        self.sendAt = sendAt
        self.refusedReason = refusedReason
        self.createdAt = createdAt
    }
}

/// The scheduled messages of a person, the next one first.
public struct ScheduledMessageList: Hashable, Sendable, Codable {
    /// The messages.
    public var messages: [ScheduledChatMessage]
    /// The most scheduled messages of a person.
    public var limit: Int

    public init(messages: [ScheduledChatMessage], limit: Int) { (self.messages, self.limit) = (messages, limit) }
}
