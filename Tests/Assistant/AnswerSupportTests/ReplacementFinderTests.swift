import AnswerSupport
import ChatCore
import Testing
import TextAnalysis

@Suite("ReplacementFinder")
struct ReplacementFinderTests {
    /// Monday, 5 October 2026, 9:00 UTC, plus hours.
    private static func message(
        _ text: String, by sender: String = "Ada", hours: Int = 0, repliesTo: Int? = nil,
        conversation: String = "general"
    ) -> DatedMessage {
        let start = Timestamp(microseconds: 1_791_190_800_000_000)
        return DatedMessage(
            text: text, senderName: sender, sentAt: start + .seconds(hours * 3_600), timeZone: "UTC",
            conversation: conversation, repliesTo: repliesTo)
    }

    private func found(_ messages: [DatedMessage], _ language: TextLanguage = .english) -> [String] {
        ReplacementFinder(language: language).replacements(in: messages).map {
            "\($0.older.message)>\($0.newer.message) \($0.kind.rawValue)"
        }
    }

    @Test("Finds a moved date, with the sentences of both", arguments: [false, true])
    func findsMovedDate(isReversed: Bool) throws {
        let older = Self.message("Hello all. The regatta is on 12 October. Bring food.")
        let newer = Self.message("Storm! The regatta has been moved to 20 October.", hours: 30)
        let messages = isReversed ? [newer, older] : [older, newer]

        let replacement = try #require(ReplacementFinder().replacements(in: messages).first)

        #expect(replacement.kind == .date)
        let said = [replacement.older, replacement.newer].map { statement in
            String(decoding: Array(messages[statement.message].text.utf8)[statement.range], as: UTF8.self)
        }
        #expect(said[0].hasPrefix("The regatta is on 12 October."))
        #expect(said[1].hasPrefix("The regatta has been moved"))
        #expect((ReplacementFinder.threshold...1).contains(replacement.certainty))
    }

    @Test("Leads a chain to its last statement")
    func followsChains() {
        let messages = [
            Self.message("The regatta is on 12 October."),
            Self.message("The regatta is moved to 20 October.", hours: 24),
            Self.message("The regatta is not on the 20th, but on 27 October.", hours: 48),
        ]

        #expect(found(messages) == ["0>2 date", "1>2 date"])
    }

    @Test("Counts a statement as valid that was changed and changed back")
    func knowsReturns() {
        let messages = [
            Self.message("The regatta is on 12 October."),
            Self.message("The regatta is moved to 20 October.", hours: 24),
            Self.message("The regatta is moved back to 12 October.", hours: 48),
        ]

        #expect(found(messages) == ["1>2 date"])
    }

    @Test(
        "Finds changes in five languages",
        arguments: [
            (TextLanguage.english, "Dinner is at 19:00.", "Dinner is at 20:00 instead of 19:00.", "time"),
            (.german, "Die Abnahme ist am 12. Oktober.", "Die Abnahme wird auf den 20. Oktober verschoben.", "date"),
            (.japanese, "会議は15日です。", "会議は15日ではなく16日に変更です。", "date"),
            (.french, "La réunion est à 14h30.", "La réunion est reportée à 15h30.", "time"),
            (.spanish, "La asamblea es el 15 de octubre.", "La asamblea se pasa al 22 de octubre.", "date"),
        ])
    func findsChanges(language: TextLanguage, older: String, newer: String, kind: String) {
        let messages = [Self.message(older), Self.message(newer, hours: 30)]

        #expect(found(messages, language) == ["0>1 \(kind)"])
    }

    @Test(
        "Finds no change in questions, proposals, conditions and other subjects",
        arguments: [
            ("The regatta is on 12 October.", "Shall we move the regatta to 20 October?"),
            ("The regatta is on 12 October.", "Maybe the regatta should be moved to 20 October."),
            ("The regatta is on 12 October.", "If it storms, the regatta is moved to 20 October."),
            ("The regatta is on 12 October.", "The board meeting is moved to 20 October."),
            ("The design review is on 12 October.", "The budget review is moved to 20 October."),
            ("My dentist appointment is on 12 October.", "My dentist appointment is moved to 20 October."),
            ("We have 12 guests for dinner.", "We now have 19 guests for dinner."),
            ("The regatta is on 12 October.", "The regatta is on 12 October, as planned."),
        ])
    func staysSilent(older: String, newer: String) {
        #expect(found([Self.message(older), Self.message(newer, by: "Ben", hours: 30)]).isEmpty)
    }

    @Test(
        "Says which values of a sentence were replaced",
        arguments: [
            ("The regatta is on 12 October at 14:00.", "The regatta has been moved to 20 October.", ["12 October"]),
            ("The regatta is on 12 October at 14:00.", "The regatta is now at 15:00.", ["14:00"]),
            ("The offsite is in Porto, on 5 November.", "The offsite is in Gdańsk instead of Porto.", ["Porto"]),
            ("The offsite is in Porto, on 5 November.", "The offsite is in Gdańsk, not Porto.", ["Porto"]),
            ("The offsite is in Porto, on 5 November.", "The offsite is cancelled.", []),
            ("We decided to use NATS for the alarm.", "The alarm will not use NATS after all.", []),
        ])
    func namesReplacedValues(older: String, newer: String, expected: [String]) throws {
        let messages = [Self.message(older), Self.message(newer, hours: 30)]

        let replacement = try #require(ReplacementFinder().replacements(in: messages).first)

        let bytes = Array(older.utf8)
        #expect(replacement.values.map { String(decoding: bytes[$0], as: UTF8.self) }.sorted() == expected)
    }

    @Test("Counts a proposal once another person accepts it")
    func needsAcceptance() {
        let older = Self.message("The regatta is on 12 October.")
        let proposal = Self.message("Shall we move the regatta to 20 October?", hours: 24)
        let yes = Self.message("Yes, agreed.", by: "Ben", hours: 25)
        let own = Self.message("Yes, agreed.", hours: 25)
        let no = Self.message("No, sorry.", by: "Ben", hours: 25)

        #expect(found([older, proposal, yes]) == ["0>1 date"])
        #expect(found([older, proposal, own]).isEmpty)
        #expect(found([older, proposal, no, yes]).isEmpty)
    }

    @Test("Takes a correction without a subject for what it answers")
    func followsReplies() {
        let messages = [
            Self.message("The ferry leaves at 14:00."),
            Self.message("Lunch is at 12:30.", hours: 1),
            Self.message("Correction: 15:00, not 14:00.", hours: 20, repliesTo: 0),
        ]

        #expect(found(messages) == ["0>2 time"])
    }

    @Test("Reads a bounded part of hostile input")
    func boundsInput() {
        let text = String(repeating: "moved to 12 October, not 13 October, but instead of 14:00 at 15:00. ", count: 400)
        let messages = (0..<400).map { Self.message(text, hours: $0) }

        let replacements = ReplacementFinder().replacements(in: messages)

        #expect(replacements.allSatisfy { $0.newer.message < ReplacementLimits.messageCount })
        #expect(ReplacementFinder().replacements(in: []).isEmpty)
        #expect(ReplacementFinder().replacements(in: [Self.message(""), Self.message("?", hours: 1)]).isEmpty)
    }
}
