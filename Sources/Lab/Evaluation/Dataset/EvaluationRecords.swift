package import ChatCore

/// One line of `conversations.jsonl`; fields that are not named here are ignored.
package struct EvaluationConversation: Hashable, Sendable, Codable {
    /// A participant.
    package struct Participant: Hashable, Sendable, Codable {
        /// The person's id.
        package var id: UserID
        /// The name shown.
        package var name: String
        /// Other names that people use for this person.
        package var aliases: [String]?

        package init(id: UserID, name: String, aliases: [String]? = nil) {
            self.id = id
            self.name = name
            self.aliases = aliases
        }
    }

    /// Its id.
    package var id: ConversationID
    /// The participants.
    package var participants: [Participant]
    /// The name shown; nil for a direct conversation.
    package var name: String?
    /// The IANA name of its time zone.
    package var timeZone: String?

    package init(
        id: ConversationID, participants: [Participant], name: String? = nil, timeZone: String? = nil
    ) {
        self.id = id
        self.participants = participants
        self.name = name
        self.timeZone = timeZone
    }
}

/// One line of `messages.jsonl`; fields that are not named here are ignored.
package struct EvaluationMessage: Hashable, Sendable, Codable {
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
    package var id: MessageID
    /// The conversation that holds it.
    package var conversationID: ConversationID
    /// Its place in the conversation, from 0.
    package var seq: Int
    /// The sender.
    package var senderID: UserID
    /// The sender's name.
    package var senderName: String
    /// The text; empty when deleted.
    package var text: String
    /// When it was written.
    package var timestamp: Timestamp
    /// The kind of sender; nil for a person.
    package var kind: Message.Kind?
    /// The first message of its thread.
    package var threadRootID: MessageID?
    /// The message that it answers.
    package var replyToID: MessageID?
    /// When its text was last changed.
    package var editedAt: Timestamp?
    /// When it was deleted.
    package var deletedAt: Timestamp?
    /// The attachments.
    package var attachments: [Message.Attachment]?

    /// Its conversation and id.
    package var key: MessageKey { MessageKey(conversationID: conversationID, messageID: id) }

    package init(
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
package struct EvaluationQuestion: Hashable, Sendable {
    /// The category whose questions are shown apart from the headline figures.
    package static let adversarialCategory = "adversarial"
    /// The asker of questions for which the dataset names none.
    package static let defaultAskerID = UserID(rawValue: "evaluation")

    /// Its id, unique in the dataset.
    package var id: String
    /// The conversation that it is asked in.
    package var conversationID: ConversationID
    /// The text of the question.
    package var question: String
    /// A reference to compare answers with; nil when none is known.
    package var answer: String?
    /// The messages that the answer is based on, each once; empty when there is no answer.
    package var evidence: [MessageKey]
    /// How relevant each piece of evidence is, 1 or more, in the order of ``evidence``; 1 each when empty.
    package var grades: [Int]
    /// The category of the question.
    package var category: String
    /// The asker; nil when the dataset does not say.
    package var askerID: UserID?
    /// When it is asked, so that later messages do not count; nil when the dataset does not say.
    package var askedAt: Timestamp?
    /// Messages that the asker may not read; each that is found is a leak.
    package var hiddenEvidence: [MessageKey]

    package init(
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
    package var isAdversarial: Bool { category == Self.adversarialCategory }

    /// Whether the dataset holds an answer: it has evidence and is not adversarial.
    package var isAnswerable: Bool { !evidence.isEmpty && !isAdversarial }
}
