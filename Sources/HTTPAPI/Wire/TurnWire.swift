public import ChatCore

/// A past turn as it goes over the wire.
public struct TurnWire: Codable, Hashable, Sendable {
    /// A message that the answer stood on.
    public struct Source: Codable, Hashable, Sendable {
        /// Its conversation.
        public let conversationId: ConversationID
        /// The message.
        public let messageId: MessageID
    }

    /// What the asker thinks of it.
    public struct Feedback: Codable, Hashable, Sendable {
        /// The verdict.
        public let rating: TurnFeedback.Rating
        /// Why, when that was said.
        public let reason: String?
        /// When it was given.
        public let givenAt: WireTime
    }

    /// Its id.
    public let turnId: TurnID
    /// What was asked; empty once a message that the answer stood on was deleted.
    public let question: String
    /// What was answered; empty when it stood on a message that the asker may not see, or not any more.
    public let answer: String
    /// Whether something of it is missing.
    public let isRedacted: Bool
    /// Why the answer is missing; nil where it is not.
    public let redactedReason: ReadableTurn.Withholding?
    /// The messages in the order of their numbers, without those that the asker may not see.
    public let sources: [Source]
    /// When it was asked.
    public let askedAt: WireTime
    /// The thread that it belongs to.
    public let threadId: ThreadID?
    /// What the asker thinks of it.
    public let feedback: Feedback?

    /// Makes the wire form of a turn.
    public init(_ readable: ReadableTurn) {
        let turn = readable.turn
        turnId = turn.id
        question = turn.question
        answer = turn.answer
        isRedacted = !readable.isWhole
        redactedReason = readable.withholding
        sources = turn.sourceKeys.map { Source(conversationId: $0.conversationID, messageId: $0.messageID) }
        askedAt = WireTime(turn.askedAt)
        threadId = turn.threadID
        feedback = turn.feedback.map {
            Feedback(rating: $0.rating, reason: $0.reason, givenAt: WireTime($0.givenAt))
        }
    }
}

/// A page of past turns; `next` is what `before` takes for the older ones, and missing on the last page.
struct TurnPage: Encodable {
    let turns: [TurnWire]
    let next: TurnID?
}
