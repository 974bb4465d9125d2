import ChatCore

/// A source that was read once for all sentences.
struct ReadSource: Sendable {
    let reading: TextReading
    /// The days that its text names, and the one on which it was sent.
    let days: [StatedDays]
    /// The sender's number among the people known.
    let sender: String
    /// What the readings of days of other texts depend on.
    let dayKey: Int
    /// Its place in the list of all sources.
    let place: Int
}

/// A sentence of an answer that was read once for all sources.
struct ReadSentence: Sendable {
    let reading: TextReading
    /// Its days as they are meant on the days of the sources: by ``ReadSource/dayKey``.
    var days: [Int: [StatedDays]]
    /// The places of its days, whatever they mean.
    let dayRanges: [Range<Int>]
}

/// One sentence beside one source.
struct WordMatch: Sendable {
    /// How alike each word of the sentence is to each word of the source, row by row: 0...1.
    let strengths: [Float]
    let count: Int

    init(_ sentence: TextReading, _ source: TextReading, likeness: [Float]) {
        count = source.words.count
        var strengths = likeness
        if strengths.isEmpty { strengths = Array(repeating: 0, count: sentence.words.count * count) }
        for (row, word) in sentence.words.enumerated() where word.weight > 0 {
            for (column, other) in source.words.enumerated() {
                let place = row * count + column
                strengths[place] = max(0.92 * strengths[place], WordLikeness.of(word, other))
            }
        }
        // Words of one side of a pair of opposites are near enough: "running" and "on".
        for (row, sides) in sentence.sides where sentence.words[row].weight > 0 {
            for (column, others) in source.sides where sides.contains(where: others.contains) {
                strengths[row * count + column] = max(strengths[row * count + column], 0.8)
            }
        }
        self.strengths = strengths
    }

    subscript(row: Int, column: Int) -> Float { strengths[row * count + column] }

    /// How much of a sentence a source resembles, to find the few sources that are compared closely.
    func coverage(_ sentence: TextReading, _ source: TextReading) -> Float {
        let given = Set(source.words.lazy.filter(\.hasDigit).map(\.word))
        return sentence.words.indices.reduce(0) { sum, row in
            let word = sentence.words[row]
            if word.weight > 0 { return sum + word.weight * best(row) }
            return word.hasDigit && given.contains(word.word) ? sum + 1 : sum
        }
    }

    func best(_ row: Int) -> Float {
        var best: Float = 0
        for place in row * count..<(row + 1) * count { best = max(best, strengths[place]) }
        return best
    }
}
