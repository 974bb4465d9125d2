import ChatCore
import Foundation

/// The quiet hours of people.
enum QuietTime {
    /// Whether a moment lies in the quiet hours of a person's settings; a span without length is none.
    static func contains(_ moment: Timestamp, of settings: PersonalSettings) -> Bool {
        guard let hours = settings.quietHours, hours.start != hours.end else { return false }
        let zone = settings.timeZone.flatMap { TimeZone(named: $0) } ?? .gmt
        let seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
        let day = (seconds + Int64(offset)).quotient(flooringBy: 86_400) * 86_400
        let minute = Int((seconds + Int64(offset) - day) / 60)
        return hours.start < hours.end
            ? (hours.start..<hours.end).contains(minute) : minute >= hours.start || minute < hours.end
    }
}
