/// One term that a question is asked with.
public struct QuestionTerm: Equatable, Sendable {
    /// What the index is asked for.
    public let term: String
    /// Where its word stands first in the question, in UTF-8 bytes.
    ///
    /// Terms with the same range are one word as several languages reduce it.
    public let range: Range<Int>
}

extension TextAnalyzer {
    /// Returns the terms to ask an index for, each once, in the order of the question.
    ///
    /// Stop words of the question's own language are left out, and when that cannot be told those of all `languages`;
    /// so are single Hiragana letters, most of which are particles. If nothing would be left, all terms are.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - languages: Those that the texts searched are indexed under; names and dates count as ``TextLanguage/other``.
    ///   - keeping: Parts of the question that hold no stop words, such as names (Will), in UTF-8 bytes.
    /// - Returns: The union of the terms under each language.
    public static func terms(
        of question: String, languages: [TextLanguage], keeping: [Range<Int>] = []
    ) -> [QuestionTerm] {
        let stopLanguages = LanguageGuess.language(of: question).map { [$0] } ?? languages
        let analysed = languages.map { tokens(of: question, language: $0) }
        let content = analysed.map { tokens in
            tokens.filter { token in
                keeping.contains { $0.overlaps(token.range) } || !isStop(token, languages: stopLanguages)
            }
        }
        return union(content.contains { !$0.isEmpty } ? content : analysed)
    }

    /// Returns whether a question is asked without this token.
    static func isStop(_ token: TextToken, languages: [TextLanguage]) -> Bool {
        switch token.kind {
        case .word: languages.contains { StopWords.contains(token.word, language: $0) }
        case .unigram: token.word.unicodeScalars.allSatisfy(CharacterFolding.isHiragana)
        case .bigram: false
        }
    }

    /// All languages cut a text at the same places, so the tokens of one stand beside those of another.
    private static func union(_ analysed: [[TextToken]]) -> [QuestionTerm] {
        var seen: Set<String> = []
        var terms: [QuestionTerm] = []
        for place in 0..<(analysed.first?.count ?? 0) {
            for tokens in analysed where seen.insert(tokens[place].term).inserted {
                terms.append(QuestionTerm(term: tokens[place].term, range: tokens[place].range))
            }
        }
        return terms
    }
}

/// Words too frequent to tell messages apart, folded as ``TextAnalyzer`` folds them; a question's terms leave them out.
enum StopWords {
    private static let byLanguage = Dictionary(
        uniqueKeysWithValues: Language.all.map { ($0.language, $0.stopWords) })

    /// Returns whether a folded word is a stop word of `language`.
    static func contains(_ word: String, language: TextLanguage) -> Bool {
        byLanguage[language]?.contains(word) ?? false
    }
}
