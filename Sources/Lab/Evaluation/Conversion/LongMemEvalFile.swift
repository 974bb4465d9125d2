import ChatCore
import Foundation

/// LongMemEval (https://github.com/xiaowu0162/LongMemEval, MIT): a list of questions, each with its own history.
enum LongMemEvalFile {
    private struct Instance: Decodable {
        private enum CodingKeys: String, CodingKey {
            case id = "question_id"
            case type = "question_type"
            case question, answer
            case date = "question_date"
            case sessionIDs = "haystack_session_ids"
            case sessionDates = "haystack_dates"
            case sessions = "haystack_sessions"
        }

        struct Turn: Decodable {
            private enum CodingKeys: String, CodingKey {
                case role, content
                case hasAnswer = "has_answer"
            }

            var role: String
            var content: String
            var hasAnswer: Bool?
        }

        var id: String
        var type: String
        var question: String
        var answer: LooseText?
        var date: String?
        var sessionIDs: [String]
        var sessionDates: [String]
        var sessions: [[Turn]]
    }

    /// Adds a file's questions, each with its own conversation; sessions in order of time.
    ///
    /// Turn 2 of session `s` is the message `question/s/2`; the turns marked `has_answer` are evidence. Questions
    /// whose id ends in `_abs` have no answer.
    static func add(_ file: URL, to builder: inout DatasetBuilder) throws {
        for instance in try DatasetBuilder.decode([Instance].self, from: file) {
            func fault(_ reason: String) -> EvaluationError {
                .invalidFile(file: file.lastPathComponent, reason: "\(instance.id): \(reason)")
            }
            guard instance.sessions.count == instance.sessionIDs.count,
                instance.sessions.count == instance.sessionDates.count
            else { throw fault("sessions, ids and dates differ in number") }
            let dates = instance.sessionDates.compactMap(LooseDate.moment(in:))
            guard dates.count == instance.sessions.count else { throw fault("a session's date cannot be read") }
            try add(instance, dates: dates, file: file.lastPathComponent, to: &builder)
        }
    }

    private static func add(
        _ instance: Instance, dates: [Timestamp], file: String, to builder: inout DatasetBuilder
    ) throws {
        let conversation = ConversationID(rawValue: "longmemeval-\(instance.id)")
        let names = ["user": "User", "assistant": "Assistant"]
        let people = try builder.addConversation(conversation, people: ["User", "Assistant"], file: file)
        var evidence: [String] = []
        var uses: [String: Int] = [:]
        for index in dates.indices.sorted(by: { (dates[$0], $0) < (dates[$1], $1) }) {
            let session = instance.sessionIDs[index]
            uses[session, default: 0] += 1
            let use = uses[session, default: 1]
            for (turnIndex, turn) in instance.sessions[index].enumerated() {
                let id = "\(instance.id)/\(session)\(use == 1 ? "" : "~\(use)")/\(turnIndex)"
                let name = names[turn.role] ?? "User"
                try builder.addMessage(
                    id, to: conversation, sender: people[name] ?? "", senderName: name, text: turn.content,
                    at: dates[index] + .seconds(60 * turnIndex), file: file)
                if turn.hasAnswer == true { evidence.append(id) }
            }
        }
        let abstains = instance.id.hasSuffix("_abs")
        builder.addQuestion(
            DatasetBuilder.Question(
                id: instance.id, conversationID: conversation, text: instance.question, answer: instance.answer?.text,
                evidence: abstains ? [] : evidence, category: abstains ? "abstention" : instance.type,
                askedAt: instance.date.flatMap(LooseDate.moment(in:)), isUnanswerable: abstains))
    }
}
