package import ChatCore
import Synchronization

/// Embedders that embed each question once, because a tuning asks the same questions a hundred times.
package final class RememberingEmbedders: EmbedderSource {
    private let base: any EmbedderSource
    private let known = Mutex<[GenerationNumber: RememberingEmbedder]>([:])

    package init(_ base: any EmbedderSource) {
        self.base = base
    }

    package var configured: any Embedder { base.configured }
    package var configuredBaseURL: String? { base.configuredBaseURL }
    package var configuredRequestsDimensions: Bool { base.configuredRequestsDimensions }

    package func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder {
        if let made = known.withLock({ $0[generation.number] }) { return made }
        let made = RememberingEmbedder(try await base.embedder(for: generation))
        return known.withLock { known in
            if let first = known[generation.number] { return first }
            known[generation.number] = made
            return made
        }
    }

    package func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)? {
        try await base.tokenEncoder(for: generation)
    }
}

/// An embedder that keeps the vectors of questions.
private final class RememberingEmbedder: Embedder {
    private let base: any Embedder
    private let vectors = Mutex<[String: EmbeddingOutcome]>([:])

    init(_ base: any Embedder) {
        self.base = base
    }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func passageLimit() async throws -> PassageLimit { try await base.passageLimit() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        guard purpose == .query else { return try await base.embed(texts, as: purpose) }
        let missing = vectors.withLock { vectors in texts.filter { vectors[$0] == nil } }
        if !missing.isEmpty {
            let outcomes = try await base.embed(missing, as: .query).outcomes
            vectors.withLock { vectors in
                for (text, outcome) in zip(missing, outcomes) { vectors[text] = outcome }
            }
        }
        return EmbeddingReply(outcomes: vectors.withLock { vectors in texts.compactMap { vectors[$0] } })
    }
}
