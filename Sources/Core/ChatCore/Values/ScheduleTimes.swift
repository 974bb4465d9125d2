import Foundation

/// A time of the day on some days of the week, in a time zone.
///
/// A time that clocks skip is moved by the time that they skip: 02:30 becomes 03:30. Of a time that clocks show twice the
/// first one counts.
public struct ScheduleTimes: Hashable, Sendable {
    /// A day of the week.
    public enum Day: Int, Hashable, Sendable, CaseIterable, Comparable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday

        /// Orders the days from Monday.
        public static func < (left: Day, right: Day) -> Bool { left.rawValue < right.rawValue }
    }

    /// The days; never empty.
    public let days: Set<Day>
    /// The minute of the day, 0 to 1439.
    public let minute: Int
    /// The IANA name of the zone.
    public let timeZone: String

    private static let secondsPerDay: Int64 = 86_400
    /// Later days are not looked at: each day of the week is among them, also if a zone skips one.
    private static let dayRange: ClosedRange<Int64> = -9...9

    /// Makes times; nil without a day, for a minute that no day has, and for an unknown zone.
    public init?(days: Set<Day>, minute: Int, timeZone: String) {
        guard !days.isEmpty, (0..<1_440).contains(minute), TimeZone(named: timeZone) != nil else { return nil }
        (self.days, self.minute, self.timeZone) = (days, minute, timeZone)
    }

    /// How often it is in a month, on average.
    public var runsPerMonth: Double { Double(days.count) * 365.25 / 7 / 12 }

    /// Returns the first time after a moment.
    public func next(after moment: Timestamp) -> Timestamp? { around(moment).first { $0 > moment } }

    /// Returns the last time that is not after a moment.
    public func last(through moment: Timestamp) -> Timestamp? { around(moment).last { $0 <= moment } }

    /// The times of the days around a moment, in order.
    private func around(_ moment: Timestamp) -> [Timestamp] {
        guard let zone = TimeZone(named: timeZone), var clock = ZoneClock(zone: timeZone) else { return [] }
        let seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
        let today = seconds.addingClamped(Int64(offset)).quotient(flooringBy: Self.secondsPerDay)
        return Self.dayRange.compactMap { distance in
            let day = today.addingClamped(distance)
            guard days.contains(Self.day(day)) else { return nil }
            return WallTime(day: day, minute: minute).map { clock.moment(of: $0) }
        }
    }

    /// The day of the week of a day that is counted from 1970-01-01, a Thursday.
    private static func day(_ number: Int64) -> Day {
        Day(rawValue: Int((number % 7 + 10) % 7)) ?? .monday
    }
}

extension ScheduleTimes {
    /// Reads a minute of the day such as `09:00`; nil for anything else.
    public static func minute(_ text: String) -> Int? { PersonalSettings.QuietHours.minute(text) }

    /// The minute of the day as `09:00`.
    public var timeText: String { PersonalSettings.QuietHours.text(minute) }
}
