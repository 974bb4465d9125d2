import ChatCore
import Ingest
import Retrieval
import TestSupport
import Testing

@Suite struct LiveIndexTests {
    @Test func manyFollowersAtOnceReadEverythingOnce() async throws {
        let store = InMemoryStore()
        let clock = ManualNow()
        let index = LiveIndex(store: store, logger: .silent)
        let worker = IngestWorker(
            store: store, embedders: FakeEmbedderSource(FakeEmbedder()), now: clock.now, logger: .silent)
        _ = try await store.store(
            [.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())

        for round in 0..<5 {
            let messages = (0..<200).map { number in
                Message.sample(
                    "c", MessageID(rawValue: "m\(round)-\(number)"), by: "ada", "text \(number)",
                    at: round * 200 + number)
            }
            _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
            try await worker.drain { _ in }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await index.follow() } }
                try await group.waitForAll()
            }

            #expect(index.passageCount == (round + 1) * 200)
            #expect(try await index.followed == store.latestChange())
        }
    }
}
