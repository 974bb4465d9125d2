/// One term that a question is asked with.
package struct QuestionTerm: Equatable, Sendable {
    /// The term to look up in the index.
    package let term: String
    /// The first place of its word in the question, in UTF-8 bytes.
    ///
    /// Terms with the same range are stems of one word in several languages.
    package let range: Range<Int>
}

extension TextAnalyzer {
    /// Returns the terms to look up in an index, each once, in the order of the question.
    ///
    /// Stop words of the question's own language are left out, or those of all `languages` if it is unknown; single
    /// Hiragana letters are left out too, because most of them are particles. If no term would be left, all terms are
    /// returned.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - languages: The languages of the searched texts; names and dates count as ``TextLanguage/other``.
    ///   - keeping: Parts of the question without stop words, such as names (Will), in UTF-8 bytes.
    /// - Returns: The union of the terms under each language.
    package static func terms(
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

    /// Returns whether a question is asked without this token: a stop word of one of the languages, or Hiragana.
    package static func isStop(_ token: TextToken, languages: [TextLanguage]) -> Bool {
        switch token.kind {
        case .word: languages.contains { StopWords.contains(token.word, language: $0) }
        case .unigram: token.word.unicodeScalars.allSatisfy(CharacterFolding.isHiragana)
        case .bigram: false
        }
    }

    /// All languages split a text at the same places, so their tokens correspond.
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

/// Words that are too frequent to distinguish messages, folded as ``TextAnalyzer`` folds them; questions ignore them.
enum StopWords {
    private static let byLanguage = Dictionary(
        uniqueKeysWithValues: Language.all.map { ($0.language, $0.stopWords) })

    /// Returns whether a folded word is a stop word of `language`.
    static func contains(_ word: String, language: TextLanguage) -> Bool {
        byLanguage[language]?.contains(word) ?? false
    }
}
