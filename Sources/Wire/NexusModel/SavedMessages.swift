/// The reply to saving a message.
public struct MessageSaving: Hashable, Sendable, Codable {
    /// When the message was saved, as ISO 8601; earlier if it was saved before.
    public var savedAt: String

    public init(savedAt: String) { self.savedAt = savedAt }
}

/// A message that the person saved.
public struct SavedChatMessage: Hashable, Sendable, Codable {
    /// When the person saved it, as ISO 8601.
    public var savedAt: String
    /// The message.
    public var message: ChatMessage

    public init(savedAt: String, message: ChatMessage) { (self.savedAt, self.message) = (savedAt, message) }
}

/// A page of the messages that the person saved, the last saved first.
public struct SavedMessagePage: Hashable, Sendable, Codable {
    /// The messages.
    public var messages: [SavedChatMessage]
    /// The `before` of the next page; nil on the last.
    public var next: Int?

    public init(messages: [SavedChatMessage], next: Int? = nil) { (self.messages, self.next) = (messages, next) }
}
