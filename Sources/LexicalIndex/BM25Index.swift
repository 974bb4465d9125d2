public import IndexCore
import Synchronization

/// BM25 over rows in groups, each scored by its own terms and by the texts of its neighbours; searched while written.
///
/// Conventions of this module: a row is a message; a term is a ``TermKey``, so no words are kept; `n` of `N` rows hold
/// a term; `k` hits. A row has its own terms in three fields. Its *neighbours* are the rows before and after it in the
/// same group and thread, in order of (time, order, key), as long as no gap on the way is too long. What a neighbour
/// adds is reckoned while a search runs: no row keeps anything of another, so an edit or a late arrival changes one row.
///
/// With `f` the sum of weight × occurrences over the row's fields and over its neighbours' texts, and `L` the tokens of
/// its fields and of those texts, a row's score for a query is
/// `Σ weight · idf · f · (k1 + 1) / (f + k1 · (1 − b + b · L / mean))`, over the terms of the query. This is BM25F
/// (Robertson, Zaragoza, Taylor 2004, doi:10.1145/1031171.1031181) with one length for all fields, as FTS5 reckons it.
/// A term's idf counts the rows that hold it in a field of their own. The mean is that of `L` if no row lacked a neighbour:
/// mean tokens of a row, and as many mean texts as there are places with a weight. Both are of the searched groups alone:
/// no number that a search gives depends on a row of another group.
///
/// A search runs on one ``Snapshot`` and sees every write that returned before it began; it holds no lock. Writers take
/// turns; one call of a write function is seen wholly or not at all. A score depends on the rows only, never on how they
/// lie in blocks.
public final class BM25Index: Sendable {
    /// Held for the whole of a write.
    private let writer = Mutex<Void>(())
    /// Held for a copy of the references only.
    private let current: Mutex<Snapshot>

    /// Held while a file is written.
    let fileWriter = Mutex<Void>(())

    /// Makes an empty index.
    public convenience init() { self.init(blockRowCount: BlockLayout.rowLimit) }

    /// Makes an empty index with blocks of at most `blockRowCount` rows, so that tests reach the edges of blocks.
    package convenience init(blockRowCount: Int) {
        precondition((1...BlockLayout.rowLimit).contains(blockRowCount), "a block has 1 to 256 rows")
        self.init(Snapshot(blockRowCount: blockRowCount))
    }

    /// Makes an index of rows that lie somewhere already.
    init(_ snapshot: Snapshot) { current = Mutex(snapshot) }

    /// Rows in the index.
    public var count: Int { snapshot().count }

    /// How many rows each group holds; groups without rows are left out.
    ///
    /// - Complexity: O(groups).
    public func groupCounts() -> [GroupKey: Int] { snapshot().groupCounts() }

    /// Whether the index holds a row of this name.
    public func contains(_ key: RowKey) -> Bool { snapshot().contains(key) }

    /// The present state, which later writes do not change; keeps the memory of its rows while it lives.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> Snapshot { current.withLock { $0 } }

    /// Adds rows and replaces those whose keys are present; a replaced row leaves its old place.
    ///
    /// - Parameter rows: Any number; of rows with the same key the last counts. Many at once cost less each.
    /// - Complexity: O(tokens), and O(tokens of a block) for each block touched.
    public func upsert(_ rows: [LexicalRow]) {
        let kept = Self.lastOfEachKey(rows)
        write { $0.upsert(kept) }
    }

    /// Removes rows; keys that the index does not hold are passed over.
    ///
    /// - Complexity: O(tokens of a block) for each block touched.
    public func remove(_ keys: [RowKey]) {
        write { batch in for key in keys { batch.remove(key) } }
    }

    /// Removes all rows of a group; nothing happens when there are none.
    ///
    /// - Complexity: O(tokens of the group).
    public func removeGroup(_ group: GroupKey) {
        write { $0.removeGroup(group) }
    }

    /// Runs one write: `body` fills a batch, which is then published at once.
    private func write(_ body: (inout WriteBatch) -> Void) {
        writer.withLock { _ in
            // Kept until readers have their lock back: the last reference to many blocks may go with it.
            let before = snapshot()
            var batch = WriteBatch(before)
            body(&batch)
            let next = batch.finish()
            current.withLock { $0 = next }
            withExtendedLifetime(before) {}
        }
    }

    /// The rows that count: for each key the last.
    private static func lastOfEachKey(_ rows: [LexicalRow]) -> [LexicalRow] {
        var last: [RowKey: Int] = [:]
        for (index, row) in rows.enumerated() { last[row.key] = index }
        return last.count == rows.count ? rows : last.values.sorted().map { rows[$0] }
    }
}

/// Why a search gives no result.
public enum LexicalIndexError: Error, Equatable, Sendable {
    /// A weight of a query is negative, not a number, or out of its range.
    case invalidWeight(name: String)
    /// The task that searches was cancelled.
    case cancelled
}
