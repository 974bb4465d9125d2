import ChatCore
import Prompting

/// Rewrites a follow-up question so that it can be understood without the conversation, using a language model.
struct QuestionRewriter: Sendable {
    let model: any LanguageModel
    let builder: PromptBuilder
    let timeLimit: Duration

    /// The number of exchanges that the model is shown, the newest ones.
    static let exchangeCount = 2
    /// The most tokens of a reply; a longer reply is not a question.
    static let tokenCount = 128

    /// The model's reply is not a question.
    struct UselessReply: Error {}

    /// Returns the rewritten question.
    ///
    /// - Parameters:
    ///   - question: The follow-up.
    ///   - history: Earlier exchanges, oldest first.
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
        let reply = try await model.reply(to: request)
        guard reply.reason != .length, reply.reason != .contentFilter else { throw UselessReply() }
        return reply.text
    }
}
