import CKernels

/// A scan of one query over few rows, on one thread.
///
/// It uses the same bounds as ``CodeWorker``, without the means that only pay for many rows: chunks, limits shared
/// between threads, growing lists.
///
/// For a thousand rows the kernels take less time than the administration of a large scan.
struct SmallScan {
    /// Rows whose products, estimates and addresses stay in the processor's nearest caches.
    static let rowLimit = 4096

    private let source: CodeSource
    private let query: QueryCodes.Pointer
    private let width: Int
    private let rowCount: Int
    private let k: Int
    private let scratch: CodeScratch
    private let kernels = RowCodes.kernels

    /// Allocates the memory of a scan.
    ///
    /// - Parameters:
    ///   - source: The blocks in scope, of the exact form and without a predicate.
    ///   - rowCount: Rows in them, removed ones included.
    ///   - query: The query.
    ///   - width: Bytes of a row in one plane.
    ///   - k: The hits wanted; at most the rows that are not removed.
    init(_ source: CodeSource, rowCount: Int, query: QueryCodes.Pointer, width: Int, k: Int) {
        self.source = source
        self.query = query
        self.width = width
        self.rowCount = rowCount
        self.k = k
        scratch = CodeScratch(
            productCount: rowCount, estimateCount: rowCount, rowCount: rowCount, pendingCount: rowCount, panelBytes: 0)
    }

    /// Finds the `k` best rows, best first; ties by ascending key.
    ///
    /// The rows that look best are scored first: most of them are among the best, and the `k`-th best of their scores
    /// is a limit that rules out most others.
    ///
    /// - Throws: ``VectorIndexError/damaged`` when a row that has to be scored lies in a damaged block.
    func hits(of vector: UnsafePointer<Float>) throws(VectorIndexError) -> [VectorHit] {
        var ranking = ExactRanking(source, query: vector, k: k)
        estimate()
        try ranking.score(promisingRows())
        try ranking.score(candidates(limit: ranking.limit))
        return ranking.result
    }

    /// Multiplies the high planes of all rows; removed rows get the lowest estimate.
    private func estimate() {
        let (count, available) = scratch.list(source.entries.indices, of: source)
        kernels.row_dots(scratch.products, scratch.rows, count, available, width, query.bytes)
        var start = 0
        for entry in source.entries {
            let (numbers, estimates) = (entry.codes.coarse, scratch.estimates + start)
            _ = kernels.estimate(
                estimates, scratch.products + start, numbers.factors, numbers.tangents, entry.rowCount,
                query.coarse.kernel)
            if entry.hasRemovedRows {
                for row in 0..<entry.rowCount where !entry.isLive(row) { estimates[row] = -.infinity }
            }
            start += entry.rowCount
        }
    }

    /// The rows that look best, `k` or more; they are excluded from later steps.
    private func promisingRows() -> UnsafeBufferPointer<PendingRow> {
        let mark = kernels.high_mark(scratch.estimates, rowCount, k)
        let total = find(atLeast: mark, spread: 0) { scratch.estimates[$0] = -.infinity }
        return UnsafeBufferPointer(start: scratch.pending, count: total)
    }

    /// The rows whose scores can reach `limit`, by both planes; upper bounds are valid for scores above it.
    private func candidates(limit: Float) -> [BoundedCandidate] {
        let coarse = query.coarse
        let total = find(atLeast: limit - coarse.kernel.slack, spread: coarse.spread(at: limit))
        kernels.row_dots(scratch.lowProducts, scratch.rows, total, total, width, query.bytes)
        let (form, spread) = (query.fine, query.fine.spread(at: limit))
        return [BoundedCandidate](unsafeUninitializedCapacity: total) { candidates, count in
            for index in 0..<total {
                let row = scratch.pending[index]
                let (numbers, position) = (source.codes(row.place).fine, Int(row.place.row))
                let product = 16 * row.product + scratch.lowProducts[index]
                let estimate = form.estimate(of: product, factor: numbers.factors[position])
                let upper = estimate + spread * numbers.tangents[position] + form.kernel.slack
                candidates[count] = BoundedCandidate(lower: limit, upper: upper, place: row.place)
                count += upper >= limit ? 1 : 0
            }
        }
    }

    /// Lists the rows whose estimates plus `spread` times their tangents are `least` or more; returns their number.
    private func find(atLeast least: Float, spread: Float, _ visit: (_ position: Int) -> Void = { _ in }) -> Int {
        var (total, start) = (0, 0)
        for (number, entry) in source.entries.enumerated() {
            let count = kernels.reaching_within(
                scratch.found, scratch.estimates + start, entry.codes.coarse.tangents, entry.rowCount, spread, least)
            for index in 0..<count {
                let row = scratch.found[index]
                scratch.pending[total] = PendingRow(
                    place: RowPlace(entry: UInt32(truncatingIfNeeded: number), row: row),
                    product: scratch.products[start + Int(row)])
                scratch.rows[total] = UnsafePointer(entry.codes.low(Int(row)))
                total += 1
                visit(start + Int(row))
            }
            start += entry.rowCount
        }
        return total
    }
}
