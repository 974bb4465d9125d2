import ChatCore
import Foundation
import LiveChat
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// What belongs to one person alone, in the feed of all their devices.
@Suite(.hangGuard) struct FeedThreadTests {
    private func withHub(_ body: (SQLStore, FeedHub) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        let follower = ChangeFollower(store: store, subscribers: [])
        let hub = FeedHub(store: store, now: { .second(1) })
        let following = Task { await follower.run(listeners: [{ hub.follow($0, $1) }]) { _ in } }
        let announcing = Task { await hub.run() }
        do {
            try await body(store, hub)
        } catch {
            Issue.record(error)
        }
        for task in [following, announcing] {
            task.cancel()
            await task.value
        }
        await store.close()
    }

    @Test func aThreadThatCameWasUsedOrWentIsToldToItsOwner() async throws {
        try await withHub { store, hub in
            let start = try await store.latestChange()
            let ada = hub.connect("ada", after: start)
            let bob = hub.connect("bob", after: start)
            func page() async throws -> [FeedChange] {
                while true {
                    if let page = try await ada.next(within: .seconds(900)) { return page.changes }
                }
            }

            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(1)))
            #expect(try await page() == [.threads])
            try await store.record(
                Turn(
                    id: "t", askerID: "ada", question: "q", answer: "a", sourceKeys: [], askedAt: .second(1),
                    threadID: "h"), trace: nil)
            #expect(try await page() == [.threads])
            try await store.delete("h", of: "ada")
            #expect(try await page() == [.threads])
            let end = try await store.latestChange()
            // Bob's feed has moved past all of it, without a change.
            while bob.cursor != end { #expect(try await bob.next(within: .milliseconds(5)) == nil) }
            #expect(ada.cursor == end)
            ada.close()
            bob.close()
        }
    }

    @Test func aResumedFeedHasThreadsOnlyOfItsReader() async throws {
        try await withHub { store, _ in
            let start = try await store.latestChange()
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(1)))
            try await store.delete("h", of: "ada")
            let range = FeedRange(after: start, through: nil, in: nil)

            #expect(try await store.feed(of: "ada", in: range, limit: 9, at: .second(1)).changes == [.threads])
            #expect(try await store.feed(of: "bob", in: range, limit: 9, at: .second(1)).changes.isEmpty)
        }
    }

    @Test func erasingTheOwnerDoesNotMoveTheLogBack() async throws {
        try await withHub { store, _ in
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(1)))
            let end = try await store.latestChange()
            _ = try await store.erase(.user("ada"), at: .second(2))

            let page = try await store.feed(
                of: "bob", in: FeedRange(after: end, through: nil, in: nil), limit: 9, at: .second(2))
            #expect(page.changes.isEmpty)
            #expect(try await store.latestChange().reaches(end))
        }
    }

    @Test func companionsAreInAConversationAtTheSameTime() async throws {
        try await withHub { store, _ in
            _ = try await store.store(
                [.of("c1", ["ada", "bob"]), .of("c2", ["ada", "cy"]), .of("c3", ["dan"])], source: "api",
                mode: .posting, at: .second(1))
            #expect(try await store.companions(of: "ada", at: .second(2)) == ["bob", "cy"])
            #expect(try await store.companions(of: "bob", at: .second(2)) == ["ada"])
            #expect(try await store.companions(of: "dan", at: .second(2)).isEmpty)

            try await store.removeMember("bob", from: "c1", at: .second(3))

            #expect(try await store.companions(of: "ada", at: .second(4)) == ["cy"])
            #expect(try await store.companions(of: "bob", at: .second(4)).isEmpty)
        }
    }
}
