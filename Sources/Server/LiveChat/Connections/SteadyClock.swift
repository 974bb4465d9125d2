package import ChatCore

/// A time that never goes back, made from times of a wall clock that may.
///
/// Calls may arrive slightly out of order, because each took its time before it waited for the lock: such a time counts
/// as the newest one. A larger step back means that the wall clock was set. No time passes with that step, and from there
/// on the steady time runs ahead of the wall clock, so leases neither end early nor live longer. A wall clock that is set
/// forward looks like a pause of the machine, so leases end, as they must after a pause.
package struct SteadyClock: Sendable {
    /// The largest step back that counts as calls out of order.
    package static let tolerance = Duration.seconds(5)

    private var newest: Timestamp?
    /// How much the steady time is ahead of the wall clock.
    private var lead = Duration.zero

    package init() {}

    /// Takes the wall clock's time, and returns the steady time.
    package mutating func advance(to wallTime: Timestamp) -> Timestamp {
        if let newest, wallTime < newest {
            guard newest - wallTime > Self.tolerance else { return newest + lead }
            lead += newest - wallTime
        }
        newest = wallTime
        return wallTime + lead
    }

    /// Returns a time of a wall clock as a steady time.
    package func steadyTime(of wallTime: Timestamp) -> Timestamp { wallTime + lead }

    /// Returns a steady time as the wall clock shows it now.
    package func wallTime(of steadyTime: Timestamp) -> Timestamp {
        steadyTime + (.zero - lead)
    }
}
