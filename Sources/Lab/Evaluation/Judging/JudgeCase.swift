package import ChatCore
package import Foundation

/// An answer that a person judged: a line of `eval/judge-cases.jsonl`.
package struct JudgeCase: Hashable, Sendable, Codable {
    /// A message that the answer is based on.
    package struct Source: Hashable, Sendable, Codable {
        /// The sender.
        package var sender: String
        /// When it was written.
        package var timestamp: Timestamp
        /// Its text.
        package var text: String

        package init(sender: String, timestamp: Timestamp, text: String) {
            self.sender = sender
            self.timestamp = timestamp
            self.text = text
        }
    }

    /// The id of the case, unique in the file.
    package var id: String
    /// The question.
    package var question: String
    /// A person's answer; nil without a reference.
    package var reference: String?
    /// The messages that the answer is based on, numbered from 1.
    package var messages: [Source]
    /// The answer to judge.
    package var answer: String
    /// Whether it says the same as the reference; given exactly when there is a reference.
    package var correct: Verdict?
    /// Whether it follows from the messages.
    package var supported: Verdict
    /// Whether it answers the question.
    package var relevant: Verdict

    package init(
        id: String, question: String, reference: String? = nil, messages: [Source] = [], answer: String,
        correct: Verdict? = nil, supported: Verdict, relevant: Verdict
    ) {
        self.id = id
        self.question = question
        self.reference = reference
        self.messages = messages
        self.answer = answer
        self.correct = correct
        self.supported = supported
        self.relevant = relevant
    }

    /// Reads a file of cases.
    ///
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, and a verdict on correctness without a
    ///   reference or the reverse.
    package static func read(_ file: URL) throws -> [JudgeCase] {
        try JSONLines.records(JudgeCase.self, from: file, id: \.id) { read in
            (read.correct == nil) == (read.reference == nil)
                ? nil : "correct and reference must be given together"
        }
    }

    /// The verdicts of the person.
    var label: Judgement { Judgement(correctness: correct, faithfulness: supported, relevancy: relevant) }
}
