import ChatCore

/// A line of `questions.jsonl` as it is written: evidence still to be resolved.
struct QuestionLine: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case question, answer, evidence, evidenceGrades, category
        case askerID = "askerId"
        case askedAt, hiddenEvidence
    }

    /// A message named by its id alone, or with its conversation if the id alone would be ambiguous.
    enum Reference: Codable {
        case id(MessageID)
        case key(MessageKey)

        private enum CodingKeys: String, CodingKey {
            case conversationID = "conversationId"
            case messageID = "messageId"
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                // An id that breaks the rules for ids names no message; it is reported with the unknown ones.
                self = .id(MessageID(rawValue: text))
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self = .key(
                MessageKey(
                    conversationID: try container.decode(ConversationID.self, forKey: .conversationID),
                    messageID: try container.decode(MessageID.self, forKey: .messageID)))
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .id(let id):
                var container = encoder.singleValueContainer()
                try container.encode(id.rawValue)
            case .key(let key):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(key.conversationID, forKey: .conversationID)
                try container.encode(key.messageID, forKey: .messageID)
            }
        }
    }

    var id: String
    var conversationID: ConversationID
    var question: String
    var answer: LooseText?
    var evidence: [Reference]?
    var evidenceGrades: [Int]?
    var category: String
    var askerID: UserID?
    var askedAt: Timestamp?
    var hiddenEvidence: [Reference]?
}

/// A text that some files write as a number.
struct LooseText: Codable {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            text = String(number)
        } else if let number = try? container.decode(Double.self) {
            text = String(number)
        } else {
            text = try container.decode(String.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
