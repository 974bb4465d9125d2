public import ChatCore

/// What came of an extraction.
public struct ExtractionOutcome: Hashable, Sendable, Codable {
    /// How many new or changed messages were read.
    public var messageCount = 0
    /// How many items are new.
    public var addedCount = 0
    /// How many known items say something else now.
    public var changedCount = 0
    /// How many items their messages say no more.
    public var removedCount = 0
    /// How often the model was asked.
    public var callCount = 0
    /// What was wrong with its replies, by the word for it.
    public var faults: [String: Int] = [:]
    /// The tokens that the service counted.
    public var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    /// Whether everything was read; otherwise the next extraction goes on.
    public var isComplete = true

    /// Makes the outcome of an extraction that has not begun.
    public init() {}
}

/// How urgent an unread message is.
public struct MessagePriority: Hashable, Sendable {
    /// The message.
    public let message: Message
    /// 0 for not at all, 1 for at once; nil where the model said nothing of it.
    public let score: Double?
    /// Why; nil where the model said nothing of it.
    public let reason: String?

    public init(message: Message, score: Double?, reason: String?) {
        self.message = message
        self.score = score
        self.reason = reason
    }
}

/// Where the unread messages begin.
public enum UnreadStart: Hashable, Sendable {
    /// Behind this message.
    case after(MessageID)
    /// At this moment.
    case since(Timestamp)
}

/// Takes tasks, decisions and dates out of conversations.
public protocol ItemExtracting: Sendable {
    /// Reads what came in a conversation since the last extraction of a kind, and keeps what it finds.
    ///
    /// - Parameters:
    ///   - kind: What is looked for.
    ///   - id: The conversation.
    ///   - asker: Who wants it.
    ///   - timeZone: The IANA name of the zone in which people say "Friday"; nil for the conversation's.
    /// - Returns: What came of it.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``; what was found before stays.
    func extract(_ kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, timeZone: String?) async throws
        -> ExtractionOutcome

    /// Judges the messages of others that somebody has not read yet.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: Who has not read them.
    ///   - start: Where they begin.
    ///   - timeZone: The IANA name of the reader's zone; nil for the conversation's.
    /// - Returns: The newest of them, the most urgent first, those of the same score by time, the newest first.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``.
    func priorities(in id: ConversationID, asker: UserID, from start: UnreadStart, timeZone: String?) async throws
        -> [MessagePriority]
}
