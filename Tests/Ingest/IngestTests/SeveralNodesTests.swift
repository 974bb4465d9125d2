import ChatCore
import Ingest
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Workers of two nodes on one database, which keep one daily limit.
@Suite(.hangGuard) struct SeveralNodesTests {
    private static let tokenCount = TokenEstimate.count("ADA: old 1000")
    private let clock = ManualNow()

    private func withNodes(_ body: (SQLStore, SQLStore) async throws -> Void) async throws {
        try await PostgresServer.shared().withStore { first, address in
            _ = try await first.store(
                [.sample("c", members: ["ada"])], source: "api", mode: .importing, at: clock.now())
            try await PostgresServer.shared().withNode(at: address) { second in try await body(first, second) }
        }
    }

    private func worker(_ store: SQLStore, cap: Int, batchItemCount: Int = 8) -> IngestWorker {
        var settings = IngestSettings(batchItemCount: batchItemCount, concurrency: 8, dailyTokenCap: cap)
        settings.ownsLeasesAtStart = false
        return IngestWorker(
            store: store, embedders: FakeEmbedderSource(FakeEmbedder(), baseURL: "http://service"),
            settings: settings, tokens: store.services.embeddingTokens, now: clock.now, logger: .silent)
    }

    private func importMessages(_ numbers: Range<Int>, to store: SQLStore) async throws {
        _ = try await store.accept(
            numbers.map { .sample("c", MessageID(rawValue: "old\($0)"), by: "ada", "old \($0)", at: $0) },
            source: "api", mode: .importing, at: clock.now())
    }

    private func usedTokens(_ store: SQLStore) async throws -> Int {
        try await store.usage(on: clock.now().day).reduce(0) { $0 + $1.today.tokenCount }
    }

    /// The fewest messages that reach a limit: the last one may exceed it.
    private func messageCount(_ cap: Int) -> Int { (cap + Self.tokenCount - 1) / Self.tokenCount }

    @Test(arguments: [1, 30, 100, 101, 700]) func nodesKeepTheDailyLimitTogether(cap: Int) async throws {
        try await withNodes { first, second in
            try await importMessages(1_000..<1_900, to: first)
            let workers = [worker(first, cap: cap), worker(second, cap: cap)]

            try await withThrowingTaskGroup { group in
                for worker in workers { group.addTask { try await worker.drain { _ in } } }
                try await group.waitForAll()
            }

            #expect(try await usedTokens(first) == messageCount(cap) * Self.tokenCount)
            let areCapped = workers.allSatisfy(\.isBacklogCapped)
            #expect(areCapped)
        }
    }

    /// One that read the day's tokens in the morning learns of those that others have used since.
    @Test func aNodeLearnsWhatOthersHaveUsed() async throws {
        try await withNodes { first, second in
            let (here, there) = (worker(first, cap: 100), worker(second, cap: 100))
            try await importMessages(1_000..<1_001, to: first)
            try await there.drain { _ in }
            try await importMessages(1_001..<1_200, to: first)
            try await here.drain { _ in }
            let reached = messageCount(100) * Self.tokenCount
            #expect(try await usedTokens(first) == reached)

            try await there.drain { _ in }
            #expect(try await usedTokens(first) == reached)
            #expect(there.isBacklogCapped)

            // New messages never wait, and count.
            _ = try await second.accept(
                [.sample("c", "new", by: "ada", "new 1000", at: 9_999)], source: "api", mode: .posting, at: clock.now())
            try await there.drain { _ in }
            #expect(try await usedTokens(first) == reached + Self.tokenCount)
            let counted = try await first.inspect("SELECT token_count FROM embedding_tokens")
            #expect(counted == ["\(reached + Self.tokenCount)"])

            // The next day begins with nothing used.
            clock.advance(by: .seconds(86_400))
            try await there.drain { _ in }
            #expect(try await usedTokens(first) == reached)
        }
    }

    /// Nodes of the release before count only in the table of used tokens.
    @Test func aDayBeginsWithWhatIsRecorded() async throws {
        try await withNodes { first, second in
            try await importMessages(1_000..<1_005, to: first)
            var settings = IngestSettings(batchItemCount: 8)
            settings.ownsLeasesAtStart = false
            let old = IngestWorker(
                store: first, embedders: FakeEmbedderSource(FakeEmbedder(), baseURL: "http://service"),
                settings: settings, now: clock.now, logger: .silent)
            try await old.drain { _ in }
            #expect(try await usedTokens(first) == 5 * Self.tokenCount)

            try await importMessages(1_005..<1_200, to: first)
            try await worker(second, cap: 100).drain { _ in }
            #expect(try await usedTokens(first) == messageCount(100) * Self.tokenCount)
        }
    }

    /// What a request did not use is free for other nodes.
    @Test func aServiceThatFailsCostsNothing() async throws {
        try await withNodes { first, second in
            try await importMessages(1_000..<1_200, to: first)
            let embedder = FakeEmbedder()
            for _ in 0..<20 { embedder.failNext(.unreachable(reason: "test")) }
            var settings = IngestSettings(batchItemCount: 8, dailyTokenCap: 100)
            settings.ownsLeasesAtStart = false
            let failing = IngestWorker(
                store: first, embedders: FakeEmbedderSource(embedder, baseURL: "http://service"), settings: settings,
                tokens: first.services.embeddingTokens, now: clock.now, logger: .silent)
            await #expect(throws: (any Error).self) { try await failing.drain { _ in } }
            #expect(try await usedTokens(first) == 0)

            try await worker(second, cap: 100).drain { _ in }
            #expect(try await usedTokens(first) == messageCount(100) * Self.tokenCount)
        }
    }
}
