package import ChatCore
import Synchronization

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

    package func generate(_ request: GenerationRequest) -> AsyncThrowingStream<GenerationEvent, any Error> {
        let reader = LimitedReader(model: self, request: request)
        return AsyncThrowingStream { try await reader.next() }
    }

    /// Starts an answer as ``generate(_:)`` does, but reserves the tokens at once, so that a user without tokens is
    /// refused before anything else happens.
    ///
    /// - Throws: ``DailyTokensUsedUp``; errors of the store.
    func begin(_ request: GenerationRequest) async throws -> AsyncThrowingStream<GenerationEvent, any Error> {
        let reader = LimitedReader(model: self, request: request)
        try await reader.begin()
        return AsyncThrowingStream { try await reader.next() }
    }
}

/// Reads one answer for one consumer; releasing it settles the reservation.
private actor LimitedReader {
    private let model: LimitedModel
    private let request: GenerationRequest
    private let promptCount: Int
    private var bill: Bill?
    private var iterator: AsyncThrowingStream<GenerationEvent, any Error>.AsyncIterator?

    init(model: LimitedModel, request: GenerationRequest) {
        self.model = model
        self.request = request
        promptCount = request.messages.reduce(0) { $0 + TokenEstimate.count($1.content) }
    }

    func begin() async throws {
        let reservation = try await model.allowance.reserve(promptCount + request.maximumTokenCount, for: model.user)
        bill = Bill(reservation, of: model.allowance, promptCount: promptCount)
        iterator = model.base.generate(request).makeAsyncIterator()
    }

    func next() async throws -> GenerationEvent? {
        if iterator == nil { try await begin() }
        guard var iterator else { return nil }
        do {
            guard let event = try await iterator.next(isolation: #isolation) else {
                bill?.settle()
                return nil
            }
            bill?.take(event)
            if case .finished = event { bill?.settle() }
            return event
        } catch {
            if !(error is CancellationError), !Task.isCancelled { bill?.fail() }
            bill?.settle()
            throw error
        }
    }
}

/// The cost of one request; it is settled when nobody reads any more.
private final class Bill: Sendable {
    private struct State {
        var counted: TokenUsage?
        var answerCount = 0
        var hasFailed = false
        var isSettled = false
    }

    private let reservation: TokenAllowance.Reservation
    private let allowance: TokenAllowance
    private let promptCount: Int
    private let state = Mutex(State())

    init(_ reservation: TokenAllowance.Reservation, of allowance: TokenAllowance, promptCount: Int) {
        self.reservation = reservation
        self.allowance = allowance
        self.promptCount = promptCount
    }

    deinit { settle() }

    /// Settles the reservation, once.
    func settle() {
        let state = state.withLock { state in
            defer { state.isSettled = true }
            return state
        }
        guard !state.isSettled else { return }
        let isFree = state.hasFailed && state.answerCount == 0
        let used =
            state.counted.map { $0.promptTokens.addingClamped($0.completionTokens) } ?? promptCount + state.answerCount
        allowance.settle(reservation, used: isFree ? 0 : used)
    }

    func take(_ event: GenerationEvent) {
        state.withLock { state in
            switch event {
            case .delta(let text): state.answerCount += TokenEstimate.count(text)
            case .finished(_, let usage): state.counted = usage
            }
        }
    }

    func fail() {
        state.withLock { $0.hasFailed = true }
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

    package func generate(_ request: GenerationRequest) -> AsyncThrowingStream<GenerationEvent, any Error> {
        base.generate(request)
    }
}
