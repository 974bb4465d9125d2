/// One question and its answer, as stored.
public struct Turn: Hashable, Sendable {
    /// Why texts of a turn were removed.
    public enum Redaction: String, Hashable, Sendable, Codable, CaseIterable {
        /// A message that it is based on was deleted: question and answer are removed.
        case sourceDeleted = "source_deleted"
        /// The text of a message that it is based on was changed: the answer is removed; the question stays, unless
        /// that message contained it.
        case sourceEdited = "source_edited"
    }

    /// Its id.
    public let id: TurnID
    /// The asker.
    public var askerID: UserID
    /// The question; empty once a source was deleted.
    public var question: String
    /// The answer; empty once redacted.
    public var answer: String
    /// The messages in the prompt, in the order of their numbers; after them the messages that the question and the
    /// history quote.
    ///
    /// When one of them is deleted or its text changes, the turn is redacted, and so is every turn with this one in its
    /// prompt.
    public var sourceKeys: [MessageKey]
    /// The conversation whose messages were all in the prompt, in full or summarized; nil for none.
    ///
    /// When one of those messages is deleted or its text changes, the turn is redacted; ``sourceKeys`` contains only
    /// the cited ones.
    public var wholeConversationID: ConversationID?
    /// When it was asked.
    public var askedAt: Timestamp
    /// The thread of the turn; nil for a single question.
    public var threadID: ThreadID?
    /// The earlier turns of the thread in the prompt, oldest first.
    public var historyIDs: [TurnID]
    /// The asker's feedback; nil for none.
    public var feedback: TurnFeedback?
    /// Why texts were removed; nil while the turn has them.
    ///
    /// The store sets it; it is ignored when a turn is stored.
    public var redaction: Redaction?
    /// The details shown with the answer; nil once redacted, and for turns that were stored before it existed.
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

/// The asker's feedback on a turn.
public struct TurnFeedback: Hashable, Sendable, Codable {
    /// The verdict.
    public enum Rating: String, Hashable, Sendable, Codable, CaseIterable {
        /// The answer was good.
        case up
        /// The answer was wrong or not useful.
        case down
    }

    /// The most characters of a reason.
    public static let reasonLimit = 1_000

    /// The verdict.
    public var rating: Rating
    /// The reason in the asker's words; removed when the turn is redacted.
    public var reason: String?
    /// When it was given.
    public var givenAt: Timestamp

    public init(rating: Rating, reason: String? = nil, givenAt: Timestamp) {
        self.rating = rating
        self.reason = reason
        self.givenAt = givenAt
    }
}
