import ChatCore
import Testing
import TextAnalysis

/// Indexes in files hold what the analysis gave: version 3 must give the same for ever.
@Suite struct AnalysisRulesTests {
    /// Letters that meet every rule: case, accents whole and apart, ligatures, scripts with and without blanks, marks.
    private static let alphabet =
        Array(
            "aaaeeiioousstnrlbcdghkmpyz   AEÄÖÜäöüßéçøłﬁ²Ａ７0259 ..,'’-?!\n\u{308}\u{301}\u{AD}\u{200D}\u{64B}"
                .unicodeScalars) + Array("русСКΣςλ日本語かガｶﾞ한국각ᄀ\u{1161}\u{11A8}\u{3099}नमस्ते👍🏽שָמُـع".unicodeScalars)

    private static let endings = ["ing", "ed", "ational", "ies", "ung", "lichkeit", "en", "s", "ness", "isch"]

    private static func text(_ state: inout UInt64) -> String {
        func number(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        let letterCount = number(below: 3) == 0 ? 27 : alphabet.count
        var scalars = String.UnicodeScalarView()
        for _ in 0..<number(below: number(below: 20) == 0 ? 300 : 60) {
            if number(below: 12) == 0 {
                scalars.append(contentsOf: endings[number(below: endings.count)].unicodeScalars)
                if number(below: 2) == 0 { scalars.append(" ") }
            } else {
                scalars.append(alphabet[number(below: letterCount)])
            }
        }
        return String(scalars)
    }

    @Test(
        arguments: zip(
            TextLanguage.allCases,
            [
                15_293_446_307_500_862_672, 5_090_565_087_517_031_892, 4_727_575_427_536_873_905,
                8_839_772_768_674_895_079, 12_143_645_112_322_274_455,
                4_727_575_427_536_873_905,
            ] as [UInt64]))
    func theTermsOfVersionThreeStay(language: TextLanguage, expected: UInt64) {
        var (state, hash) = (UInt64(7), UInt64(0xCBF2_9CE4_8422_2325))
        for _ in 0..<20_000 {
            for token in TextAnalyzer.tokens(of: Self.text(&state), language: language) {
                let line = "\(token.word) \(token.term) \(token.range) \(token.kind)\n"
                for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            }
        }

        #expect(TextAnalyzer.version == 3)
        #expect(hash == expected)
    }

    @Test func theJoinedWordsOfVersionThreeStay() {
        let signs = ["-", "_", ".", "/", ":", "#", "++", " ", ", ", "...", "@"]
        let words = ["pump", "LOG", "Ä", "12", "v2", "かな", "x"]
        var (state, hash) = (UInt64(3), UInt64(0xCBF2_9CE4_8422_2325))
        func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        for _ in 0..<5_000 {
            let text = (0..<next(below: 12)).map { _ in
                words[next(below: words.count)] + signs[next(below: signs.count)]
            }
            .joined()
            for word in JoinedWord.find(in: text, tokens: TextAnalyzer.tokens(of: text, language: .other)) {
                for byte in "\(word.term) \(word.range) \(word.isName)\n".utf8 {
                    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                }
            }
        }

        #expect(hash == 11_149_769_540_797_304_272)
    }

    @Test func theTermsAreTheTokensTerms() {
        var state = UInt64(11)
        for _ in 0..<2_000 {
            let text = Self.text(&state)
            for language in TextLanguage.allCases {
                let tokens = TextAnalyzer.tokens(of: text, language: language)
                #expect(TextAnalyzer.terms(of: text, language: language) == tokens.map(\.term))
            }
        }
    }

    @Test func theLanguagesOfTextsStay() {
        let words = [
            "the", "and", "with", "der", "und", "nicht", "für", "le", "les", "una", "que", "het", "een", "os", "no",
            "so",
            "日本", "かな", "что", "ferry", "Straße", "Ü", "so", "may",
        ]
        var (state, hash) = (UInt64(5), UInt64(0xCBF2_9CE4_8422_2325))
        for _ in 0..<20_000 {
            var text: [String] = []
            repeat {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text.append(words[Int((state >> 33) % UInt64(words.count))])
            } while state >> 40 & 7 != 0
            let guess = LanguageGuess.language(of: text.joined(separator: " "))
            for byte in "\(guess?.rawValue ?? "-")\n".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }

        #expect(hash == 5_527_475_574_749_652_676)
    }
}
