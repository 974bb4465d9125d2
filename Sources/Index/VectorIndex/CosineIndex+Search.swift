public import IndexCore

extension CosineIndex {
    /// Returns the rows nearest to `query` by cosine similarity, best first; ties by ascending key.
    ///
    /// - Parameters:
    ///   - query: `d` finite components, not all zero; normalised here.
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - groups: The groups that may be seen.
    ///   - predicate: Decides which rows may be found, nil for all; applied before the cut to `k`, to promising rows
    ///     only.
    /// - Returns: At most `k` hits, fewer when fewer rows pass; `score` in -1...1.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/cancelled``, ``VectorIndexError/damaged``.
    /// - Precondition: `k` is 1 or more.
    /// - Complexity: O(*n* · *d*) multiply-adds, O(*n* + *k* log *k*) comparisons, *n* the rows of the groups.
    public func search(
        _ query: [Float], k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(VectorIndexError) -> [VectorHit] {
        try snapshot().search(query, k: k, in: groups, where: predicate)
    }

    /// Searches for several queries on one snapshot; see ``Snapshot/search(batch:k:in:where:)``.
    public func search(
        batch queries: [[Float]], k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(VectorIndexError) -> [[VectorHit]] {
        try snapshot().search(batch: queries, k: k, in: groups, where: predicate)
    }
}

extension CosineIndex {
    /// The rows of the index at one moment; immutable, cheap to copy, searched without a lock.
    public struct Snapshot: Sendable {
        let layout: RowLayout
        let settings: ScanSettings
        let table: GroupTable
        /// Rows in the snapshot.
        public let count: Int

        /// Components of every row.
        public var dimensions: Int { layout.dimensions }

        /// The number of rows in each group; groups without rows are left out.
        ///
        /// - Complexity: O(groups).
        public func groupCounts() -> [GroupKey: Int] {
            var counts: [GroupKey: Int] = [:]
            table.forEach { counts[$0.key] = $0.liveCount }
            return counts
        }
    }
}

extension CosineIndex.Snapshot {
    /// Queries of one pass over memory: with more, a block's scores would not stay in the L2 cache.
    private static let queriesPerPass = 128

    /// Returns the rows nearest to `query` by cosine similarity, best first; ties by ascending key.
    ///
    /// - Parameters:
    ///   - query: `d` finite components, not all zero; normalised here.
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - groups: The groups that may be seen.
    ///   - predicate: Decides which rows may be found, nil for all; applied before the cut to `k`, to promising rows
    ///     only.
    /// - Returns: At most `k` hits, fewer when fewer rows pass; `score` in -1...1.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/cancelled``, ``VectorIndexError/damaged``.
    /// - Precondition: `k` is 1 or more.
    /// - Complexity: O(*n* · *d*) multiply-adds, O(*n* + *k* log *k*) comparisons, *n* the rows of the groups.
    public func search(
        _ query: [Float], k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(VectorIndexError) -> [VectorHit] {
        try search(batch: [query], k: k, in: groups, where: predicate)[0]
    }

    /// Searches for several queries in one pass over memory; each result equals that of a separate search.
    ///
    /// - Parameters:
    ///   - queries: Any number; each as for a single search.
    ///   - k: The most hits of each query, 1 or more.
    ///   - groups: The groups that may be seen.
    ///   - predicate: Decides which rows may be found, nil for all; must always give the same answer for the same row.
    /// - Returns: One list for each query, in their order.
    /// - Throws: As the search of a single query; one bad query fails the batch.
    /// - Precondition: `k` is 1 or more.
    public func search(
        batch queries: [[Float]], k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(VectorIndexError) -> [[VectorHit]] {
        try search(batch: queries, k: k, in: groups, by: .fastest, where: predicate)
    }

    /// The same search; `kind` decides what it reads first, and does not change the result.
    package func search(
        batch queries: [[Float]], k: Int, in groups: GroupSelection, by kind: ScanKind,
        where predicate: RowPredicate? = nil
    ) throws(VectorIndexError) -> [[VectorHit]] {
        try search(batch: queries, k: k, in: groups, by: kind, settings.callersContext, where: predicate)
    }

    /// The same search; `context` decides which threads work on it.
    func search(
        batch queries: [[Float]], k: Int, in groups: GroupSelection, by kind: ScanKind, _ context: ScanContext,
        where predicate: RowPredicate?
    ) throws(VectorIndexError) -> [[VectorHit]] {
        precondition(k >= 1, "k must be 1 or more")
        let matrices = try passes(over: queries)
        let scan = BlockScan(
            layout: layout, settings: settings, kind: kind, selection: BlockSelection(groups, of: table),
            context: context, predicate: predicate)
        var results: [[VectorHit]] = []
        for matrix in matrices { results += try scan.hits(of: matrix, k: k) }
        return results
    }

    private func passes(over queries: [[Float]]) throws(VectorIndexError) -> [QueryMatrix] {
        var matrices: [QueryMatrix] = []
        for start in stride(from: 0, to: queries.count, by: Self.queriesPerPass) {
            let end = min(start + Self.queriesPerPass, queries.count)
            matrices.append(try QueryMatrix(queries[start..<end], layout: layout))
        }
        return matrices
    }
}

extension CosineIndex.Snapshot {
    /// Rows in storage, removed ones included.
    package var storedRowCount: Int {
        var total = 0
        table.forEach { group in total += group.blocks.reduce(0) { $0 + $1.count } }
        return total
    }

    /// Bytes of rows, keys and codes in memory.
    package var byteCount: Int { sum(\.byteCount) }

    /// Bytes of the codes.
    package var codeByteCount: Int {
        sum { RowCodes.byteCount(capacity: $0.capacity, layout: $0.layout) }
    }

    private func sum(_ count: (RowStorage) -> Int) -> Int {
        var total = 0
        table.forEach { group in total += group.blocks.reduce(0) { $0 + count($1.storage) } }
        return total
    }
}

/// One row found by a search.
public struct VectorHit: Hashable, Sendable {
    /// The row's key.
    public let key: RowKey
    /// The group that the row lay in when the snapshot was taken.
    public let group: GroupKey
    /// The cosine of query and row in -1...1; higher is better.
    public let score: Float

    public init(key: RowKey, group: GroupKey, score: Float) {
        self.key = key
        self.group = group
        self.score = score
    }

    /// Whether `left` comes before `right` in a result: higher score, then lower key.
    static func isBetter(_ left: VectorHit, than right: VectorHit) -> Bool {
        left.score == right.score ? left.key < right.key : left.score > right.score
    }
}
