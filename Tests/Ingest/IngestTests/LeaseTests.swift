import ChatCore
import Ingest
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// How long what was claimed is kept from others.
@Suite(.hangGuard) struct LeaseTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()

    private func post(_ count: Int) async throws {
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = (0..<count).map { number in
            Message.sample("c", MessageID(rawValue: "m\(number)"), by: "ada", "text \(number)", at: number)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
    }

    private func claimed() async throws -> Int {
        let generation = try #require(try await store.generations().first).number
        return try await store.claim(99, for: generation, until: clock.now() + .seconds(1), at: clock.now()).count
    }

    /// Runs a worker whose embedder holds what it is given, until `body` lets it go on and everything is embedded.
    private func withWorker(
        _ body: (_ recorder: CommitRecorder, _ worker: IngestWorker) async throws -> Void
    ) async throws -> [[String]] {
        let recorder = CommitRecorder(store)
        let embedder = HeldEmbedder()
        let worker = IngestWorker(
            store: recorder, embedders: FakeEmbedderSource(embedder),
            settings: IngestSettings(batchItemCount: 4, pollInterval: .milliseconds(1)), now: clock.now,
            logger: .silent)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [worker], logger: .silent))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            while embedder.base.batches.isEmpty { await shortPause() }
            try await body(recorder, worker)
            embedder.letGo()
            while recorder.commits.count < 6 { await shortPause() }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(recorder.commits.values.allSatisfy { $0 == 1 })
        return embedder.base.batches
    }

    @Test func aRequestThatTakesLongKeepsWhatItWasSentFor() async throws {
        try await post(6)

        let batches = try await withWorker { recorder, _ in
            // Ten minutes pass; the leases are of one, and nobody else ever gets what is held.
            for _ in 0..<40 {
                let count = recorder.renewalCount
                clock.advance(by: .seconds(20))
                while recorder.renewalCount == count { await shortPause() }
                let free = try await claimed()
                #expect(free == 0)
            }
        }

        #expect(batches.map(\.count).sorted() == [2, 4])
        #expect(Set(batches.joined()).count == 6)
    }

    @Test func aMachineThatSleptForLongSendsNothingTwice() async throws {
        try await post(6)

        let batches = try await withWorker { recorder, worker in
            let count = recorder.renewalCount
            clock.advance(by: .seconds(36_000))
            worker.wake()
            while recorder.renewalCount == count { await shortPause() }
            let free = try await claimed()
            #expect(free == 0)
        }

        #expect(Set(batches.joined()).count == batches.joined().count)
    }

    @Test func whatADeadProcessClaimedComesBackAfterOneLease() async throws {
        try await post(6)
        let embedder = FakeEmbedder()
        let settings = IngestSettings()
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), settings: settings, now: clock.now, logger: .silent)
        let generation = try await worker.reembed().number
        _ = try await store.claim(99, for: generation, until: clock.now() + settings.lease, at: clock.now())

        clock.advance(by: .seconds(59))
        try await worker.drain { _ in }
        #expect(embedder.batches.isEmpty)
        clock.advance(by: .seconds(1))
        try await worker.drain { _ in }

        #expect(embedder.batches.joined().count == 6)
        #expect(try await store.pendingCount(of: generation) == 0)
    }
}

/// Holds every batch until it is let go.
private final class HeldEmbedder: Embedder {
    let base = FakeEmbedder()
    private let isOpen = Mutex(false)

    func letGo() { isOpen.withLock { $0 = true } }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let reply = try await base.embed(texts, as: purpose)
        while !isOpen.withLock({ $0 }) {
            try Task.checkCancellation()
            await shortPause()
        }
        return reply
    }
}
