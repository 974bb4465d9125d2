import CKernels

/// Decides by float32 rows which candidates are the best of one query.
struct ExactRanking {
    let layout: RowLayout
    let query: UnsafePointer<Float>
    let k: Int

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
        var best = HighestScores(capacity: k)
        for start in stride(from: 0, to: sorted.count, by: 4) {
            if sorted[start].upper < best.least { break }
            let four = sorted[start..<min(start + 4, sorted.count)]
            guard four.allSatisfy({ $0.entry.isGood(.vectors) }) else { throw .damaged }
            for (candidate, score) in zip(four, scores(of: four)) where score >= best.least {
                best.insert(score)
                let key = candidate.entry.key(of: Int(candidate.row))
                hits.append(VectorHit(key: key, group: candidate.entry.group, score: score))
            }
        }
        return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
    }

    /// Final scores of one to four candidates, as ``RowLayout/finalScore(_:_:)`` gives them.
    private func scores(of four: ArraySlice<BoundedCandidate>) -> [Float] {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 4) { rows in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { sums in
                for position in 0..<4 {
                    let candidate = four[min(four.startIndex + position, four.endIndex - 1)]
                    rows.initializeElement(
                        at: position, to: candidate.entry.vectors + Int(candidate.row) * layout.stride)
                }
                guard let first = rows.baseAddress, let out = sums.baseAddress else { return [] }
                RowCodes.kernels.precise_dots(out, first, query, layout.dimensions)
                return (0..<four.count).map { min(1, max(-1, Float(sums[$0]))) }
            }
        }
    }
}
