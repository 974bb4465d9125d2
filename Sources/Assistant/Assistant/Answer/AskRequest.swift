package import ChatCore
import Prompting
import Retrieval
package import TextAnalysis

/// An earlier question with its answer.
package struct Exchange: Hashable, Sendable, Codable {
    /// The question.
    package var question: String
    /// The answer.
    package var answer: String

    package init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// One question to the assistant.
package struct AskRequest: Hashable, Sendable {
    /// The longest question, in characters.
    package static let questionLimit = TextLimit.question.characters
    /// The number of exchanges that are used, the newest ones.
    package static let historyLimit = TurnHistory.limit

    /// The question; not empty.
    package var question: String
    /// Earlier exchanges, oldest first; in a thread, the turns of the thread are used instead.
    package var history: [Exchange]
    /// The asker's thread that the question belongs to; nil for a single question.
    package var threadID: ThreadID?
    /// The asker's turn that the question follows: it and its own history come before ``history``; nil for none.
    package var previousTurnID: TurnID?
    /// The id of the turn; nil for one that is made.
    package var turnID: TurnID?
    /// Whether the turn is stored.
    package var isKept = true
    /// The messages that the question and the history quote; deleting one of them deletes the turn.
    package var quotedKeys: [MessageKey] = []
    /// The asker, and the conversations to search.
    package var scope: SearchScope
    /// Conditions that every source must fulfil.
    package var filter: SearchFilter
    /// The number of sources that the answer lists (`topK`), or fewer if fewer were found.
    package var limit: Int
    /// The IANA name of the asker's time zone, if known; dates are shown to the model in it.
    package var timeZone: String?
    /// The moment up to which messages count, and which the answer names; nil for the present, unless the question says
    /// "as of" a day that is over.
    package var asOf: AsOf?
    /// When it was asked; nil for the moment when the answer begins.
    package var askedAt: Timestamp?
    /// Whether the answer is sent piece by piece.
    package var streams: Bool
    /// Whether readers keep the pieces of a streamed answer as they came, so that its text must not change afterwards.
    package var textIsFinal = false
    /// Whether sources may be quoted when the language model fails; see ``AssistantSettings/fallback``.
    package var allowsFallback = true

    package init(
        question: String, history: [Exchange] = [], threadID: ThreadID? = nil, scope: SearchScope,
        filter: SearchFilter = SearchFilter(),
        limit: Int, timeZone: String? = nil, askedAt: Timestamp? = nil, streams: Bool = false
    ) {
        self.question = question
        self.history = history
        self.threadID = threadID
        self.scope = scope
        self.filter = filter
        self.limit = limit
        self.timeZone = timeZone
        self.askedAt = askedAt
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

    /// Limits it to messages until the moment that it or its question names; a moment in the future limits nothing.
    ///
    /// - Returns: The question without that moment.
    mutating func limit(asOf question: String, askedAt moment: Timestamp) -> String {
        let limited = filter.limit(to: asOf, or: question, askedAt: moment, timeZone: timeZone, isSubject: false)
        asOf = limited.asOf
        return limited.text
    }

    /// The history for the prompt, which cuts it to size.
    var promptHistory: [PromptExchange] {
        history.map { PromptExchange(question: $0.question, answer: $0.answer) }
    }
}
