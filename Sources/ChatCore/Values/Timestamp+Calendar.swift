/// Times that a calendar with years of four digits can name.
///
/// Only such times are read and stored; whatever else a row holds is shown as the nearest of them, so that one bad row
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

    /// What is said of a field with another time.
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
