/// That an answer is no longer true, because a later message replaces what it says.
public struct OutdatedMark: Hashable, Sendable {
    /// The later message; the edited one, if a message that the answer is based on was edited.
    public let by: MessageKey
    /// When this was noticed.
    public let notedAt: Timestamp

    public init(by: MessageKey, notedAt: Timestamp) {
        self.by = by
        self.notedAt = notedAt
    }
}

/// An answer that somebody received.
public enum GivenAnswerID: Hashable, Sendable {
    /// The answer of a turn, which its asker received.
    case turn(TurnID)
    /// A message of the assistant, which everybody in its conversation received.
    case message(MessageKey)
}

/// An answer that a later message makes wrong.
public struct OutdatedAnswer: Hashable, Sendable {
    /// The answer.
    public let id: GivenAnswerID
    /// The message whose statement it repeats.
    public let older: MessageKey

    public init(id: GivenAnswerID, older: MessageKey) {
        self.id = id
        self.older = older
    }
}

/// The answers that may be compared with a message of a conversation, and the messages of it that they are based on.
public struct CitingAnswers: Hashable, Sendable {
    /// An answer that does not know the message.
    public struct Answer: Hashable, Sendable {
        /// The answer.
        public let id: GivenAnswerID
        /// Its text.
        public let text: String
        /// Those of ``CitingAnswers/cited`` that it is based on.
        public let keys: Set<MessageKey>

        public init(id: GivenAnswerID, text: String, keys: Set<MessageKey>) {
            self.id = id
            self.text = text
            self.keys = keys
        }
    }

    /// The IANA name of the conversation's time zone.
    public let timeZone: String?
    /// The messages that answers are based on, those of the newest answers first.
    public let cited: [Message]
    /// The messages before the message, newest first.
    public let preceding: [Message]
    /// The newest answers first.
    public let answers: [Answer]

    public init(timeZone: String?, cited: [Message], preceding: [Message], answers: [Answer]) {
        self.timeZone = timeZone
        self.cited = cited
        self.preceding = preceding
        self.answers = answers
    }
}
