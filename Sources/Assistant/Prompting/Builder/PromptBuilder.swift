import ChatCore

/// Makes prompts: numbers and fences the sources, and fits everything into the budget.
///
/// Pure: the same request, budget and generator give the same prompt.
package struct PromptBuilder: Sendable {
    let library: PromptLibrary
    let limits: PromptLimits

    package init(library: PromptLibrary, limits: PromptLimits = PromptLimits()) {
        self.library = library
        self.limits = limits
    }

    /// Makes a prompt within the budget.
    ///
    /// If the prompt is too long, parts are left out in this order: the exchanges, oldest first; then the last source.
    /// System prompt and question always stay. If no source fits, the prompt says so.
    ///
    /// - Parameters:
    ///   - request: The content of the prompt.
    ///   - budget: The greatest length.
    ///   - generator: Draws the delimiter that fences the sources.
    /// - Returns: A prompt within the budget.
    /// - Throws: ``PromptError/doesNotFit(neededTokens:availableTokens:)`` when system prompt and question are too
    ///   long by themselves.
    package func prompt(
        for request: PromptRequest, budget: PromptBudget, using generator: inout some RandomNumberGenerator
    ) throws(PromptError) -> Prompt {
        let system = PromptMessage(role: .system, content: systemText(request))
        let exchanges = exchanges(of: request.history, limits: request.size.limits(limits))
        let ask = QuestionText(
            request: request, history: Array(exchanges.joined()), limits: request.size.limits(limits), library: library,
            using: &generator)
        let room = budget.estimateLimit - Prompt.estimate([system])
        guard let (question, sourceCount) = ask.longestMessage(within: room) else {
            let smallest = Prompt.estimate([system, ask.message(sourceCount: 0)])
            throw .doesNotFit(
                neededTokens: budget.calibrated(smallest), availableTokens: budget.promptTokenCount)
        }
        let rest = sourceCount == ask.sourceCount ? room - Prompt.estimate([question]) : 0
        return Prompt(
            system: system, exchanges: exchanges.suffix(within: rest), question: question,
            sourceOrder: ask.order(sourceCount: sourceCount))
    }

    private func systemText(_ request: PromptRequest) -> String {
        library.render(request.size.system, ["today": PromptDate(timeZone: request.timeZone).day(request.now)])
    }

    /// Returns the newest exchanges as pairs of messages, oldest first.
    ///
    /// One without question or answer would break the alternation that models expect, and is left out.
    func exchanges(of history: [PromptExchange], limits: PromptLimits) -> [[PromptMessage]] {
        history.reversed().lazy.compactMap { exchange -> [PromptMessage]? in
            let question = ChatTokens.broken(exchange.question).trimmingWhitespace()
            let answer = ChatTokens.broken(exchange.answer).trimmingWhitespace()
            guard !question.isEmpty, !answer.isEmpty else { return nil }
            return [
                PromptMessage(role: .user, content: TextCut.middle(question, limit: limits.historyLength)),
                PromptMessage(role: .assistant, content: TextCut.middle(answer, limit: limits.historyLength)),
            ]
        }.prefix(limits.exchangeCount).reversed()
    }
}

extension PromptBudget {
    /// The tokens that the prompt may have.
    var promptTokenCount: Int { contextTokenCount - answerTokenCount }

    /// The longest prompt that fits, by the estimate without calibration.
    package var estimateLimit: Int { (Double(promptTokenCount) / calibration).truncated(to: Int.self) ?? 0 }

    /// Returns an estimate corrected by the calibration.
    func calibrated(_ estimate: Int) -> Int {
        (Double(estimate) * calibration).rounded(.up).truncated(to: Int.self) ?? .max
    }
}

extension [[PromptMessage]] {
    /// Returns the last exchanges that take at most `tokenCount` together.
    func suffix(within tokenCount: Int) -> ArraySlice<[PromptMessage]> {
        var room = tokenCount
        let kept = reversed().prefix { exchange in
            room -= Prompt.estimate(exchange)
            return room >= 0
        }
        return suffix(kept.count)
    }
}
