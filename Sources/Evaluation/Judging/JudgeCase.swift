public import ChatCore
public import Foundation

/// An answer that a person judged: a line of `eval/judge-cases.jsonl`.
public struct JudgeCase: Hashable, Sendable, Codable {
    /// A message that the answer stands on.
    public struct Source: Hashable, Sendable, Codable {
        /// Who wrote it.
        public var sender: String
        /// When.
        public var timestamp: Timestamp
        /// What was written.
        public var text: String

        public init(sender: String, timestamp: Timestamp, text: String) {
            self.sender = sender
            self.timestamp = timestamp
            self.text = text
        }
    }

    /// Names the case.
    public var id: String
    /// What is asked.
    public var question: String
    /// What a person answered; nil when there is no reference.
    public var reference: String?
    /// What the answer stands on, numbered from 1.
    public var messages: [Source]
    /// What is judged.
    public var answer: String
    /// Whether it says what the reference says; exactly when there is one.
    public var correct: Verdict?
    /// Whether it follows from the messages.
    public var supported: Verdict
    /// Whether it answers what was asked.
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
    /// - Throws: ``EvaluationError`` for a line that is none, an id that stands twice, and a verdict on correctness
    ///   without a reference or the reverse.
    public static func read(_ file: URL) throws -> [JudgeCase] {
        try JSONLines.records(JudgeCase.self, from: file, id: \.id) { read in
            (read.correct == nil) == (read.reference == nil)
                ? nil : "correct is there when reference is, and only then"
        }
    }

    /// The verdicts of the person.
    var label: Judgement { Judgement(correctness: correct, faithfulness: supported, relevancy: relevant) }
}
