import ChatCore
import Testing

struct QuietHoursTests {
    private func isQuiet(
        _ time: String, _ start: String = "22:00", _ end: String = "07:00", zone: String? = "Europe/Berlin"
    ) throws -> Bool {
        let hours = try #require(PersonalSettings.QuietHours(start: start, end: end))
        let moment = try #require(Timestamp(iso8601: time))
        return PersonalSettings(timeZone: zone, quietHours: hours).isQuiet(at: moment)
    }

    @Test(arguments: [
        ("2026-01-15T20:59:59Z", false), ("2026-01-15T21:00:00Z", true), ("2026-01-15T23:30:00Z", true),
        ("2026-01-16T05:59:59Z", true), ("2026-01-16T06:00:00Z", false),
        // In summer the same wall clock is an hour earlier in UTC.
        ("2026-07-15T19:59:59Z", false), ("2026-07-15T20:00:00Z", true), ("2026-07-16T05:00:00Z", false),
    ])
    func theyPassMidnightInThePersonsZone(time: String, isExpected: Bool) throws {
        #expect(try isQuiet(time) == isExpected)
    }

    @Test func theEndFollowsTheWallClockWhenClocksChange() throws {
        // On 29 March 2026 clocks go from 02:00 to 03:00 at 01:00 UTC, on 25 October from 03:00 to 02:00.
        #expect(try isQuiet("2026-03-29T04:59:59Z"))
        #expect(try !isQuiet("2026-03-29T05:00:00Z"))
        #expect(try isQuiet("2026-10-25T05:59:59Z"))
        #expect(try !isQuiet("2026-10-25T06:00:00Z"))
        // An hour that does not exist is not quiet, and one that exists twice is quiet twice.
        #expect(try !isQuiet("2026-03-29T00:59:59Z", "02:00", "03:00"))
        #expect(try !isQuiet("2026-03-29T01:00:00Z", "02:00", "03:00"))
        #expect(try isQuiet("2026-10-25T00:30:00Z", "02:00", "03:00"))
        #expect(try isQuiet("2026-10-25T01:30:00Z", "02:00", "03:00"))
        #expect(try !isQuiet("2026-10-25T02:00:00Z", "02:00", "03:00"))
    }

    @Test func anUnknownZoneAndNoneAreUTC() throws {
        for zone in ["Mars/Olympus", nil] {
            #expect(try isQuiet("2026-01-15T22:00:00Z", zone: zone))
            #expect(try !isQuiet("2026-01-15T21:30:00Z", zone: zone))
        }
        #expect(try isQuiet("1969-12-31T23:59:59Z", zone: nil))
        #expect(!PersonalSettings().isQuiet(at: Timestamp(microseconds: 0)))
        #expect(try !isQuiet("2026-01-15T12:00:00Z", "12:01", "12:30", zone: nil))
        #expect(try isQuiet("2026-01-15T12:01:00Z", "12:01", "12:30", zone: nil))
        #expect(PersonalSettings(quietHours: .init(start: 5, end: 5)).isQuiet(at: Timestamp(microseconds: 0)) == false)
    }

    @Test(arguments: ["24:00", "7:00", "07:60", "07:00:00", "", "ab:cd", "07-00", "+1:00"])
    func otherTimesAreRefused(text: String) {
        #expect(PersonalSettings.QuietHours(start: text, end: "07:00") == nil)
        #expect(PersonalSettings.QuietHours(start: "22:00", end: text) == nil)
    }

    @Test func timesAreWrittenAsTheyAreRead() throws {
        let hours = try #require(PersonalSettings.QuietHours(start: "00:05", end: "23:59"))
        #expect(hours == PersonalSettings.QuietHours(start: 5, end: 1_439))
        #expect(hours.startText == "00:05" && hours.endText == "23:59")
        #expect(PersonalSettings.QuietHours(start: "07:00", end: "07:00") == nil)
    }
}
