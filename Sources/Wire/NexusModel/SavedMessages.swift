public import Foundation

/// The reply to saving a message.
public struct MessageSaving: Hashable, Sendable, Codable {
    /// When the message was saved; earlier if it was saved before.
    public var savedAt: Date
    /// When the person is reminded of it; nil without a reminder.
    public var remindAt: Date?

    public init(savedAt: Date, remindAt: Date? = nil) { (self.savedAt, self.remindAt) = (savedAt, remindAt) }
}

/// A message that the person saved.
public struct SavedChatMessage: Hashable, Sendable, Codable {
    /// When the person saved it.
    public var savedAt: Date
    /// When the person is reminded of it; nil without a reminder.
    public var remindAt: Date?
    /// The message.
    public var message: ChatMessage

    public init(savedAt: Date, remindAt: Date? = nil, message: ChatMessage) {
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
