/// An answer of the assistant: the reply of `POST /v1/ask`.
public struct ChatAnswer: Hashable, Sendable, Codable {
    /// A message that the answer may be based on.
    public struct Source: Hashable, Sendable, Codable {
        /// The conversation.
        public var conversationId: String
        /// Its name.
        public var conversationName: String
        /// The message.
        public var messageId: String
        /// The beginning of its text.
        public var excerpt: String
        /// The writer's name.
        public var senderName: String
        /// Its number in the answer; nil if it is not cited.
        public var number: Int?
    }

    /// The answer.
    public var answer: String
    /// The sources by rank.
    public var sources: [Source]
}

/// The reply of `POST /v1/search`.
public struct ChatSearchResult: Hashable, Sendable, Codable {
    /// A message that was found.
    public struct Found: Hashable, Sendable, Codable {
        /// The message.
        public var messageId: String
        /// Its conversation.
        public var conversationId: String
        /// The conversation's name.
        public var conversationName: String
        /// Its text.
        public var text: String
        /// The writer's name.
        public var senderName: String
    }

    /// The messages, best first.
    public var results: [Found]
}
