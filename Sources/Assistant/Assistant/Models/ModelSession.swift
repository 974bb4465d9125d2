package import ChatCore
package import Logging
package import Prompting

/// A language model with everything that its prompts need; the services that ask the model share it.
package struct ModelSession: Sendable {
    /// Nil if no language model is configured.
    let model: (any LanguageModel)?
    let prompts: PromptLibrary
    let builder: PromptBuilder
    let calibration: TokenCalibration
    /// How many tokens each user may use in a day, nil for any number; the owner must save it.
    package let allowance: TokenAllowance?
    let now: @Sendable () -> Timestamp
    let makeGenerator: @Sendable () -> any RandomNumberGenerator
    let logger: Logger

    /// - Parameters:
    ///   - model: The language model; nil for none.
    ///   - prompts: The templates.
    ///   - calibration: Token statistics of the model.
    ///   - allowance: How many tokens each user may use in a day; nil for any number.
    ///   - now: The present time.
    ///   - makeGenerator: Makes the generator whose numbers are the key of one prompt's delimiter; see ``PromptKeyGenerator``.
    ///   - logger: Receives failures; never texts.
    package init(
        model: (any LanguageModel)?, prompts: PromptLibrary, calibration: TokenCalibration = TokenCalibration(),
        allowance: TokenAllowance? = nil, now: @escaping @Sendable () -> Timestamp,
        makeGenerator: @escaping @Sendable () -> any RandomNumberGenerator = { PromptKeyGenerator() },
        logger: Logger
    ) {
        self.model = model
        self.prompts = prompts
        builder = PromptBuilder(library: prompts)
        self.calibration = calibration
        self.allowance = allowance
        self.now = now
        self.makeGenerator = makeGenerator
        self.logger = logger
    }

    /// Returns a model that counts against a user's tokens; nil if there is no limit.
    func limited(_ model: any LanguageModel, for user: UserID) -> LimitedModel? {
        allowance.map { LimitedModel(base: model, user: user, allowance: $0) }
    }

    /// How long a prompt for a model may be.
    func budget(for model: any LanguageModel, answerTokenCount: Int) -> PromptBudget {
        PromptBudget(
            contextTokenCount: model.contextTokenCount, answerTokenCount: answerTokenCount,
            calibration: calibration.factor(for: model.name))
    }

    /// Calibrates with the service's token count of a prompt; returns whether the service cut the prompt.
    func learn(from usage: TokenUsage?, of prompt: [PromptMessage], model: any LanguageModel) -> Bool {
        guard let counted = usage?.promptTokens, counted > 0 else { return false }
        let floor = builder.floorTokenCount(of: prompt)
        guard Double(counted) * 10 >= Double(floor) * 9 else {
            if Double(calibration.largestCount(for: model.name)) * 10 >= Double(floor) * 9 { return false }
            logger.warning(
                "The language model's service cut the prompt",
                metadata: ["model.prompt_tokens": "\(counted)", "prompt.floor": "\(floor)"])
            return true
        }
        calibration.learn(estimated: builder.estimatedTokenCount(of: prompt), counted: counted, for: model.name)
        return false
    }
}
