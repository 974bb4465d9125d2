import CBLAS
import IndexCore

/// One search of some queries over the blocks in scope: a scan finds candidates, and final scores decide.
///
/// The scan reads codes if that is faster, and otherwise multiplies the Float32 rows with BLAS.
struct BlockScan {
    /// If more than one row in this many is a candidate, the scores are too close together for codes: one pass over the
    /// Float32 rows takes less time than scoring every candidate.
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
    ///   - queries: One or more queries; they share the pass over memory.
    ///   - k: The most hits for each query, 1 or more.
    /// - Returns: One list for each query.
    /// - Throws: ``VectorIndexError/cancelled``, ``VectorIndexError/damaged``.
    /// - Complexity: O(*n* · *d*) multiply-adds for each query; memory for a block's scores and the candidates of each
    ///   query.
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

    /// Whether a single query uses ``SmallScan``.
    private var isSmall: Bool {
        kind == .fastest && predicate == nil && layout.form == .exact && selection.rowCount <= SmallScan.rowLimit
    }

    private func smallHits(of query: QueryMatrix, k: Int) throws(VectorIndexError) -> [VectorHit] {
        if context.isCancelled() { throw .cancelled }
        let codes = QueryCodes(query)
        // Never by BLAS, even with many candidates: scoring every row takes no longer than starting the threads of
        // BLAS.
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

/// The blocks that one search scans.
struct BlockSelection: Sendable {
    private(set) var entries: [BlockEntry] = []
    /// Keeps the groups that the entries point to.
    private let table: GroupTable
    private var totals = BlockTotals()

    /// Rows that are not removed.
    var liveCount: Int { totals.liveCount }
    /// Rows that a scan reads, removed ones included.
    var rowCount: Int { totals.rowCount }
    /// Rows of the largest block, removed ones included.
    var largestCount: Int { totals.largestCount }

    init(_ groups: GroupSelection, of table: GroupTable) {
        self.table = table
        switch groups {
        case .all:
            entries.reserveCapacity(table.count)
            table.forEachLeaf { add($0) }
        case .only(let keys):
            entries.reserveCapacity(min(keys.count, table.count))
            table.forEachPlace(of: keys) { add($0, $1) }
        }
    }

    /// Checks one part of all blocks that were not checked before.
    ///
    /// - Throws: ``VectorIndexError/damaged``, ``VectorIndexError/cancelled``.
    func check(_ part: BlockPart, _ isCancelled: () -> Bool) throws(VectorIndexError) {
        guard totals.hasMappedRows else { return }
        for entry in entries where !entry.isKnownGood(part) {
            if isCancelled() { throw .cancelled }
            guard entry.isGood(part) else { throw .damaged }
        }
    }

    private mutating func add(_ leaf: GroupLeaf) {
        entries.append(contentsOf: leaf.firstBlocks)
        totals.add(leaf.totals)
        for position in leaf.groups.indices { leaf.forEachLaterBlock(of: position) { add($0) } }
    }

    private mutating func add(_ leaf: GroupLeaf, _ position: Int) {
        totals.liveCount += leaf.liveCounts[position]
        add(leaf.firstBlocks[position])
        leaf.forEachLaterBlock(of: position) { add($0) }
    }

    private mutating func add(_ entry: BlockEntry) {
        entries.append(entry)
        totals.add(entry)
    }
}

/// The sums over some blocks.
struct BlockTotals: Sendable {
    var liveCount = 0
    private(set) var rowCount = 0
    private(set) var largestCount = 0
    private(set) var hasMappedRows = false

    /// Counts the rows of a block, but not the live ones, because an entry does not know their number.
    mutating func add(_ entry: BlockEntry) {
        hasMappedRows = hasMappedRows || entry.isMapped
        rowCount += entry.rowCount
        largestCount = max(largestCount, entry.rowCount)
    }

    mutating func add(_ other: BlockTotals) {
        liveCount += other.liveCount
        rowCount += other.rowCount
        largestCount = max(largestCount, other.largestCount)
        hasMappedRows = hasMappedRows || other.hasMappedRows
    }
}

/// The only calls of BLAS in this module.
package enum MatrixProducts {
    /// Sets the threads of one BLAS call for the whole process; returns false when the loaded BLAS cannot do that.
    @discardableResult
    package static func setThreadCount(_ count: Int) -> Bool {
        nexus_blas_set_thread_count(Int32(count)) == 1
    }

    /// Version and kernel of the loaded BLAS; nil when it does not report them.
    package static var libraryDescription: String? {
        nexus_blas_description().map { String(cString: $0) }
    }

    /// Multiplies rows with queries: `scores[q * rowCount + r]` becomes the dot product of query *q* and row *r*.
    ///
    /// - Precondition: `scores` holds finite numbers (some libraries multiply them by zero first).
    package static func multiply(
        rows: UnsafePointer<Float>, rowCount: Int, queries: UnsafePointer<Float>, queryCount: Int,
        dimensions: Int, stride: Int, scores: UnsafeMutablePointer<Float>
    ) {
        let (rowTotal, queryTotal) = (Int32(rowCount), Int32(queryCount))
        let (width, step) = (Int32(dimensions), Int32(stride))
        if queryCount == 1 {
            cblas_sgemv(CblasRowMajor, CblasNoTrans, rowTotal, width, 1, rows, step, queries, 1, 0, scores, 1)
        } else {
            cblas_sgemm(
                CblasRowMajor, CblasNoTrans, CblasTrans, queryTotal, rowTotal, width,
                1, queries, step, rows, step, 0, scores, rowTotal)
        }
    }
}
