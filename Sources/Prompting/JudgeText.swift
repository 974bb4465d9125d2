public import ChatCore

extension PromptBuilder {
    /// Returns the prompt that asks a model to judge an answer.
    ///
    /// - Parameters:
    ///   - question: What was asked.
    ///   - reference: What a person answered; nil when there is none.
    ///   - sources: The messages that the answer had to stand on, by their numbers from 1.
    ///   - answer: What is judged.
    ///   - generator: Draws the delimiter that fences what people and the assistant said.
    /// - Returns: One message.
    public func judgePrompt(
        question: String, reference: String?, sources: [PromptSource], answer: String,
        using generator: inout some RandomNumberGenerator
    ) -> [PromptMessage] {
        let shown = sources.map { SourceText($0, limits: limits) }
        var values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(
                avoiding: shown.flatMap(\.texts) + [question, answer, reference ?? ""], using: &generator),
            "question": question, "answer": answer,
            "sources": shown.enumerated().map { $1.variables(number: $0 + 1) },
        ]
        if let reference { values["reference"] = reference }
        return [PromptMessage(role: .user, content: library.render(.judgeAnswer, values))]
    }
}
