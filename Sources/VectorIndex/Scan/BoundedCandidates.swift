/// Where a row lies in a selection.
struct RowPlace: Hashable, Sendable {
    /// The position of the row's block among the selection's entries.
    let entry: UInt32
    /// The row in that block.
    let row: UInt32
}

/// A row that may be among the best of one query, with an interval that its final score lies in.
struct BoundedCandidate: Sendable {
    let lower: Float
    let upper: Float
    let place: RowPlace
}

/// Keeps every row whose interval reaches the `k`-th best lower bound of one query.
///
/// k rows have final scores of that bound or more, so a row with a lower upper bound is worse than all of them: what is
/// kept holds the k best, whatever their order of arrival. The bound is raised with every row, since it decides how
/// much must be read; rows that have fallen below it are dropped when the buffer is full.
struct BoundedCandidates: Sendable {
    private let initialCapacity: Int
    private var capacity: Int
    private var lowerBounds: HighestScores
    private(set) var rows: [BoundedCandidate] = []
    /// Rows whose upper bound is lower cannot be among the best; ascends.
    private(set) var limit = -Float.infinity

    init(k: Int) {
        initialCapacity = 4 * k + 64
        capacity = initialCapacity
        lowerBounds = HighestScores(capacity: k)
    }

    /// Takes a row if it may be among the best.
    mutating func offer(_ candidate: BoundedCandidate) {
        guard candidate.upper >= limit else { return }
        rows.append(candidate)
        lowerBounds.insert(candidate.lower)
        raise(to: lowerBounds.least)
        if rows.count >= capacity { cut() }
    }

    /// Learns that `k` rows, seen by whomever, have final scores of `bound` or more.
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
