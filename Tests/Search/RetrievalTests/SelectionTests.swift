import ChatCore
import Retrieval
import TestSupport
import Testing

@Suite struct SelectionTests {
    private let fixture = SearchFixture()

    private static let ungrouped = RetrievalSettings.with { $0.selection.groupsRepeats = false }

    private func message(
        _ conversation: ConversationID, _ id: String, _ text: String, at second: Int, thread: MessageID? = nil
    ) -> Message {
        var message = Message.sample(conversation, MessageID(rawValue: id), by: "ada", text, at: second)
        message.threadRootID = thread
        return message
    }

    @Test func ofMessagesThatSayTheSameInOneConversationTheNewestStands() async throws {
        try await fixture.open("harbor", "galley", members: ["ada"])
        try await fixture.add(
            message("harbor", "h1", "the pilot comes at noon", at: 1),
            message("harbor", "h2", "The pilot  comes at noon!", at: 2),
            message("harbor", "h3", "nothing of the kind", at: 3),
            message("galley", "g1", "the pilot comes at noon", at: 4))

        let all = try await fixture.search("the pilot", settings: Self.ungrouped)
        let grouped = try await fixture.search("the pilot")

        #expect(Set(all.ids) == ["h1", "h2", "h3", "g1"])
        #expect(all.hits.allSatisfy { $0.duplicates.isEmpty })
        #expect(Set(grouped.ids) == ["h2", "h3", "g1"])
        // In the place of the best of them.
        #expect(grouped.ids.firstIndex(of: "h2") == all.ids.firstIndex { $0 == "h1" || $0 == "h2" })
        let duplicates = Dictionary(
            grouped.hits.map { ($0.message.key.messageID, $0.duplicates) }, uniquingKeysWith: { first, _ in first })
        #expect(duplicates == ["h2": [.of("harbor", "h1")], "h3": [], "g1": []])
    }

    @Test func messagesOfFewWordsAreNoDuplicates() async throws {
        try await fixture.open("harbor", members: ["ada"])
        try await fixture.add(
            message("harbor", "h1", "the pilot comes", at: 1), message("harbor", "h2", "the pilot comes", at: 2),
            message("harbor", "h3", "the pilot comes soon", at: 3),
            message("harbor", "h4", "the pilot comes soon", at: 4))

        let found = try await fixture.search("the pilot").ids

        #expect(found.count == 3)
        #expect(Set(found).isSuperset(of: ["h1", "h2"]))
    }

    @Test func whatIsLeftOutMakesRoom() async throws {
        try await fixture.open("harbor", members: ["ada"])
        try await fixture.add(
            message("harbor", "h1", "the pilot and the pilot again", at: 1),
            message("harbor", "h2", "the pilot and the pilot again", at: 2),
            message("harbor", "h3", "the pilot and the pilot again", at: 3),
            message("harbor", "h4", "another day a cat", at: 4), message("harbor", "h5", "money", at: 5))

        let all = try await fixture.search("the pilot", settings: Self.ungrouped, limit: 3)
        let distinct = try await fixture.search("the pilot", limit: 3)

        #expect(Set(all.ids) == ["h1", "h2", "h3"])
        #expect(distinct.ids.first == "h3")
        #expect(distinct.hits[0].duplicates == [.of("harbor", "h2"), .of("harbor", "h1")])
        #expect(Set(distinct.ids.dropFirst()) == ["h4", "h5"])
        #expect(distinct.hits.map(\.rank) == [1, 2, 3])
    }

    private func fillThreads() async throws {
        try await fixture.open("harbor", "galley", members: ["ada"])
        try await fixture.accept(
            (1...5).map { message("harbor", "t\($0)", "pilot \($0)", at: $0, thread: "root") }
                + (1...4).map { message("harbor", "o\($0)", "a berth, once for the pilot \($0)", at: 100 + $0) }
                + [message("galley", "g1", "pilot", at: 200, thread: "root")])
        try await fixture.embed()
    }

    @Test(arguments: [1, 2, 4])
    func aThreadHasItsPlacesAndTheRestComesAfter(limit: Int) async throws {
        try await fillThreads()

        let all = try await fixture.search("pilot").ids
        let spread = try await fixture.search("pilot", settings: .with { $0.selection.threadLimit = limit }).ids
        let ofThread = all.filter { $0.rawValue.hasPrefix("t") }
        let late = Array(ofThread.dropFirst(limit))

        #expect(all.count == 10)
        #expect(spread == all.filter { !late.contains($0) } + late)
        // Something had to move for the test to mean anything.
        #expect(spread != all)
    }

    @Test func behindTheFirstTenNothingMoves() async throws {
        try await fixture.open("harbor", members: ["ada"])
        try await fixture.accept(
            (1...6).map { message("harbor", "t\($0)", "pilot \($0)", at: $0, thread: "root") }
                + (1...14).map { message("harbor", "o\($0)", "a berth for the pilot \($0)", at: 100 + $0) })
        try await fixture.embed()

        let all = try await fixture.search("pilot").ids
        let spread = try await fixture.search("pilot", settings: .with { $0.selection.threadLimit = 1 }).ids

        #expect(Set(spread) == Set(all) && spread.count == 20)
        #expect(spread.prefix(10).count { $0.rawValue.hasPrefix("t") } == 1)
        #expect(all.prefix(10).count { $0.rawValue.hasPrefix("t") } > 1)
        // The thread's others follow at once, in their order.
        let late = all.filter { $0.rawValue.hasPrefix("t") }.dropFirst()
        let moved = spread.dropFirst(10).prefix { $0.rawValue.hasPrefix("t") }
        #expect(Array(late.prefix(moved.count)) == Array(moved))
        #expect(!moved.isEmpty)
    }

    private func flood(_ count: Int) async throws {
        try await fixture.open("harbor", members: ["ada", "eve"])
        try await fixture.accept(
            (1...count).map { place in
                var message = message("harbor", "e\(place)", "the pilot comes, notice \(place) of mine", at: place)
                (message.senderID, message.senderName) = ("eve", "Eve")
                return message
            } + (1...6).map { message("harbor", "a\($0)", "a berth for the pilot on day \($0), at last", at: 100 + $0) }
        )
        try await fixture.embed()
    }

    @Test(arguments: [(0.6, 5, 3), (0.6, 10, 6), (0.4, 4, 2), (0.5, 8, 4), (0.6, 1, 1)])
    func oneAuthorCannotFillTheHits(share: Double, limit: Int, most: Int) async throws {
        try await flood(20)

        let all = try await fixture.search(
            "pilot comes", settings: .with { $0.selection.authorShare = 1 }, limit: limit)
        let shared = try await fixture.search(
            "pilot comes", settings: .with { $0.selection.authorShare = share }, limit: limit)

        #expect(all.ids.count { $0.rawValue.hasPrefix("e") } == limit)
        #expect(shared.ids.count == limit)
        #expect(shared.ids.count { $0.rawValue.hasPrefix("e") } == most)
        #expect(shared.ids.first == all.ids.first)
    }

    /// More than all places of candidates, by meaning and by words.
    @Test func aFloodThatFillsTheCandidatesLeavesRoomForOthers() async throws {
        try await flood(150)

        let all = try await fixture.search(
            "pilot comes", settings: .with { $0.selection.authorShare = 1 }, limit: 10)
        let shared = try await fixture.search("pilot comes", limit: 10)

        #expect(all.ids.allSatisfy { $0.rawValue.hasPrefix("e") })
        #expect(shared.ids.count == 10)
        #expect(shared.ids.count { $0.rawValue.hasPrefix("a") } == 4)
        #expect(shared.ids.first == all.ids.first)
    }

    @Test func anAuthorFillsWhatOthersLeave() async throws {
        try await flood(20)

        let found = try await fixture.search("pilot comes", limit: 20).ids

        #expect(found.count == 20)
        #expect(found.count { $0.rawValue.hasPrefix("a") } == 6)
    }

    @Test func anAuthorWithoutOthersIsNotReadToTheEnd() async throws {
        try await fixture.open("harbor", members: ["ada"])
        try await fixture.accept((1...60).map { message("harbor", "a\($0)", "pilot \($0) comes at noon", at: $0) })
        try await fixture.embed()

        let shared = try await fixture.search("pilot comes", limit: 5).ids
        let readCount = fixture.store.candidateReadCount
        let all = try await fixture.search("pilot comes", settings: .with { $0.selection.authorShare = 1 }, limit: 5)

        #expect(shared == all.ids)
        #expect(shared.count == 5)
        #expect(readCount == 20)
    }

    @Test func whoIsAskedForHasNoLimit() async throws {
        try await flood(20)

        let named = try await fixture.search("what did Eve say of the pilot?", limit: 5).ids
        let filtered = try await fixture.searcher.search(
            SearchRequest(
                question: "pilot comes", scope: SearchScope(asker: "ada", conversations: .all),
                filter: SearchFilter(senderIDs: ["eve", "ada"]), limit: 5)
        ).ids

        #expect(named.count { $0.rawValue.hasPrefix("e") } == 5)
        #expect(filtered.count { $0.rawValue.hasPrefix("e") } == 5)
    }

    @Test(arguments: [1, 3, 20, 50])
    func noMoreHitsComeThanAskedFor(limit: Int) async throws {
        try await fillThreads()

        #expect(try await fixture.search("pilot", limit: limit).hits.count == min(limit, 10))
    }
}
