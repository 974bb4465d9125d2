import Dispatch
import MessageStore
import Synchronization

/// Ends the statement of a transaction that reads, when nobody waits for it any more.
///
/// The request uses another connection, and may come too late. So nobody else gets the connection before the request
/// has reached the server.
final class PostgresInterruption: Sendable {
    private enum State {
        case waiting
        case running(@Sendable () -> Void)
        /// The group is empty once the request has reached the server.
        case interrupted(DispatchGroup?)
        case ended
    }

    /// The longest time until the request has reached the server; after that the connection is closed.
    private static let limit = DispatchTimeInterval.seconds(5)
    private static let queue = DispatchQueue(label: "nexus.postgres.interruptions", attributes: .concurrent)

    private let state = Mutex(State.waiting)

    /// Runs a body; called once.
    ///
    /// - Throws: The error of the body; `CancellationError`, at once if the interruption came before.
    func run<Value>(_ session: PostgresSession, _ body: (PostgresSession) throws -> Value) throws -> Value {
        let interruption = session.interruption
        try state.withLock { state in
            guard case .waiting = state else { throw CancellationError() }
            state = .running(interruption)
        }
        let result = Result { try body(session) }
        let asking = state.withLock { state -> DispatchGroup? in
            defer { state = .ended }
            return if case .interrupted(let asking) = state { asking } else { nil }
        }
        guard let asking else { return try result.get() }
        session.settle(isInterrupted: asking.wait(timeout: .now() + Self.limit) == .success)
        throw CancellationError()
    }

    /// Makes the body end soon, or not begin; returns at once.
    func interrupt() {
        state.withLock { state in
            switch state {
            case .waiting:
                state = .interrupted(nil)
            case .running(let interruption):
                let asking = DispatchGroup()
                state = .interrupted(asking)
                Self.queue.async(group: asking, execute: interruption)
            case .interrupted, .ended: break
            }
        }
    }
}
