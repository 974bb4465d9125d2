import ChatCore
import Synchronization

/// Counts the tokens that services use to embed questions, until they are stored.
final class QuestionMeter: Sendable {
    private let usage = Mutex<[GenerationNumber: EmbeddingUsage]>([:])
    /// Signalled when there is something to store.
    let changed = WorkSignal()

    /// Adds the usage of questions.
    func add(_ more: [GenerationNumber: EmbeddingUsage]) {
        usage.withLock { $0.merge(more) { $0 + $1 } }
        changed.signal()
    }

    /// Returns the counted usage, and starts again from zero.
    func takeAll() -> [GenerationNumber: EmbeddingUsage] {
        usage.withLock { usage in
            defer { usage = [:] }
            return usage
        }
    }
}

/// Embedders whose questions are counted if a service embeds them.
struct MeteredEmbedders: EmbedderSource {
    let base: any EmbedderSource
    let meter: QuestionMeter

    var configured: any Embedder { base.configured }
    var configuredBaseURL: String? { base.configuredBaseURL }
    var configuredRequestsDimensions: Bool { base.configuredRequestsDimensions }

    func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder {
        let embedder = try await base.embedder(for: generation)
        guard generation.baseURL != nil else { return embedder }
        return MeteredEmbedder(base: embedder, generation: generation.number, meter: meter)
    }

    func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)? {
        try await base.tokenEncoder(for: generation)
    }
}

/// An embedder whose questions are counted, including those without an answer.
private struct MeteredEmbedder: Embedder {
    let base: any Embedder
    let generation: GenerationNumber
    let meter: QuestionMeter

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func passageLimit() async throws -> PassageLimit { try await base.passageLimit() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        guard purpose == .query else { return try await base.embed(texts, as: purpose) }
        var usage = EmbeddingUsage(requestCount: 1)
        defer { meter.add([generation: usage]) }
        let reply = try await base.embed(texts, as: purpose)
        usage.textCount = texts.count
        usage.tokenCount = reply.tokenCount ?? texts.reduce(0) { $0 + TokenEstimate.count($1) }
        return reply
    }
}
