import ChatCore
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct ChangeFollowerTests {
    private let store = CountingStore(InMemoryStore())

    /// Notes `count` conversations, each in a change of its own.
    private func note(_ range: Range<Int>) async throws {
        for number in range {
            // Without members, a conversation is one change.
            let roster = ConversationRoster.of(ConversationID(rawValue: "c\(number)"), [], visibility: .everyone)
            _ = try await store.base.store([roster], source: "test", mode: .posting, at: Timestamp(microseconds: 1))
        }
    }

    @Test func eachPageIsReadOnceForAllSubscribers() async throws {
        let subscribers = [Recorder(store), Recorder(store)]
        let follower = ChangeFollower(store: store, subscribers: subscribers)
        try await follower.catchUp()
        try await note(0..<3)

        try await follower.catchUp()
        try await follower.catchUp()

        #expect(subscribers.map(\.taken) == [["c0", "c1", "c2"], ["c0", "c1", "c2"]])
        #expect(store.pagesRead == 1)
    }

    @Test func oneThatLagsBehindGetsWhatItMissedAndTheOthersNothingTwice() async throws {
        let (late, early) = (Recorder(store), Recorder(store))
        try await late.load()
        try await note(0..<2)
        try await early.load()
        try await note(2..<4)

        try await ChangeFollower(store: store, subscribers: [late, early]).catchUp()

        #expect(late.taken == ["c0", "c1", "c2", "c3"])
        #expect(early.taken == ["c2", "c3"])
    }

    @Test func aSubscriberThatFailsIsGivenThePageAgain() async throws {
        let (failing, other) = (Recorder(store), Recorder(store))
        let follower = ChangeFollower(store: store, subscribers: [failing, other])
        try await follower.catchUp()
        try await note(0..<1)
        failing.fail()

        await #expect(throws: RepositoryError.storageFull) { try await follower.catchUp() }
        try await follower.catchUp()

        #expect(failing.taken == ["c0"])
        #expect(other.taken == ["c0"])
    }

    @Test func listenersHearOfEachChangeOnceWhoeverReadsIt() async throws {
        let recorder = Recorder(store)
        let follower = ChangeFollower(store: store, subscribers: [recorder])
        try await note(0..<1)
        try await follower.catchUp()
        let heard = Mutex<[[ConversationID?]?]>([])
        let listener: ChangeFollower.Listener = { changes, _ in
            heard.withLock { $0.append(changes.map { $0.map(\.conversationID) }) }
        }

        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run(listeners: [listener]) { _ in } }
            while heard.withLock({ $0.isEmpty }) { await shortPause() }
            try? await note(1..<4)
            try? await follower.catchUp()
            while heard.withLock({ $0.compactMap { $0 }.flatMap { $0 }.count }) < 3 { await shortPause() }
            group.cancelAll()
        }

        #expect(heard.withLock { $0.first ?? [] } == nil)
        #expect(heard.withLock { $0.compactMap { $0 }.flatMap { $0 } } == ["c1", "c2", "c3"])
        #expect(recorder.taken.suffix(3) == ["c1", "c2", "c3"])
    }

    @Test func listenersDoNotWaitForASubscriberThatLoads() async throws {
        let slow = Recorder(store, loadsSlowly: true)
        let follower = ChangeFollower(store: store, subscribers: [slow])
        let count = Mutex(0)
        let listener: ChangeFollower.Listener = { changes, _ in count.withLock { $0 += changes?.count ?? 1 } }

        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run(listeners: [listener]) { _ in } }
            while count.withLock({ $0 }) < 1 { await shortPause() }
            try? await note(0..<2)
            while count.withLock({ $0 }) < 3 { await shortPause() }
            #expect(slow.followed == nil)
            slow.letLoad()
            while slow.followed == nil { await shortPause() }
            group.cancelAll()
        }
    }

    @Test(.timeLimit(.minutes(15))) func aFailureIsToldOnceAndTriedAgain() async throws {
        let recorder = Recorder(store)
        let follower = ChangeFollower(store: store, subscribers: [recorder])
        let failures = Mutex(0)
        let failed: @Sendable (any Error) -> Void = { _ in failures.withLock { $0 += 1 } }
        try await follower.catchUp()

        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run(failed: failed) }
            recorder.fail()
            try? await note(0..<1)
            while recorder.taken.isEmpty { await shortPause() }
            group.cancelAll()
        }

        #expect(failures.withLock { $0 } == 1)
    }
}

/// A store that counts the pages of changes that are read.
private final class CountingStore: StoreWrapper, ChangeFeed {
    let base: any Store
    private let count = Mutex(0)

    init(_ base: any Store) { self.base = base }

    var pagesRead: Int { count.withLock { $0 } }

    func changes(after cursor: ChangeCursor, limit: Int) async throws -> ChangePage {
        count.withLock { $0 += 1 }
        return try await base.changes(after: cursor, limit: limit)
    }
}

/// A subscriber that keeps the conversations of all changes.
private final class Recorder: ChangeSubscriber {
    private struct State {
        var followed: ChangeCursor?
        var taken: [ConversationID?] = []
        var fails = false
        var mayLoad: Bool
    }

    private let store: any ChangeFeed
    private let state: Mutex<State>

    init(_ store: any ChangeFeed, loadsSlowly: Bool = false) {
        self.store = store
        state = Mutex(State(mayLoad: !loadsSlowly))
    }

    var followed: ChangeCursor? { state.withLock { $0.followed } }
    var taken: [ConversationID?] { state.withLock { $0.taken } }

    /// Lets the next page fail.
    func fail() { state.withLock { $0.fails = true } }

    func letLoad() { state.withLock { $0.mayLoad = true } }

    func load() async throws {
        while !state.withLock({ $0.mayLoad }) {
            try Task.checkCancellation()
            await shortPause()
        }
        let end = try await store.latestChange()
        state.withLock { $0.followed = end }
    }

    func take(_ page: ChangePage) async throws {
        let fails = state.withLock { state in
            defer { state.fails = false }
            return state.fails
        }
        if fails { throw RepositoryError.storageFull }
        state.withLock { state in
            guard let followed = state.followed else { return }
            state.taken += page.changes(after: followed).map(\.conversationID)
            state.followed = page.end
        }
    }
}
