import ChatCore
import Ingest
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
        let measured = try await probe.measure(embedder, batchCount: 2)
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

        #expect(scale == (try await probe.measure(FakeEmbedder(), batchCount: 2).scale))
        #expect(embedder.batches.count == count)
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
        let usage = try await ScaleProbe.standard.measure(FakeEmbedder(), batchCount: 7).usage

        #expect(usage.textCount == 5 * (8 + 8 + 16))
    }
}
