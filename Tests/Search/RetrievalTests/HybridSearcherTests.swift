import ChatCore
import Ingest
import Logging
import Retrieval
import TestSupport
import Testing

@Suite struct HybridSearcherTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let embedder = FakeEmbedder()
    private let index: LiveIndex
    private let lexicon: LiveLexicon
    private let searcher: HybridSearcher
    private let worker: IngestWorker

    init() {
        let source = FakeEmbedderSource(embedder)
        index = LiveIndex(store: store, logger: .silent)
        lexicon = LiveLexicon(store: store, logger: .silent)
        searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, embedders: source, now: clock.now, logger: .silent)
        worker = IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent)
    }

    private func fill() async throws {
        _ = try await store.store(
            [
                .sample("harbor", members: ["ada", "bob"]), .sample("galley", members: ["ada"]),
                .sample("secret", members: ["bob"]), .sample("open", members: ["bob"], visibility: .everyone),
            ], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [
                .sample("harbor", "h1", by: "ada", "the pilot", at: 1),
                .sample("harbor", "h2", by: "bob", "pilot and berth", at: 2),
                .sample("galley", "g1", by: "ada", "my cat", at: 3),
                .sample("secret", "s1", by: "bob", "the pilot costs money", at: 4),
                .sample("open", "o1", by: "bob", "a berth for a cat", at: 5),
            ], source: "test", mode: .importing, at: clock.now())
        try await worker.drain { _ in }
    }

    private func search(
        _ question: String, asker: UserID = "ada", in conversations: SearchScope.Conversations = .all,
        filter: SearchFilter = SearchFilter(), limit: Int = 10
    ) async throws -> [MessageID] {
        try await searcher.search(
            SearchRequest(
                question: question, scope: SearchScope(asker: asker, conversations: conversations), filter: filter,
                limit: limit)
        ).hits.map(\.message.key.messageID)
    }

    @Test func findsTheBestFirstWithRankAndRelevance() async throws {
        try await fill()

        let result = try await searcher.search(
            SearchRequest(
                question: "the pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))

        #expect(result.hits.map(\.message.key.messageID) == ["h1", "h2"])
        #expect(result.hits.map(\.rank) == [1, 2])
        #expect(abs((result.hits.first?.relevance ?? 0) - 1) < 1e-6)
        #expect(result.hits.first?.conversation.displayName == "name of harbor")
        #expect(result.generation == GenerationNumber(rawValue: 1))
    }

    @Test(arguments: [
        ("RESTAURANT_SIGNALS", "l1"), ("what is RESTAURANT_SIGNALS?", "l1"), ("pump-log", "l2"),
        ("where is the pump-log?", "l2"),
        ("AB-12", "l3"), ("gate.swift", "l4"), ("#deploy", "l5"),
    ])
    func aNameWithSignsIsFoundAsItIsWritten(question: String, first: MessageID) async throws {
        var texts = [
            ("l1", "please set RESTAURANT_SIGNALS to on before the deploy"), ("l2", "open pump-log and look"),
            ("l3", "AB-12 waits"), ("l4", "see gate.swift, line 3"), ("l5", "today is #deploy day"),
        ]
        for number in 1...12 {
            texts.append(("n\(number)", "restaurant \(number) sends its signals by phone, restaurant signals are slow"))
            texts.append(("g\(number)", "the pump log of gate service \(number): pump, log, gate, ab 12, swift"))
            texts.append(("d\(number)", "deploy \(number): deploy, what is it, where is the deploy"))
        }
        _ = try await store.store(
            [.sample("harbor", members: ["ada", "bob"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            texts.enumerated().map { place, text in
                .sample("harbor", MessageID(rawValue: text.0), by: "bob", text.1, at: place * 40_000)
            }, source: "test", mode: .importing, at: clock.now())
        try await worker.drain { _ in }

        #expect(try await search(question).first == first)
    }

    @Test func neverFindsWhatTheAskerMayNotSee() async throws {
        try await fill()

        #expect(try await Set(search("pilot money")) == ["h1", "h2", "g1", "o1"])
        #expect(try await Set(search("pilot money", asker: "bob")) == ["h1", "h2", "s1", "o1"])
        #expect(try await search("pilot money", asker: "stranger") == ["o1"])
    }

    @Test func aScopeIsCutToWhatIsPermitted() async throws {
        try await fill()

        #expect(try await search("pilot", in: .only(["secret", "galley"])) == ["g1"])
        #expect(try await search("pilot", in: .only([])).isEmpty)
        await #expect(throws: RetrievalError.noPermittedConversation) {
            _ = try await search("pilot", in: .only(["secret"]))
        }
        await #expect(throws: RetrievalError.noPermittedConversation) {
            _ = try await search("pilot", in: .only(["no such"]))
        }
    }

    @Test func filtersWorkBeforeTheCut() async throws {
        try await fill()
        let third = Message.sample("c", "m", by: "u", "", at: 3).timestamp

        #expect(try await search("pilot", filter: SearchFilter(senderIDs: ["bob"]), limit: 1) == ["h2"])
        #expect(try await search("pilot", filter: SearchFilter(from: third), limit: 1) == ["g1"])
        #expect(try await Set(search("pilot", filter: SearchFilter(to: third))) == ["h1", "h2"])
        #expect(try await search("pilot", filter: SearchFilter(senderIDs: [])).isEmpty)
    }

    @Test func whoLeavesFindsNothingFromThenOn() async throws {
        try await fill()

        try await store.removeMember("ada", from: "harbor", at: clock.now())
        clock.advance(by: .seconds(1))

        #expect(try await Set(search("pilot")) == ["g1", "o1"])
    }

    @Test func editsAndDeletionsShowAtTheNextSearch() async throws {
        try await fill()
        let first = MessageKey(conversationID: "harbor", messageID: "h1")
        let second = MessageKey(conversationID: "harbor", messageID: "h2")

        try await store.delete(second, at: clock.now())
        _ = try await store.edit(first, text: "a cat", at: clock.now())
        #expect(try await search("pilot", in: .only(["harbor"])).isEmpty)

        try await worker.drain { _ in }
        #expect(try await search("cat", in: .only(["harbor"])) == ["h1"])
        #expect(index.passageCount == 4)
    }

    @Test func aMessageOfAMappedAuthorIsFoundUnderTheNewUser() async throws {
        try await fill()
        _ = try await search("pilot")

        _ = try await store.map(
            Identity(source: "test", externalID: "bob", userID: "robert"), at: clock.now())

        #expect(try await Set(search("pilot", filter: SearchFilter(senderIDs: ["robert"]))) == ["h2", "o1"])
        #expect(try await search("pilot", filter: SearchFilter(senderIDs: ["bob"])).isEmpty)
    }

    @Test func aMessageOfAnotherTimeIsFoundUnderIt() async throws {
        try await fill()
        _ = try await search("pilot")
        let later = Message.sample("harbor", "h1", by: "ada", "the pilot", at: 99)

        _ = try await store.accept([later], source: "test", mode: .importing, at: clock.now())

        #expect(try await search("pilot", filter: SearchFilter(from: later.timestamp)) == ["h1"])
        #expect(try await !search("pilot", filter: SearchFilter(to: later.timestamp)).contains("h1"))
    }

    @Test func aMessageOfManyPassagesCountsOnce() async throws {
        try await fill()
        _ = try await store.accept(
            [.sample("harbor", "long", by: "ada", "in pieces", at: 6)], source: "test", mode: .importing,
            at: clock.now())
        let items = try await store.claim(
            9, for: GenerationNumber(rawValue: 1), until: clock.now() + .seconds(60), at: clock.now())
        let vector = embedder.vector(of: "the pilot")
        _ = try await store.commit(items.map { .of($0, passages: 40, vector: vector) }, at: clock.now())

        let found = try await search("the pilot", limit: 4)

        #expect(index.passageCount == 45)
        // All of its rows stand before the second message's.
        #expect(found.prefix(2) == ["h1", "long"])
        #expect(Set(found.dropFirst(2)).isSubset(of: ["h2", "g1", "o1"]))
        #expect(found.count == 4)
    }

    /// Of the FNV-1a reference implementation's test vectors; the numbers are kept in files.
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func sendersAreNumberedByFNV1a(id: String, number: UInt64) {
        #expect(UserID(rawValue: id).rowNumber == Int64(bitPattern: number))
    }

    @Test func aSwitchOfGenerationsIsFollowed() async throws {
        try await fill()
        _ = try await search("pilot")
        let other = FakeEmbedder(words: ["cat"], model: "other")
        let source = FakeEmbedderSource(other, others: ["fake": embedder])
        let next = IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent)
        let searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, embedders: source, now: clock.now, logger: .silent)

        _ = try await next.reembed()
        try await next.drain { _ in }
        let result = try await searcher.search(
            SearchRequest(question: "cat", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))

        #expect(result.generation == GenerationNumber(rawValue: 2))
        #expect(Set(result.hits.map(\.message.key.messageID)) == ["g1", "o1"])
    }

    @Test func beforeTheFirstVectorWordsAreSearchedAndNoServiceAsked() async throws {
        _ = try await store.store(
            [.sample("harbor", members: ["ada"])], source: "test", mode: .importing, at: clock.now())
        _ = try await store.accept(
            [.sample("harbor", "h1", by: "ada", "the pilot", at: 1)], source: "test", mode: .importing, at: clock.now())

        let result = try await result("pilots")

        #expect(result.hits.map(\.message.key.messageID) == ["h1"])
        #expect(result.mode == .lexicalOnly)
        #expect(result.generation == nil)
        #expect(result.trace.notes == [])
        #expect(embedder.batches.isEmpty)
    }

    @Test(arguments: [0, -1, 51, 1_000_000_000])
    func limitsOutsideTheRangeAreRefused(limit: Int) async throws {
        await #expect(throws: RetrievalError.invalid(field: "topK", reason: "must lie in 1...50")) {
            _ = try await search("pilot", limit: limit)
        }
    }

    @Test func anEmptyQuestionIsRefused() async throws {
        await #expect(throws: RetrievalError.invalid(field: "question", reason: "must not be empty")) {
            _ = try await search(" \n")
        }
    }

    @Test func withoutTheEmbeddingServiceWordsAreSearched() async throws {
        try await fill()
        embedder.failNext(.unauthorized(status: 401))

        let result = try await result("the pilot's money", asker: "bob")

        #expect(result.hits.map(\.message.key.messageID).first == "s1")
        #expect(result.mode == .lexicalOnly)
        #expect(result.trace.notes == [.embeddingFailed])
        // The best of the words stands for 1.
        #expect(result.hits.first?.relevance == 1)
    }

    @Test func aQuestionsVectorOfAnotherLengthIsTheServicesFailure() async throws {
        try await fill()
        let other = HybridSearcher(
            store: store, index: index, lexicon: lexicon,
            embedders: FakeEmbedderSource(FakeEmbedder(words: ["pilot"])), now: clock.now, logger: .silent)

        let result = try await other.search(
            SearchRequest(question: "the pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))

        #expect(result.mode == .lexicalOnly)
        #expect(result.trace.notes == [.embeddingFailed])
    }

    @Test func withoutWordsAFailingServiceIsTheSearchsFailure() async throws {
        try await fill()
        embedder.failNext(.unauthorized(status: 401))
        var settings = RetrievalSettings()
        settings.lexical.isOn = false

        await #expect(throws: ModelServiceError.unauthorized(status: 401)) {
            _ = try await searcher.with(settings).search(
                SearchRequest(question: "pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))
        }
    }

    @Test func whatIsNamedInTheQuestionIsNotEmbedded() async throws {
        try await fill()

        let result = try await result("What did Ada say about the pilot?")

        #expect(embedder.batches.last == ["What did say about the pilot?"])
        #expect(result.hits.first?.message.key.messageID == "h1")
        #expect(result.hits.first?.explanation?.signals.map(\.name).contains("speaker") == true)
    }

    @Test func everyHitExplainsItsScore() async throws {
        try await fill()

        let hits = try await result("the pilot").hits

        #expect(hits.count == 4)
        for hit in hits {
            let sum = hit.explanation?.signals.reduce(0) { $0 + $1.contribution }
            #expect(sum.map { abs($0 - hit.score) < 1e-9 } == true)
        }
        #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score })
    }

    @Test func aTraceNamesTheSettings() async throws {
        try await fill()
        var settings = RetrievalSettings()
        settings.fusion.lexical = 0.5
        let request = SearchRequest(
            question: "pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 2)

        let usual = try await searcher.search(request).trace
        let other = try await searcher.with(settings).search(request).trace

        #expect(usual.configuration == RetrievalSettings().fingerprint)
        #expect(other.configuration == settings.fingerprint)
        #expect(usual.configuration != other.configuration)
        #expect(Set(usual.durations.keys).isSuperset(of: ["lexical", "embedding", "dense", "fusion"]))
    }

    @Test func belowTheThresholdWhatWasFoundIsShownAndMarked() async throws {
        try await fill()
        var settings = RetrievalSettings()
        settings.thresholds = ["vectors": 0.99]
        let strict = searcher.with(settings)
        let scope = SearchScope(asker: "ada", conversations: .all)

        let sure = try await strict.search(SearchRequest(question: "the pilot", scope: scope, limit: 3))
        let unsure = try await strict.search(SearchRequest(question: "a cat and a pilot", scope: scope, limit: 3))

        #expect(sure.noAnswerReason == NoAnswerReason.none)
        #expect(unsure.noAnswerReason == .belowThreshold)
        #expect(unsure.hits.count == 3)
    }

    @Test func aFollowUpTakesItsWordsFromTheQuestionBefore() async throws {
        try await fill()

        let result = try await searcher.search(
            SearchRequest(
                question: "And when?", scope: SearchScope(asker: "ada", conversations: .all), limit: 1,
                previousQuestions: ["Where is the cat?"]))

        #expect(result.trace.notes == [.carriedOver])
        #expect(result.trace.standaloneQuestion.contains("cat"))
        #expect(result.hits.first?.message.text.contains("cat") == true)
    }

    @Test func theRerankersOrderCounts() async throws {
        try await fill()
        let reranker = FakeReranker { texts, _ in texts.map { $0.contains("berth") ? 2 : $0.contains("cat") ? 1 : 0 } }

        let result = try await reranked(by: reranker)

        #expect(Set(result.hits.prefix(2).map(\.message.key.messageID)) == ["h2", "o1"])
        #expect(result.hits.dropFirst(2).first?.message.key.messageID == "g1")
        #expect(result.trace.notes == [])
    }

    @Test func withoutTheRerankingServiceTheOrderOfTheFusionStands() async throws {
        try await fill()
        let failing = FakeReranker { _, _ in throw ModelServiceError.unreachable(reason: "no") }

        let result = try await reranked(by: failing)

        #expect(result.hits.map(\.message.key) == (try await self.result("the pilot").hits.map(\.message.key)))
        #expect(result.trace.notes == [.rerankFailed])
    }

    @Test func aServiceThatIsKnownToBeDownIsNotAsked() async throws {
        try await fill()
        // Its time stands still, so that a slow machine forgets no failure.
        let start = ContinuousClock.now
        let health = ServiceHealth(now: { start })
        let searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, embedders: FakeEmbedderSource(embedder), health: health,
            now: clock.now, logger: .silent)
        let request = SearchRequest(
            question: "the pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 10)
        let service = try #require(try await store.generations().first).service
        let before = embedder.batches.count

        health.recordFailure(.unreachable(reason: "down"), of: service)
        let during = try await searcher.search(request)
        #expect(during.mode == .lexicalOnly)
        #expect(during.trace.notes == [.embeddingFailed])
        #expect(Set(during.hits.map(\.message.key.messageID)) == ["h1", "h2"])
        #expect(embedder.batches.count == before)

        health.recordSuccess(of: service)
        #expect(try await searcher.search(request).mode == .hybrid)
        #expect(embedder.batches.count == before + 1)
    }

    private func reranked(by reranker: FakeReranker) async throws -> SearchResult {
        let searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, embedders: FakeEmbedderSource(embedder),
            reranker: reranker, now: clock.now, logger: .silent)
        return try await searcher.search(
            SearchRequest(question: "the pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 10))
    }

    private func result(_ question: String, asker: UserID = "ada") async throws -> SearchResult {
        try await searcher.search(
            SearchRequest(
                question: question, scope: SearchScope(asker: asker, conversations: .all), limit: 10,
                explains: true))
    }
}

/// A reranker with a given score function.
private struct FakeReranker: Reranker {
    let name = "fake"
    let score: @Sendable ([String], String) throws -> [Double]

    func scores(of texts: [String], for question: String) async throws -> [Double] { try score(texts, question) }
}
