import ChatCore

/// A language model of whose context no more is used than a limit says.
struct NarrowedModel: LanguageModel {
    let base: any LanguageModel
    /// The most tokens of a prompt with its answer.
    let tokenLimit: Int

    var name: String { base.name }
    var contextTokenCount: Int { min(base.contextTokenCount, tokenLimit) }

    func generate(_ request: GenerationRequest) -> AsyncThrowingStream<GenerationEvent, any Error> {
        base.generate(request)
    }
}
