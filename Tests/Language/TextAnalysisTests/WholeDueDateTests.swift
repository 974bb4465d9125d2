import ChatCore
import Testing
import TextAnalysis

/// Phrases that mean something else when they are read only in part; said on Wednesday, 22 October 2025 at 9:15 in Berlin.
@Suite("Due dates as a whole")
struct WholeDueDateTests {
    /// A phrase with the moment that it means in UTC; nil when it is not understood, or means none.
    struct Phrase: CustomTestStringConvertible, Sendable {
        let text: String
        let due: String?
        let zone: String

        var testDescription: String { "\(text) (\(zone))" }

        init(_ text: String, _ due: String?, in zone: String = "Europe/Berlin") {
            (self.text, self.due, self.zone) = (text, due, zone)
        }
    }

    static let phrases: [Phrase] = [
        // Zones by abbreviation
        Phrase("tomorrow at 8:00 UTC", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at 8:00 utc", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at 8:00 (UTC)", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at 8:00Z", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at 0800Z", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at noon GMT", "2025-10-23T12:00:00.000Z"),
        Phrase("tomorrow at 4pm PT", "2025-10-23T23:00:00.000Z"),
        Phrase("tomorrow 4 pm PST", "2025-10-24T00:00:00.000Z"),
        Phrase("tomorrow 4 pm PDT", "2025-10-23T23:00:00.000Z"),
        Phrase("tomorrow at 4pm PST/PDT", "2025-10-23T23:00:00.000Z"),
        Phrase("tomorrow at 8 am ET", "2025-10-23T12:00:00.000Z"),
        Phrase("tomorrow at 8 am est", "2025-10-23T13:00:00.000Z"),
        Phrase("tomorrow at 15:00 CET", "2025-10-23T14:00:00.000Z"),
        Phrase("tomorrow at 15:00 CEST", "2025-10-23T13:00:00.000Z"),
        Phrase("morgen um 15 Uhr MEZ", "2025-10-23T14:00:00.000Z"),
        Phrase("tomorrow at 15:00 JST", "2025-10-23T06:00:00.000Z"),
        Phrase("明日15時 JST", "2025-10-23T06:00:00.000Z"),
        Phrase("tomorrow at 15:00 AEDT", "2025-10-23T04:00:00.000Z"),
        Phrase("at 17:00 BRT on Friday", "2025-10-24T20:00:00.000Z"),
        Phrase("5pm Friday PT", "2025-10-25T00:00:00.000Z"),
        Phrase("5pm on Friday (PT)", "2025-10-25T00:00:00.000Z"),
        Phrase("EOD Friday PT", "2025-10-25T06:59:59.000Z"),
        Phrase("tomorrow UTC 8:00", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at 4 p.m. PT", "2025-10-23T23:00:00.000Z"),
        Phrase("tomorrow at 4pm pt", "2025-10-23T23:00:00.000Z"),
        // Offsets
        Phrase("tomorrow at 9:00 UTC+5.5", nil),
        Phrase("tomorrow at 9:00 UTC+2", "2025-10-23T07:00:00.000Z"),
        Phrase("tomorrow at 9:00 UTC +2", "2025-10-23T07:00:00.000Z"),
        Phrase("tomorrow at 9:00 GMT-3", "2025-10-23T12:00:00.000Z"),
        Phrase("tomorrow at 9:00 UTC−3", "2025-10-23T12:00:00.000Z"),
        Phrase("tomorrow at 9:00 UTC+05:30", "2025-10-23T03:30:00.000Z"),
        Phrase("tomorrow at 9:00 UTC+0530", "2025-10-23T03:30:00.000Z"),
        Phrase("tomorrow at 9:00 +05:30", "2025-10-23T03:30:00.000Z"),
        Phrase("tomorrow at 9:00+0530", "2025-10-23T03:30:00.000Z"),
        // ISO 8601
        Phrase("2025-12-01T09:00:00Z", "2025-12-01T09:00:00.000Z"),
        Phrase("at 2025-12-01T09:00Z.", "2025-12-01T09:00:00.000Z"),
        Phrase("2025-12-01T09:00:00.250Z", "2025-12-01T09:00:00.000Z"),
        Phrase("2025-12-01T09:00:00+05:30", "2025-12-01T03:30:00.000Z"),
        Phrase("2025-12-01T09:00:00-05:00", "2025-12-01T14:00:00.000Z"),
        Phrase("2025-12-01 09:00:00-05:00", "2025-12-01T14:00:00.000Z"),
        Phrase("2025-12-01 09:00 UTC", "2025-12-01T09:00:00.000Z"),
        Phrase("2025-12-01T09:00:15", "2025-12-01T08:00:15.000Z"),
        // Zones by place
        Phrase("tomorrow at 9 am Berlin time", "2025-10-23T07:00:00.000Z"),
        Phrase("tomorrow at 9am New York time", "2025-10-23T13:00:00.000Z"),
        Phrase("9am London time tomorrow", "2025-10-23T08:00:00.000Z"),
        Phrase("tomorrow at 9:00 America/New_York", "2025-10-23T13:00:00.000Z"),
        Phrase("tomorrow at 9 am Pacific time", "2025-10-23T16:00:00.000Z"),
        Phrase("tomorrow at 9 am Eastern", "2025-10-23T13:00:00.000Z"),
        Phrase("tomorrow at 9 am (Tokyo)", "2025-10-23T00:00:00.000Z"),
        Phrase("tomorrow at 9 am local time", "2025-10-23T07:00:00.000Z"),
        Phrase("morgen um 9 Uhr Londoner Zeit", "2025-10-23T08:00:00.000Z"),
        Phrase("morgen um 9 Uhr Ortszeit", "2025-10-23T07:00:00.000Z"),
        Phrase("demain à 9h heure de Montréal", "2025-10-23T13:00:00.000Z"),
        Phrase("mañana a las 9 hora de Lima", "2025-10-23T14:00:00.000Z"),
        Phrase("明日9時（日本時間）", "2025-10-23T00:00:00.000Z"),
        Phrase("日本時間明日9時", "2025-10-23T00:00:00.000Z"),
        Phrase("明日ニューヨーク時間9時", "2025-10-23T13:00:00.000Z"),
        // The same time in several zones
        Phrase("tomorrow 9am PT / 12pm ET", "2025-10-23T16:00:00.000Z"),
        Phrase("tomorrow 15:00 CEST (13:00 UTC)", "2025-10-23T13:00:00.000Z"),
        Phrase("tomorrow 9am PT / 1pm ET", nil),
        // Zones that are not known, or not alone
        Phrase("tomorrow at 9 am Mars time", nil),
        Phrase("tomorrow at 9 am XQST", nil),
        Phrase("tomorrow at 9:00 IST", nil),
        Phrase("tomorrow at 9:00 CST", nil),
        Phrase("tomorrow at 9:00 UTC+25", nil),
        Phrase("tomorrow at 9:00 +2", nil),
        Phrase("tomorrow at 9:00 PST/EST", nil),
        Phrase("tomorrow at 9:00 Europe/Atlantis", nil),
        Phrase("tomorrow at 9 am your time", nil),
        Phrase("morgen um 9 Uhr Marszeit", nil),
        Phrase("morgen um 9 Uhr Mondbasiser Zeit", nil),
        Phrase("demain à 9h heure de Mars", nil),
        Phrase("mañana a las 9 hora de Marte", nil),
        Phrase("明日9時（現地時間）", nil),
        Phrase("明日9時（火星時間）", nil),
        // The zone of the conversation decides
        Phrase("tomorrow at 9:00 IST", "2025-10-23T03:30:00.000Z", in: "Asia/Kolkata"),
        Phrase("tomorrow at 9:00 IST", "2025-10-23T07:00:00.000Z", in: "Asia/Jerusalem"),
        Phrase("tomorrow at 9:00 CST", "2025-10-23T15:00:00.000Z", in: "America/Chicago"),
        Phrase("tomorrow at 9:00 CST", "2025-10-23T01:00:00.000Z", in: "Asia/Shanghai"),
        Phrase("tomorrow at 9:00 BST", "2025-10-23T08:00:00.000Z", in: "Europe/London"),
        Phrase("tomorrow at 9 am Paris", "2025-10-23T07:00:00.000Z", in: "Europe/Paris"),
        // Spans
        Phrase("tomorrow 18:00-19:00", "2025-10-23T17:00:00.000Z"),
        Phrase("tomorrow 18:00–19:00 UTC", "2025-10-23T19:00:00.000Z"),
        Phrase("tomorrow 6-7pm", "2025-10-23T17:00:00.000Z"),
        Phrase("tomorrow 11-1pm", "2025-10-23T11:00:00.000Z"),
        Phrase("tomorrow 9am-10am PT", "2025-10-23T17:00:00.000Z"),
        Phrase("tomorrow between 3 and 4 pm", "2025-10-23T14:00:00.000Z"),
        Phrase("tomorrow from 9 to 5", "2025-10-23T15:00:00.000Z"),
        Phrase("tomorrow 22:00-02:00", "2025-10-24T00:00:00.000Z"),
        Phrase("von 18 bis 19 Uhr", "2025-10-22T17:00:00.000Z"),
        Phrase("morgen zwischen 18 und 19 Uhr", "2025-10-23T17:00:00.000Z"),
        Phrase("demain de 18h à 19h", "2025-10-23T17:00:00.000Z"),
        Phrase("mañana de 18:00 a 19:00", "2025-10-23T17:00:00.000Z"),
        Phrase("明日18時から19時まで", "2025-10-23T17:00:00.000Z"),
        Phrase("Thursday 6 to Saturday 8 November", "2025-11-08T22:59:59.000Z"),
        Phrase("明日10時から9時", nil),
        Phrase("明日の22時から2時", "2025-10-24T00:00:00.000Z"),
        Phrase("明日の午後1時から3時", "2025-10-23T13:00:00.000Z"),
        Phrase("Monday to Friday", "2025-10-31T22:59:59.000Z"),
        Phrase("Dec 12-14", "2025-12-14T22:59:59.000Z"),
        Phrase("3.-5.12.", "2025-12-05T22:59:59.000Z"),
        Phrase("vom 3. bis 5. Dezember", "2025-12-05T22:59:59.000Z"),
        Phrase("del 3 al 5 de diciembre", "2025-12-05T22:59:59.000Z"),
        Phrase("tomorrow 9-10", nil),
        // Forms of the hour
        Phrase("tomorrow at 17.30", "2025-10-23T15:30:00.000Z"),
        Phrase("morgen um 17.30", "2025-10-23T15:30:00.000Z"),
        Phrase("morgen 17 Uhr 30", "2025-10-23T15:30:00.000Z"),
        Phrase("demain à 17 h 30", "2025-10-23T15:30:00.000Z"),
        Phrase("tomorrow at 17h30", "2025-10-23T15:30:00.000Z"),
        Phrase("tomorrow 5.30pm", "2025-10-23T15:30:00.000Z"),
        Phrase("tomorrow at 1730", "2025-10-23T15:30:00.000Z"),
        Phrase("tomorrow at half past five", "2025-10-23T15:30:00.000Z"),
        Phrase("morgen um halb sechs", "2025-10-23T15:30:00.000Z"),
        Phrase("mañana a las cinco y media", "2025-10-23T15:30:00.000Z"),
        Phrase("demain à 8 heures et quart", "2025-10-23T06:15:00.000Z"),
        Phrase("tomorrow at five", "2025-10-23T15:00:00.000Z"),
        Phrase("5 o'clock tomorrow", "2025-10-23T15:00:00.000Z"),
        Phrase("at 5 on Friday", "2025-10-24T15:00:00.000Z"),
        Phrase("tonight at 8", "2025-10-22T18:00:00.000Z"),
        Phrase("at 8 tonight", "2025-10-22T18:00:00.000Z"),
        Phrase("tomorrow evening at 8", "2025-10-23T18:00:00.000Z"),
        Phrase("tomorrow morning at 5", "2025-10-23T03:00:00.000Z"),
        Phrase("morgen um 8 Uhr abends", "2025-10-23T18:00:00.000Z"),
        Phrase("demain soir à 8h", "2025-10-23T18:00:00.000Z"),
        Phrase("明日の午後9:30", "2025-10-23T19:30:00.000Z"),
        Phrase("tomorrow at 9ish", nil),
        Phrase("Friday night at 1", nil),
        Phrase("Friday at 12.50 euros", nil),
        Phrase("version 17.30 is out", nil),
        // What is around a date belongs to it
        Phrase("the day after the day after tomorrow", "2025-10-25T21:59:59.000Z"),
        Phrase("the day before Friday", "2025-10-23T21:59:59.000Z"),
        Phrase("two weeks before Dec 31", "2025-12-17T22:59:59.000Z"),
        Phrase("zwei Tage vor Freitag", "2025-10-22T21:59:59.000Z"),
        Phrase("end of June 2027", "2027-06-30T21:59:59.000Z"),
        Phrase("2027年6月末", "2027-06-30T21:59:59.000Z"),
        Phrase("2027年12月3日17時", "2027-12-03T16:00:00.000Z"),
        Phrase("Friday, Oct 24", "2025-10-24T21:59:59.000Z"),
        Phrase("Friday the 13th", "2026-02-13T22:59:59.000Z"),
        Phrase("no later than Friday", "2025-10-24T21:59:59.000Z"),
        Phrase("two weeks before Friday", nil),
        Phrase("every Friday", nil),
        Phrase("every other Friday at 5pm", nil),
        Phrase("5pm every Friday", nil),
        Phrase("Fridays at 5pm", nil),
        Phrase("daily at 9 am", nil),
        Phrase("the 15th of every month", nil),
        Phrase("jeden Freitag um 17 Uhr", nil),
        Phrase("am 15. jedes Monats", nil),
        Phrase("tous les lundis à 9h", nil),
        Phrase("los viernes a las 5", nil),
        Phrase("毎週金曜の9時", nil),
        Phrase("not Friday", nil),
        Phrase("not on Friday at 5pm", nil),
        Phrase("nicht vor Freitag", nil),
        Phrase("pas vendredi", nil),
        Phrase("Friday or Monday", nil),
        Phrase("Fri/Mon", nil),
        Phrase("Freitag oder Montag", nil),
        Phrase("vendredi ou lundi", nil),
        Phrase("el viernes o el lunes", nil),
        Phrase("金曜か月曜", nil),
        Phrase("Friday, Oct 25", nil),
        Phrase("after Friday", nil),
        Phrase("after 5pm", nil),
        Phrase("an hour before noon", nil),
        Phrase("金曜以降", nil),
        Phrase("Friday last week", nil),
        Phrase("yesterday at 5pm", nil),
        Phrase("5pm yesterday", nil),
        Phrase("先週の金曜", nil),
        Phrase("3日前", nil),
        Phrase("昨日の17時", nil),
        Phrase("Friday after next", nil),
        Phrase("at 9:00 UTC or 10:00 CET", nil),
    ]

    @Test("reads a phrase as a whole or not at all", arguments: phrases)
    func phrase(_ phrase: Phrase) throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))
        let whole = 0..<phrase.text.utf8.count

        let found = DueDates.find(in: phrase.text, saidAt: said, zone: phrase.zone)
        let meaning = DueDates.meaning(of: whole, in: phrase.text, saidAt: said, zone: phrase.zone)

        #expect(found.map(\.moment.iso8601) == (phrase.due.map { [$0] } ?? []))
        #expect(meaning?.moment.iso8601 == phrase.due)
    }

    /// Parts of sentences, and what each of them means there.
    @Test(
        "reads the words beside a part of a text with it",
        arguments: [
            ("The report is due tomorrow at 9:00 UTC.", "tomorrow at 9:00", "2025-10-23T09:00:00.000Z"),
            ("Send it tomorrow at 9 am Mars time.", "tomorrow at 9 am", nil), ("Not Friday!", "Friday", nil),
            ("We meet every Friday at 5pm.", "Friday at 5pm", nil), ("Friday or Monday?", "Monday", nil),
            ("Please order 12 gears by Friday.", "by Friday", "2025-10-24T21:59:59.000Z"),
            ("Send it tomorrow at 5pm XYZ", "tomorrow at 5pm XYZ", nil), ("Call me tomorrow", "Call me", nil),
            ("From Monday to Friday", "Monday to Friday", "2025-10-31T22:59:59.000Z"),
        ] as [(String, String, String?)])
    func part(text: String, part: String, due: String?) throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))
        let start = try #require(text.utf8.firstRange(of: part.utf8)?.lowerBound)
        let offset = text.utf8.distance(from: text.utf8.startIndex, to: start)

        let meaning = DueDates.meaning(
            of: offset..<(offset + part.utf8.count), in: text, saidAt: said, zone: "Europe/Berlin")

        #expect(meaning?.moment.iso8601 == due)
    }

    @Test("counts the next time on the clocks of the zone that is said")
    func nextTime() throws {
        // It is 23:30 in Berlin, 14:30 in Los Angeles.
        let said = try #require(Timestamp(iso8601: "2025-10-22T21:30:00Z"))
        func due(_ text: String) -> [String] {
            DueDates.find(in: text, saidAt: said, zone: "Europe/Berlin").map(\.moment.iso8601)
        }

        #expect(due("by 5pm PT") == ["2025-10-23T00:00:00.000Z"])
        #expect(due("by 5pm") == ["2025-10-23T15:00:00.000Z"])
        #expect(due("by EOD PDT") == ["2025-10-23T06:59:59.000Z"])
        // The day is the writer's.
        #expect(due("tomorrow at 5pm PT") == ["2025-10-24T00:00:00.000Z"])
    }

    @Test("tells what is not understood from what is no date")
    func unknown() throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))
        func readings(_ text: String) -> [String] {
            DueDates.read(in: text, saidAt: said, zone: "Europe/Berlin").map { reading in
                "\(reading.date == nil ? "unknown" : "date"): \(text.part(utf8: reading.range))"
            }
        }

        #expect(
            readings("We meet every Friday, send it by Monday at 9 am Mars time, not today")
                == ["unknown: every Friday", "unknown: Monday at 9 am Mars time", "unknown: not today"])
        #expect(readings("Draft by Friday, the rest by Dec 3") == ["date: Friday", "date: Dec 3"])
        #expect(readings("It happened last Friday at 5pm, and at 9 yesterday") == [])
    }

    @Test("takes long chains of distances in little time")
    func longChains() throws {
        let said = try #require(Timestamp(iso8601: "2025-10-22T07:15:00Z"))
        let text = String(repeating: "the day after ", count: 3_000) + "tomorrow"

        #expect(!DueDates.read(in: text, saidAt: said, zone: "UTC").isEmpty)
    }
}
