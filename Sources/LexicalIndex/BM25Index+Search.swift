extension BM25Index.Snapshot {
    /// Returns the rows that score best for a query, best first; ties by ascending key.
    ///
    /// A row that holds no term of the query itself is found too, when a neighbour holds one. Exact: what is left out was
    /// known to score less.
    ///
    /// - Parameters:
    ///   - query: Terms and weights; a term that no row holds adds nothing.
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - groups: The groups that may be seen.
    ///   - predicate: Which rows may be found, nil for all; applied before the cut to `k`, to promising rows only. A row
    ///     that may not be found still counts as a neighbour.
    /// - Returns: At most `k` hits, fewer when fewer rows match and pass.
    /// - Throws: ``LexicalIndexError/invalidWeight(name:)``, ``LexicalIndexError/cancelled``.
    /// - Precondition: `k` is 1 or more.
    /// - Complexity: O(terms · blocks · log terms of a block + occurrences · places), in blocks of the groups.
    public func search(
        _ query: LexicalQuery, k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(LexicalIndexError) -> [LexicalHit] {
        precondition(k >= 1, "k must be 1 or more")
        let prepared = try PreparedQuery(query, in: self)
        let search = try LexicalSearch(prepared, in: rows(in: groups), rowLimit: blockRowCount)
        return try search.hits(k: k, where: predicate)
    }

    /// Scores given rows, part by part, each exactly as a search scores it.
    ///
    /// - Parameters:
    ///   - keys: The rows; unknown ones are left out of the result.
    ///   - query: As for a search.
    /// - Returns: The scores of all rows that there are, those without a match included.
    /// - Throws: ``LexicalIndexError/invalidWeight(name:)``.
    /// - Complexity: O(keys · terms · log terms of a block).
    public func scores(of keys: [RowKey], for query: LexicalQuery) throws(LexicalIndexError) -> [RowKey: LexicalScore] {
        let scorer = RowScorer(query: try PreparedQuery(query, in: self))
        var scores: [RowKey: LexicalScore] = [:]
        for key in keys {
            guard let (group, location) = location(of: key) else { continue }
            scores[key] = scorer.score(of: location, in: group)
        }
        return scores
    }
}

extension BM25Index {
    /// Returns the rows that score best for a query; see ``Snapshot/search(_:k:in:where:)``.
    public func search(
        _ query: LexicalQuery, k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(LexicalIndexError) -> [LexicalHit] {
        try snapshot().search(query, k: k, in: groups, where: predicate)
    }

    /// Scores given rows, part by part; see ``Snapshot/scores(of:for:)``.
    public func scores(of keys: [RowKey], for query: LexicalQuery) throws(LexicalIndexError) -> [RowKey: LexicalScore] {
        try snapshot().scores(of: keys, for: query)
    }
}
