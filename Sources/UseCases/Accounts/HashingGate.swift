import Synchronization

/// Lets hashes run in the order of a ``HashQueue``.
final class HashingGate: Sendable {
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

    private let state: Mutex<State>

    init(_ queue: HashQueue) {
        state = Mutex(State(queue: queue))
    }

    /// The number of hashes that wait.
    var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Runs work when it is its turn.
    ///
    /// - Throws: ``AccountError/overloaded`` if too much waits, `CancellationError`, errors of the work.
    func run<Value: Sendable>(
        for client: HashClient, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        if let ticket = try enter(client) { try await wait(ticket) }
        defer { leave(client) }
        return try await work()
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

    private func leave(_ client: HashClient) {
        let next = state.withLock { state in
            state.queue.leave(client).compactMap { state.settle($0, .success(())) }
        }
        for continuation in next { continuation.resume() }
    }
}
