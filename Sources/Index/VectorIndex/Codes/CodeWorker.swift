import CKernels
import IndexCore

/// One thread's part of a ``CodeScan``.
///
/// A few queries take two passes. The first pass reads one plane of every row (four bits or one bit of each component)
/// and finds the rows that look best; their scores give a limit. The second pass goes through the products of the first
/// and reads the rest of the rows that they do not rule out: the low plane or, for the compact form, the row itself.
struct CodeWorker {
    /// From this number of queries on, codes are multiplied with all queries together, in one pass.
    private static let batchMinimum = 6

    private let scan: CodeScan
    private let scratch: CodeScratch
    private let kernels = RowCodes.kernels
    private let isBatch: Bool
    private(set) var tops: [BoundedCandidates]
    /// Whether a row that had to be read lies in a damaged block.
    private(set) var isDamaged = false

    init(_ scan: CodeScan) {
        self.scan = scan
        let (selection, queries) = (scan.selection, scan.queries)
        isBatch = queries.count >= Self.batchMinimum
        tops = Array(repeating: BoundedCandidates(k: scan.k), count: queries.count)
        if isBatch {
            let width = queries.width
            let isExact = queries.form == .exact
            scratch = CodeScratch(
                productCount: selection.largestCount * queries.count, estimateCount: selection.largestCount,
                rowCount: selection.largestCount,
                panelBytes: isExact ? nexus_index_scratch_size(width) : nexus_bit_scratch_size(width))
        } else {
            scratch = CodeScratch(
                productCount: selection.rowCount * queries.count,
                estimateCount: selection.rowCount * queries.count,
                rowCount: CodePass.largestChunk(of: selection), panelBytes: 0)
        }
    }

    /// Reads blocks until none are left, or `isStopped` returns true.
    mutating func run(_ pass: CodePass, where predicate: RowPredicate?, isStopped: () -> Bool) {
        scan.selection.entries.withUnsafeBufferPointer { entries in
            let source = CodeSource(entries: entries, layout: scan.queries.matrix.layout, predicate: predicate)
            scan.queries.withPointers { queries in
                if isBatch {
                    runBatch(pass, queries, of: source, isStopped)
                } else {
                    runFew(pass, queries, of: source, isStopped)
                }
            }
        }
    }

    // MARK: a few queries

    private mutating func runFew(
        _ pass: CodePass, _ queries: [QueryCodes.Pointer], of source: CodeSource, _ isStopped: () -> Bool
    ) {
        var chunks: [EstimatedRows] = []
        var best = Array(repeating: PromisingRows(capacity: promisingCount), count: queries.count)
        var used = 0
        while !isStopped(), let blocks = pass.nextChunk() {
            let (count, available) = scratch.list(blocks, of: source)
            for (number, query) in queries.enumerated() {
                var rows = EstimatedRows(
                    blocks: blocks, query: number, products: scratch.products + used,
                    estimates: scratch.estimates + used)
                multiply(rows, count, available, query, of: source)
                for position in blocks {
                    rows.add(source.entries[position], query.coarse)
                }
                best[number].see(rows, of: source, found: scratch.found)
                chunks.append(rows)
                used += count
            }
        }
        pass.exchangeLimits(&tops)
        var kept: [Set<RowPlace>] = []
        for (number, query) in queries.enumerated() {
            multiplyLow(&best[number].rows, query, of: source)
            kept.append(prime(number, best[number], query, of: source))
        }
        pass.exchangeLimits(&tops)
        for (number, query) in queries.enumerated() where !isStopped() && !isDamaged {
            var rows: [PendingRow] = []
            for chunk in chunks where chunk.query == number {
                select(chunk, query.coarse, of: source, into: &rows)
            }
            if !kept[number].isEmpty { rows.removeAll { kept[number].contains($0.place) } }
            multiplyLow(&rows, query, of: source)
            keep(rows, query, of: source, for: number)
        }
    }

    /// Multiplies the first planes of a chunk with a query; the exact form reads them from the list.
    private func multiply(
        _ rows: EstimatedRows, _ count: Int, _ available: Int, _ query: QueryCodes.Pointer, of source: CodeSource
    ) {
        let width = scan.queries.width
        switch scan.queries.form {
        case .exact: kernels.row_dots(rows.products, scratch.rows, count, available, width, query.bytes)
        case .compact:
            var products = rows.products
            for position in rows.blocks {
                let entry = source.entries[position]
                kernels.bit_dots(products, entry.codes.first, width, entry.rowCount, query.bits)
                products += entry.rowCount
            }
        }
    }

    /// Adds the products of the low planes to those of the high planes; the compact form has no low planes.
    private func multiplyLow(_ rows: inout [PendingRow], _ query: QueryCodes.Pointer, of source: CodeSource) {
        guard scan.queries.form == .exact else { return }
        for start in stride(from: 0, to: rows.count, by: scratch.rowCount) {
            let count = min(scratch.rowCount, rows.count - start)
            for index in 0..<count {
                let place = rows[start + index].place
                let codes = source.codes(place)
                codes.fetchFine(Int(place.row))
                scratch.rows[index] = UnsafePointer(codes.low(Int(place.row)))
            }
            kernels.row_dots(scratch.lowProducts, scratch.rows, count, count, scan.queries.width, query.bytes)
            for index in 0..<count {
                rows[start + index].product = 16 * rows[start + index].product + scratch.lowProducts[index]
            }
        }
    }

    // MARK: many queries

    private mutating func runBatch(
        _ pass: CodePass, _ queries: [QueryCodes.Pointer], of source: CodeSource, _ isStopped: () -> Bool
    ) {
        var rows: [PendingRow] = []
        while !isStopped(), !isDamaged, let blocks = pass.nextChunk() {
            pass.exchangeLimits(&tops)
            for position in blocks {
                let entry = source.entries[position]
                multiplyBatch(entry, queries)
                for (number, query) in queries.enumerated() {
                    var block = EstimatedRows(
                        blocks: position..<position + 1, query: number, isFine: scan.queries.form == .exact,
                        products: scratch.products + number * entry.rowCount, estimates: scratch.estimates)
                    block.add(entry, query.fine)
                    var kept: Set<RowPlace> = []
                    if tops[number].limit == -.infinity {
                        var best = PromisingRows(capacity: promisingCount)
                        best.see(block, of: source, found: scratch.found)
                        kept = prime(number, best, query, of: source)
                    }
                    select(block, query.fine, of: source, into: &rows)
                    if !kept.isEmpty { rows.removeAll { kept.contains($0.place) } }
                    keep(rows, query, of: source, for: number)
                    rows.removeAll(keepingCapacity: true)
                }
            }
            pass.exchangeLimits(&tops)
        }
    }

    /// Multiplies all planes of a block with all queries.
    private func multiplyBatch(_ entry: BlockEntry, _ queries: [QueryCodes.Pointer]) {
        let codes = entry.codes
        switch scan.queries.form {
        case .exact:
            kernels.batch_dots(
                scratch.products, codes.first, codes.low, codes.width, entry.rowCount, queries[0].bytes, queries.count,
                scratch.panel)
        case .compact:
            kernels.bit_batch_dots(
                scratch.products, codes.first, codes.width, entry.rowCount, queries[0].bits, queries.count,
                scratch.panel)
        }
    }

    // MARK: both

    /// Finds the rows whose estimates do not rule them out.
    private func select(
        _ rows: EstimatedRows, _ form: ScoreForm, of source: CodeSource, into found: inout [PendingRow]
    ) {
        let limit = tops[rows.query].limit
        // First by the largest tangent of all rows together, then by each row's own tangent.
        let (spread, least) = (form.spread(at: limit), limit - form.kernel.slack)
        rows.forEachRow(atLeast: least - spread * rows.tangent * 1.000_001, of: source, found: scratch.found) {
            row, estimate in
            let tangents = rows.numbers(of: source.entries[Int(row.place.entry)]).tangents
            if estimate + spread * tangents[Int(row.place.row)] >= least { found.append(row) }
        }
    }

    /// Rows whose scores give the first limit: more than `k` in the compact form, because not all rows that look best
    /// are the best.
    private var promisingCount: Int { scan.k * (scan.queries.form == .exact ? 1 : 2) }

    /// Finds a first limit: the `k`-th best certain score of some rows.
    ///
    /// - Returns: In the compact form, the rows that gave the limit. They are kept already and must not be kept again:
    ///   an estimate is no proof, and without them there might be fewer than `k` hits.
    private mutating func prime(
        _ number: Int, _ best: PromisingRows, _ query: QueryCodes.Pointer, of source: CodeSource
    ) -> Set<RowPlace> {
        var lowerBounds = HighestScores(capacity: scan.k)
        var scored: [BoundedCandidate] = []
        forEachInterval(best.rows, query, number, atLeast: -.infinity, of: source) { place, lower, upper in
            lowerBounds.insert(lower)
            scored.append(BoundedCandidate(lower: lower, upper: upper, place: place))
        }
        tops[number].raise(to: lowerBounds.least)
        guard scan.queries.form == .compact, lowerBounds.least > -.infinity else { return [] }
        for candidate in scored { tops[number].offer(candidate) }
        return Set(scored.map(\.place))
    }

    /// Keeps the rows that may be among the best of a query; their products must be complete.
    private mutating func keep(
        _ rows: [PendingRow], _ query: QueryCodes.Pointer, of source: CodeSource, for number: Int
    ) {
        var top = BoundedCandidates(k: 0)
        swap(&top, &tops[number])
        forEachInterval(rows, query, number, atLeast: top.limit, of: source) { place, lower, upper in
            guard upper >= top.limit, source.isVisible(place) else { return }
            top.offer(BoundedCandidate(lower: lower, upper: upper, place: place))
        }
        swap(&top, &tops[number])
    }

    /// Visits rows with the intervals of their scores: from both planes or, in the compact form, from the rows
    /// themselves.
    ///
    /// Rows that cannot reach `limit` may be left out.
    private mutating func forEachInterval(
        _ rows: [PendingRow], _ query: QueryCodes.Pointer, _ number: Int, atLeast limit: Float, of source: CodeSource,
        _ body: (RowPlace, _ lower: Float, _ upper: Float) -> Void
    ) {
        switch scan.queries.form {
        case .exact:
            let (form, spread) = (query.fine, query.fine.spread(at: limit))
            for row in rows {
                let (numbers, position) = (source.codes(row.place).fine, Int(row.place.row))
                let (estimate, tangent) = (
                    form.estimate(of: row.product, factor: numbers.factors[position]), numbers.tangents[position]
                )
                // Costs less than the interval, and rules out most rows.
                guard estimate + spread * tangent + form.kernel.slack >= limit else { continue }
                let (lower, upper) = form.interval(around: estimate, tangent: tangent)
                body(row.place, lower, upper)
            }
        case .compact:
            let isRead = scan.queries.matrix.withQuery(number) { query in
                source.forEachScore(rows.count, of: query, at: { rows[$0].place }) { place, score in
                    body(place, score, score)
                }
            }
            if !isRead { isDamaged = true }
        }
    }
}
