/// A moment in UTC with a resolution of one microsecond.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before.
    public let microseconds: Int64

    /// Makes a moment from microseconds since 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a moment from milliseconds since 1970; a value beyond the range of the type is clamped.
    public init(milliseconds: Int64) {
        self.microseconds = milliseconds.multipliedClamped(by: 1_000)
    }

    /// Milliseconds since 1970, rounded down.
    public var milliseconds: Int64 { microseconds.quotient(flooringBy: 1_000) }

    /// Whether a history contains the time: without one, conversations and memberships have 1970-01-01 until their
    /// first message is known.
    public var isKnown: Bool { microseconds != 0 }

    /// Orders moments by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Returns the moment that is `duration` later; a result beyond the range of the type is clamped.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let step = seconds.multipliedClamped(by: 1_000_000).addingClamped(attoseconds / 1_000_000_000_000)
        return Timestamp(microseconds: moment.microseconds.addingClamped(step))
    }

    /// Returns the time from `start` to `end`, at most the range of the type.
    public static func - (end: Timestamp, start: Timestamp) -> Duration {
        .microseconds(end.microseconds.subtractingClamped(start.microseconds))
    }
}

extension Int64 {
    /// Divides with the result rounded towards minus infinity, as calendars need.
    public func quotient(flooringBy divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

/// Times in a calendar with four-digit years.
///
/// Only such times are read and stored. Any other time in a row is shown as the nearest of them, so that one bad row
/// never breaks a list for clients that read ISO 8601.
extension Timestamp {
    /// The years 0001 to 9999.
    public static let calendar =
        Timestamp(microseconds: -62_135_596_800_000_000)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// The nearest moment of ``calendar``.
    public var onCalendar: Timestamp {
        min(max(self, Self.calendar.lowerBound), Self.calendar.upperBound)
    }

    /// Whether the moment lies in ``calendar``.
    public var isOnCalendar: Bool { Self.calendar.contains(self) }

    /// The error for a field with another time.
    public static let calendarRule = "must lie in the years 0001 to 9999"
}

extension Message {
    /// The first field with a time that is not on the calendar; nil when there is none.
    public var fieldOffCalendar: String? {
        if !timestamp.isOnCalendar { return "timestamp" }
        return editedAt?.isOnCalendar == false ? "editedAt" : nil
    }
}

extension Member {
    /// The first field with a time that is not on the calendar; nil when there is none.
    public var fieldOffCalendar: String? {
        if !joinedAt.isOnCalendar { return "joinedAt" }
        return leftAt?.isOnCalendar == false ? "leftAt" : nil
    }
}
