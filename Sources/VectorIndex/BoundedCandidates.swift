/// A row that may be among the best of one query, with an interval that its final score lies in.
struct BoundedCandidate: Sendable {
    let lower: Float
    let upper: Float
    /// The row's block.
    let entry: BlockEntry
    let row: UInt32
}

/// Keeps every row whose interval reaches the `k`-th best lower bound of one query.
///
/// k rows have final scores of that bound or more, so a row with a lower upper bound is worse than all of them: what is
/// kept holds the k best, whatever their order of arrival. The buffer is cut when it is full instead of after each
/// row, which costs O(1) comparisons a row on average.
struct BoundedCandidates: Sendable {
    private let k: Int
    private let initialCapacity: Int
    private var capacity: Int
    private(set) var rows: [BoundedCandidate] = []
    /// Rows whose upper bound is lower cannot be among the best; ascends.
    private(set) var limit = -Float.infinity

    init(k: Int) {
        self.k = k
        initialCapacity = 2 * k + 32
        capacity = initialCapacity
    }

    /// Takes a row if it may be among the best.
    mutating func offer(_ candidate: BoundedCandidate) {
        guard candidate.upper >= limit else { return }
        rows.append(candidate)
        if rows.count >= capacity { cut() }
    }

    /// Learns that `k` rows, seen by whomever, have final scores of `bound` or more.
    mutating func raise(to bound: Float) { limit = max(limit, bound) }

    /// Adds the rows that another thread kept.
    mutating func merge(_ other: BoundedCandidates) {
        raise(to: other.limit)
        rows += other.rows
    }

    /// Drops the rows that can no longer be among the best.
    mutating func cut() {
        if rows.count >= k { raise(to: rows.map(\.lower).sorted(by: >)[k - 1]) }
        rows.removeAll { $0.upper < limit }
        capacity = max(initialCapacity, 2 * rows.count)
    }
}
