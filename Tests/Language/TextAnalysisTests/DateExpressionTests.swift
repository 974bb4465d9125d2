import ChatCore
import Testing
import TextAnalysis

@Suite struct DateExpressionTests {
    /// Writes the dates found as `words=start/end`, midnights without the hour, an open start as "…".
    static func read(_ question: String, askedAt: String, zone: String = "UTC") throws -> String {
        let moment = try #require(Timestamp(iso8601: askedAt))
        let found = DateExpressions.find(in: question, askedAt: moment, zone: zone)
        return found.map { date in
            "\(question.part(utf8: date.range))=\(short(date.start))/\(short(date.end))"
        }.joined(separator: "; ")
    }

    static func short(_ moment: Timestamp) -> String {
        if moment.microseconds == .min { return "…" }
        let text = moment.iso8601
        return text.hasSuffix("T00:00:00.000Z") ? String(text.prefix(10)) : String(text.prefix(16))
    }

    /// Asked on Wednesday, 14 June 2023.
    static let english: [(String, String)] = [
        ("What happened today?", "today=2023-06-14/2023-06-15"),
        ("what did Ada say yesterday", "yesterday=2023-06-13/2023-06-14"),
        ("the day before yesterday, who came?", "day before yesterday=2023-06-12/2023-06-13"),
        ("Is there a call tomorrow?", "tomorrow=2023-06-15/2023-06-16"),
        ("And the day after tomorrow?", "day after tomorrow=2023-06-16/2023-06-17"),
        ("Who wrote yesterday morning?", "yesterday morning=2023-06-13T05:00/2023-06-13T12:00"),
        ("Who wrote this morning?", "this morning=2023-06-14T05:00/2023-06-14T12:00"),
        ("What was decided last night?", "last night=2023-06-13T18:00/2023-06-14T06:00"),
        ("Who is on call tonight?", "tonight=2023-06-14T18:00/2023-06-15T06:00"),
        ("What broke on Friday?", "Friday=2023-06-09/2023-06-10"),
        ("What broke on Wednesday?", "Wednesday=2023-06-14/2023-06-15"),
        ("What broke last Wednesday?", "last Wednesday=2023-06-07/2023-06-08"),
        ("What broke last Friday night?", "last Friday night=2023-06-09T18:00/2023-06-10T06:00"),
        ("Who comes this Friday?", "this Friday=2023-06-16/2023-06-17"),
        ("Who comes next Friday?", "next Friday=2023-06-16/2023-06-17"),
        ("Who comes next Wednesday?", "next Wednesday=2023-06-21/2023-06-22"),
        ("the Monday of last week", "Monday of last week=2023-06-05/2023-06-06"),
        ("last week on Monday", "last week on Monday=2023-06-05/2023-06-06"),
        ("this week", "this week=2023-06-12/2023-06-19"),
        ("last week", "last week=2023-06-05/2023-06-12"),
        ("next week?", "next week=2023-06-19/2023-06-26"),
        ("last weekend", "last weekend=2023-06-10/2023-06-12"),
        ("this weekend", "this weekend=2023-06-17/2023-06-19"),
        ("on the weekend", "weekend=2023-06-10/2023-06-12"),
        ("this month", "this month=2023-06-01/2023-07-01"),
        ("last month", "last month=2023-05-01/2023-06-01"),
        ("last quarter", "last quarter=2023-01-01/2023-04-01"),
        ("last year", "last year=2022-01-01/2023-01-01"),
        ("this year", "this year=2023-01-01/2024-01-01"),
        ("in May", "May=2023-05-01/2023-06-01"),
        ("in june", "june=2023-06-01/2023-07-01"),
        ("in July", "July=2022-07-01/2022-08-01"),
        ("in Sept.", "Sept=2022-09-01/2022-10-01"),
        ("last May", "last May=2023-05-01/2023-06-01"),
        ("last June", "last June=2022-06-01/2022-07-01"),
        ("this September", "this September=2023-09-01/2023-10-01"),
        ("next May", "next May=2024-05-01/2024-06-01"),
        ("in May 2022", "May 2022=2022-05-01/2022-06-01"),
        ("the March 2021 release", "March 2021=2021-03-01/2021-04-01"),
        ("the February release", "February=2023-02-01/2023-03-01"),
        ("early May", "early May=2023-05-01/2023-05-11"),
        ("in mid-March", "mid-March=2023-03-11/2023-03-21"),
        ("at the end of February", "end of February=2023-02-21/2023-03-01"),
        ("on 8 May", "8 May=2023-05-08/2023-05-09"),
        ("on the 8th of May", "8th of May=2023-05-08/2023-05-09"),
        ("on May 8th", "May 8th=2023-05-08/2023-05-09"),
        ("on December 24", "December 24=2022-12-24/2022-12-25"),
        ("on May 8, 2021?", "May 8, 2021=2021-05-08/2021-05-09"),
        ("8 May 2021", "8 May 2021=2021-05-08/2021-05-09"),
        ("Monday, 8 May", "Monday, 8 May=2023-05-08/2023-05-09"),
        ("on 29 February", "29 February=2020-02-29/2020-03-01"),
        ("the call on the 20th", "20th=2023-05-20/2023-05-21"),
        ("on 2023-05-08", "2023-05-08=2023-05-08/2023-05-09"),
        ("in 2023-05", "2023-05=2023-05-01/2023-06-01"),
        ("on 5/8/2023", "5/8/2023=2023-08-05/2023-08-06"),
        ("on 5/18/2023", "5/18/2023=2023-05-18/2023-05-19"),
        ("in 2022", "2022=2022-01-01/2023-01-01"),
        ("last summer", "last summer=2022-06-01/2022-09-01"),
        ("this summer", "this summer=2023-06-01/2023-09-01"),
        ("in the summer of 2021", "summer of 2021=2021-06-01/2021-09-01"),
        ("last winter", "last winter=2022-12-01/2023-03-01"),
        ("two weeks ago", "two weeks ago=2023-05-28/2023-06-04"),
        ("a week ago", "a week ago=2023-06-04/2023-06-11"),
        ("3 days ago", "3 days ago=2023-06-11/2023-06-12"),
        ("a couple of days ago", "a couple of days ago=2023-06-12/2023-06-13"),
        ("a few days ago", "a few days ago=2023-06-09/2023-06-13"),
        ("two months ago", "two months ago=2023-04-01/2023-05-01"),
        ("six months ago", "six months ago=2022-12-01/2023-01-01"),
        ("two years ago", "two years ago=2021-01-01/2022-01-01"),
        ("3 hours ago", "3 hours ago=2023-06-14T08:30/2023-06-14T09:30"),
        ("in the last two weeks", "last two weeks=2023-05-31/2023-06-15"),
        ("in the past 3 months", "past 3 months=2023-03-14/2023-06-15"),
        ("over the last few days", "last few days=2023-06-09/2023-06-15"),
        ("since March", "since March=2023-03-01/2023-06-15"),
        ("since last Friday", "since last Friday=2023-06-09/2023-06-15"),
        ("since the 8th of May", "since the 8th of May=2023-05-08/2023-06-15"),
        ("before May", "before May=…/2023-05-01"),
        ("until 8 May", "until 8 May=…/2023-05-09"),
        ("after 8 May", "after 8 May=2023-05-09/2023-06-15"),
        ("between March and May", "between March and May=2023-03-01/2023-06-01"),
        ("the Sunday before October 25, 2022", "Sunday before October 25, 2022=2022-10-23/2022-10-24"),
        ("the Tuesday before October 25, 2022", "Tuesday before October 25, 2022=2022-10-18/2022-10-19"),
        ("the Friday after 8 May", "Friday after 8 May=2023-05-12/2023-05-13"),
        ("the week before August 3, 2022", "week before August 3, 2022=2022-07-27/2022-08-03"),
        ("the week after 8 May", "week after 8 May=2023-05-09/2023-05-16"),
        ("two weeks before August 11, 2022", "two weeks before August 11, 2022=2022-07-25/2022-08-01"),
        ("last weekend before April 10, 2023", "last weekend before April 10, 2023=2023-04-08/2023-04-10"),
        ("the weekend before 9 April 2023", "weekend before 9 April 2023=2023-04-01/2023-04-03"),
        ("the weekend after 8 April 2023", "weekend after 8 April 2023=2023-04-15/2023-04-17"),
        ("the day before May 8", "day before May 8=2023-05-07/2023-05-08"),
        ("3 days after 8 May", "3 days after 8 May=2023-05-11/2023-05-12"),
        ("from 3 May to 5 May", "from 3 May to 5 May=2023-05-03/2023-05-06"),
        (
            "yesterday or in 2021, or on May 3?",
            "yesterday=2023-06-13/2023-06-14; 2021=2021-01-01/2022-01-01; May 3=2023-05-03/2023-05-04"
        ),
    ]

    /// Asked on Wednesday, 14 June 2023.
    static let german: [(String, String)] = [
        ("Was war heute los?", "heute=2023-06-14/2023-06-15"),
        ("Was hat Ada gestern gesagt?", "gestern=2023-06-13/2023-06-14"),
        ("Wer kam vorgestern?", "vorgestern=2023-06-12/2023-06-13"),
        ("Wer kommt morgen?", "morgen=2023-06-15/2023-06-16"),
        ("Wer kommt übermorgen?", "übermorgen=2023-06-16/2023-06-17"),
        ("Was war gestern Abend?", "gestern Abend=2023-06-13T17:00/2023-06-14"),
        ("Was war heute Morgen?", "heute Morgen=2023-06-14T05:00/2023-06-14T12:00"),
        ("Was war letzte Nacht?", "letzte Nacht=2023-06-13T18:00/2023-06-14T06:00"),
        ("Was war am Freitag?", "Freitag=2023-06-09/2023-06-10"),
        ("Was war letzten Freitag?", "letzten Freitag=2023-06-09/2023-06-10"),
        ("Wer kommt nächsten Freitag?", "nächsten Freitag=2023-06-16/2023-06-17"),
        ("Wer kommt diesen Samstag?", "diesen Samstag=2023-06-17/2023-06-18"),
        ("Freitag letzter Woche", "Freitag letzter Woche=2023-06-09/2023-06-10"),
        ("letzte Woche am Dienstag", "letzte Woche am Dienstag=2023-06-06/2023-06-07"),
        ("in dieser Woche", "dieser Woche=2023-06-12/2023-06-19"),
        ("in der vergangenen Woche", "vergangenen Woche=2023-06-05/2023-06-12"),
        ("letztes Wochenende", "letztes Wochenende=2023-06-10/2023-06-12"),
        ("am Wochenende", "Wochenende=2023-06-10/2023-06-12"),
        ("letzten Monat", "letzten Monat=2023-05-01/2023-06-01"),
        ("dieses Jahr", "dieses Jahr=2023-01-01/2024-01-01"),
        ("voriges Jahr", "voriges Jahr=2022-01-01/2023-01-01"),
        ("im Mai", "Mai=2023-05-01/2023-06-01"),
        ("im Oktober", "Oktober=2022-10-01/2022-11-01"),
        ("im März 2021", "März 2021=2021-03-01/2021-04-01"),
        ("letzten Mai", "letzten Mai=2023-05-01/2023-06-01"),
        ("Anfang Mai", "Anfang Mai=2023-05-01/2023-05-11"),
        ("Ende Februar 2024", "Ende Februar 2024=2024-02-21/2024-03-01"),
        ("am 8. Mai", "8. Mai=2023-05-08/2023-05-09"),
        ("am 8. Mai 2021", "8. Mai 2021=2021-05-08/2021-05-09"),
        ("am 8.5.2023", "8.5.2023=2023-05-08/2023-05-09"),
        ("am 08.05.23", "08.05.23=2023-05-08/2023-05-09"),
        ("am 8.5. kam wer?", "8.5=2023-05-08/2023-05-09"),
        ("am 20. war was?", "20=2023-05-20/2023-05-21"),
        ("am Montag, dem 8. Mai", "Montag, dem 8. Mai=2023-05-08/2023-05-09"),
        ("im Jahr 2022", "2022=2022-01-01/2023-01-01"),
        ("letzten Sommer", "letzten Sommer=2022-06-01/2022-09-01"),
        ("im Winter", "Winter=2022-12-01/2023-03-01"),
        ("vor zwei Wochen", "vor zwei Wochen=2023-05-28/2023-06-04"),
        ("vor 3 Tagen", "vor 3 Tagen=2023-06-11/2023-06-12"),
        ("vor ein paar Tagen", "vor ein paar Tagen=2023-06-09/2023-06-13"),
        ("vor einem Monat", "vor einem Monat=2023-05-01/2023-06-01"),
        ("vor einem Jahr", "vor einem Jahr=2022-01-01/2023-01-01"),
        ("vor zwölf Stunden", "vor zwölf Stunden=2023-06-13T23:30/2023-06-14T00:30"),
        ("in den letzten zwei Wochen", "letzten zwei Wochen=2023-05-31/2023-06-15"),
        ("seit zwei Wochen", "seit zwei Wochen=2023-05-31/2023-06-15"),
        ("seit März", "seit März=2023-03-01/2023-06-15"),
        ("seit letztem Freitag", "seit letztem Freitag=2023-06-09/2023-06-15"),
        ("vor dem 8. Mai", "vor dem 8. Mai=…/2023-05-08"),
        ("bis Mai", "bis Mai=…/2023-06-01"),
        ("nach dem 8. Mai", "nach dem 8. Mai=2023-05-09/2023-06-15"),
        ("am Sonntag vor dem 8. Mai", "Sonntag vor dem 8. Mai=2023-05-07/2023-05-08"),
        ("in der Woche nach dem 8. Mai", "Woche nach dem 8. Mai=2023-05-09/2023-05-16"),
        ("zwei Tage vor dem 8. Mai", "zwei Tage vor dem 8. Mai=2023-05-06/2023-05-07"),
        ("zwischen März und Mai", "zwischen März und Mai=2023-03-01/2023-06-01"),
        ("von Montag bis Mittwoch", "von Montag bis Mittwoch=2023-06-12/2023-06-15"),
    ]

    static let none = [
        "", "What did May say?", "Can I march there?", "We may come", "the second floor", "version 8.5 of it",
        "Who has 3 cats?", "Guten Morgen!", "jeden Morgen", "am Morgen", "vor dem Treffen", "after the meeting",
        "since then", "room 2022", "a long time ago", "in the fallback", "32 May", "on 2023-13-45", "am 31.2.2023",
        "99999999999 years ago", "9999 years ago in a galaxy", "day by day", "last but not least", "next door",
        "Fridays", "at 12:30", "the past tense", "diese Leute", "letzte Frage", "May I ask?", "summer dress",
    ]

    @Test(arguments: english)
    func readsEnglish(question: String, expected: String) throws {
        #expect(try Self.read(question, askedAt: "2023-06-14T12:00:00Z") == expected)
    }

    @Test(arguments: german)
    func readsGerman(question: String, expected: String) throws {
        #expect(try Self.read(question, askedAt: "2023-06-14T12:00:00Z") == expected)
    }

    @Test(arguments: none)
    func readsNoDateWhereThereIsNone(question: String) throws {
        #expect(try Self.read(question, askedAt: "2023-06-14T12:00:00Z") == "")
    }

    @Test(arguments: [
        // The same moment is another day elsewhere.
        ("today", "2023-06-14T22:30:00Z", "Europe/Berlin", "today=2023-06-14T22:00/2023-06-15T22:00"),
        ("today", "2023-06-14T02:30:00Z", "America/Los_Angeles", "today=2023-06-13T07:00/2023-06-14T07:00"),
        ("yesterday", "2023-06-14T12:00:00Z", "Asia/Tokyo", "yesterday=2023-06-12T15:00/2023-06-13T15:00"),
        ("today", "2023-06-14T12:00:00Z", "Pacific/Kiritimati", "today=2023-06-14T10:00/2023-06-15T10:00"),
        ("today", "2023-06-14T12:00:00Z", "Asia/Kathmandu", "today=2023-06-13T18:15/2023-06-14T18:15"),
        // Days of 23 and 25 hours.
        ("today", "2023-03-26T10:00:00Z", "Europe/Berlin", "today=2023-03-25T23:00/2023-03-26T22:00"),
        ("today", "2023-10-29T10:00:00Z", "Europe/Berlin", "today=2023-10-28T22:00/2023-10-29T23:00"),
        ("this morning", "2023-03-26T10:00:00Z", "Europe/Berlin", "this morning=2023-03-26T03:00/2023-03-26T10:00"),
        ("last month", "2023-11-15T10:00:00Z", "America/New_York", "last month=2023-10-01T04:00/2023-11-01T04:00"),
        ("this week", "2023-11-05T12:00:00Z", "America/New_York", "this week=2023-10-30T04:00/2023-11-06T05:00"),
        // A day that has no midnight.
        ("today", "2018-11-04T15:00:00Z", "America/Sao_Paulo", "today=2018-11-04T03:00/2018-11-05T02:00"),
        // A day that never was: Samoa went from the 29th to the 31st.
        ("yesterday", "2011-12-30T12:00:00Z", "Pacific/Apia", ""),
        // Turns of year and month.
        ("yesterday", "2023-01-01T08:00:00Z", "UTC", "yesterday=2022-12-31/2023-01-01"),
        ("last week", "2023-01-03T08:00:00Z", "UTC", "last week=2022-12-26/2023-01-02"),
        ("last month", "2023-01-31T08:00:00Z", "UTC", "last month=2022-12-01/2023-01-01"),
        ("next month", "2022-12-31T23:30:00Z", "Europe/Berlin", "next month=2023-01-31T23:00/2023-02-28T23:00"),
        ("last quarter", "2023-02-10T08:00:00Z", "UTC", "last quarter=2022-10-01/2023-01-01"),
        ("on 31 December", "2023-01-01T08:00:00Z", "UTC", "31 December=2022-12-31/2023-01-01"),
        ("on the 31st", "2023-03-02T08:00:00Z", "UTC", "31st=2023-01-31/2023-02-01"),
        ("in the past month", "2023-03-31T08:00:00Z", "UTC", "past month=2023-02-01/2023-03-01"),
        ("in the last 1 month", "2023-03-31T08:00:00Z", "UTC", "last 1 month=2023-02-28/2023-04-01"),
        ("this winter", "2023-01-15T08:00:00Z", "UTC", "this winter=2022-12-01/2023-03-01"),
        ("last winter", "2023-01-15T08:00:00Z", "UTC", "last winter=2021-12-01/2022-03-01"),
        ("on the weekend", "2023-06-18T08:00:00Z", "UTC", "weekend=2023-06-17/2023-06-19"),
        ("on 5/8/2023", "2023-06-14T12:00:00Z", "America/Chicago", "5/8/2023=2023-05-08T05:00/2023-05-09T05:00"),
        ("on 5/8", "2023-06-14T12:00:00Z", "America/Chicago", "5/8=2023-05-08T05:00/2023-05-09T05:00"),
        ("today", "2023-06-14T12:00:00Z", "Mars/Olympus", "today=2023-06-14/2023-06-15"),
        ("today", "1850-06-14T12:00:00Z", "UTC", ""),
    ])
    func daysBeginWhereTheAskerIs(question: String, askedAt: String, zone: String, expected: String) throws {
        #expect(try Self.read(question, askedAt: askedAt, zone: zone) == expected)
    }

    @Test func theTablesAreLongEnough() {
        #expect(Self.english.count + Self.german.count >= 120)
    }

    @Test func knowsWhatKindOfSpanIsMeant() throws {
        let question = "this morning, today, last week, in May, last summer, in 2022, since March"
        let moment = try #require(Timestamp(iso8601: "2023-06-14T12:00:00Z"))

        let found = DateExpressions.find(in: question, askedAt: moment, zone: "UTC")

        #expect(found.map(\.unit) == [.hours, .day, .week, .month, .season, .year, .span])
        #expect(found[1].contains(moment))
        #expect(!found[1].contains(found[1].end))
    }

    @Test func extremeMomentsGiveNothing() {
        for moment in [Timestamp(microseconds: .min), Timestamp(microseconds: .max)] {
            #expect(DateExpressions.find(in: "today, since March", askedAt: moment, zone: "UTC").isEmpty)
            #expect(DateExpressions.dateWords(of: moment, zone: "UTC").isEmpty)
        }
    }

    @Test(
        arguments: [
            ("2023-05-08T23:30:00Z", "UTC", [.english], false, "8 may 2023"),
            ("2023-05-08T23:30:00Z", "Europe/Berlin", [.english], false, "9 may 2023"),
            ("2023-03-01T04:00:00Z", "America/New_York", [.english], true, "28 february tuesday 2023"),
            ("2023-03-05T12:00:00Z", "UTC", [.english, .german], true, "5 march sunday marz sonntag 2023"),
            ("2023-04-05T12:00:00Z", "UTC", [.english, .german], false, "5 april 2023"),
            ("2023-04-05T12:00:00Z", "UTC", [.japanese], true, "5 2023"),
        ] as [(String, String, [TextLanguage], Bool, String)])
    func namesADateInWords(
        moment: String, zone: String, languages: [TextLanguage], hasWeekday: Bool, expected: String
    ) throws {
        let moment = try #require(Timestamp(iso8601: moment))

        let words = DateExpressions.dateWords(of: moment, zone: zone, languages: languages, hasWeekday: hasWeekday)

        #expect(words.joined(separator: " ") == expected)
    }
}
