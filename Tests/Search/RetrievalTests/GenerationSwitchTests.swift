import ChatCore
import Ingest
import Logging
import Retrieval
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// Another generation takes over between two searches: none fails, mixes spaces, or finds fewer.
@Suite struct GenerationSwitchTests {
    private static let limit = 5
    private static let questions = ["the pilot", "a cat costs money", "the rope of the pilot", "a berth"]

    private let store = InMemoryStore()
    private let watched: WatchedStore
    private let clock = ManualNow()
    private let index: LiveIndex
    private let searcher: HybridSearcher
    private let embedders: FakeEmbedderSource
    private let old = FakeEmbedder(words: ["pilot", "berth", "cat", "money"], model: "old")
    private let new: SteppedEmbedder

    init() {
        new = SteppedEmbedder(FakeEmbedder(words: ["rope", "cat"], model: "new"))
        watched = WatchedStore(store)
        index = LiveIndex(store: watched, logger: .silent)
        embedders = FakeEmbedderSource(new, others: ["old": old])
        var settings = RetrievalSettings.with { settings in
            settings.lexical.isOn = false
            settings.selection.groupsRepeats = false
        }
        (settings.fusion.window, settings.fusion.answer, settings.fusion.question) = (0, 0, 0)
        (settings.fusion.time, settings.fusion.speaker, settings.fusion.place, settings.fusion.date) = (0, 0, 0, 0)
        searcher = HybridSearcher(
            store: store, index: index, lexicon: LiveLexicon(store: watched, logger: .silent), embedders: embedders,
            settings: settings, now: clock.now, logger: .silent)
    }

    /// A worker that does something more when the rows of a generation are prepared.
    private func worker(prepared: @escaping @Sendable () async throws -> Void = {}) -> IngestWorker {
        IngestWorker(
            store: store, embedders: embedders, settings: IngestSettings(batchItemCount: 4),
            prepare: { [index] generation in
                try await index.prepare(generation)
                try await prepared()
            }, now: clock.now, logger: .silent)
    }

    /// Sixty messages of a few words each; the last twenty are those that change.
    private func fill() async throws {
        _ = try await store.store([.sample("c", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        let words = ["pilot", "berth", "cat", "money", "rope", "tide"]
        let messages = (0..<60).map { number in
            let text = words.enumerated().filter { (number * 7 + 3) >> $0.offset & 1 == 1 }.map(\.element)
            return Message.sample(
                "c", MessageID(rawValue: "m\(number)"), by: "ada", "\(text.joined(separator: " ")) \(number)",
                at: number)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
        let first = IngestWorker(store: store, embedders: FakeEmbedderSource(old), now: clock.now, logger: .silent)
        try await first.drain { _ in }
    }

    private func ask(_ question: String) async throws -> SearchResult {
        try await searcher.search(
            SearchRequest(
                question: question, scope: SearchScope(asker: "ada", conversations: .all), limit: Self.limit))
    }

    /// The cosines of a question and every message that can be found, by the vectors of one generation.
    private func cosines(_ question: String, _ generation: GenerationNumber) async throws -> [MessageID: Double] {
        let embedder = generation.rawValue == 1 ? old : new.base
        let query = embedder.vector(of: question)
        let all = try await store.page(of: "c", asker: "ada", before: nil, limit: 1_000, at: clock.now())
        return Dictionary(
            uniqueKeysWithValues: all.map { message in
                let vector = embedder.vector(of: "ADA: \(message.text)")
                return (message.key.messageID, zip(query, vector).reduce(0) { $0 + Double($1.0 * $1.1) })
            })
    }

    /// Compares an answer with brute force over the generation that it says it used.
    private func check(_ result: SearchResult, _ question: String) async throws {
        let generation = try #require(result.generation)
        let cosines = try await cosines(question, generation)
        let best = cosines.values.sorted(by: >).prefix(Self.limit)
        try #require(result.hits.count == Self.limit)
        for (hit, wanted) in zip(result.hits, best) {
            let own = try #require(cosines[hit.message.key.messageID])
            try #require(abs(hit.relevance - own) < 1e-5, "\(question), generation \(generation.rawValue)")
            try #require(abs(own - wanted) < 1e-5, "\(question), generation \(generation.rawValue)")
        }
    }

    @Test func theRowsAreThereBeforeTheGenerationServes() async throws {
        try await fill()
        try await check(try await ask("the pilot"), "the pilot")
        new.letAll()
        let seen = Mutex<(states: [EmbeddingGeneration.State], read: Int)>(([], 0))
        let worker = worker { [store, watched] in
            let states = try await store.generations().map(\.state)
            seen.withLock { $0 = (states, watched.passagesRead) }
        }
        let next = try await worker.reembed()

        try await worker.drain { _ in }
        #expect(seen.withLock { $0.states } == [.serving, .filling])
        #expect(try await store.generations().map(\.state) == [.standby, .serving])
        let result = try await ask("a cat")

        #expect(result.generation == next.number)
        try await check(result, "a cat")
        #expect(watched.passagesRead == seen.withLock { $0.read })
    }

    @Test func whatIsPreparedFollowsTheStoreUntilItServes() async throws {
        try await fill()
        try await index.follow()
        new.letAll()
        let count = Mutex(0)
        let worker = worker { [store, clock] in
            // The first time something changes after the rows were read.
            guard
                count.withLock({
                    $0 += 1; return $0
                }) == 1
            else { return }
            _ = try await store.edit(.of("c", "m1"), text: "rope and cat", at: clock.now())
            try await store.delete(.of("c", "m2"), at: clock.now())
        }
        let next = try await worker.reembed()
        try await worker.drain { _ in }
        #expect(count.withLock { $0 } == 2)
        #expect(try await store.generations().last?.state == .serving)
        for question in Self.questions { try await check(try await ask(question), question) }
        #expect(index.passageCount == 59)

        // And back.
        let first = try #require(try await store.generations().first)
        #expect(index.preparedGeneration == nil)
        try await index.prepare(first)
        #expect(index.preparedGeneration == first.number)
        try await store.switchTo(first.number, at: clock.now())
        let result = try await ask("the pilot")
        #expect(result.generation == first.number)
        try await check(result, "the pilot")
        try await store.drop(next.number, at: clock.now())
        try await check(try await ask("the pilot"), "the pilot")
    }

    @Test func whatIsDroppedIsLetGo() async throws {
        try await fill()
        try await index.follow()
        let next = try await worker().reembed()
        try await index.prepare(next)
        #expect(index.preparedGeneration == next.number)

        try await store.drop(next.number, at: clock.now())
        try await index.follow()

        #expect(index.preparedGeneration == nil)
        try await check(try await ask("a berth"), "a berth")
    }

    @Test(.hangGuard) func everyAnswerOfALongRunIsThatOfOneGeneration() async throws {
        try await fill()
        try await check(try await ask("the pilot"), "the pilot")
        let worker = worker()
        let follower = ChangeFollower(store: watched, subscribers: [index])
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [worker], logger: .silent))
        var seen: [GenerationNumber?] = []
        let second = GenerationNumber(rawValue: 2)

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await withDiscardingTaskGroup { running in
                    running.addTask {
                        await follower.run(listeners: [{ changes, _ in worker.follow(changes) }]) { _ in }
                    }
                    try? await group.run()
                    running.cancelAll()
                }
            }
            _ = try await worker.reembed()
            // Each batch of the run is let through after a few searches; what changes is embedded meanwhile.
            for round in 0... {
                let question = Self.questions[round % Self.questions.count]
                let result = try await ask(question)
                seen.append(result.generation)
                try await check(result, question)
                if round % 3 == 2 {
                    if !seen.contains(second), round < 60 { try await change(round) }
                    new.letOne()
                }
                if seen.count(where: { $0 == second }) >= 20 { break }
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }

        let count = seen.count { $0 == GenerationNumber(rawValue: 1) }
        #expect(count >= 20)
        #expect(
            seen == Array(repeating: GenerationNumber(rawValue: 1), count: count) + Array(repeating: second, count: 20))
        try await checkBothGenerations()
    }

    /// Edits, deletes and posts a message whose words no question asks for, so that answers are known meanwhile.
    private func change(_ round: Int) async throws {
        _ = try await store.edit(
            .of("c", MessageID(rawValue: "m\(40 + round / 6)")), text: "fog \(round)", at: clock.now())
        try await store.delete(.of("c", MessageID(rawValue: "m\(59 - round / 6)")), at: clock.now())
        _ = try await store.accept(
            [.sample("c", MessageID(rawValue: "late\(round)"), by: "ada", "fog \(round)", at: 100 + round)],
            source: "test", mode: .posting, at: clock.now())
    }

    /// Every message has one passage in each generation, of its present text.
    private func checkBothGenerations() async throws {
        new.letAll()
        try await worker().drain { _ in }
        let all = try await store.page(of: "c", asker: "ada", before: nil, limit: 1_000, at: clock.now())
        for (number, embedder) in [(Int64(1), old), (2, new.base)] {
            let found = try await store.indexedPassages(
                of: GenerationNumber(rawValue: number), after: PassageNumber(rawValue: 0), limit: 1_000)
            #expect(found.count == all.count)
            let vectors = Dictionary(found.map { ($0.messageKey, $0.vector) }, uniquingKeysWith: { $1 })
            for message in all { #expect(vectors[message.key] == embedder.vector(of: "ADA: \(message.text)")) }
        }
    }
}

/// An embedder whose batches of passages go on only as far as they are let; questions always do.
final class SteppedEmbedder: Embedder {
    let base: FakeEmbedder
    private let allowance = Mutex(0)

    init(_ base: FakeEmbedder) {
        self.base = base
    }

    func letOne() { allowance.withLock { $0 = $0 == .max ? .max : $0 + 1 } }
    func letAll() { allowance.withLock { $0 = .max } }

    func space() async throws -> EmbeddingSpace { try await base.space() }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        while purpose == .passage, !take() {
            try Task.checkCancellation()
            await shortPause()
        }
        return try await base.embed(texts, as: purpose)
    }

    private func take() -> Bool {
        allowance.withLock { allowance in
            guard allowance > 0 else { return false }
            if allowance < .max { allowance -= 1 }
            return true
        }
    }
}
