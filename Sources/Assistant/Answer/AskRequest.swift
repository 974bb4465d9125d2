public import ChatCore
import Prompting
import Retrieval

/// A question that was asked before, with its answer.
public struct Exchange: Hashable, Sendable, Codable {
    /// What was asked.
    public var question: String
    /// What was answered.
    public var answer: String

    public init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// One question to the assistant.
public struct AskRequest: Hashable, Sendable {
    /// The longest question, in characters.
    public static let questionLimit = TextLimit.question.characters
    /// How many exchanges before the question are used, the newest ones.
    public static let historyLimit = TurnHistory.limit

    /// What is asked; not empty.
    public var question: String
    /// What was asked and answered before, oldest first; with a thread its own turns count in place of these.
    public var history: [Exchange]
    /// The asker's thread that the question belongs to; nil for a question of its own.
    public var threadID: ThreadID?
    /// The messages whose texts stand in the question and the history; the turn goes with each of them.
    public var quotedKeys: [MessageKey] = []
    /// Who asks, and where.
    public var scope: SearchScope
    /// What else a source must fulfil.
    public var filter: SearchFilter
    /// How many sources the answer lists at least (`topK`), as far as there are so many.
    public var limit: Int
    /// The IANA name of the asker's zone, when known: decides how dates are shown to the model.
    public var timeZone: String?
    /// Whether the answer is wanted piece by piece.
    public var streams: Bool
    /// Whether sources may be quoted when the language model fails; see ``AssistantSettings/fallback``.
    public var allowsFallback = true

    public init(
        question: String, history: [Exchange] = [], threadID: ThreadID? = nil, scope: SearchScope,
        filter: SearchFilter = SearchFilter(),
        limit: Int, timeZone: String? = nil, streams: Bool = false
    ) {
        self.question = question
        self.history = history
        self.threadID = threadID
        self.scope = scope
        self.filter = filter
        self.limit = limit
        self.timeZone = timeZone
        self.streams = streams
    }
}

extension AskRequest {
    /// Checks the request and returns its question without white space at the ends.
    func validatedQuestion() throws(RetrievalError) -> String {
        let limits = SearchRequest.limitRange
        guard limits.contains(limit) else {
            throw .invalid(field: "topK", reason: "must lie in \(limits.lowerBound)...\(limits.upperBound)")
        }
        let question = question.trimmingWhitespace()
        guard !question.isEmpty else { throw .invalid(field: "question", reason: "must not be empty") }
        if let fault = TextLimit.question.fault(of: question) { throw .invalid(field: "question", reason: fault) }
        if let timeZone, !PromptDate.isTimeZone(timeZone) {
            throw .invalid(field: "timeZone", reason: "must be the IANA name of a zone, as Europe/Berlin")
        }
        return question
    }

    /// The history as the prompt takes it, which cuts it to size.
    var promptHistory: [PromptExchange] {
        history.map { PromptExchange(question: $0.question, answer: $0.answer) }
    }
}
