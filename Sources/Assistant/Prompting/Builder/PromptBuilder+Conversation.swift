package import ChatCore

extension PromptBuilder {
    /// The share of the room that is reserved for earlier exchanges, however long the conversation is.
    private static let historyShare = 6

    /// Makes a prompt about one conversation.
    ///
    /// If the prompt is too long, parts are left out in this order: exchanges, oldest first, except for a reserved
    /// sixth of the room; then messages, from the end of ``ConversationRequest/shown``; then the earliest summaries.
    ///
    /// - Parameters:
    ///   - request: The content of the prompt.
    ///   - budget: The greatest length.
    ///   - generator: Draws the delimiter that fences what people wrote.
    /// - Returns: A prompt within the budget. Its ``Prompt/sourceOrder`` are places in ``ConversationRequest/messages``
    ///   in order of time.
    /// - Throws: ``PromptError/doesNotFit(neededTokens:availableTokens:)`` when instructions, participants and question
    ///   are too long by themselves.
    package func conversationPrompt(
        for request: ConversationRequest, budget: PromptBudget, using generator: inout some RandomNumberGenerator
    ) throws(PromptError) -> Prompt {
        let today = PromptDate(timeZone: request.timeZone).day(request.now)
        let system = PromptMessage(role: .system, content: library.render(.conversationAssistant, ["today": today]))
        let text = ConversationText(request, limits: limits, library: library, using: &generator)
        let exchanges = exchanges(of: request.history, limits: limits)
        let room = budget.estimateLimit - Prompt.estimate([system])
        let kept = exchanges.suffix(within: max(0, room / Self.historyShare))
        let longest =
            text.longestMessage(within: room - Prompt.estimate(kept.joined())) ?? text.longestMessage(within: room)
        guard let (question, order, isComplete) = longest else {
            let smallest = Prompt.estimate([system, text.shortest])
            throw .doesNotFit(neededTokens: budget.calibrated(smallest), availableTokens: budget.promptTokenCount)
        }
        let rest = room - Prompt.estimate([question])
        return Prompt(
            system: system, exchanges: isComplete ? exchanges.suffix(within: rest) : Array(kept).suffix(within: rest),
            question: question, sourceOrder: order)
    }

    /// Returns an upper estimate of the tokens of a message in a prompt about its conversation.
    package func lineTokenCount(of source: PromptSource) -> Int {
        let text = TextCut.middle(source.text, limit: limits.sourceLength)
        return TokenEstimate.count(text) + TokenEstimate.count(source.sender) + Self.lineFrameTokenCount
    }

    /// The tokens of number, time and a share of the day's heading.
    private static let lineFrameTokenCount = 12

    /// Returns an upper estimate of the tokens of a summary.
    package func tokenCount(of summary: SummaryText) -> Int {
        TokenEstimate.count(summary.text { $0 + 1_000 }) + Self.summaryFrameTokenCount
    }

    /// The tokens of dates and fences.
    private static let summaryFrameTokenCount = 80

    /// Returns the prompt that asks for notes on messages, numbered from 1.
    ///
    /// - Parameters:
    ///   - messages: In order of time.
    ///   - lineCount: The most notes.
    ///   - timeZone: The IANA name of the zone to write times in; UTC when unknown.
    ///   - generator: Draws the delimiter that fences what people wrote.
    /// - Returns: One message.
    package func partPrompt(
        for messages: [PromptSource], lineCount: Int, timeZone: String?,
        using generator: inout some RandomNumberGenerator
    ) -> [PromptMessage] {
        let date = PromptDate(timeZone: timeZone)
        let lines = messages.map { MessageLine($0, date: date, limits: limits) }
        let values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(avoiding: lines.flatMap(\.texts), using: &generator),
            "messages": MessageLine.variables(lines.enumerated().map { ($0 + 1, $1) }),
            "lineCount": String(lineCount),
        ]
        return [PromptMessage(role: .user, content: library.render(.summarizePart, values))]
    }

    /// Returns the prompt that asks to merge several notes into one set; the message at place 0 has the number 1.
    ///
    /// - Parameters:
    ///   - summaries: In order of time.
    ///   - lineCount: The most notes.
    ///   - timeZone: The IANA name of the zone to write times in; UTC when unknown.
    ///   - generator: Draws the delimiter that fences them.
    /// - Returns: One message.
    package func mergePrompt(
        for summaries: [SummaryText], lineCount: Int, timeZone: String?,
        using generator: inout some RandomNumberGenerator
    ) -> [PromptMessage] {
        let date = PromptDate(timeZone: timeZone)
        let texts = summaries.map { $0.text { _ in nil } }
        let values: [String: any Sendable] = [
            "delimiter": PromptDelimiter.draw(avoiding: texts, using: &generator),
            "summaries": summaries.map { $0.variables(date) { $0 + 1 } }, "lineCount": String(lineCount),
        ]
        return [PromptMessage(role: .user, content: library.render(.mergeSummaries, values))]
    }

    /// Identifies the present templates for notes.
    package var notesFingerprint: String {
        library.descriptions.filter { [PromptName.summarizePart, .mergeSummaries].map(\.rawValue).contains($0.name) }
            .map(\.fingerprint).joined(separator: "-")
    }
}
