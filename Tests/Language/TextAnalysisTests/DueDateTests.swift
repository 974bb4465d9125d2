import ChatCore
import Testing
import TextAnalysis

/// One phrase with the moment it means.
struct DuePhrase: CustomTestStringConvertible, Sendable {
    let text: String
    /// What the clock of the zone shows at that moment; nil when there is no date to be found.
    let due: String?
    let zone: String
    let said: String

    var testDescription: String { text }

    init(_ text: String, _ due: String?, zone: String = "Europe/Berlin", said: String = "2025-10-22T07:15:00Z") {
        (self.text, self.due, self.zone, self.said) = (text, due, zone, said)
    }
}

@Suite("Due dates")
struct DueDateTests {
    /// Said on Wednesday, 22 October 2025 at 9:15 in Berlin, unless something else stands there.
    static let phrases: [DuePhrase] = [
        // Days
        DuePhrase("today", "2025-10-22T23:59:59"),
        DuePhrase("please do it tonight", "2025-10-22T23:59:59"),
        DuePhrase("tomorrow", "2025-10-23T23:59:59"),
        DuePhrase("the day after tomorrow", "2025-10-24T23:59:59"),
        DuePhrase("before tomorrow", "2025-10-22T23:59:59"),
        DuePhrase("heute noch", "2025-10-22T23:59:59"),
        DuePhrase("bis morgen", "2025-10-23T23:59:59"),
        DuePhrase("übermorgen", "2025-10-24T23:59:59"),
        DuePhrase("Guten Morgen zusammen", nil),
        // Weekdays
        DuePhrase("by Friday", "2025-10-24T23:59:59"),
        DuePhrase("Friday", "2025-10-24T23:59:59"),
        DuePhrase("by Fri", "2025-10-24T23:59:59"),
        DuePhrase("this Friday", "2025-10-24T23:59:59"),
        DuePhrase("next Friday", "2025-10-31T23:59:59"),
        DuePhrase("coming Monday", "2025-10-27T23:59:59"),
        DuePhrase("Wednesday", "2025-10-29T23:59:59"),
        DuePhrase("this Wednesday", "2025-10-22T23:59:59"),
        DuePhrase("this Monday", "2025-10-27T23:59:59"),
        DuePhrase("Friday next week", "2025-10-31T23:59:59"),
        DuePhrase("next week Tuesday", "2025-10-28T23:59:59"),
        DuePhrase("Friday week", "2025-10-31T23:59:59"),
        DuePhrase("a week from Friday", "2025-10-31T23:59:59"),
        DuePhrase("before Friday", "2025-10-23T23:59:59"),
        DuePhrase("bis Freitag", "2025-10-24T23:59:59"),
        DuePhrase("bis Fr. bitte", "2025-10-24T23:59:59"),
        DuePhrase("nächsten Freitag", "2025-10-31T23:59:59"),
        DuePhrase("kommenden Freitag", "2025-10-24T23:59:59"),
        DuePhrase("nächste Woche Montag", "2025-10-27T23:59:59"),
        DuePhrase("Freitag in zwei Wochen", "2025-11-07T23:59:59"),
        DuePhrase("last Friday", nil),
        DuePhrase("every Friday", nil),
        DuePhrase("letzten Montag", nil),
        DuePhrase("we sat there", nil),
        DuePhrase("so do it", nil),
        // Weeks and weekends
        DuePhrase("this week", "2025-10-24T23:59:59"),
        DuePhrase("this week", "2025-10-26T23:59:59", said: "2025-10-25T10:00:00Z"),
        DuePhrase("by the end of the week", "2025-10-24T23:59:59"),
        DuePhrase("EOW", "2025-10-24T23:59:59"),
        DuePhrase("next week", "2025-10-31T23:59:59"),
        DuePhrase("the week after next", "2025-11-07T23:59:59"),
        DuePhrase("early next week", "2025-10-28T23:59:59"),
        DuePhrase("beginning of next week", "2025-10-27T23:59:59"),
        DuePhrase("mid next week", "2025-10-29T23:59:59"),
        DuePhrase("over the weekend", "2025-10-26T23:59:59"),
        DuePhrase("before the weekend", "2025-10-24T23:59:59"),
        DuePhrase("next weekend", "2025-11-02T23:59:59"),
        DuePhrase("Ende der Woche", "2025-10-24T23:59:59"),
        DuePhrase("Anfang nächster Woche", "2025-10-27T23:59:59"),
        DuePhrase("übernächste Woche", "2025-11-07T23:59:59"),
        // Months, quarters, years
        DuePhrase("by the end of the month", "2025-10-31T23:59:59"),
        DuePhrase("EOM", "2025-10-31T23:59:59"),
        DuePhrase("end of next month", "2025-11-30T23:59:59"),
        DuePhrase("end of February", "2026-02-28T23:59:59"),
        DuePhrase("end of February", "2028-02-29T23:59:59", said: "2028-01-10T10:00:00Z"),
        DuePhrase("mid-November", "2025-11-15T23:59:59"),
        DuePhrase("early December", "2025-12-10T23:59:59"),
        DuePhrase("by November", "2025-11-30T23:59:59"),
        DuePhrase("before November", "2025-10-31T23:59:59"),
        DuePhrase("end of the quarter", "2025-12-31T23:59:59"),
        DuePhrase("by the end of Q1", "2026-03-31T23:59:59"),
        DuePhrase("Q2 2026", "2026-06-30T23:59:59"),
        DuePhrase("end of the year", "2025-12-31T23:59:59"),
        DuePhrase("next year", "2026-12-31T23:59:59"),
        DuePhrase("bis Monatsende", "2025-10-31T23:59:59"),
        DuePhrase("Ende des Monats", "2025-10-31T23:59:59"),
        DuePhrase("Mitte November", "2025-11-15T23:59:59"),
        DuePhrase("bis Jahresende", "2025-12-31T23:59:59"),
        // Distances
        DuePhrase("in 2 weeks", "2025-11-05T23:59:59"),
        DuePhrase("in two weeks", "2025-11-05T23:59:59"),
        DuePhrase("within 3 days", "2025-10-25T23:59:59"),
        DuePhrase("in a few days", "2025-10-25T23:59:59"),
        DuePhrase("in a couple of days", "2025-10-24T23:59:59"),
        DuePhrase("in 2-3 days", "2025-10-25T23:59:59"),
        DuePhrase("in 5 business days", "2025-10-29T23:59:59"),
        DuePhrase("in a month", "2025-11-22T23:59:59"),
        DuePhrase("in a month", "2026-02-28T23:59:59", said: "2026-01-31T10:00:00Z"),
        DuePhrase("two weeks from tomorrow", "2025-11-06T23:59:59"),
        DuePhrase("3 days from now", "2025-10-25T23:59:59"),
        DuePhrase("in an hour", "2025-10-22T10:15:00"),
        DuePhrase("in 30 minutes", "2025-10-22T09:45:00"),
        DuePhrase("in half an hour", "2025-10-22T09:45:00"),
        DuePhrase("in an hour and a half", "2025-10-22T10:45:00"),
        DuePhrase("in two and a half hours", "2025-10-22T11:45:00"),
        DuePhrase("in an hour and a minute", "2025-10-22T10:15:00"),
        DuePhrase("in an hour and half of them later", "2025-10-22T10:15:00"),
        DuePhrase("in anderthalb Stunden", "2025-10-22T10:45:00"),
        DuePhrase("in zweieinhalb Stunden", "2025-10-22T11:45:00"),
        DuePhrase("dans une heure et demie", "2025-10-22T10:45:00"),
        DuePhrase("en una hora y media", "2025-10-22T10:45:00"),
        DuePhrase("within 48h", "2025-10-24T09:15:00"),
        DuePhrase("in zwei Wochen", "2025-11-05T23:59:59"),
        DuePhrase("innerhalb von 3 Tagen", "2025-10-25T23:59:59"),
        DuePhrase("in 10 Werktagen", "2025-11-05T23:59:59"),
        DuePhrase("in einer Stunde", "2025-10-22T10:15:00"),
        DuePhrase("3 days ago", nil),
        // Dates
        DuePhrase("Dec 3", "2025-12-03T23:59:59"),
        DuePhrase("December 3rd, 2026", "2026-12-03T23:59:59"),
        DuePhrase("3rd of December", "2025-12-03T23:59:59"),
        DuePhrase("Oct 3", "2026-10-03T23:59:59"),
        DuePhrase("October 22", "2025-10-22T23:59:59"),
        DuePhrase("3.12.", "2025-12-03T23:59:59"),
        DuePhrase("bis 3.12. bitte", "2025-12-03T23:59:59"),
        DuePhrase("am 3.12.2026", "2026-12-03T23:59:59"),
        DuePhrase("version 3.12 is out", nil),
        DuePhrase("by 12/3", "2026-03-12T23:59:59"),
        DuePhrase("by 12/3", "2025-12-03T23:59:59", zone: "America/New_York"),
        DuePhrase("2025-12-03", "2025-12-03T23:59:59"),
        DuePhrase("2025-12-03T17:30", "2025-12-03T17:30:00"),
        DuePhrase("by the 15th", "2025-11-15T23:59:59"),
        DuePhrase("the 31st", "2025-10-31T23:59:59"),
        DuePhrase("am 15. ist Schluss", "2025-11-15T23:59:59"),
        DuePhrase("before the 15th", "2025-11-14T23:59:59"),
        DuePhrase("Feb 29", "2028-02-29T23:59:59"),
        DuePhrase("February 29, 2027", nil),
        DuePhrase("31.2.2026", nil),
        DuePhrase("am 3. Dezember", "2025-12-03T23:59:59"),
        // Times
        DuePhrase("tomorrow 5pm", "2025-10-23T17:00:00"),
        DuePhrase("5pm tomorrow", "2025-10-23T17:00:00"),
        DuePhrase("by 5 pm", "2025-10-22T17:00:00"),
        DuePhrase("by 9 am", "2025-10-23T09:00:00"),
        DuePhrase("by 5 p.m. on Friday", "2025-10-24T17:00:00"),
        DuePhrase("Friday at 17:30", "2025-10-24T17:30:00"),
        DuePhrase("on Friday, by noon", "2025-10-24T12:00:00"),
        DuePhrase("by noon", "2025-10-22T12:00:00"),
        DuePhrase("tomorrow morning", "2025-10-23T12:00:00"),
        DuePhrase("Friday afternoon", "2025-10-24T18:00:00"),
        DuePhrase("tomorrow at 3", "2025-10-23T15:00:00"),
        DuePhrase("tomorrow at 9", "2025-10-23T09:00:00"),
        DuePhrase("this afternoon", "2025-10-22T18:00:00"),
        DuePhrase("heute Nachmittag", "2025-10-22T18:00:00"),
        DuePhrase("EOD", "2025-10-22T23:59:59"),
        DuePhrase("by end of day Friday", "2025-10-24T23:59:59"),
        DuePhrase("COB tomorrow", "2025-10-23T17:00:00"),
        DuePhrase("close of business on Friday", "2025-10-24T17:00:00"),
        DuePhrase("morgen um 17 Uhr", "2025-10-23T17:00:00"),
        DuePhrase("bis Freitag 12:30 Uhr", "2025-10-24T12:30:00"),
        DuePhrase("morgen früh", "2025-10-23T12:00:00"),
        DuePhrase("bis 17.30 Uhr", "2025-10-22T17:30:00"),
        DuePhrase("Good morning, the afternoon is free", nil),
        // Japanese
        DuePhrase("明日までにお願いします", "2025-10-23T23:59:59", zone: "Asia/Tokyo"),
        DuePhrase("金曜日までに", "2025-10-24T23:59:59", zone: "Asia/Tokyo"),
        DuePhrase("来週の金曜まで", "2025-10-31T23:59:59", zone: "Asia/Tokyo"),
        DuePhrase("今月末", "2025-10-31T23:59:59", zone: "Asia/Tokyo"),
        DuePhrase("12月3日17時に", "2025-12-03T17:00:00", zone: "Asia/Tokyo"),
        DuePhrase("明日の午後3時半", "2025-10-23T15:30:00", zone: "Asia/Tokyo"),
        DuePhrase("３日後", "2025-10-25T23:59:59", zone: "Asia/Tokyo"),
        DuePhrase("20日に受け取り", "2025-11-20T23:59:59", zone: "Asia/Tokyo"),
        DuePhrase("予約は86箱です", nil, zone: "Asia/Tokyo"),
        // The zone decides which day it is.
        DuePhrase("tomorrow", "2025-10-23T23:59:59", zone: "America/Los_Angeles", said: "2025-10-23T05:00:00Z"),
        DuePhrase("today", "2026-01-01T23:59:59", zone: "Asia/Tokyo", said: "2025-12-31T16:00:00Z"),
        DuePhrase("by Friday", "2026-01-02T23:59:59", said: "2025-12-30T10:00:00Z"),
        DuePhrase("end of the month", "2026-01-31T23:59:59", zone: "Asia/Tokyo", said: "2025-12-31T16:00:00Z"),
        // No date
        DuePhrase("as soon as possible", nil),
        DuePhrase("yesterday", nil),
        DuePhrase("may I march in?", nil),
        DuePhrase("", nil),
    ]

    @Test("finds the moment that a phrase means", arguments: phrases)
    func phrase(_ phrase: DuePhrase) throws {
        let said = try #require(Timestamp(iso8601: phrase.said))
        var clock = try #require(ZoneClock(zone: phrase.zone))

        let found = DueDates.find(in: phrase.text, saidAt: said, zone: phrase.zone)

        let expected = try phrase.due.map { clock.moment(of: try #require(WallTime(iso8601: $0))) }
        #expect(found.map(\.moment) == (expected.map { [$0] } ?? []))
        #expect(found.allSatisfy { $0.hasTime == (phrase.due?.hasSuffix("59:59") == false) })
    }

    @Test("keeps to the clock on days on which it is changed")
    func clockChanges() throws {
        func due(_ text: String, _ said: String, _ zone: String) throws -> [String] {
            let said = try #require(Timestamp(iso8601: said))
            return DueDates.find(in: text, saidAt: said, zone: zone).map(\.moment.iso8601)
        }

        // Berlin goes back to UTC+1 on 26 October 2025 at 3:00, and to UTC+2 on 29 March 2026 at 2:00.
        #expect(try due("tomorrow 5pm", "2025-10-25T10:00:00Z", "Europe/Berlin") == ["2025-10-26T16:00:00.000Z"])
        #expect(try due("on Sunday", "2025-10-24T10:00:00Z", "Europe/Berlin") == ["2025-10-26T22:59:59.000Z"])
        #expect(try due("in 24 hours", "2025-10-25T10:00:00Z", "Europe/Berlin") == ["2025-10-26T10:00:00.000Z"])
        #expect(try due("tomorrow 2:30", "2026-03-28T10:00:00Z", "Europe/Berlin") == ["2026-03-29T01:30:00.000Z"])
        #expect(try due("tomorrow 2:30", "2025-10-25T10:00:00Z", "Europe/Berlin") == ["2025-10-26T00:30:00.000Z"])
        // In Beirut the clock changes at midnight: 2026-03-29 begins at 1:00.
        #expect(try due("tomorrow", "2026-03-27T10:00:00Z", "Asia/Beirut") == ["2026-03-28T21:59:59.000Z"])
    }

    @Test("says where each of several dates stands")
    func severalDates() throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))
        let text = "Draft by Friday, final version by Dec 3 at noon."

        let found = DueDates.find(in: text, saidAt: said, zone: "Europe/Berlin")

        #expect(found.map { String(text.part(utf8: $0.range)) } == ["Friday", "Dec 3 at noon"])
        #expect(found.map(\.moment.iso8601) == ["2025-10-24T21:59:59.000Z", "2025-12-03T11:00:00.000Z"])
        #expect(found.map(\.hasTime) == [false, true])
    }

    /// 京 is 10¹⁶, 垓 has no value, ௲ is 1,000, Ⅻ is 12, ³ and ٣ are 3: none is a digit of a date.
    @Test(
        "takes no other numerals than 0 to 9, their full-width forms and 一 to 十",
        arguments: ["京", "兆", "億", "万", "千", "百", "零", "垓", "௲", "Ⅻ", "³", "٣", "៣", "京京", "九千京"])
    func otherNumerals(numeral: String) throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))

        for unit in ["時間後", "日後", "週間後", "か月後", "日", "時", "時半"] {
            #expect(DueDates.find(in: numeral + unit, saidAt: said, zone: "Asia/Tokyo").isEmpty, "\(numeral)\(unit)")
        }
    }

    @Test("reads the largest counts that can be written")
    func largestCounts() throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))

        let found = ["９９９９時間後", "9999時間後", "十時間後", "in 9999 hours", "in 9999 weeks"]
            .map { DueDates.find(in: $0, saidAt: said, zone: "UTC").map(\.moment.iso8601) }

        #expect(
            found == [
                ["2026-12-12T22:15:00.000Z"], ["2026-12-12T22:15:00.000Z"], ["2025-10-22T17:15:00.000Z"],
                ["2026-12-12T22:15:00.000Z"], ["2217-06-11T23:59:59.000Z"],
            ])
    }

    @Test("reads a day that stands for its end")
    func endOfDay() {
        #expect(DueDates.endOfDay("2026-03-28", zone: "Europe/Berlin")?.iso8601 == "2026-03-28T22:59:59.000Z")
        #expect(DueDates.endOfDay("2026-02-30", zone: "Europe/Berlin") == nil)
        #expect(DueDates.endOfDay("tomorrow", zone: "Europe/Berlin") == nil)
    }
}
