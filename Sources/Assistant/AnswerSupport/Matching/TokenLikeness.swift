import ChatCore

/// Cosines of the tokens of a sentence and a source, on a scale that is the same for all encoders.
///
/// The mean cosine of all pairs becomes 0 and that of equal tokens 1: encoders differ in how close unrelated tokens
/// are, far more than in what they know.
struct TokenLikeness: Sendable {
    /// Cosines, one row for each token of the sentence.
    let cosines: [Float]
    let sentence: TokenVectors
    let source: TokenVectors

    init(sentence: TokenVectors, source: TokenVectors) {
        (self.sentence, self.source) = (sentence, source)
        guard sentence.count > 0, source.count > 0, sentence.dimensions == source.dimensions else {
            cosines = []
            return
        }
        var cosines = [Float](repeating: 0, count: sentence.count * source.count)
        let dimensions = sentence.dimensions
        sentence.codes.withUnsafeBufferPointer { left in
            source.codes.withUnsafeBufferPointer { right in
                for row in 0..<sentence.count {
                    for column in 0..<source.count {
                        var sum: Int32 = 0
                        let (first, second) = (row * dimensions, column * dimensions)
                        for place in 0..<dimensions {
                            sum &+= Int32(left[first + place]) &* Int32(right[second + place])
                        }
                        cosines[row * source.count + column] =
                            Float(sum) * sentence.scales[row] * source.scales[column]
                    }
                }
            }
        }
        self.cosines = cosines
    }

    /// The sum of all cosines of words, and their number.
    var total: (sum: Double, count: Int) {
        guard !cosines.isEmpty else { return (0, 0) }
        var (sum, count) = (0.0, 0)
        for row in 0..<sentence.count where sentence.tokens[row].isWord {
            for column in 0..<source.count where source.tokens[column].isWord {
                sum += Double(cosines[row * source.count + column])
                count += 1
            }
        }
        return (sum, count)
    }

    /// Returns how alike each word of the sentence is to each word of the source: 0...1, row by row.
    ///
    /// - Parameters:
    ///   - left: The words of the sentence.
    ///   - right: The words of the source.
    ///   - mean: The cosine that means nothing.
    /// - Returns: A value for each pair; empty if one of the texts has no vectors.
    func words(_ left: [ReadWord], _ right: [ReadWord], mean: Float) -> [Float] {
        guard !cosines.isEmpty, mean < 0.999 else { return [] }
        let columns = Self.rows(of: right, in: source)
        let rows = Self.rows(of: left, in: sentence)
        var likeness = [Float](repeating: 0, count: left.count * right.count)
        for (place, rows) in rows.enumerated() where !rows.isEmpty && left[place].weight > 0 {
            for (other, columns) in columns.enumerated() where !columns.isEmpty {
                var sum: Float = 0
                for row in rows {
                    var best: Float = -1
                    for column in columns { best = max(best, cosines[row * source.count + column]) }
                    sum += best
                }
                let cosine = sum / Float(rows.count)
                likeness[place * right.count + other] = min(max((cosine - mean) / (1 - mean), 0), 1)
            }
        }
        return likeness
    }

    /// Returns the tokens of each word.
    private static func rows(of words: [ReadWord], in vectors: TokenVectors) -> [Range<Int>] {
        var start = 0
        return words.map { word in
            while start < vectors.count, vectors.tokens[start].range.upperBound <= word.range.lowerBound { start += 1 }
            var end = start
            while end < vectors.count, vectors.tokens[end].range.lowerBound < word.range.upperBound { end += 1 }
            return start..<end
        }
    }
}
