package import ChatCore

extension PromptBuilder {
    /// Returns the prompt that asks a model to judge an answer.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - reference: A person's answer; nil if there is none.
    ///   - sources: The messages that the answer should be based on, with the numbers of `[n]` in it.
    ///   - answer: The answer to judge.
    ///   - generator: Draws the delimiter that fences what people and the assistant said.
    /// - Returns: One message.
    package func judgePrompt(
        question: String, reference: String?, sources: [NumberedSource], answer: String,
        using generator: inout some RandomNumberGenerator
    ) -> [PromptMessage] {
        let shown = sources.map { SourceText($0.source, limits: limits) }
        var values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(
                avoiding: shown.flatMap(\.texts) + [question, answer, reference ?? ""], using: &generator),
            "question": question, "answer": answer,
            "sources": zip(sources, shown).map { $1.variables(number: $0.number) },
        ]
        if let reference { values["reference"] = reference }
        return [PromptMessage(role: .user, content: library.render(.judgeAnswer, values))]
    }

    /// Returns the prompt that asks a model to judge statements of a summary.
    ///
    /// - Parameters:
    ///   - statements: The statements to judge, with citations; the prompt numbers them from 1.
    ///   - sources: The messages that the statements cite, with the numbers of `[n]` in them.
    ///   - generator: Draws the delimiter that fences what people and the assistant said.
    /// - Returns: One message.
    package func judgeSummaryPrompt(
        statements: [String], sources: [NumberedSource], using generator: inout some RandomNumberGenerator
    ) -> [PromptMessage] {
        let shown = sources.map { SourceText($0.source, limits: limits) }
        let values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(avoiding: shown.flatMap(\.texts) + statements, using: &generator),
            "sources": zip(sources, shown).map { $1.variables(number: $0.number) },
            "statements": statements.enumerated().map { place, text in
                ["number": String(place + 1), "text": text] as [String: any Sendable]
            },
        ]
        return [PromptMessage(role: .user, content: library.render(.judgeSummary, values))]
    }
}

/// A source with its number in the judged text.
package struct NumberedSource: Sendable {
    /// The number in `[n]`.
    package let number: Int
    /// The message.
    package let source: PromptSource

    package init(number: Int, source: PromptSource) {
        self.number = number
        self.source = source
    }
}
