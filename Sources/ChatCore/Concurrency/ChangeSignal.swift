import Synchronization

/// The newest change of a store, for those who wait for a later one.
public final class ChangeSignal: Sendable {
    private struct State {
        /// Nil once it is closed.
        var newest: ChangeNumber?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterCount = 0
    }

    private let state: Mutex<State>

    /// Begins at a change.
    public init(_ newest: ChangeNumber) {
        state = Mutex(State(newest: newest))
    }

    /// The newest change that was told of; nil once it is closed.
    public var newest: ChangeNumber? { state.withLock { $0.newest } }

    /// Tells of a change, and wakes who waits.
    public func tell(_ number: ChangeNumber) {
        wake { state in
            guard let known = state.newest, known < number else { return false }
            state.newest = number
            return true
        }
    }

    /// Wakes who waits, and lets nobody wait any more.
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

    /// Returns once there is a change after `number`, at once when there is one or when it is closed.
    ///
    /// - Parameter number: The change that is known.
    /// - Throws: `CancellationError`.
    public func wait(after number: ChangeNumber) async throws {
        while let newest, newest <= number {
            try Task.checkCancellation()
            await waitOnce(after: number)
        }
    }

    /// Waits for anything to happen.
    private func waitOnce(after number: ChangeNumber) async {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard let newest = state.newest, newest <= number, !Task.isCancelled else { return true }
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
