import ChatCore
import Ingest
import TestSupport
import Testing

/// Passages that a service refuses as too long.
@Suite(.hangGuard) struct DividedPassageTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let generation = GenerationNumber(rawValue: 1)

    /// A text of about `count` words, all different.
    private static func words(_ count: Int, of word: String = "harbour") -> String {
        (0..<count).map { "\(word)\($0)" }.joined(separator: " ")
    }

    /// An embedder that refuses texts of more letters as a service with its own tokenizer does.
    private static func embedder(takes length: Int) -> FakeEmbedder {
        FakeEmbedder(badTexts: { $0.count > length ? .tooLong : nil })
    }

    private func post(_ texts: String..., from first: Int = 0) async throws {
        _ = try await store.store([.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = texts.enumerated().map { offset, text in
            Message.sample("c", MessageID(rawValue: "m\(first + offset)"), by: "ada", text, at: first + offset)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
    }

    private func worker(_ embedder: FakeEmbedder) -> IngestWorker {
        IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder, baseURL: "http://x"), now: clock.now, logger: .silent)
    }

    private func indexed() async throws -> [IndexedPassage] {
        try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 10_000)
    }

    @Test func aRefusedPassageIsHalvedAndTheOthersOfItsBatchAreKept() async throws {
        let long = Self.words(100)
        let embedder = Self.embedder(takes: 300)
        try await post("the pilot", long, "a cat")

        try await worker(embedder).drain { _ in }

        let status = try await store.status(of: generation)
        #expect([status.embeddedCount, status.pendingCount, status.failedCount] == [3, 0, 0])
        let parts = try await indexed().filter { $0.messageKey.messageID == "m1" }
        #expect(parts.count >= 4)
        #expect(try await indexed().count { $0.messageKey.messageID != "m1" } == 2)
        // Each text was accepted once.
        let batches: [[String]] = embedder.batches.filter { $0.allSatisfy { $0.count <= 300 } }
        let accepted: [String] = batches.flatMap { $0 }.filter { $0 != "hello" }
        #expect(Set(accepted).count == accepted.count)
        #expect(accepted.count { $0.contains("harbour") } == parts.count)
        for place in 0..<100 { #expect(accepted.contains { $0.contains("harbour\(place)") }) }
    }

    @Test func theLimitIsRememberedSoThatNextPassagesAreCutBefore() async throws {
        let embedder = Self.embedder(takes: 300)
        let worker = worker(embedder)
        try await post(Self.words(100))
        try await worker.drain { _ in }
        let before = embedder.batches.count

        try await post(Self.words(100, of: "mooring"), from: 1)
        try await worker.drain { _ in }

        let later = embedder.batches.dropFirst(before)
        #expect(later.allSatisfy { $0.allSatisfy { $0.count <= 300 } })
        #expect(later.count == 1)
    }

    @Test func whatOneWritingSystemHasShownDoesNotShortenAnother() async throws {
        let thai = String(repeating: "เรือออกจากท่าเรือแล้ว", count: 15)
        let embedder = FakeEmbedder(badTexts: { text in
            text.contains("เ") && text.unicodeScalars.count > 100 ? .tooLong : nil
        })
        let worker = worker(embedder)
        try await post(thai)
        try await worker.drain { _ in }

        let english = Self.words(60)
        try await post(english, from: 1)
        try await worker.drain { _ in }

        #expect(try await indexed().count { $0.messageKey.messageID == "m0" } > 2)
        #expect(embedder.batches.last == ["ADA: \(english)"])
    }

    @Test func passagesAreHalvedDownToThirtyTwoTokensAndThenGivenUp() async throws {
        let embedder = FakeEmbedder(badTexts: { $0.contains("harbour") ? .tooLong : nil })
        try await post(Self.words(100), "a cat")

        try await worker(embedder).drain { _ in }

        let status = try await store.status(of: generation)
        #expect([status.embeddedCount, status.pendingCount, status.failedCount] == [1, 0, 1])
        let failed = try await store.failedItems(of: generation)
        #expect(failed.map(\.errorCode) == ["too_long"])
        #expect(failed.map(\.errorReason) == ["the service refuses even 32 tokens of it as too long"])
        let sent: [String] = embedder.batches.flatMap { $0 }.filter { $0.contains("harbour") }
        let shortest = sent.map { TokenEstimate.count($0) }.min() ?? .max
        #expect(shortest <= 32)
        #expect(embedder.batches.count < 100)
    }

    @Test func otherRefusalsHalveNoPassage() async throws {
        let embedder = FakeEmbedder(badTexts: { $0.contains("harbour") ? .rejected(status: 400, code: "bad") : nil })
        try await post(Self.words(100))

        try await worker(embedder).drain { _ in }

        let sent: [String] = embedder.batches.flatMap { $0 }
        #expect(Set(sent).subtracting(["hello"]).count == 1)
        #expect(try await store.failures(of: generation) == ["rejected": 1])
    }

    @Test func messagesThatWereGivenUpWholeAreEmbeddedAtTheNextStart() async throws {
        try await post("the pilot")
        try await worker(Self.embedder(takes: 300)).drain { _ in }
        try await post(Self.words(100), "a cat", "money", from: 1)
        // As an earlier version left them.
        let items = try await store.claim(9, for: generation, until: clock.now() + .seconds(60), at: clock.now())
        let reasons = [
            "the text is longer than the model takes", "the service refuses even 32 tokens of it as too long",
        ]
        for (item, reason) in zip(items.filter { $0.searchableText != "money" }, [reasons[0], reasons[0]]) {
            try await store.park(
                [ParkedItem(item: item, errorCode: "too_long", errorReason: reason, retryAt: nil)], at: clock.now())
        }
        for item in items where item.searchableText == "money" {
            try await store.park(
                [ParkedItem(item: item, errorCode: "too_long", errorReason: reasons[1], retryAt: nil)], at: clock.now())
        }

        try await worker(Self.embedder(takes: 300)).drain { _ in }

        let status = try await store.status(of: generation)
        // What even the shortest passage did not help stays given up.
        #expect([status.embeddedCount, status.failedCount] == [3, 1])
    }

    @Test func aServiceThatIsSlowIsNotPaused() async throws {
        let embedder = FakeEmbedder()
        embedder.failNext(.slow(.working), .slow(.working))
        let health = ServiceHealth()
        try await post("the pilot", "a cat")

        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder, baseURL: "http://x"), health: health, now: clock.now,
            logger: .silent)
        try await worker.drain { _ in }

        #expect(health.failures.isEmpty)
        #expect(try await store.status(of: generation).embeddedCount == 2)
    }
}
