import ChatCore
import Testing
import TextAnalysis

/// Phrases with a place, a zone or a count that changes the time or the day beside it.
///
/// Read without it they would be wrong. All are said in Berlin on Friday, 27 November 2026 at 13:00.
@Suite struct DueDatePartTests {
    /// A phrase with the minute that it means in UTC, with a star for the end of a day; nil when it is not understood.
    struct Phrase: CustomTestStringConvertible, Sendable {
        let text: String
        let due: String?

        var testDescription: String { text }

        init(_ text: String, _ due: String?) { (self.text, self.due) = (text, due) }
    }

    static let phrases: [Phrase] = [
        Phrase("tomorrow 5pm PST8PDT", "2026-11-29T01:00"),
        Phrase("the second Tuesday in March at 9:00", nil), Phrase("Freitag KW 50 um 9 Uhr", nil),
        Phrase("tomorrow at 9:00 EST5EDT", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 CST6CDT", "2026-11-28T15:00"),
        Phrase("tomorrow at 9:00 MST7MDT", "2026-11-28T16:00"),
        Phrase("tomorrow at 9:00 CET-1CEST", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 AoE", "2026-11-28T21:00"),
        Phrase("tomorrow at 9:00 aoe", "2026-11-28T21:00"),
        Phrase("tomorrow 23:59 AoE", "2026-11-29T11:59"),
        Phrase("tomorrow 23:59 anywhere on earth", "2026-11-29T11:59"),
        Phrase("tomorrow at 9:00 in Tokyo", "2026-11-28T00:00"),
        Phrase("tomorrow at 9am in Tokyo", "2026-11-28T00:00"),
        Phrase("morgen 9 Uhr in Tokio", "2026-11-28T00:00"),
        Phrase("morgen um 9 Uhr in New York", "2026-11-28T14:00"),
        Phrase("tomorrow 9 am local time in New York", "2026-11-28T14:00"),
        Phrase("tomorrow 9 am New York local time", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 local time Tokyo", "2026-11-28T00:00"),
        Phrase("demain à 9h à Tokyo", "2026-11-28T00:00"),
        Phrase("demain à 9h à New York", "2026-11-28T14:00"),
        Phrase("demain à 9 heures à Montréal", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 (New York time)", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00, New York time", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 (New York)", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 - New York time", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 [New York time]", "2026-11-28T14:00"),
        Phrase("tomorrow at 9:00 Tokyo", nil),
        Phrase("mañana a las 9:00 en Tokio", "2026-11-28T00:00"),
        Phrase("mañana a las 9 en Ciudad de México", "2026-11-28T15:00"),
        Phrase("mañana a las 9 h en Buenos Aires", "2026-11-28T12:00"),
        Phrase("mañana a las 9:00 hora local de Tokio", "2026-11-28T00:00"),
        Phrase("mañana a las 9:00 (hora de Bogotá)", "2026-11-28T14:00"),
        Phrase("mañana a las 9:00 hora peninsular", "2026-11-28T08:00"),
        Phrase("demain à 9h heure locale à Tokyo", "2026-11-28T00:00"),
        Phrase("demain à 9h, heure du Québec", "2026-11-28T14:00"),
        Phrase("morgen um 9 Uhr Ortszeit Tokio", "2026-11-28T00:00"),
        Phrase("morgen um 9 Uhr Ortszeit in Tokio", "2026-11-28T00:00"),
        Phrase("morgen um 9 Uhr Tokioter Zeit", "2026-11-28T00:00"),
        Phrase("morgen um 9 Uhr (Tokio)", "2026-11-28T00:00"),
        Phrase("morgen um 9 Uhr nach Tokioter Zeit", "2026-11-28T00:00"),
        Phrase("tomorrow at 9:00 in Springfield", nil),
        Phrase("tomorrow at 9:00 local time in Springfield", nil),
        Phrase("tomorrow at 9:00 Springfield time", nil),
        Phrase("tomorrow at 9:00 in the office", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in room 4", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in Room 4", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in Berlin", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 in the big hall", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 am in Building C", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in English", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 on Zoom", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 at Café Nord", "2026-11-28T08:00"),
        Phrase("morgen um 9 Uhr in der Kantine", "2026-11-28T08:00"),
        Phrase("morgen um 9 Uhr im Büro", "2026-11-28T08:00"),
        Phrase("morgen um 9 Uhr in Raum 3", "2026-11-28T08:00"),
        Phrase("morgen um 9 Uhr in Ruhe", "2026-11-28T08:00"),
        Phrase("morgen um 9 Uhr in Hamburg", "2026-11-28T08:00"),
        Phrase("demain à 9h au bureau", "2026-11-28T08:00"),
        Phrase("demain à 9h à la mairie", "2026-11-28T08:00"),
        Phrase("demain à 9h en salle 4", "2026-11-28T08:00"),
        Phrase("demain à 9h à Paris", "2026-11-28T08:00"),
        Phrase("mañana a las 9 en la oficina", "2026-11-28T08:00"),
        Phrase("mañana a las 9 en punto", "2026-11-28T08:00"),
        Phrase("mañana a las 9 en Madrid", "2026-11-28T08:00"),
        Phrase("mañana a las 9 en casa", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 Main Street", nil),
        Phrase("tomorrow at 9 Main St.", nil),
        Phrase("tomorrow at 12 Oak Avenue", nil),
        Phrase("meet on Friday at 5 Elm Road", nil),
        Phrase("morgen um 9", "2026-11-28T08:00"),
        Phrase("tomorrow at 10 Downing Street", nil),
        Phrase("Friday at 5 people will come", nil),
        Phrase("tomorrow at 3 locations", nil),
        Phrase("tomorrow at 9 sharp", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 with Ben", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 Ben will call", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 please", "2026-11-28T08:00"),
        Phrase("12/01/2026 09:00Z", "2026-12-01T09:00"),
        Phrase("12/01/2026 09:00", "2026-12-01T08:00"),
        Phrase("01/12/2026 09:00", "2026-12-01T08:00"),
        Phrase("due 12/01/2026", "2026-12-01T22:59*"),
        Phrase("by 13/01/2027", "2027-01-13T22:59*"),
        Phrase("by 01/13/2027", "2027-01-13T22:59*"),
        Phrase("by 12/12", "2026-12-12T22:59*"),
        Phrase("am 12.01.2027 um 9 Uhr", "2027-01-12T08:00"),
        Phrase("amanhã às 9:00 horário de Brasília", nil),
        Phrase("amanhã às 9:00 em Tóquio", nil),
        Phrase("segunda-feira às 9:00", nil),
        Phrase("sexta às 17:00", nil),
        Phrase("lunedì alle 9:00", nil),
        Phrase("domani alle 9:00", nil),
        Phrase("maandag om 9:00", nil),
        Phrase("vrijdag om 17:00 uur", nil),
        Phrase("overmorgen om 9:00", nil),
        Phrase("maandag 7 december om 9 uur", nil),
        Phrase("в понедельник в 9:00", nil),
        Phrase("Понедельник 9:00", nil),
        Phrase("завтра в 9:00 по Москве", nil),
        Phrase("周一 9:00", nil),
        Phrase("下周五 17:00前", nil),
        Phrase("12月1日下午3点", nil),
        Phrase("12月1日 9:00 北京时间", "2026-12-01T01:00"),
        Phrase("明天 9:00 东京时间", nil),
        Phrase("월요일 9:00", nil),
        Phrase("내일 오후 5:00까지", nil),
        Phrase("vendredi 9:00", "2026-12-04T08:00"),
        Phrase("vendredi à 17:00", "2026-12-04T16:00"),
        Phrase("domingo 9:00", "2026-11-29T08:00"),
        Phrase("lundi 9h", "2026-11-30T08:00"),
        Phrase("lunes 9:00", "2026-11-30T08:00"),
        Phrase("mardi en huit", "2026-12-08T22:59*"),
        Phrase("lundi en quinze", "2026-12-14T22:59*"),
        Phrase("Friday (week 50)", nil),
        Phrase("Freitag KW 50", nil),
        Phrase("Montag in KW 50", nil),
        Phrase("Friday of week 50", nil),
        Phrase("Friday CW50", nil),
        Phrase("vendredi semaine 50", nil),
        Phrase("first Monday in January", nil),
        Phrase("on the first Monday of December", nil),
        Phrase("2nd Tuesday of March", nil),
        Phrase("ersten Montag im Januar", nil),
        Phrase("am zweiten Dienstag im März", nil),
        Phrase("premier lundi de janvier", nil),
        Phrase("el primer lunes de enero", nil),
        Phrase("the Monday after next", nil),
        Phrase("the Monday before Christmas", nil),
        Phrase("in a week or two", nil),
        Phrase("in 2 or 3 weeks", "2026-12-18T22:59*"),
        Phrase("in ein bis zwei Wochen", "2026-12-11T22:59*"),
        Phrase("tomorrow week", "2026-12-05T22:59*"),
        Phrase("a week tomorrow", "2026-12-05T22:59*"),
        Phrase("a week on Friday", "2026-12-11T22:59*"),
        Phrase("Friday fortnight", "2026-12-18T22:59*"),
        Phrase("a fortnight on Friday", "2026-12-18T22:59*"),
        Phrase("two weeks on Monday", "2026-12-14T22:59*"),
        Phrase("Freitag in einer Woche", "2026-12-11T22:59*"),
        Phrase("heute in einer Woche", "2026-12-04T22:59*"),
        Phrase("today in a week", "2026-12-04T22:59*"),
        Phrase("tomorrow in two weeks", "2026-12-12T22:59*"),
        Phrase("tomorrow at half nine", nil),
        Phrase("tomorrow at five to nine", nil),
        Phrase("tomorrow at ten past nine", nil),
        Phrase("tomorrow at 10 to 9", nil),
        Phrase("morgen um zehn vor neun", nil),
        Phrase("morgen um fünf nach halb neun", nil),
        Phrase("demain à neuf heures moins dix", nil),
        Phrase("mañana a las nueve menos diez", nil),
        Phrase("tomorrow at 9ish", nil),
        Phrase("tomorrow after 9", nil),
        Phrase("tomorrow from 9", nil),
        Phrase("tomorrow from 9:00 on", nil),
        Phrase("morgen ab 9 Uhr", nil),
        Phrase("demain à partir de 9h", nil),
        Phrase("mañana a partir de las 9", nil),
        Phrase("tomorrow, 9:00 your time", nil),
        Phrase("tomorrow at 9:00 their time", nil),
        Phrase("morgen um 9 Uhr eurer Zeit", nil),
        Phrase("demain à 9h chez vous", nil),
        Phrase("demain à 9h votre heure", nil),
        Phrase("mañana a las 9 hora de allá", "2026-11-28T08:00"),
        Phrase("mañana a las 9 tu hora", nil),
        Phrase("tomorrow 9:00 server time", nil),
        Phrase("tomorrow at 09:00 UTC in Tokyo", "2026-11-28T09:00"),
        Phrase("PT 9am on Friday", "2026-12-04T17:00"),
        Phrase("UTC 9:00 tomorrow", "2026-11-28T09:00"),
        Phrase("Tokyo time 9:00 tomorrow", "2026-11-28T00:00"),
        Phrase("Berlin time: 9:00 tomorrow", "2026-11-28T08:00"),
        Phrase("tomorrow in Tokyo at 9:00", "2026-11-28T00:00"),
        Phrase("tomorrow in New York at 9 am", "2026-11-28T14:00"),
        Phrase("9 am tomorrow in Tokyo", "2026-11-28T00:00"),
        Phrase("tomorrow at 9:00 in Paris / 3:00 in New York", "2026-11-28T08:00"),
        Phrase("明日9時 ニューヨーク時間", "2026-11-28T14:00"),
        Phrase("明日9時(ニューヨーク)", "2026-11-28T14:00"),
        Phrase("明日東京で9時", "2026-11-28T00:00"),
        Phrase("明日9時 東京時間", "2026-11-28T00:00"),
        Phrase("東京時間明日9時", "2026-11-28T00:00"),
        Phrase("明日の9時半", "2026-11-28T08:30"),
        Phrase("12/5 9:00までに", "2026-12-05T08:00"),
        Phrase("12/5までに", "2026-12-05T22:59*"),
        Phrase("2026/12/5 9:00", "2026-12-05T08:00"),
        Phrase("明日9時頃", "2026-11-28T08:00"),
        Phrase("第2火曜日", nil),
        Phrase("来週の火曜か水曜", nil),
        Phrase("来週火曜日を除く", nil),
        Phrase("tomorrow at 9:00 in Reykjavik", "2026-11-28T09:00"),
        Phrase("tomorrow at 9:00 in Ulaanbaatar", "2026-11-28T01:00"),
        Phrase("tomorrow at 9:00 in Japan", "2026-11-28T00:00"),
        Phrase("tomorrow at 9:00 in the UK", "2026-11-28T09:00"),
        Phrase("tomorrow at 9:00 in the US", nil),
        Phrase("tomorrow at 9:00 in Australia", nil),
        Phrase("morgen um 9 Uhr in Japan", "2026-11-28T00:00"),
        Phrase("morgen um 9 Uhr in den USA", nil),
        Phrase("demain à 9h au Japon", "2026-11-28T00:00"),
        Phrase("demain à 9h aux États-Unis", nil),
        Phrase("mañana a las 9:00 en Japón", "2026-11-28T00:00"),
        Phrase("tomorrow at 9:00 in Slack", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in Conference Room B", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in Harbor Hall", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 in the Tokyo room", nil),
        Phrase("tomorrow at 9:00 in person", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 a.m. in Tokyo", "2026-11-28T00:00"),
        Phrase("demain à 9h30 à Tokyo", "2026-11-28T00:30"),
        Phrase("demain à 14 h, heure de Tokyo", "2026-11-28T05:00"),
        Phrase("tomorrow 9:00 CET-1CEST", "2026-11-28T08:00"),
        Phrase("tomorrow at 9:00 UTC2", nil),
        Phrase("tomorrow at 9:00 EST5", nil),
        Phrase("tomorrow at 9:00 ICE75", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 Ben brings it", "2026-11-28T08:00"),
        Phrase("tomorrow at 9 Broadway", nil),
        Phrase("tomorrow at 9 rue Lepic", nil),
        Phrase("mañana a las 9 calle Mayor", nil),
        Phrase("tomorrow at 9 euros each", nil),
        Phrase("tomorrow at 9 points", nil),
        Phrase("morgen um 9 Besprechung", "2026-11-28T08:00"),
        Phrase("5/12/2026 9:00 UTC", "2026-12-05T09:00"),
        Phrase("5/12/2026 9:00 CET", "2026-12-05T08:00"),
        Phrase("5/12/2026 9:00", "2026-12-05T08:00"),
        Phrase("13/12/2026 9:00 UTC", "2026-12-13T09:00"),
        Phrase("2026-12-05 9:00 UTC", "2026-12-05T09:00"),
        Phrase("12/5 9:00 UTC", nil),
        Phrase("5.12. 9:00 UTC", "2026-12-05T09:00"),
    ]

    @Test(arguments: phrases) func readsAllWordsOrGivesUp(phrase: Phrase) throws {
        let said = try #require(Timestamp(iso8601: "2026-11-27T12:00:00Z"))

        let found = DueDates.read(in: phrase.text, saidAt: said, zone: "Europe/Berlin")

        try #require(found.count == 1, "\(found)")
        let due = found[0].date.map { String($0.moment.iso8601.prefix(16)) + ($0.hasTime ? "" : "*") }
        #expect(due == phrase.due, "\(found)")
    }

    @Test(arguments: [
        ("America/New_York", "by 12/3", "2026-12-04T04:59"), ("America/Toronto", "by 12/3", "2026-12-04T04:59"),
        ("America/Sao_Paulo", "by 12/3", "2027-03-13T02:59"), ("America/Mexico_City", "by 12/3", "2027-03-13T05:59"),
        ("Asia/Tokyo", "by 12/3", "2026-12-03T14:59"), ("Europe/London", "by 12/3", "2027-03-12T23:59"),
        ("America/New_York", "by 03/12/2026", "2026-12-04T04:59"),
        ("America/New_York", "by 11/12/2026", "2026-12-12T04:59"),
        ("Europe/London", "by 11/12/2026", "2026-12-11T23:59"), ("Europe/London", "by 12/11/2026", "2026-12-11T23:59"),
        ("Europe/London", "by 02/03/2027 17:00 UTC", "2027-03-02T17:00"),
    ])
    func dayAndMonthFollowTheWritersZone(zone: String, text: String, due: String) throws {
        let said = try #require(Timestamp(iso8601: "2026-11-27T12:00:00Z"))

        #expect(DueDates.find(in: text, saidAt: said, zone: zone).map { String($0.moment.iso8601.prefix(16)) } == [due])
    }

    @Test func aDateOfAnotherZoneThatHasTwoReadingsIsUnknown() throws {
        let said = try #require(Timestamp(iso8601: "2026-11-27T12:00:00Z"))

        #expect(DueDates.find(in: "02/03/2027 09:00Z", saidAt: said, zone: "Europe/Berlin").isEmpty)
        #expect(DueDates.find(in: "02/03/2027 9:00 PT", saidAt: said, zone: "Europe/Berlin").isEmpty)
    }

    @Test(arguments: [
        "the boat needs a new rope and paint, ask Ben. ", "1 2 3 4 5 ", "9:00 / 9:00 PT / ", "1-2-3-4-5-6-",
        "monday to monday to ", "9 to 10 to 11 to ", "every day every ", "not not ", "between between at at ",
        "in Tokyo in Tokyo ", "9 or 9 or ", "the day after the day after ", "9時から10時", "明日の", "at 9 Main Street ",
        "first Monday in first Monday in ", "after before from ab desde ",
    ])
    func twiceTheTextTakesTwiceTheSteps(part: String) throws {
        let said = try #require(Timestamp(iso8601: "2026-11-27T12:00:00Z"))
        func steps(_ count: Int) -> Int {
            DueDates.stepCount(in: String(repeating: part, count: count), saidAt: said, zone: "Europe/Berlin")
        }

        let (once, twice) = (steps(100), steps(200))

        #expect(twice <= once * 2 + 100)
        #expect(once <= 100 * part.split(separator: " ").count * 40)
    }

    @Test func aMessageWithoutWordsOfDatesIsNotReadAtAll() throws {
        let said = try #require(Timestamp(iso8601: "2026-11-27T12:00:00Z"))

        for text in ["the boat needs a new rope, ask Ben before you paint it", "船が好きです", "on n'a plus de peinture"] {
            #expect(DueDates.stepCount(in: text, saidAt: said, zone: "Europe/Berlin") == 0)
        }
    }
}
