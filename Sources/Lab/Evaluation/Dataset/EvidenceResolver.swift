import ChatCore

/// Finds the messages that questions name by id.
struct EvidenceResolver {
    private let places: [MessageID: [ConversationID]]

    init(messages: [EvaluationMessage]) {
        places = Dictionary(grouping: messages, by: \.id).mapValues { $0.map(\.conversationID) }
    }

    /// Returns the message of a reference: in the question's conversation first, else the only one elsewhere.
    func place(of reference: QuestionLine.Reference, in conversation: ConversationID) -> MessageKey? {
        switch reference {
        case .key(let key):
            return places[key.messageID, default: []].contains(key.conversationID) ? key : nil
        case .id(let id):
            let homes = places[id, default: []]
            guard let home = homes.contains(conversation) ? conversation : homes.count == 1 ? homes[0] : nil
            else { return nil }
            return MessageKey(conversationID: home, messageID: id)
        }
    }

    /// Resolves a line's evidence; references to no message, or to several, are returned as unknown.
    func question(from line: QuestionLine) -> (question: EvaluationQuestion, unknown: [String]) {
        var question = EvaluationQuestion(
            id: line.id, conversationID: line.conversationID, question: line.question, answer: line.answer?.text,
            category: line.category, askerID: line.askerID, askedAt: line.askedAt)
        var unknown: [String] = []
        for (index, reference) in (line.evidence ?? []).enumerated() {
            guard let key = place(of: reference, in: line.conversationID) else {
                unknown.append("\(line.id): \(reference.written)")
                continue
            }
            guard !question.evidence.contains(key) else { continue }
            question.evidence.append(key)
            if let grades = line.evidenceGrades, grades.indices.contains(index) {
                question.grades.append(max(1, grades[index]))
            }
        }
        if question.grades.count != question.evidence.count { question.grades = [] }
        for reference in line.hiddenEvidence ?? [] {
            if let key = place(of: reference, in: line.conversationID) {
                question.hiddenEvidence.append(key)
            } else {
                unknown.append("\(line.id): \(reference.written)")
            }
        }
        return (question, unknown)
    }
}

extension QuestionLine.Reference {
    /// The reference as it is written in the file.
    var written: String {
        switch self {
        case .id(let id): id.rawValue
        case .key(let key): "\(key.conversationID)/\(key.messageID)"
        }
    }
}
