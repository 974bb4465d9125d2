import ChatCore
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct ChangeFollowerTests {
    private let store = CountingStore(InMemoryStore())

    /// Notes `count` conversations, each in its own change.
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

    @Test func anEndThatTheCallerKnowsIsNotReadAgain() async throws {
        let subscriber = Recorder(store)
        let follower = ChangeFollower(store: store, subscribers: [subscriber])
        try await follower.catchUp()
        let before = try await store.latestChange()
        try await note(0..<1)
        try await follower.catchUp(to: before)
        #expect(subscriber.taken == [])

        try await follower.catchUp(to: try await store.latestChange())
        #expect(subscriber.taken == ["c0"])

        // That of a log which was replaced meanwhile.
        let ofOtherLog = try await store.latestChange()
        store.beginLog(7)
        try await follower.catchUp(to: ofOtherLog)
        #expect(subscriber.followed == ofOtherLog)
        try await follower.catchUp()
        #expect(try await subscriber.followed == store.latestChange())
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

    @Test func theLagIsThatOfTheLastSubscriber() async throws {
        let (late, early) = (Recorder(store), Recorder(store))
        let follower = ChangeFollower(store: store, subscribers: [late, early])
        try await late.load()
        try await note(0..<2)
        #expect(try await follower.lag() == nil)

        try await early.load()
        try await note(2..<5)
        #expect(try await follower.lag() == 5)

        try await follower.catchUp()
        #expect(try await follower.lag() == 0)
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

    /// As after a failover: the numbers of another log mean other changes.
    @Test func everythingStartsAgainWithAnotherLog() async throws {
        let subscribers = [Recorder(store), Recorder(store)]
        let follower = ChangeFollower(store: store, subscribers: subscribers)
        let heard = Mutex<[(changes: [ConversationID?]?, epoch: Int64)]>([])
        let listener: ChangeFollower.Listener = { changes, end in
            heard.withLock { $0.append((changes.map { $0.map(\.conversationID) }, end.epoch)) }
        }

        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run(listeners: [listener]) { _ in } }
            while heard.withLock({ $0.isEmpty }) || subscribers.contains(where: { $0.followed == nil }) {
                await shortPause()
            }
            store.beginLog(8)
            // The write wakes the follower.
            try? await note(0..<1)
            while subscribers.contains(where: { $0.followed?.epoch != 8 }) { await shortPause() }
            try? await note(1..<2)
            while heard.withLock({ $0.last?.changes != ["c1"] }) { await shortPause() }
            group.cancelAll()
        }

        #expect(subscribers.map(\.startCount) == [1, 1])
        #expect(heard.withLock { $0.filter { $0.changes == nil }.map(\.epoch) } == [7, 8])
        #expect(heard.withLock { $0.flatMap { $0.changes ?? [] } } == ["c1"])
    }

    @Test func aSearchDoesNotUseWhatFollowsAnotherLog() async throws {
        let (old, fresh) = (Recorder(store), Recorder(store))
        try await old.load()
        store.beginLog(8)
        try await fresh.load()
        try await note(0..<1)

        try await ChangeFollower(store: store, subscribers: [fresh, old]).catchUp()

        let end = try await store.latestChange()
        #expect([old, fresh].map(\.followed) == [end, end])
        #expect([old, fresh].map(\.startCount) == [1, 0])
        #expect(fresh.taken == ["c0"])
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

/// A store that counts the pages of changes that are read, and whose log can be replaced by another one.
private final class CountingStore: StoreWrapper, ChangeFeed {
    let base: any Store
    private let count = Mutex(0)
    /// The epoch of the log; nil for that of the base.
    private let epoch = Mutex<Int64?>(nil)

    init(_ base: any Store) { self.base = base }

    var pagesRead: Int { count.withLock { $0 } }

    func changes(after cursor: ChangeCursor, limit: Int) async throws -> ChangePage {
        count.withLock { $0 += 1 }
        guard let epoch = epoch.withLock({ $0 }) else { return try await base.changes(after: cursor, limit: limit) }
        guard cursor.epoch == epoch else { throw RepositoryError.expiredCursor }
        let own = ChangeCursor(epoch: try await base.latestChange().epoch, positions: cursor.positions)
        let page = try await base.changes(after: own, limit: limit)
        return ChangePage(changes: page.changes, end: ChangeCursor(epoch: epoch, positions: page.end.positions))
    }

    func latestChange() async throws -> ChangeCursor {
        let end = try await base.latestChange()
        return ChangeCursor(epoch: epoch.withLock { $0 } ?? end.epoch, positions: end.positions)
    }

    /// Begins a log with the same changes.
    func beginLog(_ epoch: Int64) { self.epoch.withLock { $0 = epoch } }
}

/// A subscriber that keeps the conversations of all changes.
private final class Recorder: ChangeSubscriber {
    private struct State {
        var followed: ChangeCursor?
        var taken: [ConversationID?] = []
        var fails = false
        var mayLoad: Bool
        var startCount = 0
    }

    private let store: any ChangeFeed
    private let state: Mutex<State>

    init(_ store: any ChangeFeed, loadsSlowly: Bool = false) {
        self.store = store
        state = Mutex(State(mayLoad: !loadsSlowly))
    }

    var followed: ChangeCursor? { state.withLock { $0.followed } }
    var taken: [ConversationID?] { state.withLock { $0.taken } }

    /// How often it started again.
    var startCount: Int { state.withLock { $0.startCount } }

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

    func startAgain() async {
        state.withLock { state in
            state.followed = nil
            state.startCount += 1
        }
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
