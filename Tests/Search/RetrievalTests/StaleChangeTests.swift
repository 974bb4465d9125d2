import ChatCore
import Ingest
import Retrieval
import Synchronization
import TestSupport
import Testing

/// A feed that announces changes which are not there, as a store would whose commit failed after it told of it.
@Suite(.hangGuard) struct StaleChangeTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()

    private func fill() async throws {
        _ = try await store.store([.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [.sample("c", "m1", by: "ada", "the pilot", at: 1)], source: "test", mode: .importing, at: clock.now())
    }

    private func embed() async throws {
        let source = FakeEmbedderSource(FakeEmbedder())
        try await IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent).drain { _ in }
    }

    @Test func theLexiconFollowsWhatThereIsAndEnds() async throws {
        try await fill()
        let feed = AnnouncingFeed(store)
        let lexicon = LiveLexicon(store: feed, logger: .silent)
        try await lexicon.follow()

        feed.announce(7)
        try await lexicon.follow()

        #expect(lexicon.messageCount == 1)
    }

    @Test(arguments: [false, true])
    func theIndexFollowsWhatThereIsAndEnds(hasVectors: Bool) async throws {
        try await fill()
        if hasVectors { try await embed() }
        let feed = AnnouncingFeed(store)
        let index = LiveIndex(store: feed, logger: .silent)
        try await index.follow()

        feed.announce(7)
        try await index.follow()
        #expect(index.passageCount == (hasVectors ? 1 : 0))
    }
}

/// Announces changes beyond the last.
private final class AnnouncingFeed: StoreWrapper, ChangeFeed, GenerationRepository {
    let base: any Store
    private let excess = Mutex<Int64>(0)

    init(_ base: any Store) { self.base = base }

    func announce(_ count: Int64) { excess.withLock { $0 = count } }

    func latestChange() async throws -> ChangeCursor {
        try await base.latestChange().moved(by: excess.withLock { $0 })
    }
}
