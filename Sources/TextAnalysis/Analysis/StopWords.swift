/// Words too frequent to tell messages apart, folded as ``TextAnalyzer`` folds them; a question's terms leave them out.
enum StopWords {
    private static let byLanguage = Dictionary(
        uniqueKeysWithValues: Language.all.map { ($0.language, $0.stopWords) })

    /// Returns whether a folded word is a stop word of `language`.
    static func contains(_ word: String, language: TextLanguage) -> Bool {
        byLanguage[language]?.contains(word) ?? false
    }
}
