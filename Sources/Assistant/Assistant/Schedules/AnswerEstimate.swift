import ChatCore
import Prompting

/// What an answer of a language model costs.
package struct AnswerEstimate: Hashable, Sendable {
    /// The model's name.
    package let model: String
    /// The tokens of the prompt, estimated from what would be found now.
    package let promptTokenCount: Int
    /// The most tokens of the answer.
    package let answerTokenCount: Int

    package init(model: String, promptTokenCount: Int, answerTokenCount: Int) {
        (self.model, self.promptTokenCount, self.answerTokenCount) = (model, promptTokenCount, answerTokenCount)
    }
}

extension AnswerService {
    /// Estimates the cost of an answer without asking the language model; nil if there is none.
    ///
    /// - Throws: As ``answer(_:deliver:)``.
    package func cost(of request: AskRequest) async throws -> AnswerEstimate? {
        guard let model = session.model else { return nil }
        let ask = try await ask(try request.validatedQuestion(), of: request)
        let prompt = try makePrompt(for: model, ask: ask, material: material(for: ask, from: try await find(ask)))
        return AnswerEstimate(
            model: model.name, promptTokenCount: prompt.estimatedTokenCount,
            answerTokenCount: settings.answerTokenCount(for: model))
    }
}
