import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// A client that resumes costs what it missed.
@Suite struct FeedRowTests {
    private static let conversationCount = 500
    private static let changedCount = 50
    private static let missedCount = 20

    private static func room(_ number: Int) -> ConversationID { ConversationID(rawValue: "c\(number)") }

    /// Writes messages into a conversation.
    private static func post(_ store: SQLStore, _ name: String, to number: Int) async throws {
        let messages = (0..<missedCount).map {
            Message.short(room(number), MessageID(rawValue: "\(name)-\(number)-\($0)"), by: "bob")
        }
        let outcomes = try await store.accept(messages, source: "api", mode: .posting, at: .second(1))
        #expect(outcomes.allSatisfy { $0 == .inserted })
    }

    @Test func aResumeReadsAtMostWhatWasMissedAndOneRowForEachConversation() async throws {
        let counter = RowCounter()
        var options = StoreOptions()
        options.connected = { counter.watch($0) }
        try await DataFolder.with(options) { _, store in
            _ = try await store.store(
                (0..<Self.conversationCount).map { .of(Self.room($0), ["ada", "bob"]) }, source: "api",
                mode: .posting, at: .second(0))
            // What the client knows already must cost nothing.
            for number in 0..<Self.conversationCount { try await Self.post(store, "old", to: number) }
            let cursor = try await store.latestChange()
            for number in 0..<Self.changedCount { try await Self.post(store, "new", to: number * 10) }
            let missed = Self.changedCount * Self.missedCount
            counter.reset()

            let page = try await store.feed(
                of: "ada", in: FeedRange(after: cursor), limit: 1_000, at: .second(2))

            #expect(page.changes.count == missed && page.limited.isEmpty)
            let ofLog = counter.count("FROM changes WHERE conversation")
            let ofConversations = counter.count("FROM conversations c WHERE c.number IN")
            #expect(ofLog == missed)
            #expect(ofConversations == Self.conversationCount)
            #expect(ofLog + ofConversations <= missed + Self.conversationCount)
            // The rest is the present state of the missed messages: at most four rows each.
            #expect(counter.count() <= Self.conversationCount + 5 * missed + 20, "\(counter.count())")
        }
    }

    @Test func severalReadersGetInOneTransactionWhatEachGetsAlone() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob"]), .of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            _ = try await store.accept(
                [.short("c", "m1", by: "bob"), .short("d", "m2")], source: "api", mode: .posting, at: .second(1))
            let end = try await store.latestChange()
            let range = FeedRange(after: start, through: end, in: ["c", "d"])
            let foreign = ChangeCursor(epoch: 1, positions: end.positions)
            let requests =
                ["ada", "bob", "eve"].map { FeedRequest(reader: $0, range: range) }
                + [FeedRequest(reader: "ada", range: FeedRange(after: foreign, in: ["c"]))]

            let pages = try await store.feeds(requests, limit: 1_000, at: .second(2))

            #expect(pages.count == 4)
            for (request, page) in zip(requests, pages).prefix(3) {
                let alone = try await store.feed(of: request.reader, in: range, limit: 1_000, at: .second(2))
                #expect(try page.get() == alone)
            }
            #expect(try pages.prefix(3).map { try $0.get().changes.count } == [2, 1, 0])
            #expect(throws: RepositoryError.expiredCursor) { try pages[3].get() }
        }
    }

    @Test func readersAtDifferentPlacesGetWhatEachGetsAlone() async throws {
        try await DataFolder.with { _, store in
            try await FeedContract.readersAtDifferentPlacesGetWhatEachGetsAlone(store)
        }
    }
}
