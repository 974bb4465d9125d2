import ChatCore
import Ingest
import Retrieval
import TestSupport
import Testing

/// Searches with a model that puts all cosines close together.
@Suite struct ScaledSearchTests {
    /// The cosines of another embedder, moved near to 1: `0.8 + 0.2 · cosine`.
    private struct Narrow: Embedder {
        let base = FakeEmbedder()

        func space() async throws -> EmbeddingSpace {
            EmbeddingSpace(provider: "fake", model: "narrow", dimensions: try await base.space().dimensions + 1)
        }

        func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
            let vectors = texts.map { base.vector(of: $0).map { $0 * Float(0.2).squareRoot() } }
            return EmbeddingReply(outcomes: vectors.map { .vector($0 + [Float(0.8).squareRoot()]) })
        }
    }

    private struct Found: Equatable {
        let ids: [MessageID]
        let confidence: Double
        /// The relevance of the last hit.
        let lowest: Double
    }

    /// Words decide for `w`, the meaning for `m`; how far both are apart depends on the scale of the cosines.
    private func found(by embedder: any Embedder, measuring: Bool = true) async throws -> Found {
        let (store, clock, source) = (InMemoryStore(), ManualNow(), FakeEmbedderSource(embedder))
        let index = LiveIndex(store: store, logger: .silent)
        let lexicon = LiveLexicon(store: store, logger: .silent)
        let searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, embedders: source, now: clock.now, logger: .silent)
        let probe = ScaleProbe([
            .init(
                pairs: [("a pilot?", "pilot"), ("a cat?", "cat"), ("a berth?", "berth")],
                messages: ["money", "other", "pilot and cat"])
        ])
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [
                .sample("c", "w", by: "ada", "the cost of it was high", at: 1),
                .sample("c", "m", by: "ada", "pilot money", at: 40_000),
                .sample("c", "n", by: "ada", "nothing here", at: 80_000),
            ], source: "test", mode: .importing, at: clock.now())
        let worker = IngestWorker(
            store: store, embedders: source, probe: measuring ? probe : nil, now: clock.now, logger: .silent)
        try await worker.drain { _ in }
        let result = try await searcher.search(
            SearchRequest(
                question: "pilotage: the cost of money", scope: SearchScope(asker: "ada", conversations: .all),
                limit: 3))
        return Found(
            ids: result.hits.map(\.message.key.messageID), confidence: result.confidence ?? -1,
            lowest: result.hits.last?.relevance ?? -1)
    }

    @Test func theOrderAndTheConfidenceAreThoseOfAWideSpace() async throws {
        let (wide, narrow) = (try await found(by: FakeEmbedder()), try await found(by: Narrow()))

        #expect(narrow.ids == wide.ids)
        #expect(abs(narrow.confidence - wide.confidence) < 0.01)
        #expect(abs(narrow.lowest - wide.lowest) < 0.01)
        #expect(try await found(by: Narrow(), measuring: false).lowest > wide.lowest + 0.2)
    }

    @Test func aScaleThatIsMeasuredLaterIsFollowed() async throws {
        let (store, clock, source) = (InMemoryStore(), ManualNow(), FakeEmbedderSource(FakeEmbedder()))
        let index = LiveIndex(store: store, logger: .silent)
        let lexicon = LiveLexicon(store: store, logger: .silent)
        let searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, embedders: source, now: clock.now, logger: .silent)
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [.sample("c", "m", by: "ada", "a pilot and a berth", at: 1)], source: "test", mode: .importing,
            at: clock.now())
        try await IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent).drain { _ in }
        let request = SearchRequest(
            question: "pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 3)
        let before = try #require(try await searcher.search(request).confidence)

        let scale = CosineScale(mean: 0.5, contrast: 2 * CosineScale.reference.contrast)
        try await store.setScale(scale, of: GenerationNumber(rawValue: 1))

        let after = try #require(try await searcher.search(request).confidence)
        #expect(abs(after - scale.onReference(before)) < 1e-9)
    }
}
