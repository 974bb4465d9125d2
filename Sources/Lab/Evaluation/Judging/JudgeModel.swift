package import ChatCore
package import Prompting

/// A language model as a judge.
package struct JudgeModel: Sendable {
    let builder: PromptBuilder
    private let model: any LanguageModel

    package init(_ model: any LanguageModel, prompts: PromptLibrary) {
        self.model = model
        builder = PromptBuilder(library: prompts)
    }

    /// Asks the model for a verdict.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - schema: The JSON that the reply has to be; only services that know schemas enforce it.
    ///   - tokenCount: The most tokens of the reply.
    /// - Returns: The reply.
    /// - Throws: ``ModelServiceError``; `CancellationError` if the task was cancelled before the reply was complete.
    func reply(to prompt: [PromptMessage], schema: ReplySchema, tokenCount: Int) async throws -> String {
        let request = GenerationRequest(
            messages: prompt, maximumTokenCount: tokenCount, streams: false, replySchema: schema)
        var text = ""
        try await model.generate(request) { event in
            if case .delta(let delta) = event { text += delta }
        }
        try Task.checkCancellation()
        return text
    }
}

/// A message that an answer is based on, as a judge sees it.
package struct JudgedSource: Sendable {
    /// The message.
    package let key: MessageKey
    /// Its text, with the number that stands for it in the answer.
    package let text: NumberedSource

    package init(key: MessageKey, text: NumberedSource) {
        self.key = key
        self.text = text
    }
}
