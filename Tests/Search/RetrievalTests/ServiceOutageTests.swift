import ChatCore
import Ingest
import Retrieval
import Synchronization
import TestSupport
import Testing

/// Searches while the services beside the search fail.
@Suite(.hangGuard) struct ServiceOutageTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let embedder = FakeEmbedder()
    /// Its time stands still, so that a slow machine forgets no failure.
    private let health: ServiceHealth = {
        let start = ContinuousClock.now
        return ServiceHealth(now: { start })
    }()

    private func searcher(reranker: (any Reranker)? = nil) async throws -> HybridSearcher {
        _ = try await store.store([.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [
                .sample("c", "m1", by: "ada", "the pilot", at: 1),
                .sample("c", "m2", by: "ada", "a pilot and a berth", at: 2),
            ], source: "test", mode: .importing, at: clock.now())
        let source = FakeEmbedderSource(embedder)
        try await IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent).drain { _ in }
        return HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: .silent),
            lexicon: LiveLexicon(store: store, logger: .silent), embedders: source, health: health, reranker: reranker,
            now: clock.now, logger: .silent)
    }

    private func search(_ question: String, by searcher: HybridSearcher) async throws -> SearchResult {
        try await searcher.search(
            SearchRequest(question: question, scope: SearchScope(asker: "ada", conversations: .all), limit: 5))
    }

    @Test(arguments: [
        ModelServiceError.failed(status: 500), .busy(retryAfter: nil), .unauthorized(status: 401), .quotaExhausted,
        .unreachable(reason: "refused"), .rejected(status: 404, code: "model_not_found"),
        .invalidReply(reason: "not JSON"), .incompleteReply, .misconfigured(reason: "no key"),
    ])
    func oneFailedQuestionIsEnough(error: ModelServiceError) async throws {
        let searcher = try await searcher()
        let service = try #require(try await store.generations().first).service
        embedder.failAlways(error)
        let before = embedder.batches.count

        for number in 0..<5 {
            let result = try await search("pilot \(number)", by: searcher)
            #expect(result.mode == .lexicalOnly)
            #expect(result.hits.count == 2)
        }

        #expect(embedder.batches.count == before + 1)
        #expect(health.failure(of: service) == error)
        embedder.failAlways(nil)
        health.recordSuccess(of: service)
        #expect(try await search("pilot", by: searcher).mode == .hybrid)
    }

    @Test(arguments: [
        ModelServiceError.tooLong, .rejected(status: 400, code: "bad"), .rejected(status: 422, code: "x"),
    ])
    func aRefusedQuestionSaysNothingOfOthers(error: ModelServiceError) async throws {
        let searcher = try await searcher()
        embedder.failNext(error)

        #expect(try await search("pilot 1", by: searcher).mode == .lexicalOnly)
        #expect(try await search("pilot 2", by: searcher).mode == .hybrid)
    }

    @Test func aFailingRerankerIsAskedOnce() async throws {
        let asked = Mutex(0)
        let name = ModelServiceName(baseURL: "http://r", model: "r")
        let failing = GuardedReranker(
            base: CountingReranker {
                asked.withLock { $0 += 1 }
                throw ModelServiceError.failed(status: 503)
            }, service: name, health: health)
        let searcher = try await searcher(reranker: failing)

        for _ in 0..<4 { #expect(try await search("pilot", by: searcher).trace.notes.contains(.rerankFailed)) }

        #expect(asked.withLock { $0 } == 1)
        #expect(health.isOpen(name))
    }
}

private struct CountingReranker: Reranker {
    let name = "counting"
    let act: @Sendable () throws -> Void

    func scores(of texts: [String], for question: String) async throws -> [Double] {
        try act()
        return texts.map { _ in 0 }
    }
}
