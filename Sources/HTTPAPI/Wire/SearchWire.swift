public import ChatCore
public import Retrieval

/// What a search found as it goes over the wire.
public enum SearchWire {
    /// One message: an element of the result of `ragSearch` and of `results` of `POST /v1/search`.
    public struct Found: Codable, Hashable, Sendable {
        /// The message.
        public var messageId: MessageID
        /// Its conversation.
        public var conversationId: ConversationID
        /// Its whole text, captions of attachments included.
        public var text: String
        /// Who wrote it.
        public var senderId: UserID
        /// The writer's name.
        public var senderName: String
        /// When it was written.
        public var timestamp: WireTime
        /// For display, 0...1; the order is that of the list.
        public var score: Double

        /// Makes the wire form of a hit.
        public init(_ hit: Hit) {
            messageId = hit.message.key.messageID
            conversationId = hit.message.key.conversationID
            text = hit.message.searchableText
            senderId = hit.message.senderID
            senderName = hit.message.senderName
            timestamp = WireTime(hit.message.timestamp)
            score = hit.relevance
        }
    }

    /// The body of `POST /v1/search`.
    struct Results: Encodable {
        let results: [Found]
    }
}
