import ChatCore
import Synchronization

/// Ends the waits of many connections with one timer, within a second after they are due.
///
/// A timer for each wait would be made and cancelled with every message, for every member of its conversation.
final class CoarseTimer: Sendable {
    private static let interval = Duration.seconds(1)

    private struct Wait {
        let signal: WorkSignal
        let end: ContinuousClock.Instant
    }

    private struct State {
        var isRunning = false
        var waits: [Int: Wait] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Waits until a signal was given more often than `count`, or until the time is over.
    ///
    /// Short waits have timers of their own.
    ///
    /// - Throws: `CancellationError`.
    func wait(for signal: WorkSignal, after count: Int, timeout: Duration) async throws {
        let end = ContinuousClock.now + timeout
        let id = state.withLock { state -> Int? in
            guard state.isRunning, timeout > Self.interval * 2 else { return nil }
            state.last += 1
            state.waits[state.last] = Wait(signal: signal, end: end)
            return state.last
        }
        guard let id else { return try await signal.wait(after: count, timeout: timeout) }
        defer { state.withLock { _ = $0.waits.removeValue(forKey: id) } }
        try await signal.wait(after: count)
    }

    /// Ends the waits that are due, until the task is cancelled.
    func run() async {
        state.withLock { $0.isRunning = true }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            let moment = ContinuousClock.now
            let due = state.withLock { state in state.waits.values.filter { $0.end <= moment }.map(\.signal) }
            for signal in due { signal.signal() }
        }
        let left = state.withLock { state in
            state.isRunning = false
            return state.waits.values.map(\.signal)
        }
        for signal in left { signal.signal() }
    }
}
