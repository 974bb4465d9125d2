/// A record of what an assistant read for a person in one conversation by one call; never holds text.
public struct AssistantReading: Hashable, Sendable {
    /// The most records of a person; the oldest ones go.
    public static let countLimit = 10_000

    /// The session of the assistant, which may have ended.
    public let session: AccountSession.ID
    /// The name that the assistant gave itself.
    public let assistant: String
    /// The tool that it called.
    public let tool: String
    /// The conversation.
    public let conversationID: ConversationID
    /// The number of messages that it got.
    public let messageCount: Int
    /// When it called.
    public let readAt: Timestamp

    public init(
        session: AccountSession.ID, assistant: String, tool: String, conversationID: ConversationID,
        messageCount: Int, readAt: Timestamp
    ) {
        self.session = session
        self.assistant = assistant
        self.tool = tool
        self.conversationID = conversationID
        self.messageCount = messageCount
        self.readAt = readAt
    }
}

/// A page of what assistants read for a person.
public struct AssistantReadingPage: Hashable, Sendable {
    /// The records, the latest first.
    public let readings: [AssistantReading]
    /// Where the next page begins; nil for the last one.
    public let next: Int64?

    public init(readings: [AssistantReading], next: Int64?) { (self.readings, self.next) = (readings, next) }
}
