import ChatCore
import HTTPAPI
import Logging
import MessageStore
import ServiceLifecycle
import Synchronization

/// Runs the services that only one of several nodes may run at a time, while this node has a lease of the database.
///
/// A node that does not renew its lease stops these services before the lease ends. Another node then continues from
/// the state of the store. On a store that is not shared, the services run all the time.
final class Leadership: Service {
    /// Services, and the listeners that get changes while they run.
    struct Work {
        var services: [any Service] = []
        var listeners: [ChangeFollower.Listener] = []
    }

    private struct Audience {
        var listeners: [ChangeFollower.Listener] = []
        /// The last position that this node has received.
        var heard: ChangeCursor?
    }

    private static let lease = "leader"
    private static let leaseTime = Duration.seconds(15)
    /// The time between two attempts to take or renew the lease.
    private static let interval = Duration.seconds(3)
    /// The services are stopped this long before the end of the lease.
    private static let margin = Duration.seconds(5)

    private let store: SQLStore
    private let node = randomID()
    private let make: @Sendable () -> Work
    private let logger: Logger
    private let audience = Mutex(Audience())

    /// - Parameters:
    ///   - store: The store.
    ///   - logger: For the beginning and end of leadership.
    ///   - make: Makes the services, each time that this node begins to lead.
    init(store: SQLStore, logger: Logger, make: @escaping @Sendable () -> Work) {
        (self.store, self.logger, self.make) = (store, logger, make)
    }

    /// Receives changes, and passes them on while this node leads.
    var listener: ChangeFollower.Listener {
        { [self] changes, end in
            let listeners = audience.withLock { audience in
                audience.heard = end
                return audience.listeners
            }
            for listener in listeners { listener(changes, end) }
        }
    }

    func run() async throws {
        guard store.isShared else { return try await lead(while: {}) }
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                let begin = ContinuousClock.now
                if await holdsLease() {
                    logger.info("This node leads: it answers mentions and pushes notifications")
                    do {
                        try await lead { await self.renew(since: begin) }
                    } catch {
                        logger.error("The leading services ended", metadata: ["error": "\(type(of: error))"])
                    }
                    if Task.isCancelled { break }
                    logger.warning("This node does not lead any more")
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
        // Another node need not wait for the end of the lease.
        try? await store.endLease(Self.lease, of: node)
    }

    private func holdsLease() async -> Bool {
        (try? await store.takeLease(Self.lease, of: node, for: Self.leaseTime)) == true
    }

    /// Returns when the lease is lost, or may be lost soon.
    private func renew(since begin: ContinuousClock.Instant) async {
        var taken = begin
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            let now = ContinuousClock.now
            // After a pause of the whole process, another node may have the lease.
            guard now < taken + Self.leaseTime else { return }
            let end = taken + Self.leaseTime - Self.margin
            switch await renewal(by: end) {
            case .renewed: taken = now
            case .lost: return
            case .unknown: if ContinuousClock.now > end { return }
            }
        }
    }

    private enum Renewal { case renewed, lost, unknown }

    /// Renews the lease; waits until `end` at most, even if the database takes longer.
    private func renewal(by end: ContinuousClock.Instant) async -> Renewal {
        let answered = WorkSignal()
        let answer = Mutex(Renewal.unknown)
        let seen = answered.count
        // An unstructured task, because this function would wait for a child task.
        let attempt = Task { [store, node] in
            defer { answered.signal() }
            guard let isRenewed = try? await store.renewLease(Self.lease, of: node, for: Self.leaseTime) else { return }
            answer.withLock { $0 = isRenewed ? .renewed : .lost }
        }
        try? await answered.wait(after: seen, timeout: max(.zero, end - .now))
        if Task.isCancelled { attempt.cancel() }
        return answer.withLock { $0 }
    }

    /// Runs the services until `stay` returns, or until the task is cancelled or the server stops.
    private func lead(while stay: @escaping @Sendable () async -> Void) async throws {
        let work = make()
        let heard = audience.withLock { audience in
            audience.listeners = work.listeners
            return audience.heard
        }
        // This tells the services which log they begin with.
        if let heard { for listener in work.listeners { listener(nil, heard) } }
        defer { audience.withLock { $0.listeners = [] } }
        let isShared = store.isShared
        try await withThrowingTaskGroup { group in
            for service in work.services { group.addTask { try await service.run() } }
            guard isShared else { return try await group.waitForAll() }
            group.addTask { await stay() }
            // When one ends, the others are cancelled.
            _ = try await group.next()
            group.cancelAll()
        }
    }
}
