import ChatCore
import Ingest
import Synchronization
import TestSupport
import Testing

/// A worker that measures what cosines say in the spaces of its generations.
@Suite struct ScaleTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let embedder = FakeEmbedder()
    private let probe = ScaleProbe([
        .init(pairs: [("Who pays money?", "the pilot has money")], messages: ["the berth", "my money"]),
        .init(pairs: [("Which berth?", "a berth"), ("Where is the cat?", "my cat")], messages: ["a pilot"]),
    ])

    private func worker(_ source: FakeEmbedderSource? = nil) -> IngestWorker {
        IngestWorker(
            store: store, embedders: source ?? FakeEmbedderSource(embedder),
            settings: IngestSettings(batchItemCount: 2, pollInterval: .milliseconds(2)), probe: probe, now: clock.now,
            logger: .silent)
    }

    private func post() async throws {
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [.sample("c", "m1", by: "ada", "the pilot", at: 1)], source: "test", mode: .importing, at: clock.now())
    }

    @Test func theContrastIsTheDistanceOfAnswersInSquaresOfTheSpread() async throws {
        let measured = try await probe.measure(embedder, in: embedder.space(), batchCount: 2)
        let (scale, usage) = (measured.scale, measured.usage)

        // The vectors have 1 for each word and 0.1, so texts without a common word have a cosine of 0.01 / 1.01.
        let apart = 0.01 / 1.01
        // The other messages of the first question have the cosines `apart` and 1.
        let (firstMean, firstSpread) = ((apart + 1) / 2, (1 - apart) / 2)
        let firstGap = 1.01 / (1.01 * 2.01).squareRoot() - firstMean
        // Those of the others have `apart` only, so the least spread counts.
        let secondGap = 1 - apart
        let contrasts = [firstGap / (firstSpread * firstSpread), secondGap / 1e-8]
        #expect(abs(scale.mean - (firstMean + apart) / 2) < 1e-4)
        #expect(abs(scale.contrast / (contrasts[0] * contrasts[1]).squareRoot() - 1) < 1e-3)
        #expect(usage.requestCount == 2 + 3)
        #expect(usage.textCount == 3 + 6)
        #expect(embedder.batches.allSatisfy { $0.count <= 2 })
    }

    @Test func aGenerationIsMeasuredOnceAndKeepsItsScale() async throws {
        try await post()

        try await worker().drain { _ in }
        let scale = try #require(try await store.generations().first?.scale)
        let count = embedder.batches.count
        try await worker().drain { _ in }

        #expect(embedder.batches.count == count)
        #expect(scale == (try await probe.measure(embedder, in: embedder.space(), batchCount: 2).scale))
    }

    @Test(.hangGuard) func aServiceThatFailsMeanwhileIsMeasuredLater() async throws {
        try await post()
        let failures = Mutex(3)
        let weak = FakeEmbedder(badTexts: { text in
            guard text.contains("money") else { return nil }
            return failures.withLock { count in
                count -= 1
                return count >= 0 ? .failed(status: 500) : nil
            }
        })
        var settings = IngestSettings(batchItemCount: 2)
        settings.scaleDelay = .milliseconds(2)
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(weak), settings: settings, probe: probe, now: clock.now,
            logger: .silent)

        try await serving(worker, store) {
            while try await store.generations().first?.scale == nil { try await Task.sleep(for: .milliseconds(2)) }
        }

        #expect(failures.withLock { $0 } < 0)
        #expect(
            try await store.generations().first?.scale
                == (try await probe.measure(
                    embedder, in: embedder.space(), batchCount: 2
                ).scale))
    }

    @Test func aModelThatWasChangedUnderItsNameIsNotMeasured() async throws {
        let other = EmbeddingSpace(provider: "fake", model: "fake", dimensions: 7)

        await #expect(throws: ModelServiceError.invalidReply(reason: "5 dimensions, not 7")) {
            try await probe.measure(embedder, in: other, batchCount: 2)
        }
    }

    @Test func aSpaceWhoseAnswersAreLikeOtherMessagesKeepsAContrast() async throws {
        let blind = ScaleProbe([.init(pairs: [("pilot", "berth")], messages: ["pilot", "money"])])

        let scale = try await blind.measure(embedder, in: embedder.space(), batchCount: 8).scale

        // The answer is further away than the others: a tenth of a standard deviation, which is 0.5 here.
        #expect(abs(scale.contrast - 0.2) < 1e-9)
    }

    @Test func aTextThatTheServiceRefusesLeavesTheCosinesAsTheyAre() async throws {
        try await post()
        let picky = FakeEmbedder(badTexts: { $0.contains("money") ? .rejected(status: 400, code: "no") : nil })

        try await worker(FakeEmbedderSource(picky)).drain { _ in }

        let generation = try #require(try await store.generations().first)
        #expect(generation.scale == nil)
        #expect(try await store.status(of: generation.number).embeddedCount == 1)
    }

    @Test func allLanguagesHaveAsManyTexts() async throws {
        let usage = try await ScaleProbe.standard.measure(embedder, in: embedder.space(), batchCount: 7).usage

        #expect(usage.textCount == 5 * (8 + 8 + 16))
    }
}
