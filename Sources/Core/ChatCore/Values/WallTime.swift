import Foundation

/// The time that a wall clock shows, without a zone.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Seconds from 1970-01-01 00:00 to it, as if it were UTC.
    public let seconds: Int64

    /// Makes a wall time of the Gregorian calendar; nil for a day or time that does not exist.
    ///
    /// - Parameters:
    ///   - year: With all its digits.
    ///   - month: 1 to 12.
    ///   - day: From 1.
    ///   - hour: 0 to 23.
    ///   - minute: 0 to 59.
    ///   - second: 0 to 59.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Timestamp.dayCount(year: Int64(year), month: Int64(month)),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        let days = Timestamp.dayNumber(year: Int64(year), month: Int64(month), day: Int64(day))
        seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Reads `2025-10-23T10:30:00`; nil when the text is anything else.
    public init?(iso8601 text: String) {
        guard let moment = Timestamp(iso8601: text + "Z") else { return nil }
        seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
    }

    /// Makes the time of a minute of a day; nil for a year that the calendar does not have.
    ///
    /// - Parameters:
    ///   - day: Counted from 1970-01-01.
    ///   - minute: 0 to 1439.
    init?(day: Int64, minute: Int) {
        let date = Timestamp.civilDate(dayNumber: day)
        self.init(
            year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: minute / 60, minute: minute % 60,
            second: 0)
    }

    /// Orders wall times by the time that they show.
    public static func < (left: WallTime, right: WallTime) -> Bool { left.seconds < right.seconds }
}

/// Converts wall times of a zone to moments.
public struct ZoneClock {
    private let zone: TimeZone
    /// A day and the zone's offsets around it: clocks change on few days, and histories are read day by day.
    private var known: (day: Int64, before: Int64, after: Int64)?

    /// Takes an IANA name; nil for an unknown one.
    public init?(zone name: String) {
        guard let zone = TimeZone(named: name) else { return nil }
        self.zone = zone
    }

    /// Returns the first moment at which the clocks showed `time`; if they never did, the moment at which they would
    /// have shown it without the change.
    public mutating func moment(of time: WallTime) -> Timestamp { moments(of: time).first }

    /// Returns the moments at which the clocks showed `time`: two in the hour that repeats when clocks are put back.
    ///
    /// If they never showed it, `first` is the moment at which they would have without the change.
    public mutating func moments(of time: WallTime) -> (first: Timestamp, second: Timestamp?) {
        let (before, after) = offsets(around: time)
        let first = time.seconds - before
        let second = time.seconds - after
        guard before != after, offset(at: second) == after else { return (Self.moment(first), nil) }
        guard offset(at: first) == before else { return (Self.moment(second), nil) }
        return (Self.moment(first), Self.moment(second))
    }

    private static func moment(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

    private mutating func offsets(around time: WallTime) -> (before: Int64, after: Int64) {
        let day = time.seconds.quotient(flooringBy: 86_400)
        if let known, known.day == day { return (known.before, known.after) }
        let before = offset(at: (day - 1) * 86_400)
        let after = offset(at: (day + 2) * 86_400)
        known = (day, before, after)
        return (before, after)
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
    }
}
