import Synchronization

/// Lets hashes run in the order of a ``HashQueue``.
package final class HashingGate: Sendable {
    private struct State {
        var queue: HashQueue
        /// Continuations by ticket; nil for a ticket that does not wait yet.
        var waiting: [HashQueue.Ticket: CheckedContinuation<Void, any Error>?] = [:]
        /// Tickets that were decided before they began to wait.
        var early: [HashQueue.Ticket: Result<Void, any Error>] = [:]

        /// Decides about a hash that waits; returns the continuation to resume.
        mutating func settle(
            _ ticket: HashQueue.Ticket, _ result: Result<Void, any Error>
        ) -> CheckedContinuation<Void, any Error>? {
            guard let known = waiting.removeValue(forKey: ticket) else { return nil }
            if known == nil { early[ticket] = result }
            return known
        }
    }

    /// After a wrong password the address of a stranger rests this many times as long as the hash took.
    ///
    /// So it has a hash in work for a quarter of the time at most, and hardly ever when somebody else comes.
    private static let restFactor = 3
    /// The longest rest.
    private static let longestRest = Duration.seconds(2)

    private let state: Mutex<State>
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - queue: The order.
    ///   - pause: Lets time pass, until the task is cancelled; for tests.
    package init(
        _ queue: HashQueue,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        state = Mutex(State(queue: queue))
        self.pause = pause
    }

    /// The number of hashes that wait.
    package var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Runs work when it is its turn.
    ///
    /// - Parameters:
    ///   - client: Whose work it is.
    ///   - isRefused: Whether the result is a refusal; the address of a stranger rests then, and the result comes later.
    ///   - work: Makes the hash.
    /// - Returns: The hash.
    /// - Throws: ``AccountError/overloaded`` if too much waits, `CancellationError`, errors of the work.
    package func run<Value: Sendable>(
        for client: HashClient, isRefused: (Value) -> Bool = { _ in false }, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        if let ticket = try enter(client) { try await wait(ticket) }
        let start = ContinuousClock.now
        let value: Value
        do {
            value = try await work()
        } catch {
            resume { $0.leave(client) }
            throw error
        }
        guard !client.isKnown, isRefused(value) else {
            resume { $0.leave(client) }
            return value
        }
        let rest = min((ContinuousClock.now - start) * Self.restFactor, Self.longestRest)
        resume { $0.leave(client, rests: true) }
        defer { resume { $0.wake(client) } }
        try await pause(rest)
        return value
    }

    /// Takes a place, or a ticket when there is none.
    private func enter(_ client: HashClient) throws(AccountError) -> HashQueue.Ticket? {
        var dropped: CheckedContinuation<Void, any Error>?
        let entry = state.withLock { state -> HashQueue.Entry in
            let entry = state.queue.enter(client)
            guard case .waits(let ticket, let other) = entry else { return entry }
            state.waiting[ticket] = .some(nil)
            if let other { dropped = state.settle(other, .failure(AccountError.overloaded)) }
            return entry
        }
        dropped?.resume(throwing: AccountError.overloaded)
        switch entry {
        case .begins: return nil
        case .waits(let ticket, _): return ticket
        case .refused: throw .overloaded
        }
    }

    private func wait(_ ticket: HashQueue.Ticket) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if let early = state.early.removeValue(forKey: ticket) { return early }
                    state.waiting[ticket] = .some(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                // A hash that has its place already keeps it.
                if state.waiting[ticket] != nil { state.queue.cancel(ticket) }
                return state.settle(ticket, .failure(CancellationError()))
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Changes the queue, and lets begin what begins now.
    private func resume(_ change: (inout HashQueue) -> [HashQueue.Ticket]) {
        let next = state.withLock { state in
            change(&state.queue).compactMap { state.settle($0, .success(())) }
        }
        for continuation in next { continuation.resume() }
    }
}
