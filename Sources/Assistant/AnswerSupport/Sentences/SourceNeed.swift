import TextAnalysis

/// Decides whether a sentence states something that a message must support.
struct SourceNeed {
    let language: TextLanguage
    private let words: ClaimWords

    init(language: TextLanguage) {
        self.language = language
        words = ClaimWords.of(language)
    }

    /// - Parameters:
    ///   - text: The sentence without its citations.
    ///   - statement: The same, read.
    /// - Returns: False for headings, questions, courtesies, and for what says that nothing is known.
    func isNeeded(_ text: String, _ statement: ReadSentence) -> Bool {
        let reading = statement.reading
        if isHeading(text) || isQuestion(text) { return false }
        let content = reading.words.filter { $0.weight >= 0.5 }
        let hasFact =
            !reading.quantities.filter { !$0.isWeak }.isEmpty || !reading.times.isEmpty
            || !statement.dayRanges.isEmpty
        if saysUnknown(text, reading) { return false }
        if content.isEmpty { return hasFact }
        if isCourtesy(text, reading, content), !hasFact { return false }
        // "According to [1]:" and "The messages say the following." only lead to what follows.
        return content.reduce(Float(0)) { $0 + $1.weight } >= 1 || hasFact
    }

    private func isHeading(_ text: String) -> Bool {
        let first = text.first { !$0.isWhitespace }
        if first == "#" || first == "|" && !text.contains(where: \.isLetter) { return true }
        guard let last = text.last(where: { !$0.isWhitespace && $0 != "*" && $0 != "_" }) else { return true }
        return last == ":" || last == "："
    }

    private func isQuestion(_ text: String) -> Bool {
        let last = text.last { !$0.isWhitespace && !"*_\"'”»）)".contains($0) }
        return last == "?" || last == "？" || language == .japanese && (text.contains("ですか。") || text.contains("ますか。"))
    }

    private func saysUnknown(_ text: String, _ reading: TextReading) -> Bool {
        if language == .japanese { return words.ignorance.contains { text.contains($0) } }
        let folded = " " + reading.words.map(\.word).joined(separator: " ") + " "
        return words.ignorance.contains { folded.contains(" \($0) ") }
    }

    private func isCourtesy(_ text: String, _ reading: TextReading, _ content: [ReadWord]) -> Bool {
        if language == .japanese { return content.count <= 2 && words.courtesies.contains { text.contains($0) } }
        let first = reading.words.first.map { words.courtesies.contains($0.word) } ?? false
        return first && content.allSatisfy { words.courtesies.contains($0.word) || words.fillers.contains($0.word) }
            || content.allSatisfy { words.courtesies.contains($0.word) }
    }
}
