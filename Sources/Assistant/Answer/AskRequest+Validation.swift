import ChatCore
import Prompting
import Retrieval

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
