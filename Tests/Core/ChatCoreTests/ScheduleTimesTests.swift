import ChatCore
import Testing

@Suite struct ScheduleTimesTests {
    private func times(_ days: [ScheduleTimes.Day], _ time: String, _ zone: String = "Europe/Berlin") throws
        -> ScheduleTimes
    {
        let minute = try #require(ScheduleTimes.minute(time))
        return try #require(ScheduleTimes(days: Set(days), minute: minute, timeZone: zone))
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }

    /// 2026-11-02 is a Monday; Berlin is an hour ahead of UTC in winter and two in summer.
    @Test(arguments: [
        ("2026-11-01T12:00:00Z", "2026-11-02T08:00:00.000Z"), ("2026-11-02T07:59:59Z", "2026-11-02T08:00:00.000Z"),
        ("2026-11-02T08:00:00Z", "2026-11-09T08:00:00.000Z"), ("2026-07-05T22:30:00Z", "2026-07-06T07:00:00.000Z"),
    ])
    func findsTheNextMonday(_ after: String, _ wanted: String) throws {
        #expect(try times([.monday], "09:00").next(after: try moment(after))?.iso8601 == wanted)
    }

    @Test func findsTheLastTimeThroughAMoment() throws {
        let times = try times([.monday, .friday], "09:00")

        #expect(times.last(through: try moment("2026-11-02T08:00:00Z"))?.iso8601 == "2026-11-02T08:00:00.000Z")
        #expect(times.last(through: try moment("2026-11-02T07:59:59Z"))?.iso8601 == "2026-10-30T08:00:00.000Z")
    }

    /// On 2026-03-29 clocks in Berlin go from 02:00 to 03:00.
    @Test func movesATimeThatClocksSkip() throws {
        let times = try times(ScheduleTimes.Day.allCases, "02:30")

        #expect(times.next(after: try moment("2026-03-28T12:00:00Z"))?.iso8601 == "2026-03-29T01:30:00.000Z")
        #expect(times.next(after: try moment("2026-03-29T01:30:00Z"))?.iso8601 == "2026-03-30T00:30:00.000Z")
    }

    /// On 2026-10-25 clocks in Berlin go from 03:00 to 02:00.
    @Test func takesATimeThatIsThereTwiceOnce() throws {
        let times = try times(ScheduleTimes.Day.allCases, "02:30")

        #expect(times.next(after: try moment("2026-10-24T12:00:00Z"))?.iso8601 == "2026-10-25T00:30:00.000Z")
        #expect(times.next(after: try moment("2026-10-25T00:30:00Z"))?.iso8601 == "2026-10-26T01:30:00.000Z")
        #expect(times.last(through: try moment("2026-10-25T01:30:00Z"))?.iso8601 == "2026-10-25T00:30:00.000Z")
    }

    /// Each day has one time, in order, in zones with changes of an hour, of half an hour, and at midnight.
    @Test(
        arguments: ["Europe/Berlin", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "Asia/Kolkata", "UTC"],
        ["00:00", "02:15", "23:59"])
    func goesOnceADayThroughAYear(_ zone: String, _ time: String) throws {
        let times = try times(ScheduleTimes.Day.allCases, time, zone)
        var place = try #require(times.next(after: try moment("2026-01-01T12:00:00Z")))
        var count = 1

        let end = try moment("2027-01-01T12:00:00Z")
        while let next = times.next(after: place), next <= end {
            #expect(next > place && next - place <= .seconds(26 * 3_600) && next - place >= .seconds(22 * 3_600))
            #expect(times.last(through: next) == next)
            (place, count) = (next, count + 1)
        }

        #expect(count == 365)
    }

    @Test func refusesWhatIsNoTime() {
        #expect(ScheduleTimes(days: [], minute: 0, timeZone: "UTC") == nil)
        #expect(ScheduleTimes(days: [.monday], minute: 1_440, timeZone: "UTC") == nil)
        #expect(ScheduleTimes(days: [.monday], minute: 0, timeZone: "Mars/Base") == nil)
        for text in ["9:00", "24:00", "09:60", "0900", "ab:cd", ""] { #expect(ScheduleTimes.minute(text) == nil) }
    }

    @Test func showsItsTimeAndHowOftenItIs() throws {
        let times = try times([.monday, .thursday], "07:05")

        #expect(times.timeText == "07:05")
        #expect((times.runsPerMonth * 10).rounded() / 10 == 8.7)
    }
}
