/// Decides by float32 rows which rows are the best of one query.
struct ExactRanking {
    private let source: CodeSource
    private let query: UnsafePointer<Float>
    private let k: Int
    private var best: HighestScores
    private var hits: [VectorHit] = []

    /// - Parameters:
    ///   - source: The blocks that the rows lie in.
    ///   - query: The query's first component.
    ///   - k: The hits wanted.
    init(_ source: CodeSource, query: UnsafePointer<Float>, k: Int) {
        self.source = source
        self.query = query
        self.k = k
        best = HighestScores(capacity: k)
        hits.reserveCapacity(2 * min(k, 1024) + 16)
    }

    /// The `k`-th best score so far; −∞ while fewer rows were scored.
    var limit: Float { best.least }

    /// The `k` best of the rows that were scored, best first; ties by ascending key.
    var result: [VectorHit] { Array(hits.sorted(by: VectorHit.isBetter).prefix(k)) }

    /// Scores rows that were not scored before and are not removed, whatever they look like.
    ///
    /// - Throws: ``VectorIndexError/damaged`` when a row lies in a damaged block.
    mutating func score(_ rows: UnsafeBufferPointer<PendingRow>) throws(VectorIndexError) {
        let isRead = source.forEachScore(rows.count, of: query, at: { rows[$0].place }) { keep($0, $1) }
        guard isRead else { throw .damaged }
    }

    /// Scores candidates from the highest upper bound down, four at a time, until that lies below the limit.
    ///
    /// - Complexity: O(scored candidates · *d*).
    /// - Throws: ``VectorIndexError/damaged`` when a row to be scored lies in a damaged block.
    mutating func score(_ candidates: [BoundedCandidate]) throws(VectorIndexError) {
        let sorted = candidates.sorted { $0.upper > $1.upper }
        let isRead = sorted.withUnsafeBufferPointer { sorted in
            source.forEachScore(
                sorted.count, of: query, at: { sorted[$0].place }, until: { sorted[$0].upper < limit }
            ) { keep($0, $1) }
        }
        guard isRead else { throw .damaged }
    }

    private mutating func keep(_ place: RowPlace, _ score: Float) {
        guard score >= limit else { return }
        best.insert(score)
        let entry = source.entries[Int(place.entry)]
        hits.append(VectorHit(key: entry.key(of: Int(place.row)), group: entry.group, score: score))
    }
}
