public import ChatCore
import TextAnalysis

/// What a prompt for suggested replies is made of.
public struct SmartRepliesRequest: Hashable, Sendable {
    /// A message before the last one.
    public struct Earlier: Hashable, Sendable {
        /// The message.
        public var source: PromptSource
        /// Whether the one who is to reply wrote it.
        public var isOwn: Bool

        public init(source: PromptSource, isOwn: Bool) {
            self.source = source
            self.isOwn = isOwn
        }
    }

    /// What is to be replied to.
    public var last: PromptSource
    /// What was written before it, oldest first.
    public var earlier: [Earlier]
    /// Texts of the one who is to reply, newest first: they show the tone.
    public var examples: [String]

    public init(last: PromptSource, earlier: [Earlier], examples: [String]) {
        self.last = last
        self.earlier = earlier
        self.examples = examples
    }
}

extension PromptBuilder {
    /// The longest message before the last one, and the longest example, in Unicode scalars: what a reply of one
    /// sentence needs to know of them.
    private static let earlierLength = 500

    /// Returns the prompt that asks for replies to the last message of a conversation.
    ///
    /// What does not fit is left out in this order: the oldest message; then the oldest example. The last message
    /// always stays.
    ///
    /// - Parameters:
    ///   - request: What the prompt is made of.
    ///   - budget: How long it may be.
    ///   - generator: Draws the delimiter that fences what people wrote.
    /// - Returns: One message.
    /// - Throws: ``PromptError/doesNotFit(neededTokens:availableTokens:)`` when the last message is too long by itself.
    public func smartRepliesPrompt(
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
