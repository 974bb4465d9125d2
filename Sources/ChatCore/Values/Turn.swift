/// One question and its answer, as kept.
public struct Turn: Hashable, Sendable {
    /// Its id.
    public let id: TurnID
    /// Who asked.
    public var askerID: UserID
    /// What was asked; empty once redacted.
    public var question: String
    /// What was answered; empty once redacted.
    public var answer: String
    /// The messages that entered the prompt, in the order of their numbers.
    ///
    /// When one of them is deleted the turn is redacted.
    public var sourceKeys: [MessageKey]
    /// When it was asked.
    public var askedAt: Timestamp

    /// Makes a turn from its parts.
    public init(
        id: TurnID, askerID: UserID, question: String, answer: String, sourceKeys: [MessageKey], askedAt: Timestamp
    ) {
        self.id = id
        self.askerID = askerID
        self.question = question
        self.answer = answer
        self.sourceKeys = sourceKeys
        self.askedAt = askedAt
    }
}
