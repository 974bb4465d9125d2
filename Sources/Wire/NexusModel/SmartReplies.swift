public import Foundation

/// Texts to send as a reply to the last message of a conversation.
public struct SmartReplies: Hashable, Sendable, Codable {
    /// At most three texts.
    public var replies: [String]
    /// Why there are none, such as `own_last_message`; nil if there are some.
    public var reason: String?

    public init(replies: [String], reason: String? = nil) {
        self.replies = replies
        self.reason = reason
    }
}

/// A prompt to offer to people.
public struct PromptSuggestion: Hashable, Sendable, Codable, Identifiable {
    /// `summary`, `action-items`, `decisions`, `deadlines`, or a word of a later server.
    public var id: String
    /// The text on the button.
    public var title: String
    /// The question that is sent.
    public var text: String

    public init(id: String, title: String, text: String) {
        self.id = id
        self.title = title
        self.text = text
    }
}

/// The reply of `GET …/assistant/suggestions`.
public struct PromptSuggestionList: Hashable, Sendable, Codable {
    /// The prompts.
    public var suggestions: [PromptSuggestion]

    public init(suggestions: [PromptSuggestion]) { self.suggestions = suggestions }
}

/// An unread message and how urgent it is.
public struct MessagePriority: Hashable, Sendable, Codable {
    /// The message.
    public var messageId: String
    /// The writer.
    public var senderId: String
    /// The writer's name.
    public var senderName: String
    /// When it was written.
    public var timestamp: Date
    /// The text.
    public var text: String
    /// From 0, not urgent, to 1; nil if it is unknown.
    public var score: Double?
    /// The reason for the score.
    public var reason: String?

    public init(
        messageId: String, senderId: String, senderName: String, timestamp: Date, text: String, score: Double? = nil,
        reason: String? = nil
    ) {
        self.messageId = messageId
        self.senderId = senderId
        self.senderName = senderName
        self.timestamp = timestamp
        self.text = text
        self.score = score
        self.reason = reason
    }
}

/// The reply of `POST …/priorities`.
public struct MessagePriorityList: Hashable, Sendable, Codable {
    /// The messages, the most urgent first.
    public var messages: [MessagePriority]

    public init(messages: [MessagePriority]) { self.messages = messages }
}
