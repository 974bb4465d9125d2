import AnswerSupport
import ChatCore
import Testing
import TextAnalysis

@Suite("TimelineReader")
struct TimelineReaderTests {
    /// Monday, 5 October 2026, 9:00 UTC, plus hours.
    private static func message(
        _ text: String, by sender: String = "Ada", hours: Int = 0, repliesTo: Int? = nil, topic: String = ""
    ) -> DatedMessage {
        let start = Timestamp(microseconds: 1_791_190_800_000_000)
        var message = DatedMessage(
            text: text, senderName: sender, sentAt: start + .seconds(hours * 3_600), timeZone: "UTC",
            conversation: "general", repliesTo: repliesTo)
        message.topic = topic
        return message
    }

    /// Returns each statement as `message kind=value kind=value >message that replaces it`.
    private func read(
        _ subject: String, _ messages: [DatedMessage], known: Set<Int> = [], _ language: TextLanguage = .english
    ) -> [String] {
        TimelineReader(language: language).statements(about: subject, in: messages, known: known).map { statement in
            let bytes = Array(messages[statement.place.message].text.utf8)
            let values = statement.values.map { value in
                "\(value.kind.rawValue)=\(value.value ?? String(decoding: bytes[value.range], as: UTF8.self))"
            }
            let end = statement.replacedBy.map { " >\($0.message)" } ?? ""
            return ([String(statement.place.message)] + values).joined(separator: " ") + end
        }
    }

    @Test("Puts the valid statement before those that it replaces")
    func putsValidFirst() {
        let messages = [
            Self.message("The launch of the ferry line is on 12 October."),
            Self.message("The launch of the ferry line is moved to 20 October.", hours: 72),
            Self.message("Lunch is at 12:30 today.", hours: 80),
            Self.message("The ferry line launch slips again, not the 20th but 27 October.", hours: 120),
            Self.message("Does anybody know when the ferry line launch is?", hours: 130),
        ]

        #expect(
            read("ferry line launch", messages) == [
                "3 date=2026-10-27", "1 date=2026-10-20 >3", "0 date=2026-10-12 >3",
            ])
        #expect(read("When does the ferry line launch?", messages).count == 3)
        #expect(read("ferry line launch", Array(messages.reversed())).first == "1 date=2026-10-27")
    }

    @Test(
        "Reads the new value behind a passive",
        arguments: [
            "The ferry line launch was moved to 27 October.", "The ferry line launch was then postponed to 27 October.",
            "The ferry line launch was moved from 12 October to 27 October.",
        ])
    func readsPassives(change: String) {
        let messages = [
            Self.message("The ferry line launch is on 12 October."), Self.message(change, hours: 72),
            Self.message("The ferry line launch was on 3 October before.", hours: 80),
        ]

        let lines = read("ferry line launch", messages)
        #expect(lines.contains("1 date=2026-10-27"), "\(lines)")
        #expect(lines.contains("0 date=2026-10-12 >1"), "\(lines)")
    }

    @Test("Reads what it was until a moment from the messages until then")
    func readsEarlierStates() {
        let messages = [
            Self.message("The launch of the ferry line is on 12 October."),
            Self.message("The launch of the ferry line is moved to 20 October.", hours: 72),
        ]

        #expect(read("launch of the ferry line", Array(messages.prefix(1))) == ["0 date=2026-10-12"])
    }

    @Test(
        "Reads each kind of value in five languages",
        arguments: [
            (
                TextLanguage.english, "choir practice", "Choir practice is at 19:30 in room 5.",
                "0 time=19:30 place=room 5"
            ),
            (.english, "choir practice", "Choir practice moves to 12 November.", "0 date=2026-11-12"),
            (.english, "tent rental", "The tent rental costs €1,200.", "0 amount=€1,200"),
            (.english, "lights", "Ben takes over the lights.", "0 person=Ben"),
            (
                .english, "frame material", "We decided on the frame material: steel.",
                "0 decision=We decided on the frame material: steel."
            ),
            (
                .german, "Abnahme der Anlage", "Die Abnahme der Anlage ist am 12. November um 14:30 Uhr.",
                "0 date=2026-11-12 time=14:30"
            ),
            (.german, "Budget für das Zelt", "Das Budget für das Zelt beträgt 800 Euro.", "0 amount=800"),
            (.german, "Licht", "Um das Licht kümmert sich Ben.", "0 person=Ben"),
            (.japanese, "運動会", "運動会は11月12日に開催します。", "0 date=2026-11-12"),
            (.japanese, "会議", "会議は15時30分からです。", "0 time=15:30"),
            (
                .french, "livraison des cadres", "La livraison des cadres est prévue le 12 novembre.",
                "0 date=2026-11-12"
            ),
            (.spanish, "asamblea", "La asamblea es el 12 de noviembre a las 18:30.", "0 date=2026-11-12 time=18:30"),
        ])
    func readsValues(language: TextLanguage, subject: String, text: String, expected: String) {
        #expect(read(subject, [Self.message(text)], language) == [expected])
    }

    @Test(
        "Shows values with their units, and no neighbours",
        arguments: [
            ("New contracts cost 4.20 right away.", ["4.20"]),
            ("I want to give Dirk 2.90 per berth.", ["2.90"]),
            ("The stand has 12 gauges and costs €80.", ["12 gauges", "€80"]),
            ("The stand has room for 12 people.", ["12 people"]),
            ("The stand opens on 12 November at 14:00.", ["12 November", "14:00"]),
            ("The stand of 2026 costs 80 €.", ["2026", "80 €"]),
            ("The hotel in Porto gave us 11 rooms.", ["Porto", "11 rooms"]),
            ("The stand opens by 12 November, not 10 November.", ["12 November"]),
            ("The stand opens on 12 November, not on 10 November.", ["12 November"]),
        ])
    func showsValues(text: String, expected: [String]) {
        let bytes = Array(text.utf8)

        let statements = TimelineReader().statements(about: "stand", in: [Self.message(text)], known: [0])

        #expect(
            statements.flatMap(\.values).map { String(decoding: bytes[$0.range], as: UTF8.self) } == expected)
    }

    @Test("Takes a year for no amount")
    func readsYears() {
        let found = read("fair", [Self.message("The fair 2026 costs 80 €.")])

        // It names the fair, and says no day.
        #expect(found == ["0 amount=80"])
    }

    @Test("Says which values were replaced")
    func marksReplacedValues() throws {
        let messages = [
            Self.message("The regatta is on 12 October at 14:00."),
            Self.message("The regatta has been moved to 20 October.", hours: 30),
        ]

        let statements = TimelineReader().statements(about: "regatta", in: messages)

        #expect(statements.map { $0.values.map(\.isReplaced) } == [[false], [true, false]])
    }

    @Test(
        "Follows changes in five languages",
        arguments: [
            (
                TextLanguage.english, "fire drill", "The fire drill is on Thursday 15 October.",
                "The fire drill has been moved to 22 October because the caretaker is away.", "2026-10-22"
            ),
            (
                .german, "Abnahme", "Die Abnahme ist am 12. Oktober.",
                "Die Abnahme wird auf den 20. Oktober verschoben.", "2026-10-20"
            ),
            (.japanese, "会議", "会議は10月15日です。", "会議は10月15日ではなく10月16日に変更です。", "2026-10-16"),
            (
                .french, "réunion", "La réunion est le 12 octobre.", "La réunion est reportée au 20 octobre.",
                "2026-10-20"
            ),
            (
                .spanish, "asamblea", "La asamblea es el 15 de octubre.", "La asamblea se pasa al 22 de octubre.",
                "2026-10-22"
            ),
        ])
    func followsChanges(language: TextLanguage, subject: String, older: String, newer: String, day: String) {
        let found = read(subject, [Self.message(older), Self.message(newer, hours: 30)], language)

        #expect(found.count == 2)
        #expect(found.first == "1 date=\(day)")
        #expect(found.last?.hasSuffix(" >1") == true)
    }

    @Test("Takes the end of a move for the value, and keeps spans that moved nothing")
    func readsMoves() {
        let moved = [
            Self.message("The regatta is on 12 November."),
            Self.message("The regatta has been moved from 12 November to 20 November.", hours: 30),
        ]

        #expect(read("regatta", moved) == ["1 date=2026-11-20", "0 date=2026-11-12 >1"])
    }

    @Test("Counts what follows without a name: replies, decisions, and sentences behind the name")
    func followsPronouns() {
        let messages = [
            Self.message("The ferry leaves at 14:00."),
            Self.message("Correction: 15:00, not 14:00.", by: "Ben", hours: 20, repliesTo: 0),
            Self.message("News of the ferry! It starts on 12 November.", hours: 40),
        ]

        let found = read("ferry", messages)

        #expect(found.contains("1 time=15:00"))
        #expect(found.contains { $0.hasPrefix("0 time=14:00") && $0.hasSuffix(">1") })
        #expect(found.contains { $0.hasPrefix("2 date=2026-11-12") })
    }

    @Test("Leaves out questions, proposals and other subjects")
    func leavesOut() {
        let messages = [
            Self.message("Shall we move the regatta to 20 October?"),
            Self.message("Maybe the regatta should be on 21 October.", hours: 30),
            Self.message("The board meeting is on 12 October at 10:00.", hours: 60),
            Self.message("I love the regatta.", hours: 90),
        ]

        #expect(read("regatta", messages).isEmpty)
        #expect(read("", messages).isEmpty)
        #expect(read("...", messages).isEmpty)
        #expect(read("regatta", messages, known: [2]) == ["2 date=2026-10-12 time=10:00"])
    }

    @Test("Counts a proposal that others accept")
    func countsAccepted() {
        let messages = [
            Self.message("The regatta is on 12 October."),
            Self.message("Shall we move the regatta to 20 October?", hours: 24),
            Self.message("Yes, agreed.", by: "Ben", hours: 25),
        ]

        #expect(read("regatta", messages) == ["1 date=2026-10-20", "0 date=2026-10-12 >1"])
    }

    @Test("The name of a conversation says a part of the subject, but not all of it")
    func readsTopics() {
        let messages = [
            Self.message("Go-live is on 12 October.", topic: "Hamburg pilot"),
            Self.message("The cake for Mara costs 30 euros.", hours: 10, topic: "Hamburg pilot"),
        ]

        #expect(read("Hamburg pilot go-live", messages) == ["0 date=2026-10-12"])
        #expect(read("Hamburg pilot", messages).isEmpty)
    }

    @Test("Reads a bounded part of hostile input")
    func boundsInput() {
        let text = String(
            repeating: "regatta moved to 12 October, not 13 October, but at 15:00 in room 5. ", count: 400)
        let messages = (0..<400).map { Self.message(text, hours: $0) }

        let found = TimelineReader().statements(about: text, in: messages, known: [399])

        #expect(found.count <= ReplacementLimits.messageCount * ReplacementLimits.statementCount)
        #expect(TimelineReader().statements(about: "regatta", in: []).isEmpty)
    }
}
