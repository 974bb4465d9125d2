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
        var best = LeastFirst(capacity: k)
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
        let (group, block) = candidate.entry.block
        let row = Int(candidate.row)
        let score = layout.finalScore(block.storage.vector(at: row), query)
        return VectorHit(key: block.storage.key(at: row), group: group, score: score)
    }
}

/// The `capacity` highest of some scores, the least of them at hand: a binary heap.
struct LeastFirst {
    private let capacity: Int
    private var heap: [Float] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The least of the scores kept; −∞ while fewer than `capacity` were inserted.
    var least: Float { heap.count < capacity ? -.infinity : heap[0] }

    /// Keeps a score if it is among the highest.
    mutating func insert(_ score: Float) {
        if heap.count < capacity {
            heap.append(score)
            rise(from: heap.count - 1)
        } else if score > heap[0] {
            heap[0] = score
            sink()
        }
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { heap[$0] < heap[$1] }), heap[child] < heap[index] else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
