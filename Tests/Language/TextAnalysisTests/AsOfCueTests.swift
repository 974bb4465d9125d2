import ChatCore
import Testing
import TextAnalysis

/// "As of" a day in questions, asked on Monday, 26 October 2026 at 9:00 UTC.
struct AsOfCueTests {
    private static let monday = Timestamp(microseconds: 1_793_005_200_000_000)

    private func found(_ question: String, zone: String = "UTC", isSubject: Bool = false) -> AsOfCue? {
        AsOfCue.find(in: question, askedAt: Self.monday, zone: zone, isSubject: isSubject)
    }

    @Test(arguments: [
        ("When was the launch as of 1 October?", "2026-10-01", "When was the launch?"),
        ("As of October 1st, who was in charge of the booth?", "2026-10-01", "who was in charge of the booth?"),
        ("Who was, as of 1 October, in charge?", "2026-10-01", "Who was in charge?"),
        ("as of 2026-10-01 when did the pilot start", "2026-10-01", "when did the pilot start"),
        ("What did the licence cost as of the 1st of October 2025?", "2025-10-01", "What did the licence cost?"),
        ("tell me the launch date as of last Friday", "2026-10-23", "tell me the launch date"),
        ("As of 1 October, at what time did the ferry leave?", "2026-10-01", "at what time did the ferry leave?"),
        ("When is the regatta, as things stood on 8 October?", "2026-10-08", "When is the regatta?"),
        ("When is the regatta as of yesterday?", "2026-10-25", "When is the regatta?"),
        ("Wann ist die Abnahme, Stand 1. Oktober?", "2026-10-01", "Wann ist die Abnahme?"),
        ("Stand 1.10.: Wer macht das Licht?", "2026-10-01", "Wer macht das Licht?"),
        ("Wie hoch war das Budget zum Stand vom 1. Oktober?", "2026-10-01", "Wie hoch war das Budget?"),
        ("Wo war das Treffen mit Stand 5. Oktober 2026?", "2026-10-05", "Wo war das Treffen?"),
        ("10月1日時点で、開始日はいつでしたか？", "2026-10-01", "開始日はいつでしたか？"),
        ("開始日は2026年10月1日の時点でいつでしたか。", "2026-10-01", "開始日はいつでしたか。"),
        ("１０月１日現在の担当は誰ですか？", "2026-10-01", "担当は誰ですか？"),
        (
            "À la date du 1er octobre, quand était prévue la livraison ?", "2026-10-01",
            "quand était prévue la livraison ?"
        ),
        (
            "Qui était responsable de la caisse à la date du 5 octobre ?", "2026-10-05",
            "Qui était responsable de la caisse ?"
        ),
        ("¿Cuándo era la asamblea a fecha de 1 de octubre?", "2026-10-01", "¿Cuándo era la asamblea?"),
        ("A fecha del 5 de octubre, ¿quién llevaba la caja?", "2026-10-05", "¿quién llevaba la caja?"),
    ])
    func isFoundInFiveLanguages(question: String, day: String, rest: String) throws {
        let cue = try #require(found(question))

        #expect(cue.asOf.day == day)
        #expect(cue.asOf.text == day)
        #expect(cue.removed(from: question) == rest)
    }

    @Test(arguments: [
        // A statement inside of a question, or no question.
        "Is it true that as of 1 October the price is 12?", "As of 1 October the price is 12, right?",
        "As of 1 October the price is 12.", "The price is 12 as of 1 October.",
        "Who wrote \"the price is 12 as of 1 October\"?", "Who said “as of 1 October we use steel”?",
        "Wer schrieb „Stand 1. Oktober“?", "「10月1日時点で12円」と書いたのは誰ですか？",
        // No day that is over.
        "When is the launch as of today?", "When is the launch as of now?", "What does parking cost as of 1 November?",
        "What does parking cost as of tomorrow?", "Who is in charge as of 26 October 2026?",
        "Was kostet es, Stand 1. November?", "11月1日時点の価格はいくらですか？",
        // No day.
        "What does parking cost as of October?", "What is the price as of the next release?",
        "What do you think of 1 October?", "When was it moved to 1 October?",
        "La fête a été reportée au 1er octobre ?", "¿La asamblea se pasa al 1 de octubre?",
        "Wer war am Stand 3. Oktober?", "Ab 1. Oktober kostet es 12 Euro, oder?", "Was kostet der Stand 1. Oktober?",
        "10月1日に現在地を書いたのは誰ですか？", "", "as of", "As of?",
    ])
    func isNotFoundElsewhere(question: String) {
        #expect(found(question) == nil)
    }

    @Test func aSubjectIsNoQuestion() {
        #expect(found("launch as of 1 October") == nil)
        #expect(found("launch as of 1 October", isSubject: true)?.asOf.day == "2026-10-01")
        #expect(found("As of 1 October launch", isSubject: true)?.asOf.day == "2026-10-01")
        #expect(found("as of 1 October", isSubject: true)?.removed(from: "as of 1 October") == "as of 1 October")
    }

    @Test func aDayEndsInTheZoneOfTheAsker() {
        let question = "When was the launch as of 1 October?"

        #expect(found(question)?.asOf.end.iso8601 == "2026-10-02T00:00:00.000Z")
        #expect(found(question, zone: "Europe/Berlin")?.asOf.end.iso8601 == "2026-10-01T22:00:00.000Z")
        #expect(found(question, zone: "Asia/Tokyo")?.asOf.end.iso8601 == "2026-10-01T15:00:00.000Z")
    }

    @Test func aDayIsReadFromARequest() {
        #expect(AsOf(day: "2026-10-01", zone: "Europe/Berlin")?.end.iso8601 == "2026-10-01T22:00:00.000Z")
        for wrong in ["2026-10-1", "2026-02-30", "1 October", "2026-10-01T", "2026-10", "+026-10-01", "１２３４-10-01", ""]
        {
            #expect(AsOf(day: wrong, zone: "UTC") == nil, "\(wrong)")
        }
        #expect(AsOf(Self.monday).text == Self.monday.iso8601)
    }

    /// Replies give times in whole milliseconds.
    @Test func aTimeIncludesItsMillisecond() throws {
        let sent = Timestamp(microseconds: 1_790_000_000_123_456)
        let told = try #require(Timestamp(iso8601: sent.iso8601))

        #expect(AsOf(told).end > sent && AsOf(told).text == sent.iso8601)
        #expect(AsOf(told).end.microseconds == 1_790_000_000_124_000)
    }
}
