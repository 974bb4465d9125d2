package import ChatCore
import Synchronization

/// The part of a store that the feed needs.
package typealias FeedStore = LiveChatRepository & ChangeNotifier

/// Decides which connections of this process a change concerns, and wakes them.
///
/// It keeps no membership: for each conversation that changed, the store says who its members are now. A connection
/// reads the changes itself, at its own pace, so that a slow client holds up nobody and loses nothing.
package final class FeedHub: Sendable {
    /// Something that changed, as the follower of the log announced it.
    fileprivate struct News {
        /// Nil if anything may have changed.
        let changes: [Change]?
        let end: ChangeCursor
    }

    /// A connection.
    fileprivate struct Reader {
        let user: UserID
        let signal: WorkSignal
        var work = Work(isBehind: true)
    }

    /// The changes that a connection has not looked at.
    struct Work {
        /// Whether any of the reader's conversations may have changed.
        var isBehind: Bool
        /// Whether lists that belong to the reader alone changed.
        var hasOwn = false
        /// The conversations that changed.
        var conversations: Set<ConversationID> = []

        var isEmpty: Bool { !isBehind && !hasOwn && conversations.isEmpty }
    }

    fileprivate struct State {
        var readers: [Int: Reader] = [:]
        var readersOfUser: [UserID: Set<Int>] = [:]
        var lastReader = 0
        var news: [News] = []
        /// Every change up to here was announced to the connections that it concerns; nil before the first.
        var announced: ChangeCursor?
    }

    private let store: any FeedStore
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    private let arrived = WorkSignal()
    private let reads: FeedReads

    /// - Parameters:
    ///   - store: Says who the members of a conversation are.
    ///   - now: The present time.
    package init(store: any FeedStore, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
        reads = FeedReads(store: store, now: now)
    }

    /// Takes in changes; a listener of ``ChangeFollower``.
    package func follow(_ changes: [Change]?, _ end: ChangeCursor) {
        state.withLock { $0.news.append(News(changes: changes, end: end)) }
        arrived.signal()
    }

    /// Announces changes, and reads for the connections, until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.reads.run() }
            await announceAll()
        }
    }

    private func announceAll() async {
        while !Task.isCancelled {
            let seen = arrived.count
            let news = state.withLock { state in
                defer { state.news = [] }
                return state.news
            }
            if let end = news.last?.end {
                await announce(news, end)
            } else {
                try? await arrived.wait(after: seen)
            }
        }
    }

    private func announce(_ news: [News], _ end: ChangeCursor) async {
        guard news.allSatisfy({ $0.changes != nil }) else { return wakeAll(end) }
        let changes = news.flatMap { $0.changes ?? [] }
        var conversations: Set<ConversationID> = []
        var users: Set<UserID> = []
        var own: [UserID: Set<ConversationID>] = [:]
        for change in changes {
            switch change.subject {
            case .conversation, .message, .items, .receipt:
                if let id = change.conversationID { conversations.insert(id) }
            // Nobody has the empty id: an open conversation was closed for everybody but its members.
            case .membership(let user) where user.rawValue.isEmpty: return wakeAll(end)
            case .membership(let user): users.insert(user)
            case .personal(let user):
                own[user, default: []].formUnion(change.conversationID.map { [$0] } ?? [])
            case .threads(let owner): if let owner { own[owner, default: []].formUnion([]) }
            case .embedded, .retired, .generation, .erased, .connections: break
            }
        }
        guard !conversations.isEmpty, state.withLock({ !$0.readers.isEmpty }) else {
            return wake(users, own, [:], end)
        }
        guard let audiences = try? await store.audiences(of: conversations, at: now()) else { return wakeAll(end) }
        wake(users, own, audiences, end)
    }

    /// Lets every connection look at all of its conversations.
    private func wakeAll(_ end: ChangeCursor) {
        let signals = state.withLock { state in
            state.announced = end
            for id in state.readers.keys { state.readers[id]?.work.isBehind = true }
            return state.readers.values.map(\.signal)
        }
        for signal in signals { signal.signal() }
    }

    /// Wakes connections.
    ///
    /// - Parameters:
    ///   - users: The people who look at all of their conversations.
    ///   - own: The people for whom alone something changed, with the conversations in which it did.
    ///   - audiences: The conversations that changed.
    ///   - end: The position of this news.
    private func wake(
        _ users: Set<UserID>, _ own: [UserID: Set<ConversationID>], _ audiences: [ConversationID: Audience],
        _ end: ChangeCursor
    ) {
        let signals = state.withLock { state -> [WorkSignal] in
            var woken: Set<Int> = []
            for user in users {
                for id in state.readersOfUser[user] ?? [] {
                    state.readers[id]?.work.isBehind = true
                    woken.insert(id)
                }
            }
            for (user, conversations) in own {
                for id in state.readersOfUser[user] ?? [] {
                    state.readers[id]?.work.hasOwn = true
                    state.readers[id]?.work.conversations.formUnion(conversations)
                    woken.insert(id)
                }
            }
            for (conversation, audience) in audiences {
                for id in state.readers(of: audience) {
                    state.readers[id]?.work.conversations.insert(conversation)
                    woken.insert(id)
                }
            }
            state.announced = end
            return woken.compactMap { state.readers[$0]?.signal }
        }
        for signal in signals { signal.signal() }
    }

    /// Connects a reader who knows everything up to a cursor.
    ///
    /// - Parameters:
    ///   - user: The reader.
    ///   - cursor: The position of the reader: that of a snapshot, or of the last frame.
    ///   - signal: Signalled when there may be changes.
    /// - Returns: The feed; it must be closed.
    package func connect(
        _ user: UserID, after cursor: ChangeCursor, waking signal: WorkSignal = WorkSignal()
    ) -> FeedSubscription {
        let id = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = Reader(user: user, signal: signal)
            state.readersOfUser[user, default: []].insert(state.lastReader)
            return state.lastReader
        }
        return FeedSubscription(
            hub: self, id: id, user: user, after: cursor, signal: signal, reads: reads)
    }

    /// The number of connections.
    package var connectionCount: Int { state.withLock { $0.readers.count } }

    /// Returns the work of a connection, and the position up to which it is complete; nil before the first announcement.
    func takeWork(of id: Int) -> (work: Work, end: ChangeCursor)? {
        state.withLock { state in
            guard let end = state.announced, let work = state.readers[id]?.work else { return nil }
            state.readers[id]?.work = Work(isBehind: false)
            return (work, end)
        }
    }

    /// Whether a connection has work that was announced.
    func hasWork(_ id: Int) -> Bool {
        state.withLock { state in state.announced != nil && state.readers[id]?.work.isEmpty == false }
    }

    /// Gives work back that failed.
    func giveBack(_ work: Work, of id: Int) {
        state.withLock { state in
            guard var reader = state.readers[id] else { return }
            reader.work.isBehind = reader.work.isBehind || work.isBehind
            reader.work.hasOwn = reader.work.hasOwn || work.hasOwn
            reader.work.conversations.formUnion(work.conversations)
            state.readers[id] = reader
        }
    }

    func disconnect(_ id: Int) {
        state.withLock { state in
            guard let reader = state.readers.removeValue(forKey: id) else { return }
            state.readersOfUser[reader.user]?.remove(id)
            if state.readersOfUser[reader.user]?.isEmpty == true { state.readersOfUser[reader.user] = nil }
        }
    }
}

extension FeedHub.State {
    /// The connections whose user is among an audience.
    fileprivate func readers(of audience: Audience) -> [Int] {
        if audience.isOpen { return Array(readers.keys) }
        if audience.members.count < readersOfUser.count {
            return audience.members.flatMap { readersOfUser[$0] ?? [] }
        }
        return readersOfUser.flatMap { audience.members.contains($0.key) ? Array($0.value) : [] }
    }
}

/// The feed of one connection: what changed for its reader, page by page.
///
/// It has one consumer.
package final class FeedSubscription: Sendable {
    /// The most changes of one conversation in a page; a conversation with more is limited.
    package static let changeLimit = 1_000

    private let hub: FeedHub
    private let id: Int
    private let user: UserID
    private let signal: WorkSignal
    private let reads: FeedReads
    private let position: Mutex<ChangeCursor>

    fileprivate init(
        hub: FeedHub, id: Int, user: UserID, after cursor: ChangeCursor, signal: WorkSignal, reads: FeedReads
    ) {
        self.hub = hub
        self.id = id
        self.user = user
        self.signal = signal
        self.reads = reads
        position = Mutex(cursor)
    }

    /// Every change for the reader up to here was returned.
    package var cursor: ChangeCursor { position.withLock { $0 } }

    /// Whether there are changes that ``poll()`` has not looked at.
    package var hasWork: Bool { hub.hasWork(id) }

    /// Returns the next page without waiting, and moves ``cursor``; nil if nothing changed for the reader.
    ///
    /// - Throws: ``RepositoryError/expiredCursor`` if the reader has to start again; other ``RepositoryError``s.
    package func poll() async throws -> FeedPage? {
        guard let (work, end) = hub.takeWork(of: id) else { return nil }
        return try await page(work, through: end)
    }

    /// Waits for changes.
    ///
    /// - Parameter limit: How long to wait.
    /// - Returns: The next page; nil if nothing changed for the reader in this time.
    /// - Throws: ``RepositoryError/expiredCursor`` if the reader has to start again; other ``RepositoryError``s;
    ///   `CancellationError`.
    package func next(within limit: Duration) async throws -> FeedPage? {
        let deadline = ContinuousClock.now + limit
        while true {
            let seen = signal.count
            if let page = try await poll() { return page }
            let rest = deadline - .now
            guard rest > .zero else { return nil }
            try await signal.wait(after: seen, timeout: rest)
        }
    }

    private func page(_ work: FeedHub.Work, through end: ChangeCursor) async throws -> FeedPage? {
        let start = cursor
        var work = work
        // Only the store knows which of two logs is the present one.
        let isOtherLog = start.epoch != end.epoch
        if isOtherLog { work.isBehind = true }
        // A reader can be ahead of the announcements, or just as far; it knows these changes. One that is ahead of the
        // log itself is found out by the store.
        if start.reaches(end), !work.isBehind { return nil }
        guard !work.isEmpty else {
            position.withLock { $0 = end }
            return nil
        }
        do {
            // A reader of some conversations only must stop where those were announced.
            let range = FeedRange(
                after: start, through: isOtherLog || (work.isBehind && start.reaches(end)) ? nil : end,
                in: work.isBehind ? nil : work.conversations)
            let page = try await reads.page(FeedRequest(reader: user, range: range), limit: Self.changeLimit)
            position.withLock { $0 = page.end }
            return page.changes.isEmpty && page.limited.isEmpty ? nil : page
        } catch {
            hub.giveBack(work, of: id)
            throw error
        }
    }

    /// Ends the subscription.
    package func close() { hub.disconnect(id) }
}
