import Synchronization

/// Does something once per interval, the first time at once.
///
/// What takes long is done less often: counting a million messages must not take most of a command's time.
package final class Pace: Sendable {
    /// How many times as long as the work takes the next one waits at least.
    private static let restFactor = 20

    private let interval: Duration
    private let next: Mutex<ContinuousClock.Instant>

    /// - Parameter interval: The least time from one beginning to the next.
    package init(interval: Duration) {
        self.interval = interval
        next = Mutex(.now)
    }

    /// Does the work if the interval is over.
    package func whenDue(_ work: () async throws -> Void) async rethrows {
        guard isDue() else { return }
        let start = ContinuousClock.now
        try await work()
        let end = ContinuousClock.now
        next.withLock { next in next = max(next, end + (end - start) * Self.restFactor) }
    }

    /// Whether the interval is over; if so, the next one begins now.
    package func isDue() -> Bool {
        next.withLock { next in
            let now = ContinuousClock.now
            guard now >= next else { return false }
            next = now + interval
            return true
        }
    }
}
