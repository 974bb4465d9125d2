package import ChatCore

extension PromptBuilder {
    /// The longest question or answer of before that a rewriting prompt shows, in Unicode scalars: enough for the names
    /// that a follow-up leaves out, and short enough for an answer within two seconds.
    private static let standaloneHistoryLength = 600

    /// Returns the prompt that asks to rewrite a follow-up question so that it can be understood without the
    /// conversation.
    ///
    /// - Parameters:
    ///   - question: The follow-up.
    ///   - history: Earlier exchanges, oldest first; all of them are shown, long texts cut.
    ///   - generator: Draws the delimiter that fences what people said.
    /// - Returns: One message.
    package func standaloneQuestionPrompt(
        for question: String, after history: [PromptExchange], using generator: inout some RandomNumberGenerator
    ) -> [PromptMessage] {
        let exchanges = history.map { exchange in
            ["asked": said(exchange.question), "answered": said(exchange.answer)]
        }
        let texts = exchanges.flatMap(\.values) + [question]
        let values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(avoiding: texts, using: &generator), "exchanges": exchanges,
            "question": question,
        ]
        return [PromptMessage(role: .user, content: library.render(.standaloneQuestion, values))]
    }

    private func said(_ text: String) -> String {
        TextCut.middle(text.trimmingWhitespace(), limit: Self.standaloneHistoryLength)
    }
}
