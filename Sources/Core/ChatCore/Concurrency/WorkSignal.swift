import Synchronization

/// Wakes loops that have work to do: on a signal, or at a given time.
public final class WorkSignal: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// How often it was signalled.
    public var count: Int { state.withLock { $0.count } }

    /// Wakes all loops.
    public func signal() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until it was signalled more often than `count`, or until `timeout`; nil for no time-out.
    ///
    /// - Throws: `CancellationError`.
    public func wait(after count: Int, timeout: Duration? = nil) async throws {
        guard let timeout else { return try await wait(after: count) }
        guard timeout > .zero else { return }
        do {
            try await withTimeLimit(timeout) { try await self.wait(after: count) }
        } catch is TimeLimitExceeded {}
    }

    private func wait(after count: Int) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.count <= count, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// The longest sleep: a changed wall clock or a suspended machine delays work by at most this.
    private static let longestSleep = Duration.seconds(60)
    /// How long to wait after a failure.
    private static let failurePause = Duration.seconds(5)

    /// Runs `body` now, after every signal, and when it asks for it, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - failed: Called with the first of several consecutive errors.
    ///   - body: Does all due work; returns how long to wait for the next known work, nil for none.
    public func repeating(
        failed: (any Error) -> Void, _ body: () async throws -> Duration?
    ) async {
        var isFailing = false
        while !Task.isCancelled {
            let seen = count
            var pause: Duration?
            do {
                pause = try await body()
                isFailing = false
            } catch is CancellationError {
                return
            } catch {
                if !isFailing { failed(error) }
                isFailing = true
                pause = Self.failurePause
            }
            try? await wait(after: seen, timeout: pause.map { min($0, Self.longestSleep) })
        }
    }
}
