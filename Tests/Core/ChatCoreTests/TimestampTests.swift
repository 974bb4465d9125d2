import ChatCore
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2025-10-23T10:30:00.123456Z", 1_761_215_400_123_456),
        ("2025-10-23T12:30:00+02:00", 1_761_215_400_000_000),
        ("2025-10-23 10:30Z", 1_761_215_400_000_000),
        ("1969-12-31T23:59:59.5Z", -500_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
    ])
    func readsISO8601(text: String, microseconds: Int64) throws {
        let moment = try #require(Timestamp(iso8601: text))

        #expect(moment.microseconds == microseconds)
    }

    @Test(arguments: [
        "0000-12-31T23:59:59Z", "0001-01-01T00:30:00+01:00", "9999-12-31T23:59:60Z", "9999-12-31T23:30:00-01:00",
        "10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
    ])
    func refusesYearsThatAreNotOfFourDigitsInUTC(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(
        arguments: [
            (Int64.min, "0001-01-01T00:00:00.000Z"), (-62_135_596_800_000_001, "0001-01-01T00:00:00.000Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000_000, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func writesOnlyWhatItReads(microseconds: Int64, text: String) {
        let moment = Timestamp(microseconds: microseconds)

        #expect(moment.iso8601 == text)
        #expect(Timestamp(iso8601: text) != nil)
        #expect(moment.isOnCalendar == (moment.onCalendar == moment))
    }

    @Test(arguments: [
        "", "yesterday", "2025-10-23", "2025-10-23T10:30:00", "2025-13-01T00:00:00Z", "2025-02-29T00:00:00Z",
        "2025-10-23T24:00:00Z", "2025-10-23T10:60:00Z", "2025-10-23T10:30:00Zx", "20251023T103000Z",
    ])
    func refusesWhatIsNoMoment(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(arguments: [0, 1_761_215_400_123_000, -500_000, 951_782_400_000_000] as [Int64])
    func writesWhatItReads(microseconds: Int64) throws {
        let moment = Timestamp(microseconds: microseconds)

        #expect(Timestamp(iso8601: moment.iso8601) == moment)
    }

    @Test func writesMillisecondsInUTC() {
        #expect(Timestamp(microseconds: 1_761_215_400_000_000).iso8601 == "2025-10-23T10:30:00.000Z")
        #expect(Timestamp(microseconds: -1).iso8601 == "1969-12-31T23:59:59.999Z")
    }

    @Test func additionStaysAtTheEndOfTheRange() {
        #expect(Timestamp(microseconds: .max) + .seconds(1) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: 5) + .milliseconds(2) == Timestamp(microseconds: 2_005))
    }
}
