import ChatCore
import Ingest
import Logging
import Retrieval
import TestSupport
import Testing

@Suite struct DenseSearcherTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let embedder = FakeEmbedder()
    private let index: LiveIndex
    private let searcher: DenseSearcher
    private let worker: IngestWorker

    init() {
        let source = FakeEmbedderSource(embedder)
        index = LiveIndex(store: store, logger: .silent)
        searcher = DenseSearcher(store: store, index: index, embedders: source, now: clock.now)
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
        let searcher = DenseSearcher(store: store, index: index, embedders: source, now: clock.now)

        _ = try await next.reembed()
        try await next.drain { _ in }
        let result = try await searcher.search(
            SearchRequest(question: "cat", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))

        #expect(result.generation == GenerationNumber(rawValue: 2))
        #expect(Set(result.hits.map(\.message.key.messageID)) == ["g1", "o1"])
    }

    @Test func beforeTheFirstVectorNothingIsFoundAndNoServiceAsked() async throws {
        _ = try await store.store(
            [.sample("harbor", members: ["ada"])], source: "test", mode: .importing, at: clock.now())

        #expect(try await search("pilot").isEmpty)
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

    @Test func aQuestionsVectorOfAnotherLengthIsTheServicesFailure() async throws {
        try await fill()
        let other = DenseSearcher(
            store: store, index: index, embedders: FakeEmbedderSource(FakeEmbedder(words: ["pilot"])), now: clock.now)

        await #expect(throws: ModelServiceError.invalidReply(reason: "2 dimensions, not 5")) {
            try await other.search(
                SearchRequest(
                    question: "the pilot", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))
        }
    }

    @Test func aFailingEmbedderIsTheSearchsFailure() async throws {
        try await fill()
        embedder.failNext(.unauthorized(status: 401))

        await #expect(throws: ModelServiceError.unauthorized(status: 401)) { _ = try await search("pilot") }
    }
}
