import Glibc

/// A query prepared for some rows: the parts of the formula that do not depend on a single row.
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

    /// Combines a query with the counts of the rows that it searches.
    ///
    /// - Parameters:
    ///   - query: The terms.
    ///   - counts: The number of rows that hold each of them.
    ///   - figures: The sums over all of the rows.
    ///   - weights: The weights of evidence.
    init(_ query: WeightedTerms, counts: [Int], figures: RowFigures, weights: LexicalWeights) {
        self.weights = weights
        terms = query.keys.indices.map { number in
            let rarity = counts[number] > 0 ? weights.rarity(rowCount: figures.rowCount, holding: counts[number]) : 0
            return Term(key: query.keys[number], value: query.weights[number] * Float(rarity))
        }
        let rowCount = Float(max(figures.rowCount, 1))
        let text = Float(figures.textTokenCount) / rowCount
        let beside = Float(weights.placeCount) * text * weights.neighbourNeed(textLength: text)
        let mean = Float(figures.tokenCount) / rowCount + beside
        constant = weights.k1 * (1 - weights.b)
        slope = weights.k1 * weights.b / max(mean, .leastNormalMagnitude)
        gain = weights.k1 + 1
    }

    /// k1 · (1 − b + b · L / mean) for a row with `tokenCount` tokens; above 0, so that it can be a divisor.
    func normaliser(tokenCount: Float) -> Float { max(constant + slope * tokenCount, .leastNormalMagnitude) }

    /// The weighted occurrences of a term in a row's own fields.
    func own(_ posting: Posting) -> Float {
        weights.text * posting.text + weights.sender * posting.sender + weights.date * posting.date
    }

    /// The score that a term adds to a row.
    func score(value: Float, frequency: Float, normaliser: Float) -> Float {
        value * (frequency * gain / (frequency + normaliser))
    }

    /// The highest score that a term can add to any row.
    func limit(value: Float) -> Float { value * gain }
}

extension LexicalWeights {
    /// The idf of a term that `count` of `rowCount` rows hold.
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
