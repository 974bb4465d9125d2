import ChatCore
import Prompting
import Testing

@Suite("PromptDate")
struct PromptDateTests {
    @Test(
        "Writes weekday, day, time and distance from UTC",
        arguments: [
            ("2025-10-23T10:30:59.999999Z", nil, "Thursday, 2025-10-23 10:30 (UTC)"),
            ("2025-10-23T10:30:00Z", "Europe/Berlin", "Thursday, 2025-10-23 12:30 (UTC+02:00)"),
            ("2025-12-31T23:30:00Z", "Europe/Berlin", "Thursday, 2026-01-01 00:30 (UTC+01:00)"),
            ("2025-03-01T02:00:00Z", "America/New_York", "Friday, 2025-02-28 21:00 (UTC-05:00)"),
            ("2024-02-29T20:00:00Z", "Asia/Kolkata", "Friday, 2024-03-01 01:30 (UTC+05:30)"),
            ("1969-12-31T23:59:59.500Z", nil, "Wednesday, 1969-12-31 23:59 (UTC)"),
            ("2025-10-23T10:30:00Z", "Mars/Olympus", "Thursday, 2025-10-23 10:30 (UTC)"),
        ])
    func writes(moment: String, zone: String?, text: String) throws {
        #expect(PromptDate(timeZone: zone).dayAndTime(try #require(Timestamp(iso8601: moment))) == text)
    }

    @Test("Writes the ends of time without a trap", arguments: [Int64.min, .max])
    func survivesExtremes(microseconds: Int64) {
        let text = PromptDate(timeZone: "Asia/Tokyo").day(Timestamp(microseconds: microseconds))
        #expect(text.hasSuffix("(UTC+09:00)") || text.contains("(UTC+09:"))
    }

    @Test("Knows zones by name")
    func knowsZones() {
        #expect(PromptDate.isTimeZone("Europe/Berlin"))
        #expect(!PromptDate.isTimeZone("Mars/Olympus"))
        #expect(!PromptDate.isTimeZone(""))
    }
}
