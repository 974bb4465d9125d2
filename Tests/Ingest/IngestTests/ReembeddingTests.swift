import ChatCore
import Ingest
import Synchronization
import TestSupport
import Testing

@Suite struct ReembeddingTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let old = FakeEmbedder(model: "old")
    private let new = FakeEmbedder(words: ["pilot"], model: "new")

    private func worker(
        batchItemCount: Int = 2,
        prepare: @escaping @Sendable (EmbeddingGeneration) async throws -> Void = { _ in }
    ) -> IngestWorker {
        IngestWorker(
            store: store, embedders: FakeEmbedderSource(new, others: ["old": old]),
            settings: IngestSettings(batchItemCount: batchItemCount, pollInterval: .milliseconds(2)),
            prepare: prepare, now: clock.now, logger: .silent)
    }

    private func post(_ range: Range<Int>) async throws {
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = range.map { number in
            Message.sample("c", MessageID(rawValue: "m\(number)"), by: "ada", "text \(number)", at: number)
        }
        let outcomes = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
        #expect(outcomes.allSatisfy { $0 == .inserted })
    }

    /// Fills the first generation with `count` messages.
    private func serve(_ count: Int) async throws {
        try await post(0..<count)
        let first = IngestWorker(store: store, embedders: FakeEmbedderSource(old), now: clock.now, logger: .silent)
        try await first.drain { _ in }
    }

    private func plan(since: Int? = nil, share: Double = 1, rate: Double? = nil) -> GenerationPlan {
        GenerationPlan(
            space: EmbeddingSpace(provider: "fake", model: "new", dimensions: 2), baseURL: nil,
            since: since.map { Message.sample("c", "x", by: "ada", "", at: $0).timestamp }, switchShare: share,
            fillRate: rate)
    }

    private func states() async throws -> [EmbeddingGeneration.State] { try await store.generations().map(\.state) }

    private func newTexts() -> [String] { new.batches.flatMap { $0 } }

    @Test func aServiceThatOnlyTheStandbyNeedsMayBeDown() async throws {
        try await serve(3)
        let worker = worker()
        _ = try await worker.reembed(plan())
        try await worker.drain { _ in }
        #expect(try await states() == [.standby, .serving])

        old.failAlways(.unreachable(reason: "gone"))
        try await post(3..<5)
        try await worker.drain { _ in }

        #expect(worker.serviceTrouble == nil)
        let numbers = try await store.generations().map(\.number)
        let (standby, serving) = (try await store.status(of: numbers[0]), try await store.status(of: numbers[1]))
        #expect(serving.embeddedCount == 5 && serving.pendingCount == 0)
        // Nothing is lost: the standby waits for its service.
        #expect(standby.embeddedCount == 3 && standby.pendingCount == 2 && standby.failedCount == 0)

        new.failAlways(.unreachable(reason: "gone too"))
        try await post(5..<6)
        await #expect(throws: ModelServiceError.unreachable(reason: "gone too")) { try await worker.drain { _ in } }
    }

    @Test func onlyWhatIsYoungEnoughIsEmbeddedFromTheNewestBackwards() async throws {
        try await serve(6)
        let worker = worker()

        _ = try await worker.reembed(plan(since: 3))
        try await worker.drain { _ in }

        #expect(newTexts() == ["ADA: text 5", "ADA: text 4", "ADA: text 3"])
        #expect(try await states() == [.standby, .serving])
    }

    @Test func itServesAtTheShareThatWasAskedForAndGoesOnToTheEnd() async throws {
        try await serve(400)
        let worker = worker()
        _ = try await worker.reembed(plan(share: 0.5))
        let firstServing = Mutex<Int?>(nil)
        let (store, clock) = (store, clock)

        try await worker.drain { _ in
            clock.advance(by: .seconds(20))
            let generations = try await store.generations()
            let count = try await store.status(of: generations[1].number).embeddedCount
            guard generations[1].state == .serving else { return }
            firstServing.withLock { $0 = $0 ?? count }
        }

        let first = try #require(firstServing.withLock { $0 })
        #expect((200..<400).contains(first))
        #expect(try await store.status(of: GenerationNumber(rawValue: 2)).embeddedCount == 400)
        #expect(try await states() == [.standby, .serving])
    }

    @Test func itDoesNotServeBeforeItsIndexIsReady() async throws {
        try await serve(2)
        let isReady = Mutex(false)
        let worker = worker { [store] generation in
            #expect(generation.number.rawValue == 2)
            #expect(try await store.generations().map(\.state) == [.serving, .filling])
            if !isReady.withLock({ $0 }) { throw RepositoryError.unavailable(reason: "busy") }
        }
        _ = try await worker.reembed(plan())

        await #expect(throws: RepositoryError.unavailable(reason: "busy")) { try await worker.drain { _ in } }
        #expect(try await states() == [.serving, .filling])
        isReady.withLock { $0 = true }
        try await worker.drain { _ in }

        #expect(try await states() == [.standby, .serving])
    }

    @Test func oneThatIsDroppedWhileItsRowsAreReadDoesNotServe() async throws {
        try await serve(2)
        let worker = worker { [store, clock] generation in
            try await store.drop(generation.number, at: clock.now())
        }
        _ = try await worker.reembed(plan())

        try await worker.drain { _ in }

        #expect(try await states() == [.serving, .retired])
    }

    @Test func theSpeedIsBoundedAndWhatPeopleWriteNowIsNot() async throws {
        try await serve(9)
        let worker = worker(batchItemCount: 4)
        _ = try await worker.reembed(plan(rate: 2))
        let record = BatchRecord(clock)

        async let work: Void = worker.drain { record.note($0.state) }
        try await wait { record.seconds(.filling).count == 1 }
        try await post(9..<10)
        try await wait { record.seconds(.serving).count == 1 }
        for _ in 0..<9 {
            let before = record.seconds(.filling).count
            clock.advance(by: .seconds(1))
            try await wait {
                let isDone = try await store.generations()[1].state == .serving
                return isDone || record.seconds(.filling).count > before
            }
        }
        try await work

        // Two a second: ten messages take five.
        #expect(record.seconds(.filling) == [0, 1, 2, 3, 4])
        #expect(record.seconds(.serving) == [0])
    }

    @Test func theRestAfterAnEarlySwitchKeepsTheSpeedAndWhatComesLaterIsNotBound() async throws {
        try await serve(8)
        let worker = worker(batchItemCount: 4)
        _ = try await worker.reembed(plan(share: 0.5, rate: 2))
        let record = BatchRecord(clock)

        async let work: Void = worker.drain { if $0.number.rawValue == 2 { record.note($0.state) } }
        for done in 1...4 {
            try await wait { record.count == done }
            // It checks if it may serve when nothing is due, before the clock advances.
            if done == 2 { try await wait { try await store.generations()[1].state == .serving } }
            clock.advance(by: .seconds(1))
        }
        try await work

        // Two a second, before and after the switch.
        #expect(record.seconds(.filling) + record.seconds(.serving) == [0, 1, 2, 3])
        #expect(!record.seconds(.serving).isEmpty)
        #expect(try await store.generations().map(\.fillRate) == [nil, nil])
        try await post(8..<16)
        let before = new.batches.count
        try await worker.drain { _ in }
        #expect(new.batches[before...].map(\.count) == [4, 4])
    }

    private func wait(until condition: () async throws -> Bool) async throws {
        while try await !condition() { await shortPause() }
    }

    @Test func theOneThatStandsByIsKeptUpToDateUntilItIsDropped() async throws {
        try await serve(2)
        let worker = worker()
        _ = try await worker.reembed(plan())
        try await worker.drain { _ in }
        try await post(2..<3)
        _ = try await store.edit(.of("c", "m0"), text: "a pilot", at: clock.now())
        try await worker.drain { _ in }

        for (number, embedder) in [(1, old), (2, new)] {
            let found = try await store.indexedPassages(
                of: GenerationNumber(rawValue: Int64(number)), after: PassageNumber(rawValue: 0), limit: 9)
            let vectors = Dictionary(uniqueKeysWithValues: found.map { ($0.messageKey.messageID, $0.vector) })
            #expect(
                vectors == [
                    "m0": embedder.vector(of: "ADA: a pilot"), "m1": embedder.vector(of: "ADA: text 1"),
                    "m2": embedder.vector(of: "ADA: text 2"),
                ])
        }
        try await store.drop(GenerationNumber(rawValue: 1), at: clock.now())
        let before = old.batches.count
        try await post(3..<4)
        try await worker.drain { _ in }

        #expect(old.batches.count == before)
        #expect(try await store.status(of: GenerationNumber(rawValue: 2)).embeddedCount == 4)
    }
}

/// When batches were embedded, in seconds from the start.
private final class BatchRecord: Sendable {
    private let clock: ManualNow
    private let start: Timestamp
    private let kept = Mutex<[EmbeddingGeneration.State: [Int64]]>([:])

    init(_ clock: ManualNow) {
        self.clock = clock
        start = clock.now()
    }

    func note(_ state: EmbeddingGeneration.State) {
        let second = (clock.now().microseconds - start.microseconds) / 1_000_000
        kept.withLock { $0[state, default: []].append(second) }
    }

    var count: Int { kept.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    func seconds(_ state: EmbeddingGeneration.State) -> [Int64] { kept.withLock { $0[state] ?? [] } }
}
