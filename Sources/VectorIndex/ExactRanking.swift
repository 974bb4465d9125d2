/// Decides by float32 rows which candidates are the best of one query.
struct ExactRanking {
    let layout: RowLayout
    let query: UnsafePointer<Float>
    let k: Int

    /// The `k` best candidates, best first; ties by ascending key.
    ///
    /// Candidates are scored from the highest upper bound down, until that lies below the k-th best final score.
    ///
    /// - Complexity: O(scored candidates · *d*).
    func hits(of candidates: [BoundedCandidate]) -> [VectorHit] {
        var hits: [VectorHit] = []
        var best = HighestScores(capacity: k)
        for candidate in candidates.sorted(by: { $0.upper > $1.upper }) {
            if candidate.upper < best.least { break }
            let hit = hit(candidate)
            guard hit.score >= best.least else { continue }
            best.insert(hit.score)
            hits.append(hit)
        }
        return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
    }

    private func hit(_ candidate: BoundedCandidate) -> VectorHit {
        let row = Int(candidate.row)
        let score = layout.finalScore(candidate.entry.vectors + row * layout.stride, query)
        return VectorHit(key: candidate.entry.key(of: row), group: candidate.entry.group, score: score)
    }
}
