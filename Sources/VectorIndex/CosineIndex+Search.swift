public import IndexCore

extension CosineIndex {
    /// Returns the rows nearest to `query` by cosine similarity, best first; ties by ascending key.
    ///
    /// - Parameters:
    ///   - query: `d` finite components, not all zero; normalised here.
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - groups: The groups that may be seen.
    ///   - predicate: Which rows may be found, nil for all; applied before the cut to `k`, to promising rows only.
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
