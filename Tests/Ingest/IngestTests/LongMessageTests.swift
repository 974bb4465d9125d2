import ChatCore
import Ingest
import TestSupport
import Testing

/// Messages of several passages, and texts that were embedded before.
@Suite struct LongMessageTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()

    private func post(_ texts: String..., from first: Int = 0) async throws {
        _ = try await store.store([.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let messages = texts.enumerated().map { offset, text in
            Message.sample("c", MessageID(rawValue: "m\(first + offset)"), by: "ada", text, at: first + offset)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
    }

    private func embed(with embedder: FakeEmbedder) async throws -> [IndexedPassage] {
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), now: clock.now, logger: .silent)
        try await worker.drain { _ in }
        let generation = try #require(try await store.generations().last)
        return try await store.indexedPassages(of: generation.number, after: .init(rawValue: 0), limit: 1_000)
    }

    @Test func aLongMessageBecomesSeveralPassages() async throws {
        let embedder = FakeEmbedder(passageTokenCount: 20)
        try await post(
            "The pilot comes at five. The berth is free. The cat sleeps on the crane. No money is left, says the old man."
        )

        let passages = try await embed(with: embedder)

        let texts = [
            "ADA: The pilot comes at five. The berth is free.", "ADA: free. The cat sleeps on the crane.",
            "ADA: No money is left, says the old man.",
        ]
        #expect(embedder.batches == [texts])
        #expect(passages.map(\.messageKey.messageID) == ["m0", "m0", "m0"])
        #expect(passages.map(\.vector) == texts.map { embedder.vector(of: $0) })
        let status = try await store.status(of: GenerationNumber(rawValue: 1))
        #expect(
            [status.embeddableCount, status.embeddedCount, status.pendingCount, status.failedCount] == [1, 1, 0, 0])
    }

    @Test func aTextIsSentOnceABatchAndNotAgainLater() async throws {
        let embedder = FakeEmbedder()
        try await post("ok", "the pilot", "ok", "ok")

        let first = try await embed(with: embedder)
        try await post("the pilot", "ok", "a cat", from: 4)
        let all = try await embed(with: embedder)

        #expect(embedder.batches.map { Set($0) } == [["ADA: ok", "ADA: the pilot"], ["ADA: a cat"]])
        #expect(embedder.batches.map(\.count) == [2, 1])
        #expect(first.count == 4)
        #expect(Set(all.map(\.messageKey.messageID)) == ["m0", "m1", "m2", "m3", "m4", "m5", "m6"])
        for passage in all {
            let text = ["m1": "the pilot", "m4": "the pilot", "m6": "a cat"][passage.messageKey.messageID.rawValue]
            #expect(passage.vector == embedder.vector(of: text ?? "ok"), "\(passage.messageKey)")
        }
    }

    @Test func longMessagesAreEmbeddedInTurnsWithOthers() async throws {
        let embedder = FakeEmbedder(passageTokenCount: 20)
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        // The newest go first: the long ones are in front of the small ones.
        let long = (0..<3).map { number in
            var message = Message.sample(
                "c", MessageID(rawValue: "long\(number)"), by: "ada", "see", at: 100 + number)
            let caption = (0..<400).map { "The pilot of ship \(number) comes at \($0) and the berth is free." }
            message.attachments = [Message.Attachment(name: "plan", caption: caption.joined(separator: " "))]
            return message
        }
        let small = (0..<20).map {
            Message.sample("c", MessageID(rawValue: "small\($0)"), by: "ada", "a small cat \($0)", at: $0)
        }
        _ = try await store.accept(long + small, source: "test", mode: .posting, at: clock.now())
        let settings = IngestSettings(batchItemCount: 8)
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), settings: settings, now: clock.now, logger: .silent)

        try await worker.drain { _ in }

        let batches = embedder.batches
        let lastSmall = try #require(batches.lastIndex { $0.contains { $0.contains("small cat") } })
        #expect(batches.allSatisfy { $0.count <= settings.batchItemCount })
        #expect(lastSmall < 12)
        #expect(batches.count > 60)
        let status = try await store.status(of: GenerationNumber(rawValue: 1))
        #expect([status.embeddedCount, status.pendingCount, status.failedCount] == [23, 0, 0])
        let passages = try await store.indexedPassages(of: .init(rawValue: 1), after: .init(rawValue: 0), limit: 9_999)
        let texts = Set(batches.joined())
        #expect(passages.count >= texts.count)
        #expect(Set(passages.map(\.vector)) == Set(texts.map { embedder.vector(of: $0) }))
    }

    @Test func aLongMessageKeepsWhatItHasWhenTheServiceIsBusy() async throws {
        let embedder = FakeEmbedder(passageTokenCount: 20)
        let sentences = (0..<40).map { "The pilot comes at \($0) and the berth is free." }
        try await post(sentences.joined(separator: " "))
        embedder.failNext(.busy(retryAfter: .zero))
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(embedder), settings: IngestSettings(batchItemCount: 8),
            now: clock.now, logger: .silent)

        try await worker.drain { _ in }

        let status = try await store.status(of: GenerationNumber(rawValue: 1))
        #expect([status.embeddedCount, status.failedCount] == [1, 0])
        // The one that failed is the only one that was sent twice.
        #expect(embedder.batches.count == Set(embedder.batches).count + 1)
    }

    @Test func whenNothingIsNewNothingIsSent() async throws {
        let embedder = FakeEmbedder()
        try await post("ok")
        _ = try await embed(with: embedder)
        try await post("ok", from: 1)

        #expect(try await embed(with: embedder).count == 2)
        #expect(embedder.batches == [["ADA: ok"]])
    }

    @Test func aDeletedTextIsSentAgainAndTakesNoOthersVector() async throws {
        let embedder = FakeEmbedder()
        try await post("ok", "ok")
        _ = try await embed(with: embedder)
        try await store.delete(MessageKey(conversationID: "c", messageID: "m0"), at: clock.now())
        #expect(try await embed(with: embedder).map(\.messageKey.messageID) == ["m1"])
        try await store.delete(MessageKey(conversationID: "c", messageID: "m1"), at: clock.now())
        try await post("ok", from: 2)

        #expect(try await embed(with: embedder).map(\.messageKey.messageID) == ["m2"])
        #expect(embedder.batches == [["ADA: ok"], ["ADA: ok"]])
    }

    @Test func aTextThatIsRefusedFailsAllThatHoldIt() async throws {
        let embedder = FakeEmbedder { $0.contains("bad") ? .rejected(status: 400, code: "bad") : nil }
        try await post("bad", "a cat", "bad")

        let passages = try await embed(with: embedder)

        #expect(passages.map(\.messageKey.messageID) == ["m1"])
        let status = try await store.status(of: GenerationNumber(rawValue: 1))
        #expect([status.embeddedCount, status.pendingCount, status.failedCount] == [1, 0, 2])
        #expect(embedder.batches.joined().count { $0 == "ADA: bad" } <= 2)
    }

    @Test func oneBadPassageFailsItsMessageAlone() async throws {
        let embedder = FakeEmbedder(passageTokenCount: 20) {
            $0.contains("bad") ? .rejected(status: 400, code: "bad") : nil
        }
        try await post("The pilot comes at five. The berth is free. The bad cat sleeps on it.", "the pilot")

        let passages = try await embed(with: embedder)

        #expect(passages.map(\.messageKey.messageID) == ["m1"])
        #expect(try await store.failures(of: GenerationNumber(rawValue: 1)) == ["rejected": 1])
    }
}
