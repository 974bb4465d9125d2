package import ChatCore

/// A language model for one user with a daily token limit.
///
/// Before a request an estimate is reserved: the prompt and the longest possible answer. After it the service's count
/// replaces the estimate. Without a count, because the answer was cut off or the service does not count, the estimated
/// tokens of the prompt and the received text are used. A request that failed before its first event costs nothing.
package struct LimitedModel: LanguageModel {
    let base: any LanguageModel
    let user: UserID
    let allowance: TokenAllowance

    package init(base: any LanguageModel, user: UserID, allowance: TokenAllowance) {
        self.base = base
        self.user = user
        self.allowance = allowance
    }

    package var name: String { base.name }
    package var contextTokenCount: Int { base.contextTokenCount }

    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        try await generate(request, admitted: {}, deliver: deliver)
    }

    /// Generates as ``generate(_:deliver:)`` does, and reports when the tokens are reserved, so that a user without
    /// tokens is refused before anything else happens.
    ///
    /// - Throws: ``DailyTokensUsedUp``; errors of the store and of the model.
    func generate(
        _ request: GenerationRequest, admitted: () -> Void, deliver: (GenerationEvent) async -> Void
    ) async throws {
        var bill = Bill(promptCount: request.messages.reduce(0) { $0 + TokenEstimate.count($1.content) })
        let reservation = try await allowance.reserve(bill.promptCount + request.maximumTokenCount, for: user)
        defer { allowance.settle(reservation, used: bill.usedCount) }
        admitted()
        do {
            try await base.generate(request) { event in
                bill.take(event)
                await deliver(event)
            }
        } catch {
            bill.hasFailed = !(error is CancellationError) && !Task.isCancelled
            throw error
        }
    }
}

/// The cost of one request.
private struct Bill {
    /// The estimated tokens of the prompt.
    let promptCount: Int
    var hasFailed = false
    private var answerCount = 0
    private var counted: TokenUsage?

    init(promptCount: Int) {
        self.promptCount = promptCount
    }

    /// The tokens to pay for.
    var usedCount: Int {
        if hasFailed && answerCount == 0 { return 0 }
        return counted.map { $0.promptTokens.addingClamped($0.completionTokens) } ?? promptCount + answerCount
    }

    mutating func take(_ event: GenerationEvent) {
        switch event {
        case .reading: break
        case .delta(let text): answerCount += TokenEstimate.count(text)
        case .finished(_, let usage): counted = usage
        }
    }
}

/// A language model of which only a part of the context is used.
package struct NarrowedModel: LanguageModel {
    let base: any LanguageModel
    /// The most tokens of a prompt with its answer.
    let tokenLimit: Int

    package init(base: any LanguageModel, tokenLimit: Int) {
        self.base = base
        self.tokenLimit = tokenLimit
    }

    package var name: String { base.name }
    package var contextTokenCount: Int { min(base.contextTokenCount, tokenLimit) }

    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        try await base.generate(request, deliver: deliver)
    }
}
