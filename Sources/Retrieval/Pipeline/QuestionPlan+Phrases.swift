import ChatCore

extension QuestionPlan {
    /// Returns how many of the quoted phrases stand in a text, word for word.
    func phraseCount(in text: String) -> Int {
        guard !phrases.isEmpty else { return 0 }
        let words = TextAnalysis.tokens(of: text, language: .other).map(\.word)
        return phrases.count { phrase in
            guard let first = phrase.first, phrase.count <= words.count else { return false }
            return words.indices.contains { start in
                words[start] == first && words[start...].starts(with: phrase)
            }
        }
    }
}
