public import ChatCore
public import Foundation

/// An answer that a person judged: a line of `eval/judge-cases.jsonl`.
public struct JudgeCase: Hashable, Sendable, Codable {
    /// A message that the answer is based on.
    public struct Source: Hashable, Sendable, Codable {
        /// The sender.
        public var sender: String
        /// When it was written.
        public var timestamp: Timestamp
        /// Its text.
        public var text: String

        public init(sender: String, timestamp: Timestamp, text: String) {
            self.sender = sender
            self.timestamp = timestamp
            self.text = text
        }
    }

    /// The id of the case, unique in the file.
    public var id: String
    /// The question.
    public var question: String
    /// A person's answer; nil without a reference.
    public var reference: String?
    /// The messages that the answer is based on, numbered from 1.
    public var messages: [Source]
    /// The answer to judge.
    public var answer: String
    /// Whether it says the same as the reference; given exactly when there is a reference.
    public var correct: Verdict?
    /// Whether it follows from the messages.
    public var supported: Verdict
    /// Whether it answers the question.
    public var relevant: Verdict

    public init(
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
    public static func read(_ file: URL) throws -> [JudgeCase] {
        try JSONLines.records(JudgeCase.self, from: file, id: \.id) { read in
            (read.correct == nil) == (read.reference == nil)
                ? nil : "correct and reference must be given together"
        }
    }

    /// The verdicts of the person.
    var label: Judgement { Judgement(correctness: correct, faithfulness: supported, relevancy: relevant) }
}
