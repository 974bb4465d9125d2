import ChatCore
import Testing
import TextAnalysis

@Suite struct TextAnalyzerTests {
    static func words(_ text: String) -> String {
        TextAnalyzer.terms(of: text, language: .other).joined(separator: " ")
    }

    @Test(arguments: [
        ("Hello, World!", "hello world"),
        ("don't Ada's o’clock", "don t ada s o clock"),
        ("v2.3 at 12:30, 1,000 €", "v2 3 at 12 30 1 000"),
        ("see https://Example.org/a_b?q=1#Top", "see https example org a b q 1 top"),
        ("mail ada.lovelace+x@example.org", "mail ada lovelace x example org"),
        ("naïve café ÀÉÎÕÜ", "naive cafe aeiou"),
        ("cafe\u{301} e\u{302}\u{323}t", "cafe et"),
        ("Straße GROẞ STRASSE", "strasse gross strasse"),
        ("İstanbul ISTANBUL ıstanbul istanbul", "istanbul istanbul istanbul istanbul"),
        ("Łódź Øre Æsir Þór Đà smørrebrød œuvre", "lodz ore aesir thor da smorrebrod oeuvre"),
        ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
        ("Ёлка йод МИР", "елка иод мир"),
        ("ＡＢＣ１２ ﬁne x² Ⅳ", "abc12 fine x2 iv"),
        ("½ cup", "½ cup"),
        ("العَرَبِيَّة كـــتاب", "العربية كتاب"),
        ("שָׁלוֹם", "שלום"),
        ("संस्कृत हिन्दी", "संस्कृत हिन्दी"),
        ("soft\u{AD}ware zero\u{200D}width \u{FEFF}start", "software zerowidth start"),
        ("nice 😀👍🏽 👨‍👩‍👧‍👦 🇩🇪 work", "nice work"),
        ("1️⃣ #tag @ada $5", "1 tag ada 5"),
        ("foo_bar-baz/qux\tnew\nline", "foo bar baz qux new line"),
        ("", ""), (" \n …—!?", ""), ("\u{301}\u{302}", ""), ("\0a\u{7F}b", "a b"),
    ])
    func cutsAndFoldsAsUnicode61Does(text: String, expected: String) {
        #expect(Self.words(text) == expected)
    }

    @Test(arguments: [
        ("日本語", "日 日本 本 本語 語"),
        ("東京でSwift5を学ぶ", "東 東京 京 京で で swift5 を を学 学 学ぶ ぶ"),
        ("日本 語", "日 日本 本 語"),
        ("한국어 를", "한 한국 국 국어 어 를"),
        ("2023年5月8日", "2023 年 5 月 8 日"),
        ("ｶﾞｷﾞ ガギ", "ガ ガギ ギ ガ ガギ ギ"),
        ("か\u{3099}き が", "が がき き が"),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한 한국 국"),
        ("コーヒー", "コ コー ー ーヒ ヒ ヒー ー"),
        ("𠮷野家", "𠮷 𠮷野 野 野家 家"),
        ("時々", "時 時々 々"),
    ])
    func givesLettersAndPairsOfIdeographs(text: String, expected: String) {
        #expect(Self.words(text) == expected)
    }

    @Test(arguments: TextLanguage.allCases)
    func rangesPointAtTheTextAsGiven(language: TextLanguage) {
        let text = "Fu\u{308}r GRÖẞE: 日か\u{3099}, co\u{AD}op e\u{301}\u{302}!"

        let parts = TextAnalyzer.tokens(of: text, language: language).map { String(text.part(utf8: $0.range)) }

        let expected = ["Fu\u{308}r", "GRÖẞE", "日", "日か\u{3099}", "か\u{3099}", "co\u{AD}op", "e\u{301}\u{302}"]
        #expect(parts == expected)
    }

    @Test func tokensHoldWordTermRangeAndKind() {
        let tokens = TextAnalyzer.tokens(of: "Für Städte 日本", language: .german)

        #expect(tokens.map(\.word) == ["fur", "stadte", "日", "日本", "本"])
        #expect(tokens.map(\.term) == ["fur", "stadt", "日", "日本", "本"])
        #expect(tokens.map(\.range) == [0..<4, 5..<12, 13..<16, 13..<19, 16..<19])
        #expect(tokens.map(\.kind) == [.word, .word, .unigram, .bigram, .unigram])
    }

    @Test func boundsWhatOneTokenKeeps() {
        let run = String(repeating: "x", count: 262_144)
        let marks = "a" + String(repeating: "\u{301}", count: 100_000) + "b"
        let vowelSigns = "क" + String(repeating: "\u{93F}", count: 100_000)

        let token = TextAnalyzer.tokens(of: run, language: .english).first

        #expect(token?.word == String(repeating: "x", count: 64))
        #expect(token?.range == 0..<262_144)
        #expect(Self.words(marks) == "ab")
        #expect(TextAnalyzer.terms(of: vowelSigns, language: .other).map(\.unicodeScalars.count) == [64])
        #expect(TextAnalyzer.terms(of: String(repeating: "語", count: 80_000), language: .other).count == 159_999)
    }

    @Test(arguments: [(0..<1, ""), (0..<2, "é"), (1..<3, "éa"), (-5..<99, "éa"), (3..<3, ""), (7..<9, "")])
    func partsOfATextHoldWholeLetters(range: Range<Int>, expected: String) {
        #expect("éa".part(utf8: range) == expected)
    }

    @Test func indexTermsKeepStopWordsAndRepeats() {
        let terms = TextAnalyzer.terms(of: "The dogs and the dog", language: .english)

        #expect(terms == ["the", "dog", "and", "the", "dog"])
    }

    @Test(
        arguments: [
            ("What did Ada say about the deployments?", [.english], "ada sai deploy"),
            ("Wann haben wir die Häuser für Köln geplant?", [.german], "haus koln geplant"),
            ("What did Ada say about the deployments?", [.english, .german], "ada sai say deploy deployment"),
            ("Was hat Ada über die Häuser gesagt?", [.english, .german], "ada hauser haus gesagt"),
            ("What did they die of?", [.english, .german], "die"),
            ("When did they do it?", [.english], "when did thei do it"),
            ("What is in May?", [.english], "mai"),
            ("running running runs", [.english], "run"),
            ("running", [.english, .other], "run running"),
            ("running", [], ""),
            ("", [.english], ""),
            ("誰が東京に行きましたか", [.japanese], "誰 誰が が東 東 東京 京 京に に行 行 行き きま まし した たか"),
            ("の", [.japanese], "の"),
        ] as [(String, [TextLanguage], String)])
    func asksWithTheUnionOfTermsWithoutStopWords(question: String, languages: [TextLanguage], expected: String) {
        let terms = TextAnalyzer.terms(of: question, languages: languages)

        #expect(terms.map(\.term).joined(separator: " ") == expected)
    }

    @Test func keepsStopWordsThatAreNames() {
        let question = "What did Will say?"

        let terms = TextAnalyzer.terms(of: question, languages: [.english], keeping: [9..<13])

        #expect(terms.map(\.term) == ["will", "sai"])
        #expect(terms.map(\.range) == [9..<13, 14..<17])
    }

    @Test func termsOfOneWordShareItsRange() {
        let terms = TextAnalyzer.terms(of: "planned running", languages: [.english, .german])

        #expect(terms.map(\.range) == [0..<7, 0..<7, 8..<15, 8..<15])
    }
}
