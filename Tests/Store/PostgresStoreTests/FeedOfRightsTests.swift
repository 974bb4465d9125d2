import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

/// The feed tells those who may read other messages than before to drop what they have.
@Suite(.hangGuard) struct FeedOfRightsTests {
    /// Ada and Bob in an open group `c`, which Eve reads, and in a group `d`.
    private func withGroups(inPostgres: Bool, _ body: (SQLStore) async throws -> Void) async throws {
        func fill(_ store: SQLStore) async throws {
            let groups: [ConversationRoster] = [
                .of("c", ["ada", "bob"], visibility: .everyone), .of("d", ["ada", "bob"]),
            ]
            _ = try await store.store(groups, source: "api", mode: .posting, at: .second(0))
            let messages: [Message] = [.short("c", "m1", at: 10), .short("c", "m2", at: 20), .short("d", "n1", at: 30)]
            _ = try await store.post(messages, source: "api", at: .second(30))
            try await body(store)
        }
        if inPostgres {
            try await PostgresServer.shared().withStore { store, _ in try await fill(store) }
        } else {
            let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try await SQLStore.open(folder: folder, options: StoreOptions())
            try await fill(store)
            await store.close()
        }
    }

    private func page(_ reader: UserID, after start: ChangeCursor, in store: SQLStore) async throws -> FeedPage {
        try await store.feed(of: reader, in: FeedRange(after: start), limit: 100, at: .second(100))
    }

    /// The page of a reader who may read other messages of `c`, as words.
    private func kinds(_ page: FeedPage) -> [String] {
        page.changes.map { change in
            switch change {
            case .conversation(let entry, _, _): "conversation \(entry.conversation.id.rawValue)"
            case .items(let id): "items \(id.rawValue)"
            case .departure(let id): "departure \(id.rawValue)"
            case .threads: "threads"
            case .notifications: "notifications"
            default: "\(change)"
            }
        }
    }

    private static let reloaded = ["conversation c", "items c", "threads", "notifications"]

    @Test(arguments: [false, true], Conversation.History.allCases)
    func anotherHistoryReloadsTheConversationOnce(inPostgres: Bool, history: Conversation.History) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            if history == .all { try await store.setHistory(.joined, of: "c", at: .second(40)) }
            let start = try await store.latestChange()
            try await store.setHistory(history, of: "c", at: .second(50))

            for reader in ["ada", "eve"] as [UserID] {
                let page = try await page(reader, after: start, in: store)
                #expect(page.limited == ["c"])
                #expect(kinds(page) == Self.reloaded)
                let next = try await self.page(reader, after: page.end, in: store)
                #expect(next.changes.isEmpty && next.limited.isEmpty)
            }
            let entry = try await store.inboxEntry(of: "c", for: "eve", at: .second(60))
            #expect(entry.lastMessage?.key.messageID == (history == .all ? "m2" : nil))
            // The same again changes nothing.
            let end = try await store.latestChange()
            try await store.setHistory(history, of: "c", at: .second(70))
            #expect(try await store.latestChange() == end)
        }
    }

    @Test(arguments: [false, true]) func anImportThatLimitsTheHistoryReloadsTheConversation(
        inPostgres: Bool
    ) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            var roster = ConversationRoster.of("c", ["ada", "bob"], visibility: .everyone)
            roster.conversation.history = .joined
            roster.rights = ReadingRights(
                shared: [ReadingSpan(since: .second(15))], own: ["ada": [ReadingSpan(since: .distantPast)]])
            let start = try await store.latestChange()
            _ = try await store.store([roster], source: "element", mode: .importing, at: .second(50))

            for reader in ["ada", "bob", "eve"] as [UserID] {
                #expect(try await page(reader, after: start, in: store).limited == ["c"])
            }
            // One that states the same again tells nobody.
            let end = try await store.latestChange()
            _ = try await store.store([roster], source: "element", mode: .importing, at: .second(60))
            #expect(try await page("eve", after: end, in: store).limited.isEmpty)
        }
    }

    @Test(arguments: [false, true]) func whoseTimesEndEarlierReloadsTheConversationAlone(
        inPostgres: Bool
    ) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            try await store.setHistory(.joined, of: "c", at: .second(40))
            let start = try await store.latestChange()
            // An event of the source that arrives late.
            let event = SourceEvent(
                id: "e1", source: "s", stateTime: .second(15), subject: .conversation("c", .of("c", ["ada"])))
            _ = try await store.take(event, authorSource: "api", at: .second(50))

            #expect(try await page("bob", after: start, in: store).limited == ["c"])
            #expect(try await page("ada", after: start, in: store).limited.isEmpty)
            let read = try await store.page(of: "c", asker: "bob", before: nil, limit: 9, at: .second(60))
            #expect(read.map(\.key.messageID) == ["m1"])
        }
    }

    @Test(arguments: [false, true]) func anOpenConversationThatIsClosedDepartsFromAllButItsMembers(
        inPostgres: Bool
    ) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            try await store.setKind(.guest, of: "gus")
            let start = try await store.latestChange()
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "slack", mode: .importing, at: .second(50))

            #expect(kinds(try await page("eve", after: start, in: store)) == ["departure c"])
            #expect(kinds(try await page("ada", after: start, in: store)) == ["conversation c"])
            // Guests never saw it.
            #expect(try await page("gus", after: start, in: store).changes.isEmpty)
        }
    }

    /// An answer of the assistant is hidden from those who may no longer read what it is based on.
    @Test(arguments: [false, true]) func answersThatAreBasedOnALostConversationAreDropped(
        inPostgres: Bool
    ) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            _ = try await store.beginMentions()
            let question = Message.short("d", "q", by: "ada", "@ai what about c?", at: 40)
            _ = try await store.post([question], source: "api", at: .second(40))
            try await store.queueMentions([question.key], through: try await store.latestChange(), at: .second(41))
            let mention = try await store.claimMention(until: .second(90), at: .second(42))
            var answer = Message.short("d", "a", by: "ai", "two messages", at: 43)
            answer.kind = .assistant
            let posted = try await store.post(
                answer, to: question.key, attempt: mention?.attempts, as: .answered, standingOn: [.of("c", "m1")],
                isDelivered: false, at: .second(43))
            #expect(posted == .posted)
            try await store.removeMember("bob", from: "c", at: .second(44))
            let start = try await store.latestChange()
            #expect(try await store.page(of: "d", asker: "bob", before: nil, limit: 9, at: .second(45)).count == 3)

            _ = try await store.store([.of("c", ["ada"])], source: "slack", mode: .importing, at: .second(50))

            let page = try await page("bob", after: start, in: store)
            #expect(kinds(page).first == "departure c" && page.limited == ["d"], "\(page)")
            #expect(try await store.page(of: "d", asker: "bob", before: nil, limit: 9, at: .second(55)).count == 2)
            #expect(try await self.page("ada", after: start, in: store).limited.isEmpty)
        }
    }

    @Test(arguments: [false, true]) func anErasedOpenConversationDepartsFromEverybody(inPostgres: Bool) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            let start = try await store.latestChange()
            _ = try await store.erase(.conversation("c"), at: .second(50))
            while try await !store.finishErasing(.conversation("c"), at: .second(1_000)) {}

            for reader in ["ada", "eve"] as [UserID] {
                #expect(kinds(try await page(reader, after: start, in: store)) == ["departure c"])
            }
        }
    }

    @Test(arguments: [false, true]) func whoBecomesAGuestLosesOpenConversations(inPostgres: Bool) async throws {
        try await withGroups(inPostgres: inPostgres) { store in
            let start = try await store.latestChange()
            try await store.setKind(.guest, of: "eve")
            try await store.setKind(.guest, of: "bob")

            let lost = try await page("eve", after: start, in: store)
            #expect(kinds(lost) == ["departure c"])
            // A member keeps it.
            #expect(try await page("bob", after: start, in: store).changes.isEmpty)
            try await store.setKind(.member, of: "eve")
            #expect(kinds(try await page("eve", after: lost.end, in: store)) == ["conversation c"])
        }
    }
}
