import ChatCore
import Logging
import ServiceLifecycle
import Synchronization

/// Runs the services that only one of several nodes may run at a time, while this node has the lease for them.
///
/// A node that has its store for itself runs them all the time.
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
    private let leases: any NodeLeases
    private let make: @Sendable () -> Work
    private let logger: Logger
    private let audience = Mutex(Audience())

    /// - Parameters:
    ///   - leases: The leases of the node.
    ///   - logger: For the beginning and end of leadership.
    ///   - make: Makes the services, each time that this node begins to lead.
    init(leases: any NodeLeases, logger: Logger, make: @escaping @Sendable () -> Work) {
        (self.leases, self.logger, self.make) = (leases, logger, make)
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
        try await cancelWhenGracefulShutdown { [self] in
            try await leases.hold(Self.lease) { term in
                guard case .until = term else { return try await self.lead(term) }
                self.logger.info("This node leads: it answers mentions and pushes notifications")
                do {
                    try await self.lead(term)
                } catch {
                    self.logger.error("The leading services ended", metadata: ["error": "\(type(of: error))"])
                }
                if !Task.isCancelled { self.logger.warning("This node does not lead any more") }
            }
        }
    }

    /// Runs the services until the term ends, or until the task is cancelled.
    private func lead(_ term: LeaseTerm) async throws {
        let work = make()
        let heard = audience.withLock { audience in
            audience.listeners = work.listeners
            return audience.heard
        }
        // This tells the services which log they begin with.
        if let heard { for listener in work.listeners { listener(nil, heard) } }
        defer { audience.withLock { $0.listeners = [] } }
        try await withThrowingTaskGroup { group in
            for service in work.services { group.addTask { try await service.run() } }
            guard case .until(let end) = term else { return try await group.waitForAll() }
            group.addTask { await end() }
            // When one ends, the others are cancelled.
            _ = try await group.next()
            group.cancelAll()
        }
    }
}
