public import IndexCore

extension BM25Index.Snapshot {
    /// Prepares a query on some groups: counts their rows and terms, so that they can be searched and scored.
    ///
    /// - Parameters:
    ///   - query: Terms and weights; a term that no row holds adds nothing.
    ///   - groups: The groups that may be seen.
    /// - Returns: A scan of the present rows.
    /// - Throws: ``LexicalIndexError/invalidWeight(name:)``, ``LexicalIndexError/cancelled``.
    /// - Complexity: O(terms · blocks · log terms of a block), in blocks of the groups.
    public func scan(_ query: LexicalQuery, in groups: GroupSelection) throws(LexicalIndexError) -> LexicalScan {
        try LexicalScan(query, of: self, in: groups)
    }

    /// Returns the rows that score best for a query; see ``LexicalScan/hits(k:where:)``.
    public func search(
        _ query: LexicalQuery, k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(LexicalIndexError) -> [LexicalHit] {
        try scan(query, in: groups).hits(k: k, where: predicate)
    }

    /// The number of rows of some groups that hold each term in one of their own fields.
    ///
    /// - Complexity: O(terms · blocks · log terms of a block), in blocks of the groups.
    public func rowCounts(holding terms: [TermKey], in groups: GroupSelection) -> [Int] {
        var counts = [Int](repeating: 0, count: terms.count)
        guard !terms.isEmpty else { return counts }
        for group in rows(in: groups) {
            for block in group.blocks {
                for (number, term) in terms.enumerated() {
                    counts[number] += block.range(of: term.rawValue).indices.count
                }
            }
        }
        return counts
    }

    /// The sums over the rows of some groups.
    ///
    /// - Complexity: O(groups).
    public func figures(in groups: GroupSelection) -> RowFigures {
        rows(in: groups).reduce(into: RowFigures()) { $0.add($1.figures) }
    }
}

extension BM25Index {
    /// Returns the rows that score best for a query; see ``LexicalScan/hits(k:where:)``.
    public func search(
        _ query: LexicalQuery, k: Int, in groups: GroupSelection, where predicate: RowPredicate? = nil
    ) throws(LexicalIndexError) -> [LexicalHit] {
        try snapshot().search(query, k: k, in: groups, where: predicate)
    }
}
