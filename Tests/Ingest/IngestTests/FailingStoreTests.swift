import ChatCore
import Foundation
import Ingest
import MessageStore
import SQLiteStore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// What becomes of claimed messages when the store, or the task, fails between claim and commit.
@Suite struct FailingStoreTests {
    private let clock = ManualNow()
    /// Vectors of 512 components do not fit into the pages that a database has already.
    private let embedder = FakeEmbedder(words: (0..<511).map { "word\($0)" })

    private func withStore(_ body: (SQLStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "failing-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func worker(
        _ store: SQLStore, _ embedder: any Embedder, settings: IngestSettings = IngestSettings()
    ) -> IngestWorker {
        IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), settings: settings, now: clock.now,
            logger: .silent)
    }

    private func post(_ count: Int, in store: SQLStore, from first: Int = 0) async throws {
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = (first..<first + count).map { number in
            Message.sample("c", MessageID(rawValue: "m\(number)"), by: "ada", "text \(number)", at: number)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
    }

    /// Leaves a disk with room for nothing but small changes.
    private func fill(_ store: SQLStore) async throws {
        let pages = try #require(Int(try await store.inspect("PRAGMA page_count")[0]))
        try await store.setPageLimit(pages)
    }

    private func leases(_ store: SQLStore) async throws -> [String] {
        try await store.inspect("SELECT COUNT(*) FROM queue WHERE state = 1")
    }

    @Test func aCancelledBatchIsGivenBackAtOnce() async throws {
        try await withStore { store in
            try await post(3, in: store)
            let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
            let worker = worker(store, WaitingEmbedder(base: embedder, begun: continuation))

            let draining = Task { try await worker.drain { _ in } }
            for await _ in begun { break }
            draining.cancel()
            await #expect(throws: CancellationError.self) { try await draining.value }

            #expect(try await leases(store) == ["0"])
        }
    }

    @Test func aBatchThatDoesNotFitOnTheDiskIsGivenBackAndEmbeddedWhenThereIsRoom() async throws {
        try await withStore { store in
            let worker = worker(store, embedder)
            try await post(1, in: store)
            try await worker.drain { _ in }
            try await post(100, in: store, from: 1)
            try await fill(store)

            await #expect(throws: RepositoryError.storageFull) { try await worker.drain { _ in } }
            #expect(try await leases(store) == ["0"])

            try await store.setPageLimit(1_000_000)
            try await worker.drain { _ in }
            let generation = try #require(try await store.generations().first)
            let status = try await store.status(of: generation.number)
            #expect(status.embeddedCount == 101)
            #expect(status.pendingCount == 0)
        }
    }

    @Test func aFullDiskCostsFewCallsOfTheService() async throws {
        try await withStore { store in
            let worker = worker(store, embedder, settings: IngestSettings(pollInterval: .milliseconds(1)))
            try await post(1, in: store)
            try await worker.drain { _ in }
            try await post(60, in: store, from: 1)
            try await fill(store)
            let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [worker], logger: .silent))
            let before = embedder.batches.count

            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                while embedder.batches.count < before + 3 { await shortPause() }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }

            // Half a second before the second try, a whole one before the third.
            #expect(ContinuousClock.now - start > .milliseconds(1_400))
        }
    }

    @Test(arguments: [1, 64])
    func vectorsOfAnotherLengthAreTheServicesFailureAndCostNoMessageItsPlace(count: Int) async throws {
        try await withStore { store in
            try await post(1, in: store)
            try await worker(store, embedder).drain { _ in }
            try await post(count, in: store, from: 1)
            let other = FakeEmbedder(words: ["pilot"])

            let failing = worker(store, other)
            await #expect(throws: ModelServiceError.invalidReply(reason: "2 dimensions, not 512")) {
                try await failing.drain { _ in }
            }

            #expect(failing.serviceTrouble?.code == "invalid_reply")
            #expect(try await leases(store) == ["0"])
            try await worker(store, embedder).drain { _ in }
            let generation = try #require(try await store.generations().first)
            #expect(try await store.status(of: generation.number).embeddedCount == count + 1)
        }
    }
}

/// Never answers; says when it was asked.
private struct WaitingEmbedder: Embedder {
    let base: FakeEmbedder
    let begun: AsyncStream<Void>.Continuation

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        begun.yield()
        let (never, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        continuation.finish()
        try Task.checkCancellation()
        return try await base.embed(texts, as: purpose)
    }
}
