import ChatCore
import Testing
import TextAnalysis

@Suite struct LanguageGuessTests {
    @Test(
        arguments: [
            ("What did she say about the new office?", .english),
            ("I'm going to be late, sorry about that", .english),
            ("We may have to move it", .english),
            ("Wann treffen wir uns in der neuen Wohnung?", .german),
            ("Das wird nichts mehr heute", .german),
            ("Können wir das verschieben?", .german),
            ("Ich war in Berlin", .german),
            ("今日は何をしましたか", .japanese),
            ("東京のホテルを予約した", .japanese),
            ("我们明天去北京开会", .other),
            ("오늘 회의가 있어요", .other),
            ("Мы встречаемся завтра", .other),
            ("Nous avons une réunion avec le client dans la salle", .french),
            ("No sé por qué lo dices, pero es muy bueno", .spanish),
            ("Ik heb het niet gezien, maar hij is er ook", .other),
            ("Non ho capito, ma questo è il file che mi serve", .other),
            ("Partiamo venerdì se il tempo è bello, ma non di sera.", .other),
            ("hang on a sec", .english), ("on a un souci", .french),
            ("Eu não sei o que ele quer, mas isso foi bom", .other),
        ] as [(String, TextLanguage)])
    func tellsLanguagesByScriptAndFunctionWords(text: String, expected: TextLanguage) {
        #expect(LanguageGuess.language(of: text) == expected)
    }

    @Test(arguments: [
        "", "ok", "lol nice", "no no no no", "Um um ja ja", "y y yeah", "😀", "in", "Berlin 2023",
        "https://example.org/a",
    ])
    func staysUndecidedOnShortTexts(text: String) {
        #expect(LanguageGuess.language(of: text) == nil)
        #expect(LanguageGuess.language(of: text, fallback: .german) == .german)
    }

    @Test func looksOnlyAtTheBeginning() {
        let text = String(repeating: "ok ", count: 2_000) + String(repeating: "wir haben das nicht ", count: 2_000)

        #expect(LanguageGuess.language(of: text) == nil)
    }

    @Test func theDominantLanguageIsTheMostFrequentGuess() {
        #expect(LanguageGuess.dominant(of: [.german, nil, .english, .german]) == .german)
        #expect(LanguageGuess.dominant(of: [.german, .english]) == .english)
        #expect(LanguageGuess.dominant(of: [nil, nil]) == nil)
    }
}
