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

/// Announces a change number beyond the last.
private final class AnnouncingFeed: ChangeFeed, GenerationRepository {
    private let base: InMemoryStore
    private let excess = Mutex<Int64>(0)

    init(_ base: InMemoryStore) { self.base = base }

    func announce(_ count: Int64) { excess.withLock { $0 = count } }

    func latestChange() async throws -> ChangeNumber {
        ChangeNumber(rawValue: try await base.latestChange().rawValue + excess.withLock { $0 })
    }

    func waitForChange(after number: ChangeNumber) async throws { try await base.waitForChange(after: number) }

    func changes(after number: ChangeNumber, limit: Int) async throws -> [Change] {
        try await base.changes(after: number, limit: limit)
    }

    func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        try await base.indexedPassages(of: generation, after: after, limit: limit)
    }

    func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws -> [IndexedPassage] {
        try await base.indexedPassages(numbers, of: generation)
    }

    func passages(of messages: [MessageKey], in generation: GenerationNumber) async throws -> [PassageNumber] {
        try await base.passages(of: messages, in: generation)
    }

    func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage] {
        try await base.indexedMessages(after: after, limit: limit)
    }

    func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage] {
        try await base.indexedMessages(of: keys)
    }

    func census(of generation: GenerationNumber) async throws -> IndexCensus {
        try await base.census(of: generation)
    }

    func messageCensus() async throws -> IndexCensus { try await base.messageCensus() }

    func generations() async throws -> [EmbeddingGeneration] { try await base.generations() }

    func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        try await base.beginGeneration(plan, at: moment)
    }

    func endFill(of generation: GenerationNumber) async throws { try await base.endFill(of: generation) }

    func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await base.drop(generation, at: moment)
    }

    func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await base.switchTo(generation, at: moment)
    }
}
