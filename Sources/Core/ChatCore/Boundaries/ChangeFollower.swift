import Synchronization

/// Keeps something that is derived from the store up to date with its change log.
public protocol ChangeSubscriber: Sendable {
    /// The position up to which it has processed all changes; nil until it is loaded.
    var followed: ChangeCursor? { get }

    /// Reads the present state from a file or the store; does nothing if it is already loaded.
    func load() async throws

    /// Processes the changes of a page that it has not processed yet.
    ///
    /// - Precondition: The page begins at ``followed`` or before.
    func take(_ page: ChangePage) async throws

    /// Forgets its position and everything that was derived from the log: ``load()`` then reads the store again.
    ///
    /// The log was replaced by another one, in which the same numbers mean other changes, and rows may be missing.
    func startAgain() async
}

/// Follows the change log for the whole process: reads each page once and passes it to all subscribers.
///
/// If the log is replaced by another one, as after a failover that lost changes, all subscribers start again from the
/// store.
///
/// ``run(failed:)`` brings subscribers up to date in the background, and ``catchUp(to:)`` does so before a search reads
/// them. Listeners are only notified of changes, and must return quickly.
public final class ChangeFollower: Sendable {
    /// Called with changes in the order of the log, each once, and the position after them.
    ///
    /// The first call has nil because earlier changes are not announced, and so has one for another log: anything may
    /// have changed.
    public typealias Listener = @Sendable ([Change]?, ChangeCursor) -> Void

    private struct Audience {
        var listeners: [Listener]
        var heard: ChangeCursor
    }

    /// The most changes read at a time.
    private static let pageSize = 4_096
    /// How long to wait after a failure.
    private static let failurePause = Duration.seconds(1)
    /// How often one call starts again because the log was replaced.
    private static let startLimit = 4

    private let store: any ChangeFeed
    private let subscribers: [any ChangeSubscriber]
    /// The listeners and the position of each; nil while nobody runs the follower.
    private let audience = Mutex<Audience?>(nil)
    /// Signalled when subscribers have to load again.
    private let forgotten = WorkSignal()
    /// Held while subscribers load.
    private let loadLock = AsyncLock()
    /// Held while a page is read and passed on.
    private let pageLock = AsyncLock()

    /// Makes a follower that follows nothing yet; see ``run(listeners:failed:)`` and ``catchUp(to:)``.
    ///
    /// - Parameters:
    ///   - store: The store with the log.
    ///   - subscribers: What is kept up to date, in the order in which each page is passed on.
    public init(store: any ChangeFeed, subscribers: [any ChangeSubscriber]) {
        self.store = store
        self.subscribers = subscribers
    }

    /// Brings all subscribers up to the end of the log.
    ///
    /// - Parameters:
    ///   - known: The end as the caller has read it; nil for that at the time of the call.
    ///   - part: A page that the caller has read after ``followed``, and that position; nil for none.
    /// - Throws: ``RepositoryError``, `CancellationError`; changes processed before that count.
    public func catchUp(
        to known: ChangeCursor? = nil, with part: (start: ChangeCursor, page: ChangePage)? = nil
    ) async throws {
        var known = known
        for _ in 0..<Self.startLimit {
            let end = if let known { known } else { try await store.latestChange() }
            known = nil
            if subscribers.allSatisfy({ $0.followed?.reaches(end) == true }) { return }
            try await load()
            try await advance(to: end, with: part)
            // What followed another log has to be loaded again.
            if subscribers.allSatisfy({ $0.followed?.epoch == end.epoch }) { return }
        }
        throw RepositoryError.expiredCursor
    }

    /// Follows the log until the task is cancelled.
    ///
    /// - Parameters:
    ///   - listeners: Notified of changes from now on.
    ///   - failed: Called with the first of several consecutive errors; the follower tries again after a pause.
    public func run(listeners: [Listener] = [], failed: @escaping @Sendable (any Error) -> Void) async {
        await withDiscardingTaskGroup { group in
            // Runs beside the loop because it may take long and the listeners must not wait for it.
            group.addTask {
                while !Task.isCancelled {
                    let seen = self.forgotten.count
                    await self.repeating(failed) { try await self.catchUp() }
                    try? await self.forgotten.wait(after: seen, timeout: nil)
                }
            }
            await follow(listeners, failed)
            group.cancelAll()
        }
    }

    private func follow(_ listeners: [Listener], _ failed: @escaping @Sendable (any Error) -> Void) async {
        while !Task.isCancelled {
            await repeating(failed) { [self] in
                let end = try await store.latestChange()
                guard let known = audience.withLock({ $0?.heard }) else {
                    audience.withLock { $0 = Audience(listeners: listeners, heard: end) }
                    for listener in listeners { listener(nil, end) }
                    return
                }
                if known.reaches(end) {
                    try await store.waitForChange(after: known)
                } else {
                    try await advance(to: end)
                }
            }
        }
    }

    /// Runs `body` until it succeeds or the task is cancelled.
    private func repeating(
        _ failed: @Sendable (any Error) -> Void, _ body: @Sendable () async throws -> Void
    ) async {
        var isFailing = false
        while !Task.isCancelled {
            do {
                return try await body()
            } catch is CancellationError {
                return
            } catch {
                if !isFailing { failed(error) }
                isFailing = true
                try? await Task.sleep(for: Self.failurePause)
            }
        }
    }

    private func load() async throws {
        guard subscribers.contains(where: { $0.followed == nil }) else { return }
        try await loadLock.run {
            for subscriber in subscribers where subscriber.followed == nil { try await subscriber.load() }
        }
    }

    /// Returns how many changes the last subscriber has still to process; nil while one of them is being loaded.
    public func lag() async throws -> Int64? {
        let end = try await store.latestChange()
        let distances = subscribers.compactMap { $0.followed?.distance(to: end) }
        return distances.count == subscribers.count ? distances.max() ?? 0 : nil
    }

    /// The position up to which all subscribers and listeners have followed; nil if some are not loaded.
    public var followed: ChangeCursor? {
        guard subscribers.allSatisfy({ $0.followed != nil }) else { return nil }
        return ChangeCursor.earliest(of: positions)
    }

    /// Passes on pages until everything that is loaded has reached a position, or the log ends.
    ///
    /// `part` is a page that was read already, and its start; it is used if nobody has followed further meanwhile.
    private func advance(
        to end: ChangeCursor, with part: (start: ChangeCursor, page: ChangePage)? = nil
    ) async throws {
        try await pageLock.run {
            // `end` may be of a log that has been replaced since.
            if positions.contains(where: { $0.epoch != end.epoch }) { _ = try await leaveOtherLogs() }
            while let start = earliest(before: end) {
                let page: ChangePage
                do {
                    if let part, part.start == start {
                        page = part.page
                    } else {
                        page = try await store.changes(after: start, limit: Self.pageSize)
                    }
                } catch RepositoryError.expiredCursor {
                    if try await !leaveOtherLogs() { await leave(for: try await store.latestChange()) { _ in true } }
                    return
                }
                guard page.end != start else { return }
                announce(page)
                for subscriber in subscribers {
                    guard let followed = subscriber.followed, followed.epoch == page.end.epoch,
                        !followed.reaches(page.end)
                    else { continue }
                    try await subscriber.take(page)
                }
            }
        }
    }

    /// Lets everything start again that follows another log than the present one; returns whether there was anything.
    private func leaveOtherLogs() async throws -> Bool {
        let present = try await store.latestChange()
        guard positions.contains(where: { $0.epoch != present.epoch }) else { return false }
        await leave(for: present) { $0.epoch != present.epoch }
        return true
    }

    /// Lets everything start again whose position has expired.
    private func leave(for present: ChangeCursor, _ isExpired: (ChangeCursor) -> Bool) async {
        for subscriber in subscribers where subscriber.followed.map(isExpired) == true {
            await subscriber.startAgain()
            forgotten.signal()
        }
        guard let audience = audience.withLock({ $0 }), isExpired(audience.heard) else { return }
        self.audience.withLock { $0?.heard = present }
        for listener in audience.listeners { listener(nil, present) }
    }

    /// The positions of everything that is loaded, and of the listeners.
    private var positions: [ChangeCursor] {
        (subscribers.map(\.followed) + [audience.withLock { $0?.heard }]).compactMap { $0 }
    }

    /// The start of the next page; nil when everything that is loaded has reached `end`.
    private func earliest(before end: ChangeCursor) -> ChangeCursor? {
        guard let earliest = ChangeCursor.earliest(of: positions), !earliest.reaches(end) else { return nil }
        return earliest
    }

    private func announce(_ page: ChangePage) {
        guard let audience = audience.withLock({ $0 }), audience.heard.epoch == page.end.epoch,
            !audience.heard.reaches(page.end)
        else { return }
        let changes = page.changes(after: audience.heard)
        self.audience.withLock { $0?.heard = page.end }
        for listener in audience.listeners { listener(changes, page.end) }
    }
}
