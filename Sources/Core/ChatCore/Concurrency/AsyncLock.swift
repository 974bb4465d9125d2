import Synchronization

/// Lets one asynchronous operation run at a time, in the order of arrival.
///
/// An actor cannot do this because it lets others in while it awaits.
public final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Runs `operation` when all earlier ones have ended.
    public func run<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        await enter()
        defer { leave() }
        return try await operation()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
