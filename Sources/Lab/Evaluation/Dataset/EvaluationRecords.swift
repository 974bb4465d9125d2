public import ChatCore

/// One line of `conversations.jsonl`; fields that are not named here are ignored.
public struct EvaluationConversation: Hashable, Sendable, Codable {
    /// A participant.
    public struct Participant: Hashable, Sendable, Codable {
        /// The person's id.
        public var id: UserID
        /// The name shown.
        public var name: String
        /// Other names that people use for this person.
        public var aliases: [String]?

        public init(id: UserID, name: String, aliases: [String]? = nil) {
            self.id = id
            self.name = name
            self.aliases = aliases
        }
    }

    /// Its id.
    public var id: ConversationID
    /// The participants.
    public var participants: [Participant]
    /// The name shown; nil for a direct conversation.
    public var name: String?
    /// The IANA name of its time zone.
    public var timeZone: String?

    public init(
        id: ConversationID, participants: [Participant], name: String? = nil, timeZone: String? = nil
    ) {
        self.id = id
        self.participants = participants
        self.name = name
        self.timeZone = timeZone
    }
}

/// One line of `messages.jsonl`; fields that are not named here are ignored.
public struct EvaluationMessage: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case seq
        case senderID = "senderId"
        case senderName, text, timestamp
        case kind
        case threadRootID = "threadRoot"
        case replyToID = "replyTo"
        case editedAt, deletedAt, attachments
    }

    /// Its id, unique in its conversation.
    public var id: MessageID
    /// The conversation that holds it.
    public var conversationID: ConversationID
    /// Its place in the conversation, from 0.
    public var seq: Int
    /// The sender.
    public var senderID: UserID
    /// The sender's name.
    public var senderName: String
    /// The text; empty when deleted.
    public var text: String
    /// When it was written.
    public var timestamp: Timestamp
    /// The kind of sender; nil for a person.
    public var kind: Message.Kind?
    /// The first message of its thread.
    public var threadRootID: MessageID?
    /// The message that it answers.
    public var replyToID: MessageID?
    /// When its text was last changed.
    public var editedAt: Timestamp?
    /// When it was deleted.
    public var deletedAt: Timestamp?
    /// The attachments.
    public var attachments: [Message.Attachment]?

    /// Its conversation and id.
    public var key: MessageKey { MessageKey(conversationID: conversationID, messageID: id) }

    public init(
        id: MessageID, conversationID: ConversationID, seq: Int, senderID: UserID, senderName: String, text: String,
        timestamp: Timestamp
    ) {
        self.id = id
        self.conversationID = conversationID
        self.seq = seq
        self.senderID = senderID
        self.senderName = senderName
        self.text = text
        self.timestamp = timestamp
    }
}

/// One line of `questions.jsonl`, with its evidence resolved; fields that are not named here are ignored.
public struct EvaluationQuestion: Hashable, Sendable {
    /// The category whose questions are shown apart from the headline figures.
    public static let adversarialCategory = "adversarial"
    /// The asker of questions for which the dataset names none.
    public static let defaultAskerID = UserID(rawValue: "evaluation")

    /// Its id, unique in the dataset.
    public var id: String
    /// The conversation that it is asked in.
    public var conversationID: ConversationID
    /// The text of the question.
    public var question: String
    /// A reference to compare answers with; nil when none is known.
    public var answer: String?
    /// The messages that the answer is based on, each once; empty when there is no answer.
    public var evidence: [MessageKey]
    /// How relevant each piece of evidence is, 1 or more, in the order of ``evidence``; 1 each when empty.
    public var grades: [Int]
    /// The category of the question.
    public var category: String
    /// The asker; nil when the dataset does not say.
    public var askerID: UserID?
    /// When it is asked, so that later messages do not count; nil when the dataset does not say.
    public var askedAt: Timestamp?
    /// Messages that the asker may not read; each that is found is a leak.
    public var hiddenEvidence: [MessageKey]

    public init(
        id: String, conversationID: ConversationID, question: String, answer: String? = nil,
        evidence: [MessageKey] = [], grades: [Int] = [], category: String, askerID: UserID? = nil,
        askedAt: Timestamp? = nil, hiddenEvidence: [MessageKey] = []
    ) {
        self.id = id
        self.conversationID = conversationID
        self.question = question
        self.answer = answer
        self.evidence = evidence
        self.grades = grades
        self.category = category
        self.askerID = askerID
        self.askedAt = askedAt
        self.hiddenEvidence = hiddenEvidence
    }

    /// Whether it is of the category that is shown apart.
    public var isAdversarial: Bool { category == Self.adversarialCategory }

    /// Whether the dataset holds an answer: it has evidence and is not adversarial.
    public var isAnswerable: Bool { !evidence.isEmpty && !isAdversarial }
}
