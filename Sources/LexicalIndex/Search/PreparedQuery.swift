import Glibc

/// A query made ready for some rows: what of the formula does not depend on the single row.
struct PreparedQuery: Sendable {
    struct Term: Sendable {
        let key: UInt64
        /// Weight in the query times idf; 0 when no row holds it.
        let value: Float
    }

    /// In the order of the query, each term once.
    let terms: [Term]
    let weights: LexicalWeights
    private let constant: Float
    private let slope: Float
    private let gain: Float

    /// Joins what a query asks with what was counted of the rows that it searches.
    ///
    /// - Parameters:
    ///   - query: The terms.
    ///   - counts: How many of the rows hold each of them.
    ///   - figures: What is known of all of the rows.
    ///   - weights: How evidence counts.
    init(_ query: WeightedTerms, counts: [Int], figures: RowFigures, weights: LexicalWeights) {
        self.weights = weights
        terms = query.keys.indices.map { number in
            let rarity = counts[number] > 0 ? weights.rarity(rowCount: figures.rowCount, holding: counts[number]) : 0
            return Term(key: query.keys[number], value: query.weights[number] * Float(rarity))
        }
        let tokenCount = figures.tokenCount + weights.placeCount * figures.textTokenCount
        let mean = Float(tokenCount) / Float(max(figures.rowCount, 1))
        constant = weights.k1 * (1 - weights.b)
        slope = weights.k1 * weights.b / max(mean, .leastNormalMagnitude)
        gain = weights.k1 + 1
    }

    /// k1 · (1 − b + b · L / mean) for a row with so many tokens; above 0, so that it can stand alone in a divisor.
    func normaliser(tokenCount: Float) -> Float { max(constant + slope * tokenCount, .leastNormalMagnitude) }

    /// What the occurrences of a term in a row's own fields count.
    func own(_ posting: Posting) -> Float {
        weights.text * posting.text + weights.sender * posting.sender + weights.date * posting.date
    }

    /// What a term adds to the score of a row.
    func score(value: Float, frequency: Float, normaliser: Float) -> Float {
        value * (frequency * gain / (frequency + normaliser))
    }

    /// What a term can add at most, whatever the row.
    func limit(value: Float) -> Float { value * gain }
}

extension LexicalWeights {
    /// How much a term counts that so many rows hold.
    func rarity(rowCount: Int, holding count: Int) -> Double {
        let odds = Self.odds(rowCount: rowCount, holding: count)
        switch inverseFrequency {
        case .robertson: return max(1e-6, log(odds))
        case .lucene: return log1p(odds)
        }
    }

    /// The odds that a row does not hold a term that `count` of `rowCount` rows hold: (N − n + ½) / (n + ½).
    public static func odds(rowCount: Int, holding count: Int) -> Double {
        (Double(rowCount - count) + 0.5) / (Double(count) + 0.5)
    }
}
