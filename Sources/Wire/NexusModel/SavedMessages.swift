/// The reply to saving a message.
public struct MessageSaving: Hashable, Sendable, Codable {
    /// When the message was saved, as ISO 8601; earlier if it was saved before.
    public var savedAt: String
    /// When the person is reminded of it, as ISO 8601; nil without a reminder.
    public var remindAt: String?

    public init(savedAt: String, remindAt: String? = nil) { (self.savedAt, self.remindAt) = (savedAt, remindAt) }
}

/// A message that the person saved.
public struct SavedChatMessage: Hashable, Sendable, Codable {
    /// When the person saved it, as ISO 8601.
    public var savedAt: String
    /// When the person is reminded of it, as ISO 8601; nil without a reminder.
    public var remindAt: String?
    /// The message.
    public var message: ChatMessage

    public init(savedAt: String, remindAt: String? = nil, message: ChatMessage) {
        (self.savedAt, self.remindAt, self.message) = (savedAt, remindAt, message)
    }
}

/// A page of the messages that the person saved, the last saved first.
public struct SavedMessagePage: Hashable, Sendable, Codable {
    /// The messages.
    public var messages: [SavedChatMessage]
    /// The `before` of the next page; nil on the last.
    public var next: Int?

    public init(messages: [SavedChatMessage], next: Int? = nil) { (self.messages, self.next) = (messages, next) }
}
