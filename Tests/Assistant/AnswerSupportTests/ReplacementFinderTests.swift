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
        "Finds changes that say little of their subject, or name another former value",
        arguments: [
            // "Now" before a value, and other words for a change.
            (TextLanguage.english, "The board meeting is at 14:00.", "The board meeting is now at 15:00.", "time"),
            (
                .german, "Die Abnahme der Anlage ist am 12. Oktober.",
                "Die Abnahme der Anlage ist jetzt am 20. Oktober.", "date"
            ),
            (.german, "Die Abnahme ist am 12. Oktober.", "Die Abnahme ist doch erst am 20. Oktober.", "date"),
            (.french, "La réunion est à 14h30.", "La réunion est maintenant à 15h30.", "time"),
            (.spanish, "La asamblea es el 15 de octubre.", "La asamblea ahora es el 22 de octubre.", "date"),
            (.japanese, "秋祭りは10月24日です。", "秋祭りは一日延びて10月25日になりました。", "date"),
            (.english, "The bus has 12 places.", "The places of the bus went up to 15 places.", "amount"),
            // The sentence before says what it is about, and that it changed.
            (
                .english, "Second harbour guard: Hanna writes the advert, start 1 January.",
                "What moves is the second harbour guard. Not January but April.", "date"
            ),
            (.japanese, "開店を10時から9時半に早めます。", "開店を早める話はやめます。これまで通り10時です。", "decision"),
            // A number without its unit, and "pier 3" in both.
            (
                .english, "The berth fee is 4.20 € per month.",
                "So the letter about the fee is withdrawn: 3.90 instead of 4.20.",
                "amount"
            ),
            (
                .german, "Sperrung von Steg 3 vom 19. bis 30. Oktober.",
                "Dann sperren wir Steg 3 vom 2. bis 13. November.",
                "date"
            ),
            // Decisions.
            (
                .english, "Decision about alarm events: we put NATS between engine and pager.", "We don't take NATS.",
                "decision"
            ),
            (
                .english, "then Paylark. We can add another one later",
                "We switch: payments go with Quaypay, not Paylark.", "decision"
            ),
            (.german, "Ja, Sitka. Bestell gleich.", "Sitka wird nichts: Lieferzeit bis Februar.", "decision"),
            (
                .german, "Warnschwelle: bitte 3,80 m für die Vorwarnung.",
                "Nochmal nachgedacht: das ist zu spät. Vorwarnung bitte schon bei 3,40 m.", "amount"
            ),
            (
                .english, "No production deploys on Fridays any more.",
                "Friday deploys to production are allowed again.",
                "decision"
            ),
        ])
    func findsKinds(language: TextLanguage, older: String, newer: String, kind: String) {
        #expect(found([Self.message(older), Self.message(newer, hours: 30)], language) == ["0>1 \(kind)"])
    }

    @Test(
        "Finds no change in five languages without one, or of something else",
        arguments: [
            // Proposals, questions and conditions.
            (TextLanguage.english, "The regatta is on 12 October.", "Let's move the regatta to 20 October."),
            (.german, "Die Abnahme ist am 12. Oktober.", "Lasst uns die Abnahme auf den 20. Oktober verschieben."),
            (.german, "Die Abnahme ist am 12. Oktober.", "Ist die Abnahme jetzt am 20. Oktober?"),
            (.french, "La réunion est le 12 octobre.", "Et si on reportait la réunion au 20 octobre, plutôt le matin."),
            (.spanish, "La asamblea es el 15 de octubre.", "Si llueve, la asamblea ahora es el 22 de octubre."),
            (.japanese, "会議は10月15日です。", "会議は10月16日に延ばしてもいいですか。"),
            // Another subject, place, number or person.
            (
                .english, "The Bremen pilot goes live on 21 September.",
                "The Hamburg pilot goes live on 27 October instead of 12 October."
            ),
            (.english, "Pier 3 is closed on 12 October.", "Then we close pier 5 on 20 October."),
            (.german, "Die Abnahme der Anlage ist am 12. Oktober.", "Die Abnahme des Krans ist jetzt am 20. Oktober."),
            (.english, "Release 5.2 is on 12 October.", "Release 5.3 moves to 20 October."),
            // What only goes on, or was reported of the past.
            (.english, "The fair 2025 was on 12 October.", "The fair 2026 is on 3 October."),
            (.english, "The regatta is on 12 October.", "Then the jury met on 20 September."),
            (.english, "We have 12 guests.", "Now there are 15 guests."),
            (.french, "Nous avons 12 inscrits.", "Maintenant il y a 15 inscrits."),
            (.english, "The berth fee is 4.20 €.", "The crane is 3.90 now."),
            (
                .english, "The regatta needs a crane. It is open on 12 October.",
                "The regatta has been moved to 20 October."
            ),
            // Friday is named by both.
            (
                .spanish, "Nadie quiere volver del segundo reparto un viernes.",
                "Damos marcha atrás: desde el 16 de octubre el segundo reparto vuelve a ser el viernes."
            ),
            // A hyphenated name that contains a verb of change, a vague day, a request, an event at a place.
            (
                .english, "No production deploys on Fridays any more.",
                "deploy: planner v3.9 to production by Lena [flag: keyboard-moves]"
            ),
            (
                .english, "Three things matter until the end of October: the regatta, the fair and cards.",
                "The regatta is now on 27 October."
            ),
            (.japanese, "焼き団子は火を使うから、確認してね", "焼き団子はなしで、どら焼きにします。"),
            (
                .english, "Bad news: the hotel in Porto gave our rooms of the offsite away.",
                "The offsite moves to Gdańsk."
            ),
            (.english, "The coffee machine in Gothenburg has died.", "Not on my machine. My machine is in Kiel."),
        ])
    func findsNoKinds(language: TextLanguage, older: String, newer: String) {
        #expect(found([Self.message(older), Self.message(newer, by: "Ben", hours: 30)], language).isEmpty)
    }

    @Test("Takes a number behind an asterisk as an answer for a correction of one number")
    func readsMarkedCorrections() {
        let messages = [
            Self.message("We are back from the fair with 43 leads!"),
            Self.message("*47, Sofia found four more cards", hours: 1, repliesTo: 0),
        ]

        #expect(found(messages) == ["0>1 amount"])
        #expect(found([messages[0], Self.message("*47* boats are in", hours: 1, repliesTo: 0)]).isEmpty)
        #expect(found([messages[0], Self.message("*47, Sofia found four more cards", hours: 1)]).isEmpty)
    }

    @Test(
        "Says which values of a sentence were replaced",
        arguments: [
            ("The regatta is on 12 October at 14:00.", "The regatta has been moved to 20 October.", ["12 October"]),
            ("The regatta is on 12 October at 14:00.", "The regatta is now at 15:00.", ["14:00"]),
            ("The offsite is in Porto, on 5 November.", "The offsite is in Gdańsk instead of Porto.", ["Porto"]),
            ("The offsite is in Porto, on 5 November.", "The offsite is in Gdańsk, not Porto.", ["Porto"]),
            ("The offsite is in Porto, on 5 November.", "The offsite is cancelled.", []),
            (
                "The offsite is in Porto, on 5 November.", "The offsite moves to Gdańsk, on 12 November.",
                ["5 November", "Porto"]
            ),
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
