public import IndexCore

/// A query over some groups of one snapshot.
///
/// What the formula has to know of the store as a whole, how many rows there are and how many of them hold each term, is
/// counted in these groups when the scan is made. Rows of other groups have no part in any number that comes out of it.
public struct LexicalScan: Sendable {
    let snapshot: BM25Index.Snapshot
    let query: PreparedQuery
    /// Groups with a term of the query.
    private(set) var groups: [GroupRows] = []
    /// Where the ranges of each such group begin.
    private(set) var rangeStarts: [Int] = []
    /// The postings of each term, for every block of every such group.
    private(set) var ranges: [PostingRange] = []
    private let selection: GroupSelection
    private let rowCounts: [TermKey: Int]
    /// The most that a row of the groups could score, were all terms of the query in it without end; one that no row
    /// holds counts, too.
    public let scoreLimit: Double

    /// How many groups are counted between two looks at whether the task was cancelled.
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
        // Summed in the order of the query: sums of floats depend on it.
        let rarities = zip(terms.weights, counts).map { weight, count in
            Double(weight) * query.weights.rarity(rowCount: figures.rowCount, holding: count)
        }
        scoreLimit = Double(query.weights.k1 + 1) * rarities.reduce(0, +)
        rowCounts = Dictionary(zip(terms.keys.map(TermKey.init), counts)) { first, _ in first }
        self.query = PreparedQuery(terms, counts: counts, figures: figures, weights: query.weights)
    }

    /// Looks up terms in a group's blocks and counts the rows that hold them; false when there are none.
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
    /// A row that holds no term of the query itself is found too, when a neighbour holds one. Exact: what is left out was
    /// known to score less.
    ///
    /// - Parameters:
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - predicate: Which rows may be found, nil for all; applied before the cut to `k`, to promising rows only. A row
    ///     that may not be found still counts as a neighbour, and in what is counted of all rows.
    /// - Returns: At most `k` hits, fewer when fewer rows match and pass.
    /// - Throws: ``LexicalIndexError/cancelled``.
    /// - Precondition: `k` is 1 or more.
    public func hits(k: Int, where predicate: RowPredicate? = nil) throws(LexicalIndexError) -> [LexicalHit] {
        precondition(k >= 1, "k must be 1 or more")
        return try LexicalSearch(self).hits(k: k, where: predicate)
    }

    /// Scores given rows, part by part, each exactly as ``hits(k:where:)`` scores it.
    ///
    /// - Parameter keys: The rows.
    /// - Returns: The score of each row, one without a match included; nil for unknown ones and those of other groups.
    /// - Complexity: O(keys · terms · log terms of a block).
    public func scores(of keys: [RowKey]) -> [LexicalScore?] {
        let scorer = RowScorer(query: query)
        return keys.map { key in
            guard let (group, location) = snapshot.location(of: key), selection.contains(group.key) else { return nil }
            return scorer.score(of: location, in: group)
        }
    }

    /// How many rows of the groups hold a term of the query in a field of their own; nil for other terms.
    public func rowCount(holding term: TermKey) -> Int? { rowCounts[term] }
}

/// The terms of a query, each once, those that weigh nothing left out.
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
