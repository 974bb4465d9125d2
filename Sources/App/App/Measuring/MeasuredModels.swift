package import ChatCore

/// A language model whose calls are counted.
package struct MeasuredModel: LanguageModel {
    let base: any LanguageModel
    let meter: ModelMeter

    package init(base: any LanguageModel, meter: ModelMeter) {
        self.base = base
        self.meter = meter
    }

    /// The model's name.
    package var name: String { base.name }
    /// The model's context.
    package var contextTokenCount: Int { base.contextTokenCount }

    /// See `LanguageModel`; tokens that the service does not report are not counted.
    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let start = ContinuousClock.now
        var hasBegun = false
        try await meter.measuring(.chat) {
            try await base.generate(request) { event in
                switch event {
                case .reading: break
                case .delta:
                    if !hasBegun, request.streams {
                        StageMeter(factory: meter.factory).record("first_token", took: .now - start)
                    }
                    hasBegun = true
                case .finished(_, let usage?):
                    meter.countTokens(.chat, for: .chat, input: usage.promptTokens, output: usage.completionTokens)
                case .finished: break
                }
                await deliver(event)
            }
        }
    }
}

/// A reranking service whose calls are counted.
package struct MeasuredReranker: Reranker {
    let base: any Reranker
    let meter: ModelMeter

    package init(base: any Reranker, meter: ModelMeter) {
        self.base = base
        self.meter = meter
    }

    /// The reranker's name.
    package var name: String { base.name }

    /// See `Reranker`.
    package func scores(of texts: [String], for question: String) async throws -> [Double] {
        try await meter.measuring(.rerank) { try await base.scores(of: texts, for: question) }
    }
}

/// Embedders whose calls are counted if a service embeds.
package struct MeasuredEmbedders: EmbedderSource {
    let base: any EmbedderSource
    let meter: ModelMeter

    package init(base: any EmbedderSource, meter: ModelMeter) {
        self.base = base
        self.meter = meter
    }

    /// See `EmbedderSource`.
    package var configured: any Embedder {
        base.configuredBaseURL == nil ? base.configured : MeasuredEmbedder(base: base.configured, meter: meter)
    }
    /// See `EmbedderSource`.
    package var configuredBaseURL: String? { base.configuredBaseURL }
    /// See `EmbedderSource`.
    package var configuredRequestsDimensions: Bool { base.configuredRequestsDimensions }

    /// See `EmbedderSource`.
    package func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder {
        let embedder = try await base.embedder(for: generation)
        return generation.baseURL == nil ? embedder : MeasuredEmbedder(base: embedder, meter: meter)
    }

    /// See `EmbedderSource`.
    package func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)? {
        try await base.tokenEncoder(for: generation)
    }
}

/// An embedder whose calls are counted.
private struct MeasuredEmbedder: Embedder {
    let base: any Embedder
    let meter: ModelMeter

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func passageLimit() async throws -> PassageLimit { try await base.passageLimit() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let reply = try await meter.measuring(.embeddings) { try await base.embed(texts, as: purpose) }
        let count = reply.tokenCount ?? texts.reduce(0) { $0 + TokenEstimate.count($1) }
        meter.countTokens(.embeddings, for: purpose == .query ? .questions : .messages, input: count)
        return reply
    }
}

extension ModelMeter {
    /// Counts one call.
    fileprivate func measuring<Value>(_ operation: Operation, _ call: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        do {
            let value = try await call()
            record(operation, took: .now - start, failure: nil)
            return value
        } catch {
            record(operation, took: .now - start, failure: error)
            throw error
        }
    }
}
