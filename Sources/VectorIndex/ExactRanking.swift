import CKernels

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
        try withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { (sums) throws(VectorIndexError) in
            sums.initialize(repeating: 0)
            for start in stride(from: 0, to: sorted.count, by: 4) {
                if sorted[start].upper < best.least { break }
                let four = sorted[start..<min(start + 4, sorted.count)]
                guard four.allSatisfy({ entries[Int($0.place.entry)].isGood(.vectors) }) else { throw .damaged }
                score(four, into: sums)
                for (candidate, sum) in zip(four, sums) {
                    let score = min(1, max(-1, Float(sum)))
                    guard score >= best.least else { continue }
                    best.insert(score)
                    let entry = entries[Int(candidate.place.entry)]
                    let key = entry.key(of: Int(candidate.place.row))
                    hits.append(VectorHit(key: key, group: entry.group, score: score))
                }
            }
        }
        return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
    }

    /// Final scores of one to four rows, as ``RowLayout/finalScore(_:_:)`` gives them but for the limits.
    private func score(_ four: ArraySlice<BoundedCandidate>, into sums: UnsafeMutableBufferPointer<Double>) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 4) { rows in
            for position in 0..<4 {
                let place = four[min(four.startIndex + position, four.endIndex - 1)].place
                rows.initializeElement(
                    at: position, to: entries[Int(place.entry)].vectors + Int(place.row) * layout.stride)
            }
            guard let first = rows.baseAddress, let out = sums.baseAddress else { return }
            RowCodes.kernels.precise_dots(out, first, query, layout.dimensions)
        }
    }
}
