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
        let isRead = sorted.withUnsafeBufferPointer { sorted in
            entries.withUnsafeBufferPointer { entries in
                CodeSource(entries: entries, layout: layout, predicate: nil)
                    .forEachScore(
                        sorted.count, of: query, at: { sorted[$0].place }, until: { sorted[$0].upper < best.least }
                    ) { place, score in
                        guard score >= best.least else { return }
                        best.insert(score)
                        let entry = entries[Int(place.entry)]
                        hits.append(VectorHit(key: entry.key(of: Int(place.row)), group: entry.group, score: score))
                    }
            }
        }
        guard isRead else { throw .damaged }
        return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
    }
}
