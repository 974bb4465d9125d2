import ChatCore

/// Tells whether a question can be understood without what was said before it.
///
/// It errs towards "no": a question that is called dependent although it is not costs one request to a language model,
/// the other mistake costs the answer. English, German and what can be seen in Chinese and Japanese; in other languages
/// only its length counts.
public enum QuestionDependence {
    /// With fewer words that carry meaning, a question leaves something out as a rule.
    static let contentWordCount = 4

    /// Returns whether `question` stands alone: 4 words that carry meaning, and nothing that points back.
    public static func standsAlone(_ question: String) -> Bool {
        let tokens = TextAnalyzer.tokens(of: question, language: .other)
        let languages = LanguageGuess.language(of: question).map { [$0] } ?? [.english, .german]
        guard !question.contains("…"), !question.contains("..."), !continues(tokens) else { return false }
        guard !hasPointer(tokens, in: question), !ideographs.contains(where: question.contains) else { return false }
        return tokens.count { isContent($0, languages: languages) } >= contentWordCount
    }

    private static func isContent(_ token: TextToken, languages: [TextLanguage]) -> Bool {
        switch token.kind {
        case .word: !TextAnalyzer.isStop(token, languages: languages)
        case .unigram: false
        case .bigram: !token.word.unicodeScalars.contains(where: CharacterFolding.isHiragana)
        }
    }

    /// Whether it begins like the second half of a sentence: "And in Kiel?", "Was ist mit Kiel?".
    private static func continues(_ tokens: [TextToken]) -> Bool {
        let start = tokens.prefix(3).map(\.word)
        return start.first.map(conjunctions.contains) ?? false
            || openings.contains { start.starts(with: $0) }
    }

    private static func hasPointer(_ tokens: [TextToken], in question: String) -> Bool {
        tokens.indices.contains { place in
            let word = tokens[place].word
            let before = place > 0 ? tokens[place - 1].word : ""
            let after = place + 1 < tokens.count ? tokens[place + 1].word : ""
            // The department IT and the formal Sie are written with capitals.
            let isName = place > 0 && question.part(utf8: tokens[place].range).first?.isUppercase ?? false
            guard !isName else { return false }
            func isOf(_ list: [TextLanguage: Set<String>]) -> Bool {
                // "her" and "die" are words of both: which language it is decides nothing here.
                Pronouns.holds(word, list, languages: list.keys)
            }
            if isOf(Pronouns.personal) || isOf(Pronouns.things) { return true }
            if isOf(Pronouns.impersonal) { return !existences.contains(before) && !existences.contains(after) }
            return isOf(Pronouns.demonstratives) && !times.contains(after)
        }
    }

    private static let conjunctions = words("and but or und aber oder sondern")
    private static let openings = [
        ["what", "about"], ["how", "about"], ["was", "ist", "mit"], ["wie", "ist", "es"],
    ]
    private static let existences = words("is are was were be been will gibt gab geben geht ging")
    private static let times = words(
        """
        day days week weekend month quarter year morning afternoon evening spring summer autumn fall winter monday
        tuesday wednesday thursday friday saturday sunday tage tagen woche wochen wochenende monat quartal jahr morgen
        vormittag nachmittag abend fruhling sommer herbst winter montag dienstag mittwoch donnerstag freitag samstag
        sonntag
        """)
    private static let ideographs = [
        "それ", "その", "これ", "この", "あれ", "あの", "そこ", "彼", "她", "它", "他", "这", "那", "這",
    ]

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
