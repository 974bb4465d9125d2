import ChatCore
import Dispatch
import MessageStore
import Synchronization

/// Connections to PostgreSQL; each has its own thread while it is used.
final class PostgresPool: Sendable {
    /// Opens a connection; may block.
    typealias Connect = @Sendable () throws -> PostgresSession

    /// A place for one connection, which is opened at its first use, and again after a failure.
    ///
    /// After an attempt that failed, calls fail at once for a moment. Otherwise each call would wait for a server that
    /// does not answer, or open one more connection to a standby.
    ///
    /// It is sendable because `session`, `refusal` and `isClosed` are only used on `queue`.
    final class Slot: @unchecked Sendable {
        private struct Refusal {
            let error: any Error
            let pause: Duration
            let end: ContinuousClock.Instant
        }

        /// A function in a structure: each access to one that is the value of a `Mutex` itself adds a layer to it.
        private struct Interruption {
            let call: @Sendable () -> Void
        }

        /// The shortest and longest time until another connection is tried.
        private static let pauses = Duration.milliseconds(50)...Duration.seconds(1)

        private let queue: DispatchQueue
        private let connect: Connect
        /// See ``PostgresLink/interruption``; of the present connection.
        private let interruption = Mutex<Interruption?>(nil)
        private var session: PostgresSession?
        private var refusal: Refusal?
        private var isClosed = false

        init(_ name: String, _ connect: @escaping Connect) {
            queue = DispatchQueue(label: name)
            self.connect = connect
        }

        /// Calls the body on the slot's thread, after earlier calls.
        func run(_ body: @escaping @Sendable (Result<PostgresSession, any Error>) -> Void) {
            queue.async { [self] in body(Result { try opened() }) }
        }

        /// Runs a body on the slot's thread, and returns its value.
        func run<Value: Sendable>(_ body: @escaping @Sendable (PostgresSession) throws -> Value) async throws -> Value {
            try await withCheckedThrowingContinuation { continuation in
                run { session in continuation.resume(with: Result { try body(session.get()) }) }
            }
        }

        /// Asks the server to end the statement that runs, on a separate thread, because a lost network blocks it.
        func interrupt() {
            guard let interruption = interruption.withLock({ $0 }) else { return }
            Task { await onOwnThread { interruption.call() } }
        }

        /// Runs a body as ``run(_:)`` does, and ends its statement when the task is cancelled.
        ///
        /// - Throws: Also `CancellationError`.
        func runInterruptibly<Value: Sendable>(
            _ body: @escaping @Sendable (PostgresSession) throws -> Value
        ) async throws -> Value {
            let interruptible = PostgresInterruption()
            return try await withTaskCancellationHandler {
                try await run { session in try interruptible.run(session, body) }
            } onCancel: {
                interruptible.interrupt()
            }
        }

        private func opened() throws -> PostgresSession {
            guard !isClosed else { throw RepositoryError.unavailable(reason: "the store is closed") }
            if let session, session.isUsable { return session }
            session?.close()
            session = nil
            if let refusal, .now < refusal.end { throw refusal.error }
            do {
                let fresh = try connect()
                (session, refusal) = (fresh, nil)
                interruption.withLock { $0 = Interruption(call: fresh.interruption) }
                return fresh
            } catch {
                let pause = refusal.map { min($0.pause * 2, Self.pauses.upperBound) } ?? Self.pauses.lowerBound
                refusal = Refusal(error: error, pause: pause, end: .now + pause)
                throw error
            }
        }

        /// Closes the connection after earlier calls.
        func close() async {
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    session?.giveBackLocks()
                    session?.close()
                    (session, isClosed) = (nil, true)
                    continuation.resume()
                }
            }
        }
    }

    private struct State {
        var free: [Slot]
        var waiting: [CheckedContinuation<Slot?, Never>] = []
        var isClosed = false
    }

    private let slots: [Slot]
    private let state: Mutex<State>

    init(size: Int, connect: @escaping Connect) {
        slots = (0..<max(1, size)).map { Slot("nexus.postgres.reader.\($0)", connect) }
        state = Mutex(State(free: slots))
    }

    /// Runs a body on a connection that nobody else uses; waits until there is one.
    ///
    /// - Parameters:
    ///   - isInterruptible: Whether the statement that runs ends when the task is cancelled.
    ///   - body: Uses the connection.
    /// - Returns: The value of the body.
    /// - Throws: The error of the body; `CancellationError`; ``PostgresFailure`` if there is no connection;
    ///   ``RepositoryError/unavailable(reason:)`` once the pool is closed.
    func run<Value: Sendable>(
        isInterruptible: Bool = false, _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
        guard let slot = await take() else { throw RepositoryError.unavailable(reason: "the store is closed") }
        defer { put(slot) }
        return try await isInterruptible ? slot.runInterruptibly(body) : slot.run(body)
    }

    private func take() async -> Slot? {
        await withCheckedContinuation { continuation in
            let slot = state.withLock { state -> Slot?? in
                if state.isClosed { return .some(nil) }
                if let slot = state.free.popLast() { return slot }
                state.waiting.append(continuation)
                return .none
            }
            if let slot { continuation.resume(returning: slot) }
        }
    }

    private func put(_ slot: Slot) {
        let next = state.withLock { state -> CheckedContinuation<Slot?, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.free.append(slot)
            return nil
        }
        next?.resume(returning: slot)
    }

    /// Closes each connection once nobody uses it.
    func close() async {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isClosed) = ([], true) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
        for slot in slots { await slot.close() }
    }
}
