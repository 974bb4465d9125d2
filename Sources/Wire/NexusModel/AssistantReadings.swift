public import Foundation

/// What an assistant read for a person in one conversation by one call; without text.
public struct AssistantReadingDetails: Hashable, Sendable, Codable {
    /// The name that the assistant gave itself.
    public var assistant: String
    /// The session of the assistant, which may have ended.
    public var sessionId: String
    /// The tool that it called.
    public var tool: String
    /// The conversation.
    public var conversationId: String
    /// The number of messages that it got.
    public var messageCount: Int
    /// When it called.
    public var readAt: Date

    public init(
        assistant: String, sessionId: String, tool: String, conversationId: String, messageCount: Int, readAt: Date
    ) {
        self.assistant = assistant
        self.sessionId = sessionId
        self.tool = tool
        self.conversationId = conversationId
        self.messageCount = messageCount
        self.readAt = readAt
    }
}

/// A page of what assistants read for a person, the latest first.
public struct AssistantReadingDetailsPage: Hashable, Sendable, Codable {
    /// The records.
    public var readings: [AssistantReadingDetails]
    /// The value of `before` for the next page; nil for the last one.
    public var next: String?

    public init(readings: [AssistantReadingDetails], next: String?) { (self.readings, self.next) = (readings, next) }
}
