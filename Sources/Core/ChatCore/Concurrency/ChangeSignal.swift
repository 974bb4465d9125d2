import Synchronization

/// The end of a store's change log, for tasks that wait for the next change.
public final class ChangeSignal: Sendable {
    private struct State {
        /// Nil once it is closed.
        var newest: ChangeCursor?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterCount = 0
    }

    private let state: Mutex<State>

    public init(_ newest: ChangeCursor) {
        state = Mutex(State(newest: newest))
    }

    /// The latest end; nil once it is closed.
    public var newest: ChangeCursor? { state.withLock { $0.newest } }

    /// Moves the end, and wakes all waiting tasks; an earlier end changes nothing.
    public func tell(_ end: ChangeCursor) {
        wake { state in
            guard let known = state.newest, !known.reaches(end) else { return false }
            state.newest = end
            return true
        }
    }

    /// Wakes all waiting tasks, and lets no task wait any more.
    public func close() {
        wake { state in
            state.newest = nil
            return true
        }
    }

    private func wake(_ change: (inout sending State) -> Bool) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard change(&state) else { return [] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until there is a change after a cursor, or until the signal is closed.
    ///
    /// - Throws: `CancellationError`.
    public func wait(after cursor: ChangeCursor) async throws {
        while let newest, cursor.reaches(newest) {
            try Task.checkCancellation()
            await waitOnce(after: cursor)
        }
    }

    /// Waits for any change of the state.
    private func waitOnce(after cursor: ChangeCursor) async {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard let newest = state.newest, cursor.reaches(newest), !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
