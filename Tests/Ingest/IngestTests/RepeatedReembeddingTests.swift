import ChatCore
import Foundation
import Ingest
import MessageStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A re-embedding that is stopped after each of its steps, and repeated by the same call.
@Suite(.hangGuard) struct RepeatedReembeddingTests {
    private static let count = 7
    private let clock = ManualNow()

    /// The same space as what serves, or another one.
    enum Target: String, CaseIterable {
        case sameModel, otherModel
    }

    private func embedder(_ target: Target) -> FakeEmbedder {
        target == .sameModel ? FakeEmbedder(model: "old") : FakeEmbedder(words: ["pilot"], model: "new")
    }

    private func worker(_ store: any IngestStore, _ target: Target) -> IngestWorker {
        IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder(target), others: ["old": FakeEmbedder(model: "old")]),
            settings: IngestSettings(batchItemCount: 2, pollInterval: .milliseconds(2)),
            now: clock.now, logger: .silent)
    }

    private func plan(_ target: Target) async throws -> GenerationPlan {
        GenerationPlan(space: try await embedder(target).space(), baseURL: nil)
    }

    private func reembed(_ store: any IngestStore, _ target: Target) async throws {
        let worker = worker(store, target)
        _ = try await worker.reembed(try await plan(target))
        try await worker.drain { _ in }
    }

    @Test(arguments: Target.allCases)
    func theSameCallContinuesInEveryState(target: Target) async throws {
        var stepCount = 0
        var isComplete = false
        while !isComplete {
            let folder = FileManager.default.temporaryDirectory.appending(path: "again-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try await SQLStore.open(folder: folder, options: StoreOptions())
            _ = try await store.store(
                [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
            let messages = (0..<Self.count).map { number in
                Message.sample("c", MessageID(rawValue: "m\(number)"), by: "ada", "text \(number)", at: number)
            }
            _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
            try await IngestWorker(
                store: store, embedders: FakeEmbedderSource(FakeEmbedder(model: "old")), now: clock.now,
                logger: .silent
            ).drain { _ in }

            let stopping = StoppingStore(store, after: stepCount)
            do {
                try await reembed(stopping, target)
                isComplete = true
            } catch is StoppingStore.Stopped {}
            stepCount += 1
            // The process is gone.
            try await store.releaseAllLeases()
            try await reembed(store, target)

            let generations = try await store.generations()
            #expect(generations.map(\.state) == [.standby, .serving], "stopped after \(stepCount - 1) steps")
            let serving = try #require(generations.last)
            #expect(try await store.status(of: serving.number).embeddedCount == Self.count)
            #expect(try await store.coverage(of: serving.number).isSound)
            await store.close()
        }
        #expect(stepCount > 5)
    }

    @Test func withoutItsPredecessorTheSameModelIsEmbeddedAgain() async throws {
        let store = InMemoryStore()
        _ = try await store.store([.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [.sample("c", "m", by: "ada", "text", at: 1)], source: "test", mode: .importing, at: clock.now())
        try await worker(store, .sameModel).drain { _ in }

        try await reembed(store, .sameModel)
        try await reembed(store, .sameModel)
        #expect(try await store.generations().map(\.state) == [.standby, .serving])

        try await store.drop(GenerationNumber(rawValue: 1), at: clock.now())
        try await reembed(store, .sameModel)
        #expect(try await store.generations().map(\.state) == [.retired, .standby, .serving])
    }
}

/// A store that stops working after so many steps were committed, as a process that is killed.
private final class StoppingStore: StoreWrapper, WorkQueue, GenerationRepository {
    struct Stopped: Error {}

    let base: any Store
    private let left: Mutex<Int>

    init(_ base: SQLStore, after count: Int) {
        self.base = base
        left = Mutex(count)
    }

    private func step<Value>(_ body: () async throws -> Value) async throws -> Value {
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isOver { throw Stopped() }
        return try await body()
    }

    func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        try await step { try await base.beginGeneration(plan, at: moment) }
    }

    func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await step { try await base.switchTo(generation, at: moment) }
    }

    func endFill(of generation: GenerationNumber) async throws {
        try await step { try await base.endFill(of: generation) }
    }

    func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await step { try await base.drop(generation, at: moment) }
    }

    func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem] {
        try await step {
            try await base.claim(limit, for: generation, includingBacklog: includesBacklog, until: lease, at: moment)
        }
    }

    func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int {
        try await step { try await base.commit(messages, usage: usage, at: moment) }
    }
}
