import ChatCore
import Synchronization

/// The token vectors of each generation's model, as far as it gives any.
final class TokenCaches: Sendable {
    private let embedders: any EmbedderSource
    private let caches = Mutex<[GenerationNumber: TokenCache]>([:])

    init(_ embedders: any EmbedderSource) {
        self.embedders = embedders
    }

    /// Returns the cache of a generation; nil when its model gives no tokens.
    func cache(for generation: EmbeddingGeneration) async throws -> TokenCache? {
        if let known = caches.withLock({ $0[generation.number] }) { return known }
        guard let encoder = try await embedders.tokenEncoder(for: generation) else { return nil }
        return caches.withLock { caches in
            if let first = caches[generation.number] { return first }
            let made = TokenCache(encoder: encoder)
            // A generation that no longer serves is not asked for again.
            caches = [generation.number: made]
            return made
        }
    }
}
