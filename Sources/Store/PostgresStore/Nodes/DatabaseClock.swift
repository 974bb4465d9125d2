package import ChatCore
import MessageStore
import Synchronization

/// A node's estimate of the database's clock, so that nodes whose own clocks differ agree about the time.
///
/// Each heartbeat measures it; the uncertainty is half the time of the round trip. Between heartbeats it advances with
/// this machine's continuous clock, which nobody sets.
package final class DatabaseClock: Sendable {
    private struct Measurement {
        let time: Timestamp
        let taken: ContinuousClock.Instant
        let uncertainty: Duration
    }

    /// The uncertainty of a measurement grows by one part in this many of its age.
    private static let drift = 1_000

    private let last = Mutex<Measurement?>(nil)
    /// The latest time that was returned: a better measurement does not make time run back.
    private let told = Mutex<Timestamp?>(nil)
    /// A step back of this size is accepted, because the database's clock was set.
    private static let correction = Duration.seconds(1)

    package init() {}

    /// Notes the time that the database returned in a round trip.
    ///
    /// A measurement that is worse than the last one is ignored, unless the last one is old.
    package func learn(
        _ time: Timestamp, askedAt start: ContinuousClock.Instant, answeredAt end: ContinuousClock.Instant
    ) {
        let uncertainty = (end - start) / 2
        last.withLock { last in
            if let known = last, known.uncertainty + (end - known.taken) / Self.drift < uncertainty { return }
            last = Measurement(time: time, taken: start + uncertainty, uncertainty: uncertainty)
        }
    }

    /// The present time; that of this machine's clock before the first measurement.
    package func now(_ instant: ContinuousClock.Instant = .now) -> Timestamp {
        guard let known = last.withLock({ $0 }) else { return .systemNow() }
        let time = known.time + (instant - known.taken)
        return told.withLock { told in
            if let before = told, time < before, before < time + Self.correction { return before }
            told = time
            return time
        }
    }
}
