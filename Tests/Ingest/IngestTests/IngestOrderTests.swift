import ChatCore
import Ingest
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// What goes before what, and what waits.
@Suite(.hangGuard) struct IngestOrderTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()

    private func accept(_ messages: [Message], mode: AcceptMode) async throws {
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(messages, source: "test", mode: mode, at: clock.now())
    }

    private func embedded() async throws -> Int {
        guard let generation = try await store.generations().first else { return 0 }
        return try await store.status(of: generation.number).embeddedCount
    }

    @Test func aNewMessageDoesNotWaitForTheBacklogThatIsUnderWay() async throws {
        try await accept(
            (0..<20).map { .sample("c", MessageID(rawValue: "old\($0)"), by: "ada", "old \($0)", at: $0) },
            mode: .importing)
        let embedder = StuckOnOld()
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), settings: IngestSettings(batchItemCount: 4),
            now: clock.now, logger: .silent)

        try await serving(worker, store) {
            await embedder.waitForOld()
            try await accept([.sample("c", "new", by: "ada", "new", at: 0)], mode: .posting)
            while try await embedded() == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }

        #expect(try await embedded() == 1)
        // The stop gave back what was under way: it can be claimed at the same moment, no attempt is counted.
        let generation = try #require(try await store.generations().first).number
        let items = try await store.claim(
            99, for: generation, includingBacklog: true, until: clock.now() + .seconds(9), at: clock.now())
        #expect(items.count == 20)
        #expect(items.allSatisfy { $0.attempts == 0 && $0.isBacklog })
    }

    @Test func theDailyCapStopsTheBacklogAndNothingElse() async throws {
        try await accept(
            (0..<40).map { .sample("c", MessageID(rawValue: "old\($0)"), by: "ada", "old \($0)", at: $0) },
            mode: .importing)
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(FakeEmbedder(), baseURL: "http://service"),
            settings: IngestSettings(batchItemCount: 4, dailyTokenCap: 30), now: clock.now, logger: .silent)

        try await worker.drain { _ in }
        let first = try await embedded()
        #expect(worker.isBacklogCapped)
        #expect(first >= 4 && first < 40)

        try await worker.drain { _ in }
        #expect(try await embedded() == first)

        try await accept([.sample("c", "new", by: "ada", "new", at: 99)], mode: .posting)
        try await worker.drain { _ in }
        #expect(try await embedded() == first + 1)

        // On each of the next days as much again, until nothing waits.
        clock.advance(by: .seconds(86_400))
        #expect(!worker.isBacklogCapped)
        try await worker.drain { _ in }
        #expect(try await embedded() == first * 2 + 1)
        for _ in 0..<10 {
            clock.advance(by: .seconds(86_400))
            try await worker.drain { _ in }
        }
        #expect(try await embedded() == 41)
    }
}

extension IngestOrderTests {
    @Test(arguments: [1, 30, 100, 101]) func requestsUnderWayDoNotGoBeyondTheDailyCapTogether(cap: Int) async throws {
        try await accept(
            (100..<300).map { .sample("c", MessageID(rawValue: "old\($0)"), by: "ada", "old \($0)", at: $0) },
            mode: .importing)
        let tokenCount = TokenEstimate.count("ADA: old 100")
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(FakeEmbedder(), baseURL: "http://service"),
            settings: IngestSettings(batchItemCount: 8, concurrency: 8, dailyTokenCap: cap), now: clock.now,
            logger: .silent)

        try await worker.drain { _ in }

        // As many messages as reach the cap: the last one may go beyond it.
        let usage = try await store.usage(on: clock.now().day)
        #expect(try await embedded() == (cap + tokenCount - 1) / tokenCount)
        #expect(usage.map(\.today.tokenCount) == [(cap + tokenCount - 1) / tokenCount * tokenCount])
    }
}

/// Embeds what is new at once, and what is old never.
private final class StuckOnOld: Embedder {
    private let base = FakeEmbedder()
    private let (begun, continuation) = AsyncStream.makeStream(of: Void.self)

    /// Waits until somebody waits for old texts.
    func waitForOld() async {
        for await _ in begun { return }
    }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func passageLimit() async throws -> PassageLimit { try await base.passageLimit() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        if texts.contains(where: { $0.contains("old") }) {
            continuation.yield()
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            throw CancellationError()
        }
        return try await base.embed(texts, as: purpose)
    }
}
