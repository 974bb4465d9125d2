import ChatCore
import Synchronization

/// The form of times in headers (RFC 9110, section 5.6.7): `Thu, 23 Oct 2025 10:30:00 GMT`.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the moment, cut to seconds; moments before 1970 become the start of 1970.
    static func text(_ moment: Timestamp) -> String {
        let seconds = max(0, moment.milliseconds / 1_000)
        let day = seconds / 86_400
        let (year, month, dayOfMonth) = Timestamp.civilDate(dayNumber: day)
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
        return "\(days[Int(day % 7)]), \(twoDigits(dayOfMonth)) \(months[Int(month - 1)]) \(year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The text of the present second, made once a second.
final class HTTPDateCache: Sendable {
    private let latest = Mutex((second: Int64.min, text: ""))

    /// Returns ``HTTPDate/text(_:)``.
    func text(_ moment: Timestamp) -> String {
        let second = moment.milliseconds / 1_000
        return latest.withLock { latest in
            if latest.second != second { latest = (second, HTTPDate.text(moment)) }
            return latest.text
        }
    }
}
