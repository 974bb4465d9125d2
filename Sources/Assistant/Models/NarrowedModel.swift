package import ChatCore

/// A language model of whose context no more is used than a limit says.
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
