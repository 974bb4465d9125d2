/// Decides by float32 rows which candidates are the best of one query.
struct ExactRanking {
    let layout: RowLayout
    let query: UnsafePointer<Float>
    let k: Int
    /// The blocks that candidates lie in.
    let entries: [BlockEntry]

    /// The `k` best candidates, best first; ties by ascending key.
    ///
    /// Candidates are scored from the highest upper bound down, four at a time, until that lies below the k-th best final
    /// score.
    ///
    /// - Complexity: O(scored candidates · *d*).
    /// - Throws: ``VectorIndexError/damaged`` when a row to be scored lies in a damaged block.
    func hits(of candidates: [BoundedCandidate]) throws(VectorIndexError) -> [VectorHit] {
        let sorted = candidates.sorted { $0.upper > $1.upper }
        var hits: [VectorHit] = []
        hits.reserveCapacity(min(sorted.count, 2 * k + 4))
        var best = HighestScores(capacity: k)
        try entries.withUnsafeBufferPointer { (entries) throws(VectorIndexError) in
            let source = CodeSource(entries: entries, layout: layout, predicate: nil)
            for start in stride(from: 0, to: sorted.count, by: 4) {
                if sorted[start].upper < best.least { break }
                let four = sorted[start..<min(start + 4, sorted.count)].lazy.map {
                    PendingRow(place: $0.place, product: 0)
                }
                let isRead = source.forEachScore(four, of: query) { place, score in
                    guard score >= best.least else { return }
                    best.insert(score)
                    let entry = entries[Int(place.entry)]
                    hits.append(VectorHit(key: entry.key(of: Int(place.row)), group: entry.group, score: score))
                }
                guard isRead else { throw .damaged }
            }
        }
        return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
    }
}
