import IndexCore

/// One search of some queries over the blocks in scope: a scan finds the candidates, the final scores decide.
///
/// The scan reads codes where that pays, and otherwise multiplies the Float32 rows with BLAS.
struct BlockScan {
    /// A query that leaves more than this part of the rows as candidates has a score distribution too flat for codes:
    /// one pass over the Float32 rows takes less time than to score every candidate.
    private static let candidatePart = 4

    let layout: RowLayout
    let settings: ScanSettings
    let kind: ScanKind
    let selection: BlockSelection
    let context: ScanContext
    let predicate: RowPredicate?

    /// Finds the best rows of each query, best first; ties by ascending key.
    ///
    /// - Parameters:
    ///   - queries: One or more queries; all of them share the pass over memory.
    ///   - k: The most hits of a query, 1 or more.
    /// - Returns: One list a query.
    /// - Throws: ``VectorIndexError/cancelled``, ``VectorIndexError/damaged``.
    /// - Complexity: O(*n* · *d*) multiply-adds a query; memory for a block's scores a query, and the candidates.
    func hits(of queries: QueryMatrix, k: Int) throws(VectorIndexError) -> [[VectorHit]] {
        let wanted = min(k, selection.liveCount)
        guard wanted > 0 else { return Array(repeating: [], count: queries.count) }
        return try withExtendedLifetime(selection) { () throws(VectorIndexError) in
            try readsCodes(k: wanted) ? codeHits(of: queries, k: wanted) : floatHits(of: queries, k: wanted)
        }
    }

    private func readsCodes(k: Int) -> Bool {
        guard layout.codeWidth > 0, kind != .floats else { return false }
        return kind == .codes
            || selection.liveCount >= max(settings.codeRowMinimum, k * settings.codeRowsPerHit)
    }

    private func codeHits(of queries: QueryMatrix, k: Int) throws(VectorIndexError) -> [[VectorHit]] {
        try selection.check(.codes, context.isCancelled)
        if isSmall, queries.count == 1 { return [try smallHits(of: queries, k: k)] }
        let scan = CodeScan(selection: selection, queries: QueryCodes(queries), k: k)
        let tops = try scan.candidates(context, where: predicate)
        var results: [[VectorHit]] = []
        results.reserveCapacity(tops.count)
        for (number, top) in tops.enumerated() {
            if context.isCancelled() { throw .cancelled }
            if kind == .fastest, top.rows.count > 4 * k + selection.rowCount / Self.candidatePart {
                results += try floatHits(of: queries.only(number), k: k)
            } else {
                results.append(try ranked(top.rows, by: queries, number, k: k))
            }
        }
        return results
    }

    /// Whether one query is scanned for in the way that suits few rows.
    private var isSmall: Bool {
        kind == .fastest && predicate == nil && layout.form == .exact && selection.rowCount <= SmallScan.rowLimit
    }

    private func smallHits(of query: QueryMatrix, k: Int) throws(VectorIndexError) -> [VectorHit] {
        if context.isCancelled() { throw .cancelled }
        let codes = QueryCodes(query)
        // Never by BLAS, however many candidates there are: to score every row takes no longer than its threads to begin.
        return try withSource(of: query, 0) { (source, vector) throws(VectorIndexError) in
            try codes.withPointers { (codes) throws(VectorIndexError) in
                try SmallScan(source, rowCount: selection.rowCount, query: codes[0], width: layout.codeWidth, k: k)
                    .hits(of: vector)
            }
        }
    }

    private func ranked(
        _ candidates: [BoundedCandidate], by queries: QueryMatrix, _ number: Int, k: Int
    ) throws(VectorIndexError) -> [VectorHit] {
        try withSource(of: queries, number) { (source, vector) throws(VectorIndexError) in
            var ranking = ExactRanking(source, query: vector, k: k)
            try ranking.score(candidates)
            return ranking.result
        }
    }

    private func withSource(
        of queries: QueryMatrix, _ number: Int,
        _ body: (CodeSource, UnsafePointer<Float>) throws(VectorIndexError) -> [VectorHit]
    ) throws(VectorIndexError) -> [VectorHit] {
        try queries.withQuery(number) { (vector) throws(VectorIndexError) in
            try selection.entries.withUnsafeBufferPointer { (entries) throws(VectorIndexError) in
                try body(CodeSource(entries: entries, layout: layout, predicate: nil), vector)
            }
        }
    }

    private func floatHits(of queries: QueryMatrix, k: Int) throws(VectorIndexError) -> [[VectorHit]] {
        try selection.check(.vectors, context.isCancelled)
        return try candidates(of: queries, k: k).enumerated().map { number, top in
            let hits = queries.withQuery(number) { query in top.rows.map { hit($0, query) } }
            return Array(hits.sorted(by: VectorHit.isBetter).prefix(k))
        }
    }

    private func candidates(of queries: QueryMatrix, k: Int) throws(VectorIndexError) -> [TopCandidates] {
        let top = TopCandidates(k: k, scoreError: layout.scoreError)
        var tops = [TopCandidates](repeating: top, count: queries.count)
        var scores = [Float](repeating: 0, count: queries.count * selection.largestCount)
        for entry in selection.entries {
            if context.isCancelled() { throw .cancelled }
            scores.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                multiply(entry, by: queries, into: base)
                for query in tops.indices {
                    tops[query].offer(base + query * entry.rowCount, of: entry, where: predicate)
                }
            }
        }
        for query in tops.indices { tops[query].cut() }
        return tops
    }

    private func multiply(
        _ entry: BlockEntry, by queries: QueryMatrix, into scores: UnsafeMutablePointer<Float>
    ) {
        queries.withQuery(0) { base in
            MatrixProducts.multiply(
                rows: entry.vectors, rowCount: entry.rowCount, queries: base, queryCount: queries.count,
                dimensions: layout.dimensions, stride: layout.stride, scores: scores)
        }
    }

    private func hit(_ candidate: Candidate, _ query: UnsafePointer<Float>) -> VectorHit {
        let row = Int(candidate.row)
        let score = layout.finalScore(candidate.entry.vectors + row * layout.stride, query)
        return VectorHit(key: candidate.entry.key(of: row), group: candidate.entry.group, score: score)
    }
}
