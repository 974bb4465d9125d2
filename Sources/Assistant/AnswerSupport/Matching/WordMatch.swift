/// One sentence beside one source.
struct WordMatch: Sendable {
    /// How alike each word of the sentence is to each word of the source, row by row: 0...1.
    private let strengths: [Float]
    /// The likeness of each word of the sentence to the best word of the source.
    let best: [Float]
    /// The words of the source.
    let count: Int

    /// - Parameters:
    ///   - likeness: The words of the sentence beside the vocabulary of all sources.
    ///   - numbers: The numbers of the source's words in the vocabulary.
    ///   - tokens: The likeness of each word to each by their vectors, row by row; empty without an encoder.
    ///   - vocabularyCount: The words of the vocabulary.
    init(_ likeness: SentenceLikeness, _ numbers: [Int], tokens: [Float], vocabularyCount: Int) {
        count = numbers.count
        var strengths = tokens
        if strengths.isEmpty { strengths = Array(repeating: 0, count: likeness.weighed.count * numbers.count) }
        var best = [Float](repeating: 0, count: likeness.weighed.count)
        var values = [Float](repeating: 0, count: vocabularyCount)
        for row in likeness.weighed.indices {
            let found = likeness.weighed[row]
            if found.isEmpty, tokens.isEmpty { continue }
            for word in found { values[word.number] = word.value }
            for (column, number) in numbers.enumerated() {
                let place = row * numbers.count + column
                strengths[place] = max(0.92 * strengths[place], values[number])
                best[row] = max(best[row], strengths[place])
            }
            for word in found { values[word.number] = 0 }
        }
        (self.strengths, self.best) = (strengths, best)
    }

    subscript(row: Int, column: Int) -> Float { strengths[row * count + column] }

    func withStrengths<Result>(_ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        strengths.withUnsafeBufferPointer(body)
    }
}

/// How much of a sentence each source resembles, to find the few sources that are compared closely.
enum SourceCoverage {
    /// - Returns: A sum of weights for each source.
    static func all(
        of sentence: TextReading, _ likeness: SentenceLikeness, _ vocabulary: Vocabulary, _ sources: [ReadSource],
        tokens: [[Float]]
    ) -> [Float] {
        let values = best(likeness, vocabulary)
        return sources.indices.map { source in
            let given = sources[source].digitWords
            let count = sources[source].reading.words.count
            return sentence.words.indices.reduce(0) { sum, row in
                let word = sentence.words[row]
                guard word.weight > 0 else {
                    return word.hasDigit && given.contains(word.word) ? sum + 1 : sum
                }
                let nearest = tokens[source].isEmpty ? 0 : tokens[source][row * count..<(row + 1) * count].max() ?? 0
                return sum + word.weight * max(0.92 * nearest, values[source][row])
            }
        }
    }

    private static func best(_ likeness: SentenceLikeness, _ vocabulary: Vocabulary) -> [[Float]] {
        let owners = vocabulary.owners
        var best = vocabulary.numbers.map { _ in [Float](repeating: 0, count: likeness.weighed.count) }
        for (row, found) in likeness.weighed.enumerated() {
            for word in found {
                for source in owners[word.number] { best[source][row] = max(best[source][row], word.value) }
            }
        }
        return best
    }
}
