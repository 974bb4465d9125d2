import ChatCore
import TextAnalysis

/// Times of invented messages: those of the clock in a zone, as `2026-10-12T09:14`.
enum ClockTime {
    /// Returns the moment of a time; nil for a time or a zone that cannot be read.
    static func moment(_ text: String, in zone: String) -> Timestamp? {
        guard let time = WallTime(iso8601: text + ":00"), var clock = ZoneClock(zone: zone) else { return nil }
        return clock.moment(of: time)
    }

    /// Returns what is wrong with times and their zone; nil for nothing.
    static func fault(of times: [String], in zone: String) -> String? {
        if ZoneClock(zone: zone) == nil { return "timeZone must be a known zone" }
        return times.contains { moment($0, in: zone) == nil } ? "sentAt must be a time as 2026-10-12T09:14" : nil
    }
}
