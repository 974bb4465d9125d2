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
    ///   - keys: The rows.
    ///   - query: As for a search.
    /// - Returns: The score of each row, one without a match included; nil for unknown ones.
    /// - Throws: ``LexicalIndexError/invalidWeight(name:)``.
    /// - Complexity: O(keys · terms · log terms of a block).
    public func scores(of keys: [RowKey], for query: LexicalQuery) throws(LexicalIndexError) -> [LexicalScore?] {
        let scorer = RowScorer(query: try PreparedQuery(query, in: self))
        return keys.map { key in location(of: key).map { scorer.score(of: $0.location, in: $0.group) } }
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
    public func scores(of keys: [RowKey], for query: LexicalQuery) throws(LexicalIndexError) -> [LexicalScore?] {
        try snapshot().scores(of: keys, for: query)
    }
}
