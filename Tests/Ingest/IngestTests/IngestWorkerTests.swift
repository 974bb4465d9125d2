import ChatCore
import Ingest
import Logging
import ServiceLifecycle
import Synchronization
import Telemetry
import TestSupport
import Testing

@Suite struct IngestWorkerTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()

    private func worker(
        _ embedder: FakeEmbedder, others: [String: any Embedder] = [:], settings: IngestSettings = IngestSettings()
    ) -> IngestWorker {
        IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder, others: others), settings: settings,
            now: clock.now, logger: .silent)
    }

    private func post(_ texts: [String], from first: Int = 0) async throws {
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = texts.enumerated().map { offset, text in
            Message.sample("c", MessageID(rawValue: "m\(first + offset)"), by: "ada", text, at: first + offset)
        }
        let outcomes = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
        #expect(outcomes.allSatisfy { $0 == .inserted })
    }

    private func status() async throws -> QueueStatus {
        let generation = try #require(try await store.generations().last { $0.state == .serving })
        return try await store.status(of: generation.number)
    }

    @Test func embedsSenderAndTextOfWhatWaits() async throws {
        let embedder = FakeEmbedder()
        try await post(["the pilot", "a cat"])

        try await worker(embedder).drain { _ in }

        #expect(Set(embedder.batches.flatMap { $0 }) == ["ADA: the pilot", "ADA: a cat"])
        let status = try await status()
        #expect(status.embeddedCount == 2)
        #expect(status.pendingCount == 0)
    }

    @Test func takesBatchesOfTheConfiguredSize() async throws {
        let embedder = FakeEmbedder()
        try await post((0..<10).map { "text \($0)" })

        try await worker(embedder, settings: IngestSettings(batchItemCount: 4)).drain { _ in }

        #expect(embedder.batches.map(\.count) == [4, 4, 2])
    }

    @Test func aMessageWithoutTextIsDoneWithoutAVector() async throws {
        let embedder = FakeEmbedder()
        try await post(["", "  \n", "words"])

        try await worker(embedder).drain { _ in }

        #expect(embedder.batches == [["ADA: words"]])
        #expect(try await status().pendingCount == 0)
    }

    @Test func aDeadServiceLosesNothingAndCountsNoAttempt() async throws {
        let embedder = FakeEmbedder()
        let worker = worker(embedder)
        try await post(["one", "two"])
        try await worker.drain { _ in }
        try await post(["three"], from: 2)

        embedder.failAlways(.unreachable(reason: "test"))
        for _ in 0..<20 {
            await #expect(throws: ModelServiceError.unreachable(reason: "test")) { try await worker.drain { _ in } }
        }
        #expect(worker.serviceTrouble == .unreachable(reason: "test"))
        #expect(try await status().pendingCount == 1)

        embedder.failAlways(nil)
        try await worker.drain { _ in }
        #expect(worker.serviceTrouble == nil)
        let status = try await status()
        #expect(status.embeddedCount == 3)
        #expect(status.failedCount == 0)
    }

    @Test func aConnectionThatBreaksAtATextIsNotItsFault() async throws {
        let breaks = Mutex(2)
        let embedder = FakeEmbedder(badTexts: { text in
            guard text.contains("zeros") else { return nil }
            let isBroken = breaks.withLock { left in
                left -= 1
                return left >= 0
            }
            return isBroken ? .unreachable(reason: "restart") : .invalidReply(reason: "a vector of zeros")
        })
        try await post(["zeros"])

        try await worker(embedder, settings: IngestSettings(attemptLimit: 1)).drain { _ in }

        let generation = try #require(try await store.generations().first).number
        let failed = try await store.failedItems(of: generation)
        #expect(failed.map(\.errorReason) == ["the answer was unusable: a vector of zeros"])
    }

    @Test func aTextThatBreaksTheConnectionEveryTimeIsGivenUp() async throws {
        let embedder = FakeEmbedder(badTexts: { $0.contains("crash") ? .unreachable(reason: "crash") : nil })
        try await post(["one", "crash", "two"])

        try await worker(embedder, settings: IngestSettings(attemptLimit: 1)).drain { _ in }

        let generation = try #require(try await store.generations().first).number
        #expect(try await store.failedItems(of: generation).map(\.errorCode) == ["unreachable"])
        #expect(try await status().embeddedCount == 2)
        #expect(embedder.batches.count { $0 == ["ADA: crash"] } == 3)
    }

    @Test(arguments: [
        ModelServiceError.rejected(status: 400, code: "bad"), .tooLong, .invalidReply(reason: "NaN"),
        .failed(status: 500),
    ])
    func oneBadTextHarmsOnlyItself(error: ModelServiceError) async throws {
        let embedder = FakeEmbedder(badTexts: { $0.contains("poison") ? error : nil })
        try await post((0..<31).map { $0 == 17 ? "poison" : "text \($0)" })

        try await worker(embedder).drain { _ in }

        let status = try await status()
        #expect(status.embeddedCount == 30)
        #expect(status.failedCount + status.pendingCount == 1)
    }

    @Test func aTextThatTheServiceRefusesIsGivenUp() async throws {
        let error = ModelServiceError.rejected(status: 422, code: "bad")
        let embedder = FakeEmbedder(badTexts: { $0.contains("poison") ? error : nil })
        try await post(["poison"])

        try await worker(embedder).drain { _ in }

        let generation = try #require(try await store.generations().first)
        #expect(try await store.failures(of: generation.number) == ["rejected": 1])
    }

    @Test func itsWorkIsCounted() async throws {
        let registry = MetricRegistry()
        let error = ModelServiceError.rejected(status: 422, code: "bad")
        let embedder = FakeEmbedder(badTexts: { $0.contains("poison") ? error : nil })
        try await post(["poison", "one", "two"])
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), metrics: registry, now: clock.now, logger: .silent)

        try await worker.drain { _ in }

        let samples = try PrometheusText(registry.text()).samples
        #expect(
            samples.filter { $0.key.hasPrefix("nexus_ingest") } == [
                #"nexus_ingest_messages_total{outcome="claimed"}"#: 3,
                #"nexus_ingest_messages_total{outcome="embedded"}"#: 2,
                #"nexus_ingest_messages_total{outcome="parked"}"#: 1,
            ])
        #expect(samples[#"nexus_stage_duration_seconds_count{stage="ingest_embed"}"#] == 1)
        for stage in ["ingest_claim", "ingest_store"] {
            #expect((samples[#"nexus_stage_duration_seconds_count{stage="\#(stage)"}"#] ?? 0) >= 1)
        }
    }

    @Test func aServiceThatAnswersRubbishToEverythingCostsNoMessageItsPlace() async throws {
        let embedder = FakeEmbedder(badTexts: { _ in .invalidReply(reason: "zeros") })
        try await post(["one", "two", "three"])

        for _ in 0..<30 {
            await #expect(throws: ModelServiceError.self) { try await worker(embedder).drain { _ in } }
            clock.advance(by: .seconds(3_600))
        }

        let status = try await status()
        #expect(status.pendingCount == 3)
        #expect(status.failedCount == 0)
    }

    @Test func anUnusableVectorIsTriedAgainLaterAndGivenUpInTheEnd() async throws {
        let embedder = FakeEmbedder(badTexts: { $0.contains("poison") ? .invalidReply(reason: "NaN") : nil })
        let worker = worker(embedder, settings: IngestSettings(attemptLimit: 3))
        try await post(["poison", "fine"])

        try await worker.drain { _ in }
        #expect(try await status().pendingCount == 1)
        for _ in 0..<3 {
            clock.advance(by: .seconds(600))
            try await worker.drain { _ in }
        }

        let status = try await status()
        #expect(status.failedCount == 1)
        #expect(status.pendingCount == 0)
    }

    @Test func anEditWhileItsTextIsEmbeddedMakesThatVectorWorthless() async throws {
        try await post(["the pilot"])
        let key = MessageKey(conversationID: "c", messageID: "m0")
        let store = store
        let clock = clock
        let edited = Mutex(false)
        let embedder = FakeEmbedder()
        let editing = HookedEmbedder(embedder) {
            guard
                !edited.withLock({
                    let was = $0; $0 = true; return was
                })
            else { return }
            _ = try await store.edit(key, text: "a cat", at: clock.now())
        }
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(editing), now: clock.now, logger: .silent)

        try await worker.drain { _ in }

        let generation = try #require(try await store.generations().first)
        let passages = try await store.indexedPassages(
            of: generation.number, after: PassageNumber(rawValue: 0), limit: 10)
        #expect(passages.map(\.vector) == [embedder.vector(of: "ADA: a cat")])
    }

    @Test func reembeddingServesTheOldVectorsUntilTheNewOnesAreComplete() async throws {
        let old = FakeEmbedder(model: "old")
        let new = FakeEmbedder(words: ["pilot"], model: "new")
        try await post(["the pilot", "a cat", "money"])
        try await worker(old).drain { _ in }
        let next = worker(new, others: ["old": old], settings: IngestSettings(batchItemCount: 2))

        let filling = try await next.reembed()
        #expect(try await store.generations().map(\.state) == [.serving, .filling])
        new.failAlways(.unreachable(reason: "test"))
        await #expect(throws: ModelServiceError.self) { try await next.drain { _ in } }
        new.failAlways(nil)
        #expect(try await store.generations().map(\.state) == [.serving, .filling])
        let again = try await next.reembed()
        try await next.drain { _ in }

        #expect(again.number == filling.number)
        let generations = try await store.generations()
        #expect(generations.map(\.space.model) == ["old", "new"])
        #expect(generations.map(\.state) == [.standby, .serving])
        #expect(try await status().embeddedCount == 3)
    }

    @Test func aReembeddingThatWasGivenUpForAnotherNeverTakesOver() async throws {
        let embedders = ["old", "first", "second"].map { FakeEmbedder(model: $0) }
        let others = Dictionary(uniqueKeysWithValues: zip(["old", "first", "second"], embedders))
        try await post(["the pilot"])
        try await worker(embedders[0]).drain { _ in }

        _ = try await worker(embedders[1], others: others).reembed()
        let second = worker(embedders[2], others: others)
        _ = try await second.reembed()
        try await second.drain { _ in }
        try await second.drain { _ in }

        #expect(try await store.generations().filter { $0.state == .serving }.map(\.space.model) == ["second"])
        #expect(embedders[1].batches.isEmpty)
    }

    @Test func aServiceWithoutASingleVectorNeverTakesOver() async throws {
        let old = FakeEmbedder(model: "old")
        try await post(["the pilot"])
        try await worker(old).drain { _ in }
        let new = FakeEmbedder(
            model: "new", badTexts: { $0 == "hello" ? nil : .rejected(status: 400, code: "bad") })
        let next = worker(new, others: ["old": old])

        _ = try await next.reembed()
        try await next.drain { _ in }

        #expect(try await store.generations().map(\.state) == [.serving, .filling])
    }

    @Test func newMessagesGoBeforeAGenerationThatIsFilled() async throws {
        let old = FakeEmbedder(model: "old")
        let new = FakeEmbedder(model: "new")
        try await post((0..<400).map { "text \($0)" })
        try await worker(old).drain { _ in }
        let next = worker(
            new, others: ["old": old],
            settings: IngestSettings(batchItemCount: 2, pollInterval: .milliseconds(1)))
        _ = try await next.reembed()
        let order = Mutex<[EmbeddingGeneration.State]>([])
        let store = store
        let clock = clock

        try await next.drain { generation in
            order.withLock { $0.append(generation.state) }
            if order.withLock({ $0.count }) == 1 {
                _ = try await store.accept(
                    [.sample("c", "late", by: "ada", "late", at: 99)], source: "test", mode: .importing,
                    at: clock.now())
            }
        }

        let states = order.withLock { $0 }
        #expect(states.first == .filling)
        #expect(states.last == .filling)
        #expect(states.count { $0 == .serving } == 1)
        #expect(try await store.generations().map(\.state) == [.standby, .serving])
    }

    @Test func theServiceEmbedsWhatComesInAndEndsWhenAskedTo() async throws {
        let embedder = FakeEmbedder()
        let worker = worker(embedder, settings: IngestSettings(pollInterval: .seconds(3_600)))

        try await serving(worker, store) {
            try await post(["the pilot"])
            while try await store.generations().isEmpty { await shortPause() }
            while try await status().embeddedCount < 1 { await shortPause() }
            try await post(["the berth"], from: 1)
            while try await status().embeddedCount < 2 { await shortPause() }
        }

        #expect(try await status().pendingCount == 0)
    }
}

/// Does something before each batch.
private struct HookedEmbedder: Embedder {
    let base: FakeEmbedder
    let before: @Sendable () async throws -> Void

    init(_ base: FakeEmbedder, before: @escaping @Sendable () async throws -> Void) {
        self.base = base
        self.before = before
    }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        try await before()
        return try await base.embed(texts, as: purpose)
    }
}
