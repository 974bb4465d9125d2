import CKernels

/// A scan of one query over few rows, on one thread: the same bounds as in ``CodeWorker``, without what only pays over
/// many rows, such as chunks, limits that threads exchange, and lists that grow.
///
/// In a scope of a thousand rows the kernels take less time than the administration of a large scan does.
struct SmallScan {
    /// Rows whose products, estimates and addresses stay in the processor's nearest caches.
    static let rowLimit = 4096
    /// Rows whose certain scores give the limit, for each hit: with one the limit would be a good deal lower, since
    /// those that look best are not all of the best.
    private static let promisingPerHit = 2

    private let source: CodeSource
    private let query: QueryCodes.Pointer
    private let width: Int
    private let rowCount: Int
    private let k: Int
    private let scratch: CodeScratch
    private let kernels = RowCodes.kernels

    /// Takes memory for a scan.
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

    /// Finds rows among which the `k` best are; upper bounds hold for those that can be among the best.
    func candidates() -> [BoundedCandidate] {
        estimate()
        let limit = certainScore()
        let coarse = query.coarse
        let total = find(atLeast: limit - coarse.kernel.slack, spread: coarse.spread(at: limit))
        let (fine, spread) = (query.fine, query.fine.spread(at: limit))
        return [BoundedCandidate](unsafeUninitializedCapacity: total) { candidates, count in
            forEachEstimate(total) { place, estimate, tangent in
                let upper = estimate + spread * tangent + fine.kernel.slack
                candidates[count] = BoundedCandidate(lower: limit, upper: upper, place: place)
                count += upper >= limit ? 1 : 0
            }
        }
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

    /// A score that `k` rows certainly have or exceed: the `k`-th best lower bound of those that look best.
    private func certainScore() -> Float {
        let mark = kernels.high_mark(scratch.estimates, rowCount, Self.promisingPerHit * k)
        var scores = HighestScores(capacity: k)
        forEachEstimate(find(atLeast: mark, spread: 0)) { _, estimate, tangent in
            scores.insert(query.fine.interval(around: estimate, tangent: tangent).lower)
        }
        return scores.least
    }

    /// Lists the rows whose estimates, with `spread` times their tangents, come to `least` or more; returns how many.
    private func find(atLeast least: Float, spread: Float) -> Int {
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
            }
            start += entry.rowCount
        }
        return total
    }

    /// Visits the rows that were listed with their estimates by both planes.
    private func forEachEstimate(_ total: Int, _ body: (RowPlace, _ estimate: Float, _ tangent: Float) -> Void) {
        kernels.row_dots(scratch.lowProducts, scratch.rows, total, total, width, query.bytes)
        for index in 0..<total {
            let row = scratch.pending[index]
            let (numbers, position) = (source.codes(row.place).fine, Int(row.place.row))
            let product = 16 * row.product + scratch.lowProducts[index]
            let estimate = query.fine.estimate(of: product, factor: numbers.factors[position])
            body(row.place, estimate, numbers.tangents[position])
        }
    }
}
