import ChatCore
import Prompting

/// Puts a follow-up question in words that need no talk before it, with the help of a language model.
struct QuestionRewriter: Sendable {
    /// Answers the prompt.
    let model: any LanguageModel
    /// Makes the prompt.
    let builder: PromptBuilder
    /// How long the model may take.
    let timeLimit: Duration

    /// How many exchanges before the question the model is shown, the newest ones.
    static let exchangeCount = 2
    /// The most tokens of a reply; what is longer is no question.
    static let tokenCount = 128

    /// The model gave something else than a question.
    struct UselessReply: Error {}

    /// Returns the question rewritten.
    ///
    /// - Parameters:
    ///   - question: The follow-up.
    ///   - history: What was asked and answered before, oldest first.
    ///   - generator: Draws the delimiter of the prompt.
    /// - Returns: One line.
    /// - Throws: ``UselessReply``, `TimeLimitExceeded`, ``ModelServiceError``; `CancellationError`.
    func rewrite(
        _ question: String, after history: [PromptExchange], using generator: inout some RandomNumberGenerator
    ) async throws -> String {
        let talk = Array(history.suffix(Self.exchangeCount))
        let request = GenerationRequest(
            messages: builder.standaloneQuestionPrompt(for: question, after: talk, using: &generator),
            maximumTokenCount: Self.tokenCount, streams: false, isTask: true)
        let reply = try await withTimeLimit(timeLimit) { [model] in try await Self.reply(of: model, to: request) }
        guard let rewritten = RewrittenQuestion.text(of: reply, for: question, after: talk) else {
            throw UselessReply()
        }
        return rewritten
    }

    private static func reply(of model: any LanguageModel, to request: GenerationRequest) async throws -> String {
        var text = ""
        for try await event in model.generate(request) {
            switch event {
            case .delta(let delta): text += delta
            case .finished(.length, _), .finished(.contentFilter, _): throw UselessReply()
            case .finished: return text
            }
        }
        try Task.checkCancellation()
        throw ModelServiceError.incompleteReply
    }
}
