/// A message that asks the assistant something in a conversation.
public struct Mention: Hashable, Sendable {
    /// What became of it.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is to be answered.
        case waiting
        /// Its answer was posted.
        case answered
        /// Its conversation asks too much.
        case limited
        /// It could not be answered, which may have been said there; it is not tried again.
        case failed
        /// It is none to be answered any more: it was deleted, or its writer left.
        case dropped
    }

    /// The message.
    public let message: Message
    /// How often an answer was tried, this time included.
    public let attempts: Int

    public init(message: Message, attempts: Int) {
        self.message = message
        self.attempts = attempts
    }
}

/// An answer that another system is to be told of, or that it is to forget.
public struct MentionDelivery: Hashable, Sendable {
    /// The answer as it is now; a deleted one has no content.
    public let answer: Message
    /// How often it was tried, this time included.
    public let attempts: Int

    public init(answer: Message, attempts: Int) {
        self.answer = answer
        self.attempts = attempts
    }
}
