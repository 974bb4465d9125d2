import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Local times, calendars and orders of dates in exports of WhatsApp.
@Suite struct WhatsAppTimeTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    /// The times of a chat's messages as `12-31T23:59`.
    private func times(_ lines: [String], zone: String = "Europe/Berlin", as name: String = "Ada") async throws
        -> [String]
    {
        let file = try bench.write(lines.joined(separator: "\n"), to: "Crew.txt")
        let options = HistoryOptions(timeZone: zone)
        let result = try await bench.run(file, options: options)
        #expect(result.rejects.isEmpty, "\(result.refusals)")
        return try await bench.messages(of: file, as: name, options: options).map {
            String($0.timestamp.iso8601.dropFirst(5).prefix(11))
        }
    }

    @Test func theOrderOfTheFileDecidesInTheHourThatRepeats() async throws {
        let lines = [
            "29.10.23, 01:59 - Ada: a", "29.10.23, 02:30 - Ada: b", "29.10.23, 02:59 - Ben: c",
            "29.10.23, 02:05 - Ada: d", "29.10.23, 02:40 - Ben: e", "29.10.23, 03:01 - Ada: f",
            "13.11.23, 03:01 - Ada: g",
        ]

        #expect(
            try await times(lines) == [
                "10-28T23:59", "10-29T00:30", "10-29T00:59", "10-29T01:05", "10-29T01:40", "10-29T02:01", "11-13T02:01",
            ])
    }

    @Test(arguments: [
        // A message that arrived late is no change of the clock.
        (["29.10.23, 02:30", "29.10.23, 02:29", "29.10.23, 02:31"], ["00:29", "00:30", "00:31"]),
        // Nothing was written before: the first of the two.
        (["29.10.23, 02:30", "29.10.23, 03:30"], ["00:30", "02:30"]),
        // A late message of the second pass stays in it.
        (
            ["29.10.23, 02:50", "29.10.23, 02:10", "29.10.23, 03:05", "29.10.23, 02:55"],
            ["00:50", "01:10", "01:55", "02:05"]
        ),
        // A line of another day says nothing about this hour.
        (["31.10.23, 10:00", "29.10.23, 02:30"], ["00:30", "09:00"]),
    ])
    func repeatedTimesAreReadInTheirOrder(clocks: [String], moments: [String]) async throws {
        let found = try await times(clocks.map { $0 + " - Ada: x" })

        #expect(found.map { String($0.suffix(5)) } == moments)
    }

    @Test func otherZonesRepeatOtherTimes() async throws {
        let newYork = try await times(
            ["5/11/23, 01:50 - Ada: a", "5/11/23, 01:20 - Ada: b", "13/11/23, 10:00 - Ada: c"], zone: "America/New_York"
        )
        // The clocks of this island change by half an hour.
        let lordHowe = try await times(
            ["2/4/23, 01:45 - Ada: a", "2/4/23, 01:35 - Ada: b", "13/4/23, 10:00 - Ada: c"], zone: "Australia/Lord_Howe"
        )

        #expect(newYork.prefix(2) == ["11-05T05:50", "11-05T06:20"])
        #expect(lordHowe.prefix(2) == ["04-01T14:45", "04-01T15:05"])
    }

    @Test func timesThatTheClockSkipsKeepTheirOrder() async throws {
        let lines = ["26.3.23, 01:59", "26.3.23, 02:30", "26.3.23, 03:40"].map { $0 + " - Ada: x" }

        #expect(try await times(lines) == ["03-26T00:59", "03-26T01:30", "03-26T01:40"])
    }

    @Test(arguments: [
        ("25/11/2567 18:05 - Ada: x", "2024-11-25T18:05:00Z"),
        ("[3/27/2565 BE, 21:41:35] Ada: x", "2022-03-27T21:41:35Z"),
        ("25/11/67, 18:05 - Ada: x", "2024-11-25T18:05:00Z"),
        ("29/2/2567 18:05 - Ada: x", "2024-02-29T18:05:00Z"),
        ("[3/27/R4, 21:41:35] Ada: x", "2022-03-27T21:41:35Z"),
        ("[R5/01/05 15:12:05] Ada: x", "2023-01-05T15:12:05Z"),
        ("112/11/25 下午6:05 - Ada: x", "2023-11-25T18:05:00Z"),
        ("\u{200F}۱۴۰۲\u{200F}/۱۰\u{200F}/۳، ۱۸:۰۵ - Ada: x", "2023-12-24T18:05:00Z"),
        ("1402/12/29, 23:05 - Ada: x", "2024-03-19T23:05:00Z"),
        ("١٢\u{200F}/٦\u{200F}/١٤٤٥ هـ، ٦:٠٥ م - Ada: x", "2023-12-25T18:05:00Z"),
        ("30/9/1445, 06:05 - Ada: x", "2024-04-09T06:05:00Z"),
    ])
    func yearsOfOtherCalendarsAreConverted(line: String, moment: String) async throws {
        let file = try bench.write(line, to: "Crew.txt")
        let order: DateOrder? = line.contains("/٦") ? .dmy : nil

        let result = try await bench.run(file, options: HistoryOptions(dateOrder: order))

        #expect(result.report.insertedMessages == 1, "\(result.refusals)")
        let options = HistoryOptions(dateOrder: order)
        let message = try #require(try await bench.messages(of: file, as: "Ada", options: options).first)
        #expect(message.timestamp == Timestamp(iso8601: moment))
        #expect(message.text == "x")
    }

    @Test(arguments: [
        "12/06/45, 18:05 - Ada: x", "25/04/5784, 18:05 - Ada: x", "25/11/2031, 18:05 - Ada: x",
        "25/11/1800, 18:05 - Ada: x",
    ])
    func datesOfUnknownCalendarsAreRefused(line: String) async throws {
        let file = try bench.write(line, to: "Crew.txt")

        await #expect(throws: ImportFileError.unknownCalendar(path: file.path)) { _ = try await bench.run(file) }
        await #expect(throws: ImportFileError.unknownCalendar(path: file.path)) {
            _ = try await bench.run(file, options: HistoryOptions(dateOrder: .dmy))
        }
    }

    @Test func aLineOfAnUnknownCalendarIsRefusedAlone() async throws {
        let lines = ["13/01/2023, 10:00 - Ada: a", "14/01/5784, 10:00 - Ada: b", "15/01/2023, 10:00 - Ada: c"]
        let file = try bench.write(lines.joined(separator: "\n"), to: "Crew.txt")

        let result = try await bench.run(file)

        #expect(result.report.insertedMessages == 2)
        #expect(result.refusals.count == 1 && result.refusals[0].hasPrefix("2: the year 5784 belongs to no calendar"))
    }

    /// Dates with dots and blanks, and the first day that they mean; nil if the order must be asked for.
    @Test(
        arguments: [
            (["[23. 1. 15. 오후 3:12:05]"], "2023-01-15"), (["[23. 1. 15. 15:12:05]"], nil),
            (["[23. 1. 5. 15:12:05]"], nil), (["[23. 1. 15. 15:12:05]", "[23. 1. 16. 15:12:05]"], nil),
            (["[23. 1. 15. 15:12:05]", "[23. 2. 3. 15:12:05]"], "2023-01-15"),
            (["[12. 3. 15. 15:12:05]", "[12. 4. 20. 15:12:05]"], "2012-03-15"),
            (["[15. 1. 23. 15:12:05]", "[20. 2. 23. 15:12:05]"], "2023-01-15"),
            (["[23. 1. 15. 15:12:05]", "[23. 2. 15. 15:12:05]"], nil), (["[15. 1. 31. 15:12:05]"], "2015-01-31"),
            (["[2023. 1. 5. 15:12:05]"], "2023-01-05"),
            (["[31. 12. 22. 15:12:05]"], "2022-12-31"), (["31. 12. 2022. 15:12:05"], "2022-12-31"),
        ] as [([String], String?)])
    func datesWithDotsAndBlanksAreReadOnlyIfTheyAreClear(stamps: [String], first: String?) async throws {
        let file = try bench.write(stamps.map { $0 + " Ada: x" }.joined(separator: "\n"), to: "Crew.txt")

        guard let first else {
            await #expect(throws: ImportFileError.unclearDateOrder(path: file.path)) { _ = try await bench.run(file) }
            return
        }
        _ = try await bench.run(file)
        let messages = try await bench.messages(of: file, as: "Ada")
        #expect(messages.map { String($0.timestamp.iso8601.prefix(10)) }.contains(first))
        #expect(messages.count == stamps.count)
    }

    @Test func aDateInTheFutureRulesAnOrderOut() async throws {
        // The present is 2025-10-09.
        let file = try bench.write("11/09/25, 10:00 - Ada: x", to: "Crew.txt")

        _ = try await bench.run(file)

        let messages = try await bench.messages(of: file, as: "Ada")
        #expect(messages.map(\.timestamp) == [Timestamp(iso8601: "2025-09-11T10:00:00Z")])
    }

    @Test func aPastedLineDoesNotChangeTheOrderOfTheFile() async throws {
        let lines = ["01/14/23, 10:00 - Ada: a", "31/12/22, 10:00 - Ada: pasted", "02/03/23, 10:00 - Ada: c"]
        let file = try bench.write(lines.joined(separator: "\n") + "\n03/04/23, 10:00 - Ada: d", to: "Crew.txt")

        let result = try await bench.run(file, options: HistoryOptions(dateOrder: .mdy))

        #expect(result.refusals == ["2: no such date with the order mdy"])
    }

    @Test(
        arguments: [
            ("[24.12.23 г., 18:05:33 ч.] Ada: x", "2023-12-24T18:05:33Z"),
            ("24.12.23 г., 18:05 ч. - Ada: x", "2023-12-24T18:05:00Z"),
            ("[24.12.23 г., 9:05:33 ч.] Ada: x", "2023-12-24T09:05:33Z"),
            ("24.12.2023 klo 14.05 - Ada: x", "2023-12-24T14:05:00Z"),
            ("24.12.2023 kl. 14.05 - Ada: x", "2023-12-24T14:05:00Z"),
            ("2023-12-24 15 h 12 - Ada: x", "2023-12-24T15:12:00Z"),
            ("[21:41:35, 24/12/23] Ada: x", "2023-12-24T21:41:35Z"),
            ("21:41, 24/12/2023 - Ada: x", "2023-12-24T21:41:00Z"),
            ("[9:41:35 CH, 24/12/23] Ada: x", "2023-12-24T21:41:35Z"),
            ("24. 12. 2023. 21:25:15 Ada: x", "2023-12-24T21:25:15Z"),
            ("24/12/2023, 8:05\u{202F}PM – Ada: x", "2023-12-24T20:05:00Z"),
            ("[24/12/2023, 8:05:00\u{202F}PM] Ada: x", "2023-12-24T20:05:00Z"),
            ("24/12/2023, 8:05 da tarde - Ada: x", "2023-12-24T20:05:00Z"),
            ("24/12/2023, 8:05 in the morning - Ada: x", "2023-12-24T08:05:00Z"),
            ("24.12.2023, 8:05 nachm. - Ada: x", "2023-12-24T20:05:00Z"),
            ("[24.12.2023, 8:46:00 אחה״צ] Ada: x", "2023-12-24T20:46:00Z"),
            ("24/12/2023, pump 8:05 - Ada: x", nil), ("24/12/2023, रात 12:30 - Ada: x", "2023-12-24T00:30:00Z"),
            ("24/12/2023, रात 9:30 - Ada: x", "2023-12-24T21:30:00Z"),
            ("24/12/2023, दोपहर 12:30 - Ada: x", "2023-12-24T12:30:00Z"),
            ("24/12/2023, 8:05 μ.μ. - Ada: x", "2023-12-24T20:05:00Z"),
            ("24.12.2023, 8:05 сл.об. - Ada: x", "2023-12-24T20:05:00Z"),
            ("2023. 12. 24. du. 8:05 - Ada: x", "2023-12-24T20:05:00Z"),
            ("2023/12/24 晚上8:05 - Ada: x", "2023-12-24T20:05:00Z"),
            ("2023/12/24 凌晨12:05 - Ada: x", "2023-12-24T00:05:00Z"),
            ("२४/१२/२०२३, २०:०५ - Ada: x", "2023-12-24T20:05:00Z"),
            ("24/12/2023 12:05 น. - Ada: x", "2023-12-24T12:05:00Z"),
        ] as [(String, String?)])
    func readsTimesOfMoreCountries(line: String, moment: String?) async throws {
        let before = moment == nil ? "24/12/2023, 00:00 - Ada: before\n" : ""
        let file = try bench.write(before + line, to: "Crew.txt")

        _ = try await bench.run(file)

        let messages = try await bench.messages(of: file, as: "Ada")
        guard let moment else {
            #expect(messages.map(\.text) == ["before\n" + line])
            return
        }
        #expect(messages.map(\.text) == ["x"])
        #expect(messages.map(\.timestamp) == [Timestamp(iso8601: moment)])
    }

    @Test(arguments: [
        "2023-01-05 15:12:33 restarted the pump", "see you 12:30, 1/2/23 - Ada: x",
        "12/10/2020 we meet at 10:30 - Ada: x",
        "31. 12. 2022. 10:00:05 nobody", "5.1.23 at noon: fine", "R4, 10:00 - Ada: x",
    ])
    func linesOfAPersonAreNoHeads(line: String) async throws {
        let file = try bench.write("31/12/2022, 10:00 - Ada: x\n\(line)", to: "Crew.txt")

        _ = try await bench.run(file)

        let messages = try await bench.messages(of: file, as: "Ada")
        #expect(messages.map(\.text) == ["x\n\(line)"])
    }
}
