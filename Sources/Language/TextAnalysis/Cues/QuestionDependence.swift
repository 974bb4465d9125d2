import ChatCore

/// Decides whether a question can be understood without the conversation before it.
///
/// It errs towards "no": a wrong "no" costs one request to a language model, a wrong "yes" costs the answer. In a
/// language without words (see ``Language``) only its length counts.
package enum QuestionDependence {
    /// With fewer words that carry meaning, a question leaves something out as a rule.
    static let contentWordCount = 4

    /// Returns whether `question` can be understood alone: it has 4 content words, and no word that refers back.
    package static func standsAlone(_ question: String) -> Bool {
        let tokens = TextAnalyzer.tokens(of: question, language: .other)
        let languages = LanguageGuess.likely(in: question)
        let words = PointerWords(LanguageGuess.readable(in: question))
        guard !question.contains("…"), !question.contains("..."), !words.continues(tokens) else { return false }
        guard !hasPointer(tokens, in: question, words), !ideographs.contains(where: question.contains) else {
            return false
        }
        return tokens.count { isContent($0, languages: languages) } >= contentWordCount
    }

    private static func isContent(_ token: TextToken, languages: [TextLanguage]) -> Bool {
        switch token.kind {
        case .word: !TextAnalyzer.isStop(token, languages: languages)
        case .unigram: false
        case .bigram: !token.word.unicodeScalars.contains(where: CharacterFolding.isHiragana)
        }
    }

    private static func hasPointer(_ tokens: [TextToken], in question: String, _ words: PointerWords) -> Bool {
        tokens.indices.contains { place in
            let word = tokens[place].word
            let before = place > 0 ? tokens[place - 1].word : ""
            let after = place + 1 < tokens.count ? tokens[place + 1].word : ""
            // The department IT and the formal Sie are written with capitals.
            let isName = place > 0 && question.part(utf8: tokens[place].range).first?.isUppercase ?? false
            guard !isName else { return false }
            if words.pronouns.contains(word) { return true }
            if words.impersonal.contains(word) {
                return !words.existences.contains(before) && !words.existences.contains(after)
            }
            return words.demonstratives.contains(word) && !words.times.contains(after)
        }
    }

    private static let ideographs =
        Language.all.flatMap(\.pronouns.pointers) + NeighbourLanguage.all.flatMap(\.pointers)
}

/// The words of some languages that refer to earlier text.
///
/// "Her" and "die" are words of English and German: the choice of language makes no difference here.
private struct PointerWords {
    let pronouns: Set<String>
    let impersonal: Set<String>
    let demonstratives: Set<String>
    let existences: Set<String>
    let times: Set<String>
    private let conjunctions: Set<String>
    private let openings: Set<String>

    init(_ languages: [TextLanguage]) {
        pronouns = Language.words(languages) { $0.pronouns.personal.union($0.pronouns.things) }
        impersonal = Language.words(languages) { $0.pronouns.impersonal }
        demonstratives = Language.words(languages) { $0.pronouns.demonstratives }
        existences = Language.words(languages) { $0.questions.existences }
        times = Language.words(languages) { $0.questions.times }
        conjunctions = Language.words(languages) { $0.questions.conjunctions }
        openings = Language.words(languages) { $0.questions.openings }
    }

    /// Whether it begins like the second half of a sentence: "And in Kiel?", "Was ist mit Kiel?".
    func continues(_ tokens: [TextToken]) -> Bool {
        guard let first = tokens.first, !conjunctions.contains(first.word) else { return !tokens.isEmpty }
        return (2...3).contains { count in
            openings.contains(tokens.prefix(count).map(\.word).joined(separator: " "))
        }
    }
}
