import Synchronization

/// Lets something through at most once in a while, the first time at once.
final class Pace: Sendable {
    private let interval: Duration
    private let next: Mutex<ContinuousClock.Instant>

    init(interval: Duration) {
        self.interval = interval
        next = Mutex(.now)
    }

    /// Whether it is time again; the next time begins now then.
    func isDue() -> Bool {
        next.withLock { next in
            let now = ContinuousClock.now
            guard now >= next else { return false }
            next = now + interval
            return true
        }
    }
}
