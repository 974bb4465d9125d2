public import IndexCore
import Synchronization

/// BM25 over rows in groups, each scored by its own terms and its neighbours' texts; can be searched during writes.
///
/// Conventions of this module: a row is a message; a term is a ``TermKey``, so no words are kept; `n` of `N` rows hold
/// a term; `k` hits. A row has its own terms in three fields. Its *neighbours* are the rows before and after it in the
/// same group and thread, in order of (time, order, key), as long as no gap on the way is too long. A neighbour's
/// contribution is computed during a search: no row stores anything of another, so an edit or a late arrival changes
/// one row.
///
/// Let `f` be the sum of weight × occurrences over the row's fields and over its neighbours' texts, and `L` the tokens
/// of its fields and of those texts. The score of a row for a query is
/// `Σ weight · idf · f · (k1 + 1) / (f + k1 · (1 − b + b · L / mean))`, over the terms of the query. This is BM25F
/// (Robertson, Zaragoza, Taylor 2004, doi:10.1145/1031171.1031181) with one length for all fields, as in FTS5.
/// A term's idf counts the rows that hold it in one of their own fields. The mean of `L` assumes that every row has all
/// its neighbours: the mean tokens of a row, plus a mean text for each place with a weight. Both are counted in the
/// searched groups alone: no result of a search depends on a row of another group.
///
/// A search runs on one ``Snapshot`` and sees every write that returned before it began; it holds no lock. Writers take
/// turns; the effect of one write call becomes visible as a whole. A score depends on the rows only, not on their
/// distribution over blocks.
public final class BM25Index: Sendable {
    /// Held for the whole of a write.
    private let writer = Mutex<Void>(())
    /// Held only while the references are copied.
    private let current: Mutex<Snapshot>

    /// Held while a file is written.
    let fileWriter = Mutex<Void>(())

    /// Makes an empty index.
    public convenience init() { self.init(blockRowCount: BlockLayout.rowLimit) }

    /// Makes an empty index for tests, with small blocks of at most `blockRowCount` rows.
    package convenience init(blockRowCount: Int) {
        precondition((1...BlockLayout.rowLimit).contains(blockRowCount), "a block has 1 to 256 rows")
        self.init(Snapshot(blockRowCount: blockRowCount))
    }

    /// Makes an index of the rows of a snapshot.
    init(_ snapshot: Snapshot) { current = Mutex(snapshot) }

    /// Rows in the index.
    public var count: Int { snapshot().count }

    /// The number of rows in each group; groups without rows are left out.
    ///
    /// - Complexity: O(groups).
    public func groupCounts() -> [GroupKey: Int] { snapshot().groupCounts() }

    /// Whether the index holds a row with this key.
    public func contains(_ key: RowKey) -> Bool { snapshot().contains(key) }

    /// The present state, which later writes do not change; it keeps the memory of its rows while it lives.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> Snapshot { current.withLock { $0 } }

    /// Adds rows and replaces those whose keys are present; a replaced row leaves its old place.
    ///
    /// - Parameter rows: Any number; of rows with the same key, the last one counts. Many rows in one call cost less
    ///   each.
    /// - Complexity: O(tokens), plus O(tokens of a block) for each block touched.
    public func upsert(_ rows: [LexicalRow]) {
        let kept = Self.lastOfEachKey(rows)
        write { $0.upsert(kept) }
    }

    /// Removes rows; unknown keys are skipped.
    ///
    /// - Complexity: O(tokens of a block) for each block touched.
    public func remove(_ keys: [RowKey]) {
        write { batch in for key in keys { batch.remove(key) } }
    }

    /// Removes all rows of a group; an unknown group is no error.
    ///
    /// - Complexity: O(tokens of the group).
    public func removeGroup(_ group: GroupKey) {
        write { $0.removeGroup(group) }
    }

    /// Runs one write: `body` fills a batch, which is then published as a whole.
    private func write(_ body: (inout WriteBatch) -> Void) {
        writer.withLock { _ in
            // Kept until the lock is released, because it may hold the last reference to many blocks.
            let before = snapshot()
            var batch = WriteBatch(before)
            body(&batch)
            let next = batch.finish()
            current.withLock { $0 = next }
            withExtendedLifetime(before) {}
        }
    }

    /// The last row of each key.
    private static func lastOfEachKey(_ rows: [LexicalRow]) -> [LexicalRow] {
        var last: [RowKey: Int] = [:]
        for (index, row) in rows.enumerated() { last[row.key] = index }
        return last.count == rows.count ? rows : last.values.sorted().map { rows[$0] }
    }
}

/// A reason why a search gives no result.
public enum LexicalIndexError: Error, Equatable, Sendable {
    /// A weight of a query is negative, not a number, or out of its range.
    case invalidWeight(name: String)
    /// The searching task was cancelled.
    case cancelled
}
