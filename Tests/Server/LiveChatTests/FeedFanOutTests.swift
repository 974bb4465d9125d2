import ChatCore
import Foundation
import LiveChat
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// One message for many connections at a time.
@Suite(.hangGuard) struct FeedFanOutTests {
    private static let readerCount = 300

    /// With `isFollowing` the hub hears of changes at once; otherwise the test announces them.
    private func withHub(
        isFollowing: Bool = true, _ body: (SQLStore, FeedHub) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fanout-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        let follower = ChangeFollower(store: store, subscribers: [])
        let hub = FeedHub(store: store, now: { .second(9) })
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                if isFollowing { group.addTask { await follower.run(listeners: [{ hub.follow($0, $1) }]) { _ in } } }
                group.addTask { await hub.run() }
                try await body(store, hub)
                group.cancelAll()
            }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Returns the messages of the next page that has any; empty if none comes.
    private static func messages(_ subscription: FeedSubscription, within limit: Duration) async throws -> [MessageID] {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            guard let page = try await subscription.next(within: limit) else { continue }
            let ids = page.changes.compactMap { change -> MessageID? in
                guard case .message(let message, _, _) = change else { return nil }
                return message.key.messageID
            }
            if !ids.isEmpty { return ids }
        }
        return []
    }

    @Test func everyMemberGetsAMessageOnceAndNobodyElse() async throws {
        let members = (0..<Self.readerCount).map { UserID(rawValue: "u\($0)") }
        try await withHub { store, hub in
            _ = try await store.store(
                [.of("hall", members), .of("other", ["eve"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            let subscriptions = members.map { hub.connect($0, after: start) }
            let foreign = hub.connect("eve", after: start)
            defer { for subscription in subscriptions + [foreign] { subscription.close() } }
            // Everybody has looked at the log once.
            for subscription in subscriptions + [foreign] { _ = try await subscription.next(within: .zero) }

            for number in 1...3 {
                let id = MessageID(rawValue: "m\(number)")
                let received = Task {
                    try await withThrowingTaskGroup(of: [MessageID].self) { group in
                        for subscription in subscriptions {
                            group.addTask { try await Self.messages(subscription, within: .seconds(60)) }
                        }
                        return try await group.reduce(into: [[MessageID]]()) { $0.append($1) }
                    }
                }
                _ = try await store.accept(
                    [.short("hall", id, by: "u0")], source: "api", mode: .posting, at: .second(1))
                let pages = try await received.value
                #expect(pages.count == Self.readerCount && pages.allSatisfy { $0 == [id] })
            }
            #expect(try await foreign.next(within: .zero) == nil)

            try await store.removeMember("u1", from: "hall", at: .second(2))
            _ = try await store.accept(
                [.short("hall", "late", by: "u0")], source: "api", mode: .posting, at: .second(3))
            #expect(try await Self.messages(subscriptions[2], within: .seconds(60)) == ["late"])
            let page = try #require(try await subscriptions[1].next(within: .seconds(60)))
            #expect(page.changes == [.departure("hall")])
        }
    }

    @Test func theClosingOfAnOpenConversationReachesWhoIsNoMember() async throws {
        try await withHub { store, hub in
            _ = try await store.store(
                [.of("hall", ["ada"], visibility: .everyone)], source: "api", mode: .posting, at: .second(0))
            let subscription = hub.connect("eve", after: try await store.latestChange())
            defer { subscription.close() }
            _ = try await subscription.next(within: .zero)

            _ = try await store.store([.of("hall", ["ada"])], source: "api", mode: .importing, at: .second(1))

            let page = try #require(try await subscription.next(within: .seconds(60)))
            #expect(page.changes == [.departure("hall")])
        }
    }

    @Test func aReaderThatIsAheadOfTheAnnouncementsMissesNothing() async throws {
        try await withHub(isFollowing: false) { store, hub in
            _ = try await store.store(
                [.of("hall", ["ada", "bob"]), .of("pier", ["ada", "bob"])], source: "api", mode: .posting,
                at: .second(0))
            let start = try await store.latestChange()
            hub.follow(nil, start)
            _ = try await store.accept([.short("hall", "m1", by: "bob")], source: "api", mode: .posting, at: .second(1))
            let first = try await store.changes(after: start, limit: 100)

            let subscription = hub.connect("ada", after: first.end)
            defer { subscription.close() }
            while !subscription.hasWork { await Task.yield() }
            #expect(try await subscription.poll() == nil)

            // Another conversation has a message before the first one's is announced.
            _ = try await store.accept([.short("pier", "m2", by: "bob")], source: "api", mode: .posting, at: .second(2))
            hub.follow(first.changes, first.end)
            while !subscription.hasWork { await Task.yield() }
            #expect(try await subscription.poll() == nil)

            let second = try await store.changes(after: first.end, limit: 100)
            hub.follow(second.changes, second.end)
            #expect(try await Self.messages(subscription, within: .seconds(60)) == ["m2"])
        }
    }

    @Test func aWaitEndsWithoutChanges() async throws {
        try await withHub { store, hub in
            let subscription = hub.connect("ada", after: try await store.latestChange())
            defer { subscription.close() }
            let start = ContinuousClock.now

            #expect(try await subscription.next(within: .seconds(3)) == nil)

            #expect(ContinuousClock.now - start >= .seconds(3))
        }
    }

    /// As after a failover, or when a backup was restored under a running server.
    @Test func connectionsExpireWithTheirLog() async throws {
        try await withHub { store, hub in
            _ = try await store.store(
                [.of("hall", ["ada", "bob"]), .of("other", ["eve"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            let subscriptions = ["ada", "bob", "eve"].map { hub.connect($0, after: start) }
            for subscription in subscriptions { _ = try await subscription.next(within: .zero) }
            _ = try await store.inspect("UPDATE change_log SET epoch = epoch + 1 RETURNING epoch")
            _ = try await store.accept([.short("hall", "1")], source: "api", mode: .posting, at: .second(1))

            // Also the one whom the message does not concern.
            for subscription in subscriptions {
                await #expect(throws: RepositoryError.expiredCursor) {
                    try await subscription.next(within: .seconds(600))
                }
                subscription.close()
            }

            let later = hub.connect("ada", after: try await store.latestChange())
            #expect(try await Self.messages(later, within: .zero) == [])
            _ = try await store.accept([.short("hall", "2")], source: "api", mode: .posting, at: .second(2))
            #expect(try await Self.messages(later, within: .seconds(600)) == ["2"])
            later.close()
        }
    }

    /// A client can know the new log before the hub does.
    @Test func aReaderOfTheNewLogIsNotTakenBackToTheOldOne() async throws {
        try await withHub(isFollowing: false) { store, hub in
            _ = try await store.store([.of("hall", ["ada"])], source: "api", mode: .posting, at: .second(0))
            hub.follow(nil, try await store.latestChange())
            _ = try await store.inspect("UPDATE change_log SET epoch = epoch + 1 RETURNING epoch")
            // The store knows the end of its log from its writes.
            _ = try await store.accept([.short("hall", "0")], source: "api", mode: .posting, at: .second(1))
            let start = try await store.latestChange()
            let subscription = hub.connect("ada", after: start)
            defer { subscription.close() }

            while !subscription.hasWork { await Task.yield() }
            #expect(try await subscription.poll() == nil)
            #expect(subscription.cursor == start)
            _ = try await store.accept([.short("hall", "1")], source: "api", mode: .posting, at: .second(1))
            hub.follow(nil, try await store.latestChange())
            #expect(try await Self.messages(subscription, within: .seconds(600)) == ["1"])
        }
    }
}
