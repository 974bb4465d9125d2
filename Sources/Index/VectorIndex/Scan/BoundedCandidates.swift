import IndexCore

/// The place of a row in a selection.
struct RowPlace: Hashable, Sendable {
    /// The position of the row's block among the selection's entries.
    let entry: UInt32
    /// The row in that block.
    let row: UInt32
}

/// A row that may be among the best of one query, with an interval that contains its final score.
struct BoundedCandidate: Sendable {
    let lower: Float
    let upper: Float
    let place: RowPlace
}

/// Keeps every row whose interval reaches the `k`-th best lower bound of one query.
///
/// *k* rows have final scores of at least that bound, so a row with a lower upper bound is worse than all of them. So
/// the kept rows include the *k* best, in any order of arrival. The bound is raised with every row, because it decides
/// how much must be read; rows below it are dropped when the buffer is full.
struct BoundedCandidates: Sendable {
    private let initialCapacity: Int
    private var capacity: Int
    private var lowerBounds: HighestScores
    private(set) var rows: [BoundedCandidate] = []
    /// Rows with a lower upper bound cannot be among the best; never decreases.
    private(set) var limit = -Float.infinity

    init(k: Int) {
        initialCapacity = 4 * k + 64
        capacity = initialCapacity
        lowerBounds = HighestScores(capacity: k)
    }

    /// Keeps a row if it may be among the best.
    mutating func offer(_ candidate: BoundedCandidate) {
        guard candidate.upper >= limit else { return }
        rows.append(candidate)
        lowerBounds.insert(candidate.lower)
        raise(to: lowerBounds.least)
        if rows.count >= capacity { cut() }
    }

    /// Notes that `k` rows, found by any thread, have final scores of `bound` or more.
    mutating func raise(to bound: Float) { limit = max(limit, bound) }

    /// Adds the rows that another thread kept.
    mutating func merge(_ other: BoundedCandidates) {
        lowerBounds.merge(other.lowerBounds)
        raise(to: max(other.limit, lowerBounds.least))
        rows += other.rows
    }

    /// Drops the rows that can no longer be among the best.
    mutating func cut() {
        rows.removeAll { $0.upper < limit }
        capacity = max(initialCapacity, 2 * rows.count)
    }
}

/// The `capacity` highest of some scores: a binary heap with the least of them on top.
struct HighestScores: Sendable {
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

    /// Adds the scores of another value.
    mutating func merge(_ other: HighestScores) { other.heap.forEach { insert($0) } }

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
            var child = 2 * index + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard child < heap.count, heap[child] < heap[index] else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}

/// A row that may be among the best of one query.
struct Candidate: Sendable {
    /// The scan's score, within ``RowLayout/scoreError`` of the final one.
    let score: Float
    /// The row's block.
    let entry: BlockEntry
    let row: UInt32
}

/// Keeps every row that can still be among the `k` best of one query.
///
/// Let e be the bound of a scan score's error and t the k-th best scan score so far. Then k rows have final scores of t
/// − e or more, so a row with a scan score below t − 2e has a lower final score than all of them. The buffer is cut
/// when it is full instead of after each row, which costs O(1) comparisons for each row on average.
struct TopCandidates {
    private let k: Int
    private let slack: Float
    private let initialCapacity: Int
    private var capacity: Int
    private(set) var rows: [Candidate] = []
    /// Rows with a lower scan score cannot be among the best.
    private(set) var limit = -Float.infinity

    init(k: Int, scoreError: Float) {
        self.k = k
        // Rounded up a little because of the subtraction itself.
        slack = 2.001 * scoreError + 0x1p-22
        initialCapacity = 2 * k + 32
        capacity = initialCapacity
    }

    /// Keeps the rows of a block that reach the limit, are not removed and pass the predicate.
    mutating func offer(
        _ scores: UnsafePointer<Float>, of entry: BlockEntry, where predicate: RowPredicate?
    ) {
        for row in 0..<entry.rowCount where scores[row] >= limit {
            guard entry.isVisible(row, predicate) else { continue }
            rows.append(Candidate(score: scores[row], entry: entry, row: UInt32(row)))
            if rows.count >= capacity { cut() }
        }
    }

    /// Drops the rows that can no longer be among the best.
    mutating func cut() {
        guard rows.count > k else { return }
        limit = rows.map(\.score).sorted(by: >)[k - 1] - slack
        rows.removeAll { $0.score < limit }
        capacity = max(initialCapacity, 2 * rows.count)
    }
}

/// Finds the best rows of one query by their float32 vectors.
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

    /// The `k`-th best score so far; −∞ until `k` rows were scored.
    var limit: Float { best.least }

    /// The `k` best of the rows that were scored, best first; ties by ascending key.
    var result: [VectorHit] { Array(hits.sorted(by: VectorHit.isBetter).prefix(k)) }

    /// Scores all given rows, which must not be scored before and not be removed.
    ///
    /// - Throws: ``VectorIndexError/damaged`` when a row lies in a damaged block.
    mutating func score(_ rows: UnsafeBufferPointer<PendingRow>) throws(VectorIndexError) {
        let isRead = source.forEachScore(rows.count, of: query, at: { rows[$0].place }) { keep($0, $1) }
        guard isRead else { throw .damaged }
    }

    /// Scores candidates from the highest upper bound down, four at a time, until the bound is below the limit.
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
