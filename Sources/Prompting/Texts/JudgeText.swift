public import ChatCore

extension PromptBuilder {
    /// Returns the prompt that asks a model to judge an answer.
    ///
    /// - Parameters:
    ///   - question: What was asked.
    ///   - reference: What a person answered; nil when there is none.
    ///   - sources: The messages that the answer had to stand on, with what `[n]` in it means.
    ///   - answer: What is judged.
    ///   - generator: Draws the delimiter that fences what people and the assistant said.
    /// - Returns: One message.
    public func judgePrompt(
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
    ///   - statements: What is judged, with citations in it; the prompt numbers them from 1.
    ///   - sources: The messages that the statements cite, with what `[n]` in these means.
    ///   - generator: Draws the delimiter that fences what people and the assistant said.
    /// - Returns: One message.
    public func judgeSummaryPrompt(
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

/// A source with the number that stands for it in what is judged.
public struct NumberedSource: Sendable {
    /// What `[n]` means.
    public let number: Int
    /// The message.
    public let source: PromptSource

    public init(number: Int, source: PromptSource) {
        self.number = number
        self.source = source
    }
}
