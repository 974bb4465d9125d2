import ChatCore
import Foundation

/// LoCoMo (https://github.com/snap-research/locomo, CC BY-NC 4.0): a list of samples, each a chat with questions.
enum LoCoMoFile {
    private struct Sample: Decodable {
        private enum CodingKeys: String, CodingKey {
            case id = "sample_id"
            case conversation
            case questions = "qa"
        }

        var id: String
        var conversation: SessionTranscript
        var questions: [TranscriptQuestion]
    }

    /// Adds a file's chats: `conv-26` becomes `locomo-26`, its turn `D1:3` the message `locomo-26/D1:3`.
    ///
    /// A turn's time is its session's plus a minute for each turn before it.
    static func add(_ file: URL, to builder: inout DatasetBuilder) throws {
        for sample in try DatasetBuilder.decode([Sample].self, from: file) {
            let name = sample.id.hasPrefix("conv-") ? String(sample.id.dropFirst("conv-".count)) : sample.id
            let conversation = ConversationID(rawValue: "locomo-\(name)")
            let transcript = sample.conversation
            let people = try builder.addConversation(
                conversation, people: transcript.speakers, file: file.lastPathComponent)
            for session in transcript.sessions where !session.turns.isEmpty {
                guard let start = session.date.flatMap(LooseDate.moment(in:)) else {
                    throw EvaluationError.invalidFile(
                        file: file.lastPathComponent, reason: "a session of \(sample.id) has no date")
                }
                for (index, turn) in session.turns.enumerated() {
                    try builder.addMessage(
                        "\(conversation)/\(turn.id)", to: conversation, sender: people[turn.speaker] ?? "",
                        senderName: turn.speaker, text: turn.searchableText, at: start + .seconds(60 * index),
                        file: file.lastPathComponent)
                }
            }
            builder.addQuestions(sample.questions, of: conversation)
        }
    }
}

extension DatasetBuilder {
    /// Adds questions whose evidence is turns of one conversation, numbered in the file's order.
    mutating func addQuestions(_ questions: [TranscriptQuestion], of conversation: ConversationID) {
        for (index, question) in questions.enumerated() {
            var evidence: [String] = []
            for text in question.evidence {
                let ids = TurnReference.ids(in: text)
                if ids.isEmpty { dropEvidence(1) }
                evidence += ids.map { "\(conversation)/\($0)" }
            }
            addQuestion(
                Question(
                    id: Self.questionID(conversation, index), conversationID: conversation, text: question.question,
                    answer: (question.answer ?? question.adversarialAnswer)?.text, evidence: evidence,
                    category: question.categoryName))
        }
    }
}
