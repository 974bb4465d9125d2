package import ChatCore
import Foundation

/// Writes moments in the form for the model: `Thursday, 2025-10-23 12:30 (UTC+02:00)`.
///
/// The weekday is included because models calculate badly, and people write "by Friday".
package struct PromptDate: Sendable {
    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    private let zone: TimeZone?

    /// Makes a writer for an IANA zone; UTC for no zone or an unknown one.
    package init(timeZone: String?) {
        zone = timeZone.flatMap { TimeZone(named: $0) }
    }

    /// Returns whether `name` is a zone that dates can be written in.
    package static func isTimeZone(_ name: String) -> Bool {
        TimeZone(named: name) != nil
    }

    /// Returns the day of a moment, such as `Thursday, 2025-10-23 (UTC+02:00)`.
    package func day(_ moment: Timestamp) -> String {
        let (date, _, offset) = parts(moment)
        return "\(date) (\(offset))"
    }

    /// Returns the day and the time of a moment, to the minute.
    package func dayAndTime(_ moment: Timestamp) -> String {
        let (date, time, offset) = parts(moment)
        return "\(date) \(time) (\(offset))"
    }

    /// Returns the day of a moment without its name: `2025-10-23`.
    func shortDay(_ moment: Timestamp) -> String { String(parts(moment).date.suffix(10)) }

    /// Returns the day and the time of a moment in fewer tokens, without the zone: `Thu 2025-10-23 12:30`.
    func shortDayAndTime(_ moment: Timestamp) -> String {
        let (date, time, _) = parts(moment)
        return "\(date.prefix(3)) \(date.suffix(10)) \(time)"
    }

    /// Returns the time of a moment, to the minute: `12:30`.
    func time(_ moment: Timestamp) -> String { parts(moment).time }

    private func parts(_ moment: Timestamp) -> (date: String, time: String, offset: String) {
        let seconds = moment.milliseconds / 1_000 - (moment.milliseconds % 1_000 < 0 ? 1 : 0)
        let shift = zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) ?? 0
        let local = seconds + Int64(shift)
        let day = local / 86_400 - (local % 86_400 < 0 ? 1 : 0)
        let minute = (local - day * 86_400) / 60
        let (year, month, dayOfMonth) = Timestamp.civilDate(dayNumber: day)
        let weekday = Self.weekdays[Int(((day + 4) % 7 + 7) % 7)]
        let date = "\(weekday), \(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        return (date, "\(padded(minute / 60, 2)):\(padded(minute % 60, 2))", Self.offset(shift))
    }

    private static func offset(_ seconds: Int) -> String {
        guard seconds != 0 else { return "UTC" }
        let minutes = Int64(seconds.magnitude / 60)
        return "UTC\(seconds < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }
}

/// Writes `value` with at least `width` digits.
private func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
}
