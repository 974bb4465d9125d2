/// One question and its answer, as kept.
public struct Turn: Hashable, Sendable {
    /// Why texts of a turn were taken away.
    public enum Redaction: String, Hashable, Sendable, Codable, CaseIterable {
        /// A message that it is based on was deleted: question and answer are gone.
        case sourceDeleted = "source_deleted"
        /// The text of a message that it is based on was changed: the answer is gone; the question stays, unless it was
        /// asked in that message.
        case sourceEdited = "source_edited"
    }

    /// Its id.
    public let id: TurnID
    /// Who asked.
    public var askerID: UserID
    /// What was asked; empty once a source was deleted.
    public var question: String
    /// What was answered; empty once redacted.
    public var answer: String
    /// The messages that entered the prompt, in the order of their numbers; behind them those whose texts the question
    /// and what came before it repeat.
    ///
    /// When one of them is deleted, or its text changes, the turn is redacted, and every turn whose prompt this one
    /// entered.
    public var sourceKeys: [MessageKey]
    /// The conversation whose messages all entered the prompt, as they are or summarized; nil for none.
    ///
    /// When one that was there is deleted, or its text changes, the turn is redacted; ``sourceKeys`` are those that the
    /// answer cites alone.
    public var wholeConversationID: ConversationID?
    /// When it was asked.
    public var askedAt: Timestamp
    /// The thread it belongs to; nil for a question of its own.
    public var threadID: ThreadID?
    /// The turns of the thread that entered the prompt before the question, oldest first.
    public var historyIDs: [TurnID]
    /// What its asker thinks of it; nil when nothing was said.
    public var feedback: TurnFeedback?
    /// Why texts were taken away; nil while the turn has them.
    ///
    /// The store decides: it is not looked at when a turn is kept.
    public var redaction: Redaction?
    /// What is shown with the answer; nil once redacted, and for turns that were kept before there was one.
    public var reply: TurnReply?

    public init(
        id: TurnID, askerID: UserID, question: String, answer: String, sourceKeys: [MessageKey],
        wholeConversationID: ConversationID? = nil, askedAt: Timestamp, threadID: ThreadID? = nil,
        historyIDs: [TurnID] = [], feedback: TurnFeedback? = nil, redaction: Redaction? = nil, reply: TurnReply? = nil
    ) {
        self.id = id
        self.askerID = askerID
        self.question = question
        self.answer = answer
        self.sourceKeys = sourceKeys
        self.wholeConversationID = wholeConversationID
        self.askedAt = askedAt
        self.threadID = threadID
        self.historyIDs = historyIDs
        self.feedback = feedback
        self.redaction = redaction
        self.reply = reply
    }
}

/// What its asker thinks of a turn.
public struct TurnFeedback: Hashable, Sendable, Codable {
    /// The verdict.
    public enum Rating: String, Hashable, Sendable, Codable, CaseIterable {
        /// The answer was good.
        case up
        /// The answer was wrong, or of no use.
        case down
    }

    /// The most characters of a reason.
    public static let reasonLimit = 1_000

    /// The verdict.
    public var rating: Rating
    /// Why, in the asker's words; goes when the turn is redacted.
    public var reason: String?
    /// When it was given.
    public var givenAt: Timestamp

    public init(rating: Rating, reason: String? = nil, givenAt: Timestamp) {
        self.rating = rating
        self.reason = reason
        self.givenAt = givenAt
    }
}
