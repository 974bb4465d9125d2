import ChatCore

/// Converts the local times of an export, in the order of its file.
///
/// When clocks are put back an hour repeats, and a time in it means one of two moments. Exports are written in the order
/// of the messages, so a time before that of the message before belongs to the second pass of the hour.
struct LocalClock {
    /// How far a late message may stand behind a newer one.
    private static let disorder: Int64 = 60_000_000
    /// How far the message before may be ahead: beyond, the file is not in order, and says nothing.
    private static let reach: Int64 = 2 * 3_600_000_000

    private var zone: ZoneClock
    private var last: Timestamp?

    init(_ zone: ZoneClock) {
        self.zone = zone
    }

    /// Returns the moment of the next message.
    mutating func moment(of time: WallTime) -> Timestamp {
        let moment = choice(of: time, after: last, disorder: Self.disorder)
        last = moment
        return moment
    }

    /// Returns the moment of an edit, which is not before its message.
    mutating func moment(ofEdit time: WallTime, of message: Timestamp) -> Timestamp {
        choice(of: time, after: message, disorder: 0)
    }

    private mutating func choice(of time: WallTime, after last: Timestamp?, disorder: Int64) -> Timestamp {
        let (first, second) = zone.moments(of: time)
        guard let second, let last else { return first }
        let lag = last.microseconds.subtractingClamped(first.microseconds)
        return lag > disorder && lag <= Self.reach ? second : first
    }
}
