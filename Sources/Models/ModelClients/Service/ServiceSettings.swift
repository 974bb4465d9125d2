package import ChatCore
package import Transport

/// The address of a model service, and how to reach it.
package struct ServiceAddress: Hashable, Sendable {
    /// The address that the paths `/embeddings`, `/chat/completions` and `/rerank` are appended to, usually ending in
    /// `/v1`.
    ///
    /// A query (`?api-version=…`) stays at the end.
    package var baseURL: String
    /// The key; nil sends none.
    package var key: SecretText?

    package init(baseURL: String, key: SecretText? = nil) {
        self.baseURL = baseURL
        self.key = key
    }
}

/// The settings of an ``OpenAIEmbedder``.
package struct EmbeddingServiceSettings: Sendable {
    /// The service.
    package var address: ServiceAddress
    /// The kind of provider, `openai` or `compatible`: part of the embedding space.
    package var providerKind: String
    /// The model's name as the service knows it.
    package var model: String
    /// The components of a vector: sent to the service and expected of it; nil sends nothing and finds out by asking.
    package var dimensions: Int?
    /// The prefix of a question.
    package var queryPrefix: String
    /// The prefix of a passage.
    package var passagePrefix: String
    /// The words that tell the service what a text is for; nil sends none.
    package var inputTypes: InputTypes?
    /// The numbers that vectors are asked for with; nil sends nothing, and floats are expected.
    package var outputType: OutputType?
    /// Whether vectors are requested as base64, which is shorter; replies are read in both forms.
    package var usesBase64: Bool
    /// The most texts of one request, 1...2048.
    ///
    /// Every known server accepts 32.
    package var batchItemLimit: Int
    /// The most tokens of one request, estimated.
    ///
    /// OpenAI takes 300,000.
    package var batchTokenLimit: Int
    /// How many tokens a passage may have with its prefix, estimated; see ``PassageLimit``.
    package var passageTokenLimit: Int
    /// The deadlines of one request.
    package var timeouts: HTTPDeadlines
    /// The most attempts of a request for passages; nil for the same as for questions.
    ///
    /// 1 if the caller retries itself.
    package var passageAttemptLimit: Int?
    /// The most attempts of a request for a question; nil for those of the schedule.
    ///
    /// 1 if a user is waiting and words can be searched instead.
    package var questionAttemptLimit: Int?

    package init(
        address: ServiceAddress, providerKind: String, model: String, dimensions: Int? = nil,
        queryPrefix: String = "", passagePrefix: String = "", inputTypes: InputTypes? = nil,
        outputType: OutputType? = nil, usesBase64: Bool = false, batchItemLimit: Int = 32,
        batchTokenLimit: Int = 300_000, passageTokenLimit: Int = PassageLimit.defaultTokenCount,
        timeouts: HTTPDeadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(300), total: .seconds(300)),
        passageAttemptLimit: Int? = nil, questionAttemptLimit: Int? = nil
    ) {
        self.address = address
        self.providerKind = providerKind
        self.model = model
        self.dimensions = dimensions
        self.queryPrefix = queryPrefix
        self.passagePrefix = passagePrefix
        self.inputTypes = inputTypes
        self.outputType = outputType
        self.usesBase64 = usesBase64
        self.batchItemLimit = batchItemLimit
        self.batchTokenLimit = batchTokenLimit
        self.passageTokenLimit = passageTokenLimit
        self.timeouts = timeouts
        self.passageAttemptLimit = passageAttemptLimit
        self.questionAttemptLimit = questionAttemptLimit
    }
}

/// The settings of an ``OpenAIChatModel``.
package struct ChatServiceSettings: Sendable {
    /// The service.
    package var address: ServiceAddress
    /// The model's name as the service knows it.
    package var model: String
    /// How many tokens prompt and answer may have together.
    ///
    /// A service that was started with fewer cuts the prompt silently.
    package var contextTokenCount: Int
    /// The temperature; nil leaves it to the service.
    package var temperature: Double?
    /// The temperature of requests whose replies should not vary; see ``GenerationRequest/isTask``.
    package var taskTemperature: Double?
    /// How long an answer may take.
    package var limits: ChatTimeLimits

    /// Makes settings; without `limits` those that are standard for the address.
    package init(
        address: ServiceAddress, model: String, contextTokenCount: Int = 8192, temperature: Double? = 0.7,
        taskTemperature: Double? = 0, limits: ChatTimeLimits? = nil
    ) {
        self.address = address
        self.model = model
        self.contextTokenCount = contextTokenCount
        self.temperature = temperature
        self.taskTemperature = taskTemperature
        self.limits = limits ?? ChatTimeLimits(baseURL: address.baseURL)
    }
}

extension EmbeddingServiceSettings {
    /// Checks the settings without asking the service.
    ///
    /// - Throws: ``ModelServiceError/misconfigured(reason:)``.
    package func validate() throws(ModelServiceError) {
        try ServiceEndpoint.check(model: model)
        try Self.check((1...2048).contains(batchItemLimit), "a batch has 1 to 2048 texts")
        try Self.check(batchTokenLimit >= 1, "a batch has at least 1 token")
        try Self.check(passageTokenLimit >= 1, "a passage has at least 1 token")
        try Self.check(
            EmbeddingSpace.dimensionRange.contains(dimensions ?? 1),
            "a vector has \(EmbeddingSpace.dimensionRange.lowerBound) to "
                + "\(EmbeddingSpace.dimensionRange.upperBound) dimensions")
        _ = try ServiceEndpoint(address, path: "embeddings")
    }

    private static func check(_ holds: Bool, _ reason: String) throws(ModelServiceError) {
        guard holds else { throw .misconfigured(reason: reason) }
    }
}

extension ChatServiceSettings {
    /// Checks the settings without asking the service.
    ///
    /// - Throws: ``ModelServiceError/misconfigured(reason:)``.
    package func validate() throws(ModelServiceError) {
        try ServiceEndpoint.check(model: model)
        guard contextTokenCount >= 1 else { throw .misconfigured(reason: "a context has at least 1 token") }
        _ = try ServiceEndpoint(address, path: "chat/completions")
    }
}
