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
    func hits(of candidates: [BoundedCandidate]) -> [VectorHit] {
        let sorted = candidates.sorted { $0.upper > $1.upper }
        var hits: [VectorHit] = []
        hits.reserveCapacity(min(sorted.count, 2 * k + 4))
        var best = HighestScores(capacity: k)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { sums in
            sums.initialize(repeating: 0)
            for start in stride(from: 0, to: sorted.count, by: 4) {
                if sorted[start].upper < best.least { break }
                let count = min(4, sorted.count - start)
                score((0..<4).map { sorted[start + min($0, count - 1)].place }, into: sums)
                for position in 0..<count {
                    let score = min(1, max(-1, Float(sums[position])))
                    guard score >= best.least else { continue }
                    best.insert(score)
                    let place = sorted[start + position].place
                    let entry = entries[Int(place.entry)]
                    hits.append(VectorHit(key: entry.key(of: Int(place.row)), group: entry.group, score: score))
                }
            }
        }
        return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
    }

    /// Final scores of four rows, as ``RowLayout/finalScore(_:_:)`` gives them but for the limits.
    private func score(_ places: [RowPlace], into sums: UnsafeMutableBufferPointer<Double>) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 4) { rows in
            for position in 0..<4 {
                let place = places[position]
                rows.initializeElement(
                    at: position, to: entries[Int(place.entry)].vectors + Int(place.row) * layout.stride)
            }
            guard let first = rows.baseAddress, let out = sums.baseAddress else { return }
            RowCodes.kernels.precise_dots(out, first, query, layout.dimensions)
        }
    }
}
