import IndexCore

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
/// With e the bound on a scan score's error and t the k-th best scan score so far, k rows have final scores of t − e
/// or more, so a row with a scan score below t − 2e has a lower final score than all of them. The buffer
/// is cut when it is full instead of after each row, which costs O(1) comparisons a row on average.
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
        // Rounded up a little for the subtraction itself.
        slack = 2.001 * scoreError + 0x1p-22
        initialCapacity = 2 * k + 32
        capacity = initialCapacity
    }

    /// Takes the rows of a block that reach the limit, are not removed and pass the predicate.
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
