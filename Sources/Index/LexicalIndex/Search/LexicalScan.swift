public import IndexCore

/// A query over some groups of one snapshot.
///
/// The numbers that the formula needs (all rows, and the rows that hold each term) are counted in these groups when the
/// scan is made. Rows of other groups do not influence any result.
public struct LexicalScan: Sendable {
    let snapshot: BM25Index.Snapshot
    let query: PreparedQuery
    /// Groups with a term of the query.
    private(set) var groups: [GroupRows] = []
    /// The start of each such group's ranges.
    private(set) var rangeStarts: [Int] = []
    /// The postings of each term, for every block of every such group.
    private(set) var ranges: [PostingRange] = []
    private let selection: GroupSelection
    private let rowCounts: [TermKey: Int]
    /// The score of a row that holds all terms of the query without limit; terms that no row holds count too.
    public let scoreLimit: Double

    /// Groups between two checks for cancellation.
    private static let groupsPerCheck = 32

    init(
        _ query: LexicalQuery, of snapshot: BM25Index.Snapshot, in selection: GroupSelection
    ) throws(LexicalIndexError) {
        let terms = try WeightedTerms(query)
        self.snapshot = snapshot
        self.selection = selection
        var figures = RowFigures()
        var counts = [Int](repeating: 0, count: terms.keys.count)
        for (number, group) in snapshot.rows(in: selection).enumerated() {
            if number % Self.groupsPerCheck == 0, Task.isCancelled { throw .cancelled }
            figures.add(group.figures)
            let start = ranges.count
            guard Self.look(for: terms.keys, in: group, &ranges, &counts) else { continue }
            groups.append(group)
            rangeStarts.append(start)
        }
        // Summed in the order of the query, because sums of floats depend on the order.
        let rarities = zip(terms.weights, counts).map { weight, count in
            Double(weight) * query.weights.rarity(rowCount: figures.rowCount, holding: count)
        }
        scoreLimit = Double(query.weights.k1 + 1) * rarities.reduce(0, +)
        rowCounts = Dictionary(zip(terms.keys.map(TermKey.init), counts)) { first, _ in first }
        self.query = PreparedQuery(terms, counts: counts, figures: figures, weights: query.weights)
    }

    /// Looks up terms in a group's blocks and counts the rows that hold them; returns false when there are none.
    private static func look(
        for terms: [UInt64], in group: GroupRows, _ ranges: inout [PostingRange], _ counts: inout [Int]
    ) -> Bool {
        let start = ranges.count
        var isEmpty = true
        for block in group.blocks {
            for (number, term) in terms.enumerated() {
                let range = block.range(of: term)
                if !range.isEmpty {
                    isEmpty = false
                    counts[number] += range.indices.count
                }
                ranges.append(range)
            }
        }
        if isEmpty { ranges.removeLast(ranges.count - start) }
        return !isEmpty
    }

    /// Returns the rows that score best, best first; ties by ascending key.
    ///
    /// A row without a term of the query is found too, if a neighbour holds one. Exact: only rows with lower scores are
    /// left out.
    ///
    /// - Parameters:
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - predicate: Decides which rows may be found, nil for all; applied before the cut to `k`, to promising rows
    ///     only. Other rows still count as neighbours, and in the numbers over all rows.
    /// - Returns: At most `k` hits, fewer when fewer rows match and pass.
    /// - Throws: ``LexicalIndexError/cancelled``.
    /// - Precondition: `k` is 1 or more.
    public func hits(k: Int, where predicate: RowPredicate? = nil) throws(LexicalIndexError) -> [LexicalHit] {
        precondition(k >= 1, "k must be 1 or more")
        return try LexicalSearch(self).hits(k: k, where: predicate)
    }

    /// Scores the given rows, part by part, each exactly as ``hits(k:where:)`` scores it.
    ///
    /// - Parameter keys: The rows.
    /// - Returns: The score of each row, also without a match; nil for unknown rows and rows of other groups.
    /// - Complexity: O(keys · terms · log terms of a block).
    public func scores(of keys: [RowKey]) -> [LexicalScore?] {
        let scorer = RowScorer(query: query)
        return keys.map { key in
            guard let (group, location) = snapshot.location(of: key), selection.contains(group.key) else { return nil }
            return scorer.score(of: location, in: group)
        }
    }

    /// The number of rows of the groups that hold a term of the query in one of their own fields; nil for other terms.
    public func rowCount(holding term: TermKey) -> Int? { rowCounts[term] }
}

/// The terms of a query, each once, without those of weight 0.
struct WeightedTerms {
    private(set) var keys: [UInt64] = []
    private(set) var weights: [Float] = []

    init(_ query: LexicalQuery) throws(LexicalIndexError) {
        try query.weights.check()
        var places: [TermKey: Int] = [:]
        for term in query.terms {
            guard LexicalWeights.isUsable(term.weight) else { throw .invalidWeight(name: "term") }
            guard term.weight > 0 else { continue }
            if let place = places[term.key] {
                weights[place] += term.weight
            } else {
                places[term.key] = keys.count
                keys.append(term.key.rawValue)
                weights.append(term.weight)
            }
        }
    }
}
