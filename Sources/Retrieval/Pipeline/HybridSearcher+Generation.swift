public import ChatCore

extension HybridSearcher {
    /// The same searcher over another generation than the one that serves, for comparisons.
    ///
    /// Its vectors are read once, as they are now; words and messages are read as ever.
    ///
    /// - Parameter generation: One that is not retired.
    /// - Returns: A searcher that takes as much memory as the generation's vectors.
    /// - Throws: ``RepositoryError``.
    public func pinned(to generation: EmbeddingGeneration) async throws -> HybridSearcher {
        let serving = dense.index.serving
        let rows =
            if let serving, serving.generation.number == generation.number { serving } else {
                try await dense.index.reader.readAll(of: generation)
            }
        return HybridSearcher(
            store: store, follower: follower,
            dense: DenseRetriever(index: dense.index, embedders: dense.embedders, health: nil, pinned: rows),
            lexical: lexical, reranker: reranker, caches: TokenCaches(dense.embedders), names: names,
            settings: settings,
            now: now,
            logger: logger)
    }
}
