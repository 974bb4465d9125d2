package import ChatCore
import TextAnalysis

/// The content of a prompt for suggested replies.
package struct SmartRepliesRequest: Hashable, Sendable {
    /// A message before the last one.
    package struct Earlier: Hashable, Sendable {
        /// The message.
        package var source: PromptSource
        /// Whether the person who wants to reply wrote it.
        package var isOwn: Bool

        package init(source: PromptSource, isOwn: Bool) {
            self.source = source
            self.isOwn = isOwn
        }
    }

    /// The message to reply to.
    package var last: PromptSource
    /// The messages before it, oldest first.
    package var earlier: [Earlier]
    /// Earlier texts of the person who wants to reply, newest first, as examples of the tone.
    package var examples: [String]

    package init(last: PromptSource, earlier: [Earlier], examples: [String]) {
        self.last = last
        self.earlier = earlier
        self.examples = examples
    }
}

extension PromptBuilder {
    /// The most that is shown of an earlier message or an example, in Unicode scalars: enough for a reply of one
    /// sentence.
    private static let earlierLength = 500

    /// Returns the prompt that asks for replies to the last message of a conversation.
    ///
    /// If the prompt is too long, parts are left out in this order: the messages, oldest first; then the examples,
    /// oldest first. The last message always stays.
    ///
    /// - Parameters:
    ///   - request: The content of the prompt.
    ///   - budget: The greatest length.
    ///   - generator: Draws the delimiter that fences what people wrote.
    /// - Returns: One message.
    /// - Throws: ``PromptError/doesNotFit(neededTokens:availableTokens:)`` when the last message is too long by itself.
    package func smartRepliesPrompt(
        for request: SmartRepliesRequest, budget: PromptBudget, using generator: inout some RandomNumberGenerator
    ) throws(PromptError) -> [PromptMessage] {
        var brief = limits
        brief.sourceLength = min(limits.sourceLength, Self.earlierLength)
        let last = SourceText(request.last, limits: limits)
        var earlier = request.earlier.map { (text: SourceText($0.source, limits: brief), isOwn: $0.isOwn) }[...]
        var examples = request.examples.map { text in
            VisibleText.of(TextCut.middle(text.trimmingWhitespace(), limit: brief.sourceLength))
        }
        let delimiter = PromptDelimiter.draw(
            avoiding: last.texts + earlier.flatMap(\.text.texts) + examples, using: &generator)
        while true {
            let values: [String: any Sendable] = [
                "delimiter": delimiter, "hasExamples": !examples.isEmpty, "examples": examples.map { ["text": $0] },
                "hasMessages": !earlier.isEmpty,
                "messages": earlier.map { Self.variables(of: $0.text, isOwn: $0.isOwn) },
                "last": [Self.variables(of: last, isOwn: false)],
            ]
            let prompt = [PromptMessage(role: .user, content: library.render(.smartReplies, values))]
            let count = Prompt.estimate(prompt)
            if count <= budget.estimateLimit { return prompt }
            guard earlier.popFirst() != nil || examples.popLast() != nil else {
                throw .doesNotFit(
                    neededTokens: budget.calibrated(count), availableTokens: budget.promptTokenCount)
            }
        }
    }

    private static func variables(of text: SourceText, isOwn: Bool) -> [String: any Sendable] {
        ["sender": text.sender, "date": text.date, "text": text.text, "own": isOwn, "other": !isOwn]
    }
}
