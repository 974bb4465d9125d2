import Glibc

/// A query made ready for one snapshot: what of the formula does not depend on the row.
struct PreparedQuery: Sendable {
    /// A term that some row holds.
    struct Term: Sendable {
        let key: UInt64
        /// Weight in the query times idf, above 0.
        let value: Float
    }

    /// In the order of the query, each term once.
    let terms: [Term]
    let weights: LexicalWeights
    private let constant: Float
    private let slope: Float
    private let gain: Float

    init(_ query: LexicalQuery, in snapshot: BM25Index.Snapshot) throws(LexicalIndexError) {
        try query.weights.check()
        weights = query.weights
        terms = try Self.terms(of: query, in: snapshot)
        let totals = snapshot.totals
        let tokenCount = totals.tokenCount + weights.placeCount * totals.textTokenCount
        let mean = Float(tokenCount) / Float(max(totals.rowCount, 1))
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

    private static func terms(
        of query: LexicalQuery, in snapshot: BM25Index.Snapshot
    ) throws(LexicalIndexError) -> [Term] {
        var order: [TermKey] = []
        var weights: [TermKey: Float] = [:]
        for term in query.terms {
            guard LexicalWeights.isUsable(term.weight) else { throw .invalidWeight(name: "term") }
            if weights[term.key] == nil { order.append(term.key) }
            weights[term.key, default: 0] += term.weight
        }
        return order.compactMap { key in
            guard let weight = weights[key], weight > 0, let rows = snapshot.frequencies[key] else { return nil }
            let rarity = query.weights.inverseFrequency.value(rowCount: snapshot.count, holding: Int(rows))
            return Term(key: key.rawValue, value: weight * Float(rarity))
        }
    }
}

extension LexicalWeights.InverseFrequency {
    /// How much a term counts that so many rows hold.
    fileprivate func value(rowCount: Int, holding count: Int) -> Double {
        let odds = (Double(rowCount - count) + 0.5) / (Double(count) + 0.5)
        switch self {
        case .robertson: return max(1e-6, log(odds))
        case .lucene: return log1p(odds)
        }
    }
}
