import Assistant
import ChatCore

/// Reads what was said before a question: exchanges with `question` and `answer`, or messages with `role` and `content`.
///
/// An exchange without an answer is dropped, because clients append the question that is being asked.
struct HistoryFields {
    /// The exchanges so far, oldest first.
    private(set) var exchanges: [Exchange] = []
    /// What a person said without an answer yet, in messages with roles.
    private var question: String?
    /// Whether the last exchange comes from messages with roles, so that more of its answer may follow.
    private var isTalk = false

    /// Takes the next item.
    ///
    /// - Throws: ``FieldError`` for an item of another form: nothing of a history is dropped silently.
    mutating func take(_ item: JSONField) throws(FieldError) {
        if item["role"].isPresent { return try takeMessage(item) }
        guard item["question"].isPresent || item["answer"].isPresent else {
            throw item.error("must have question and answer, or role and content")
        }
        guard let answer = try item["answer"].optionalString(), answer.contains(where: { !$0.isWhitespace }) else {
            return
        }
        let question = try AskFields.storable(item["question"].string(), item["question"])
        exchanges.append(Exchange(question: question, answer: try AskFields.storable(answer, item["answer"])))
        isTalk = false
    }

    private mutating func takeMessage(_ item: JSONField) throws(FieldError) {
        let text = try AskFields.storable(item["content"].string(), item["content"])
        switch try item["role"].string() {
        case "user":
            question = question.map { $0 + "\n" + text } ?? text
        case "assistant":
            if let asked = question {
                exchanges.append(Exchange(question: asked, answer: text))
                (question, isTalk) = (nil, true)
            } else if isTalk, let last = exchanges.popLast() {
                exchanges.append(Exchange(question: last.question, answer: last.answer + "\n" + text))
            } else {
                throw item["role"].error("must be user before the first message of the assistant")
            }
        default: throw item["role"].error("must be user or assistant")
        }
    }
}
