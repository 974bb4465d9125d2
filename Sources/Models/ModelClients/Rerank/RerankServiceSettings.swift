package import ChatCore

/// The form of a reranking service's requests and replies.
package enum RerankShape: String, Hashable, Sendable, CaseIterable, Codable {
    /// `documents` in, `results` with `relevance_score` out: Cohere, Jina, llama.cpp, vLLM, LiteLLM, Infinity.
    case cohere
    /// `texts` in, a bare array with `score` out: Hugging Face's text-embeddings-inference.
    case tei

    /// The most texts of one request that every server of the shape accepts by default: 32 for TEI, 1,000 for Cohere.
    package var usualBatchItemLimit: Int {
        switch self {
        case .cohere: 1_000
        case .tei: 32
        }
    }
}

/// The settings of a ``RerankClient``.
package struct RerankServiceSettings: Sendable {
    /// The service.
    package var address: ServiceAddress
    /// The model's name as the service knows it; TEI, which has one model, is not sent it.
    package var model: String
    /// The form of requests and replies.
    package var shape: RerankShape
    /// The most texts of one request, 1 or more; others follow in further ones.
    package var batchItemLimit: Int
    /// How long all of one call may take.
    package var timeLimit: Duration

    package init(
        address: ServiceAddress, model: String, shape: RerankShape, batchItemLimit: Int? = nil,
        timeLimit: Duration = .seconds(5)
    ) {
        self.address = address
        self.model = model
        self.shape = shape
        self.batchItemLimit = batchItemLimit ?? shape.usualBatchItemLimit
        self.timeLimit = timeLimit
    }

    /// Checks the settings without asking the service.
    ///
    /// - Throws: ``ModelServiceError/misconfigured(reason:)``.
    package func validate() throws(ModelServiceError) {
        try ServiceEndpoint.check(model: model)
        guard batchItemLimit >= 1 else { throw .misconfigured(reason: "the batch limit must be at least 1") }
        guard timeLimit > .zero else { throw .misconfigured(reason: "the time limit must be above 0") }
        _ = try ServiceEndpoint(address, path: "rerank")
    }
}
