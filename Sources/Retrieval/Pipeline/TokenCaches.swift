import ChatCore
import Synchronization

/// The token vectors of each generation's model, as far as it gives any.
final class TokenCaches: Sendable {
    private let embedders: any EmbedderSource
    private let caches = Mutex<[GenerationNumber: TokenCache]>([:])
    private let seenChanges = Mutex(0)

    init(_ embedders: any EmbedderSource) {
        self.embedders = embedders
    }

    /// Drops everything when messages were deleted or edited since the last call: nothing is kept of what was erased.
    ///
    /// - Parameter changeCount: See ``LiveLexicon/changeCount``.
    /// - Returns: Whether there were any, so that others who keep something drop it, too.
    func forgetErased(_ changeCount: Int) -> Bool {
        let isNews = seenChanges.withLock { seen in
            defer { seen = max(seen, changeCount) }
            return changeCount > seen
        }
        if isNews { caches.withLock { $0 = [:] } }
        return isNews
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
