import ChatCore
import Retrieval
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct DeadlineTests {
    private let embedder = StuckEmbedder()
    private let fixture: SearchFixture

    init() {
        fixture = SearchFixture(embedder, at: "http://embedding")
    }

    private func fill(_ fixture: SearchFixture? = nil) async throws {
        let fixture = fixture ?? self.fixture
        try await fixture.open("a", members: ["ada"])
        try await fixture.add(
            .sample("a", "m1", by: "ada", "the pilot", at: 1), .sample("a", "m2", by: "ada", "a cat", at: 2))
    }

    @Test func whenTheEmbeddingTakesTooLongWordsAreSearched() async throws {
        try await fill()

        let result = try await fixture.search("pilot", settings: .with { $0.dense.timeout = 0.02 })

        #expect(result.ids.first == "m1")
        #expect(result.mode == .lexicalOnly)
        #expect(result.generation == nil)
        #expect(result.trace.notes == [.embeddingFailed])
        #expect(result.signals(of: "m1")["cosine"] == nil)
        #expect(embedder.cancelledCount == 1)
    }

    @Test func theEncoderInThisProcessIsWaitedFor() async throws {
        let fixture = SearchFixture(SlowEmbedder())
        try await fill(fixture)

        let result = try await fixture.search("pilot", settings: .with { $0.dense.timeout = 0.01 })

        #expect(result.mode == .hybrid)
        #expect(result.trace.notes == [])
    }

    @Test func withoutWordsItIsTheSearchsFailure() async throws {
        try await fill()
        let settings = RetrievalSettings.with {
            $0.lexical.isOn = false
            $0.dense.timeout = 0.02
        }

        await #expect(throws: ModelServiceError.slow(.working)) {
            _ = try await fixture.search("pilot", settings: settings)
        }
        #expect(embedder.cancelledCount == 1)
    }

    @Test func whoStopsWaitingEndsTheSearch() async throws {
        try await fill()
        let search = Task { try await fixture.search("pilot", settings: .with { $0.dense.timeout = 3_600 }) }
        await embedder.waitForQuestion()

        search.cancel()

        await #expect(throws: CancellationError.self) { _ = try await search.value }
        #expect(embedder.cancelledCount == 1)
    }

    @Test(arguments: [true, false]) func anIndexThatIsSearchedForNobodySaysSoInTheSameWay(byWords: Bool) async throws {
        let fixture = SearchFixture()
        try await fill(fixture)
        let settings = RetrievalSettings.with {
            $0.lexical.isOn = byWords
            $0.dense.isOn = !byWords
        }
        _ = try await fixture.search("pilot", settings: settings)

        let search = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await fixture.search("pilot", settings: settings)
        }

        await #expect(throws: CancellationError.self) { try await search.value }
    }
}

/// Embeds messages at once, and questions never.
private final class StuckEmbedder: Embedder {
    private let base = FakeEmbedder()
    private let cancelled = Mutex(0)
    private let asked = AsyncStream.makeStream(of: Void.self)

    var cancelledCount: Int { cancelled.withLock { $0 } }

    func waitForQuestion() async {
        for await _ in asked.stream { return }
    }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        guard purpose == .query else { return try await base.embed(texts, as: purpose) }
        let (silence, continuation) = AsyncStream.makeStream(of: Void.self)
        asked.continuation.yield()
        // A stream that says nothing ends when its reader is cancelled.
        for await _ in silence {}
        continuation.finish()
        cancelled.withLock { $0 += 1 }
        throw CancellationError()
    }
}

/// Takes a while for a question.
private struct SlowEmbedder: Embedder {
    private let base = FakeEmbedder()

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        if purpose == .query { try await Task.sleep(for: .milliseconds(100)) }
        return try await base.embed(texts, as: purpose)
    }
}
