package import ChatCore
import Synchronization

/// The database's clock, as a node knows it without asking: nodes whose own clocks differ agree about what is past.
///
/// Each heartbeat measures it; the uncertainty is half the time of the round trip. In between, this machine's clock that
/// nobody sets carries it on.
package final class DatabaseClock: Sendable {
    private struct Measurement {
        let time: Timestamp
        let taken: ContinuousClock.Instant
        let uncertainty: Duration
    }

    /// How much uncertainty a measurement gains while it ages, as a part of the age.
    private static let drift = 1_000

    private let last = Mutex<Measurement?>(nil)
    /// The latest time that was told: a better measurement does not let time run back.
    private let told = Mutex<Timestamp?>(nil)
    /// What is corrected all the same: the database's clock was set.
    private static let correction = Duration.seconds(1)

    package init() {}

    /// Takes in the time that the database gave in a round trip.
    ///
    /// A worse measurement than the last one is left out, unless that one is old.
    package func note(
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
