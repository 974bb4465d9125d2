import ChatCore

/// Makes prompts: numbers and fences the sources, and fits everything into the budget.
///
/// Pure: the same request, budget and generator give the same prompt.
public struct PromptBuilder: Sendable {
    let library: PromptLibrary
    let limits: PromptLimits

    /// Joins the templates and the limits.
    public init(library: PromptLibrary, limits: PromptLimits = PromptLimits()) {
        self.library = library
        self.limits = limits
    }

    /// Makes a prompt that fits.
    ///
    /// What does not fit is left out in this order: the oldest exchange, until none is left; then the last source.
    /// System prompt and question always stay. When no source finds room the model is told so.
    ///
    /// - Parameters:
    ///   - request: What the prompt is made of.
    ///   - budget: How long it may be.
    ///   - generator: Draws the delimiter that fences the sources.
    /// - Returns: A prompt within the budget.
    /// - Throws: ``PromptError/doesNotFit(neededTokens:availableTokens:)`` when system prompt and question are too
    ///   long by themselves.
    public func prompt(
        for request: PromptRequest, budget: PromptBudget, using generator: inout some RandomNumberGenerator
    ) throws(PromptError) -> Prompt {
        let ask = QuestionText(request: request, limits: limits, library: library, using: &generator)
        let system = PromptMessage(role: .system, content: systemText(request))
        var exchanges = exchanges(of: request)[...]
        var sourceCount = ask.sourceCount
        var question = ask.message(sourceCount: sourceCount)
        while true {
            let prompt = Prompt(system: system, exchanges: exchanges, question: question, sourceCount: sourceCount)
            let needed = budget.tokens(of: prompt)
            if needed <= budget.promptTokenCount { return prompt }
            if !exchanges.isEmpty {
                exchanges.removeFirst()
            } else if sourceCount > 0 {
                sourceCount -= 1
                question = ask.message(sourceCount: sourceCount)
            } else {
                throw .doesNotFit(neededTokens: needed, availableTokens: budget.promptTokenCount)
            }
        }
    }

    private func systemText(_ request: PromptRequest) -> String {
        library.render(.system, ["today": PromptDate(timeZone: request.timeZone).day(request.now)])
    }

    /// Returns the newest exchanges as pairs of messages; one without question or answer would break the alternation
    /// that models expect, and is left out.
    private func exchanges(of request: PromptRequest) -> [[PromptMessage]] {
        let complete = request.history.compactMap { exchange -> [PromptMessage]? in
            let question = exchange.question.trimmingWhitespace()
            let answer = exchange.answer.trimmingWhitespace()
            guard !question.isEmpty, !answer.isEmpty else { return nil }
            return [
                PromptMessage(role: .user, content: TextCut.middle(question, limit: limits.historyLength)),
                PromptMessage(role: .assistant, content: TextCut.middle(answer, limit: limits.historyLength)),
            ]
        }
        return Array(complete.suffix(limits.exchangeCount))
    }
}

extension PromptBudget {
    /// What is left for the prompt.
    var promptTokenCount: Int { contextTokenCount - answerTokenCount }

    /// Returns what a prompt takes by the calibrated estimate.
    func tokens(of prompt: Prompt) -> Int {
        Int((Double(prompt.estimatedTokenCount) * calibration).rounded(.up))
    }
}
