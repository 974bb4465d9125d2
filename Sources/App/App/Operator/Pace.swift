import Synchronization

/// Allows something once per interval, the first time at once.
final class Pace: Sendable {
    private let interval: Duration
    private let next: Mutex<ContinuousClock.Instant>

    init(interval: Duration) {
        self.interval = interval
        next = Mutex(.now)
    }

    /// Whether the interval is over; if so, the next one begins now.
    func isDue() -> Bool {
        next.withLock { next in
            let now = ContinuousClock.now
            guard now >= next else { return false }
            next = now + interval
            return true
        }
    }
}
