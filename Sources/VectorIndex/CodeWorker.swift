import CKernels

/// One thread's part of a ``CodeScan``.
///
/// A few queries take two passes. The first reads one plane of every row, four bits or one of each component, and finds
/// the rows that look best, whose scores give a limit. The second goes through the products that the first has left, and
/// reads what is left of the rows that they do not rule out: the low plane, or with bits the row itself.
struct CodeWorker {
    /// From so many queries on, codes are multiplied with all of them together, in one pass.
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
                productCount: selection.largestCount * queries.count, rowCount: selection.largestCount,
                panelBytes: isExact ? nexus_index_scratch_size(width) : nexus_bit_scratch_size(width))
        } else {
            scratch = CodeScratch(
                productCount: selection.rowCount * queries.count, rowCount: CodePass.largestChunk(of: selection),
                panelBytes: 0)
        }
    }

    /// Reads blocks until there are none left, or `isStopped` says so.
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

    /// Blocks that this thread has read, and their products with one query.
    private struct ReadChunk {
        let blocks: Range<Int>
        let query: Int
        let products: UnsafeMutablePointer<Int32>

        func forEachBlock(
            of source: CodeSource, _ body: (Int, BlockEntry, UnsafeMutablePointer<Int32>) -> Void
        ) {
            var products = products
            for position in blocks {
                body(position, source.entries[position], products)
                products += source.entries[position].rowCount
            }
        }
    }

    private mutating func runFew(
        _ pass: CodePass, _ queries: [QueryCodes.Pointer], of source: CodeSource, _ isStopped: () -> Bool
    ) {
        var chunks: [ReadChunk] = []
        var best = Array(repeating: PromisingRows(capacity: scan.k), count: queries.count)
        var products = scratch.products
        while !isStopped(), let blocks = pass.nextChunk() {
            let (count, available) = scratch.list(blocks, of: source.entries)
            for (number, query) in queries.enumerated() {
                let chunk = ReadChunk(blocks: blocks, query: number, products: products)
                multiply(chunk, count, available, query, of: source)
                chunk.forEachBlock(of: source) { position, entry, products in
                    best[number].see(
                        entry, position, products, entry.codes.coarse, query.coarse, scratch.found, source.predicate)
                }
                chunks.append(chunk)
                products += count
            }
        }
        pass.exchangeLimits(&tops)
        for (number, query) in queries.enumerated() {
            multiplyLow(&best[number].rows, query, of: source)
            prime(number, best[number], query, of: source)
        }
        pass.exchangeLimits(&tops)
        for (number, query) in queries.enumerated() where !isStopped() && !isDamaged {
            var rows: [PendingRow] = []
            for chunk in chunks where chunk.query == number {
                chunk.forEachBlock(of: source) { position, entry, products in
                    select(position, entry, products, entry.codes.coarse, query.coarse, for: number, into: &rows)
                }
            }
            multiplyLow(&rows, query, of: source)
            keep(rows, query, of: source, for: number)
        }
    }

    /// Multiplies the first planes of a chunk, which are listed, with a query.
    private func multiply(
        _ chunk: ReadChunk, _ count: Int, _ available: Int, _ query: QueryCodes.Pointer, of source: CodeSource
    ) {
        let width = scan.queries.width
        switch scan.queries.form {
        case .exact: kernels.row_dots(chunk.products, scratch.rows, count, available, width, query.bytes)
        case .compact:
            chunk.forEachBlock(of: source) { _, entry, products in
                kernels.bit_dots(products, entry.codes.first, width, entry.rowCount, query.bits)
            }
        }
    }

    /// Adds to the products of the high planes those of the low planes; with bits there are none.
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
                let numbers = multiplyBatch(entry, queries)
                for (number, query) in queries.enumerated() {
                    let products = scratch.products + number * entry.rowCount
                    if tops[number].limit == -.infinity {
                        var best = PromisingRows(capacity: scan.k)
                        best.see(entry, position, products, numbers, query.fine, scratch.found, source.predicate)
                        prime(number, best, query, of: source)
                    }
                    select(position, entry, products, numbers, query.fine, for: number, into: &rows)
                    keep(rows, query, of: source, for: number)
                    rows.removeAll(keepingCapacity: true)
                }
            }
            pass.exchangeLimits(&tops)
        }
    }

    /// Multiplies all planes of a block with all queries; returns what turns the products into estimates.
    private func multiplyBatch(_ entry: BlockEntry, _ queries: [QueryCodes.Pointer]) -> RowCodes.Numbers {
        let codes = entry.codes
        switch scan.queries.form {
        case .exact:
            kernels.batch_dots(
                scratch.products, codes.first, codes.low, codes.width, entry.rowCount, queries[0].bytes, queries.count,
                scratch.panel)
            return codes.fine
        case .compact:
            kernels.bit_batch_dots(
                scratch.products, codes.first, codes.width, entry.rowCount, queries[0].bits, queries.count,
                scratch.panel)
            return codes.coarse
        }
    }

    // MARK: both

    /// Finds the rows of a block whose products do not rule them out.
    private func select(
        _ position: Int, _ entry: BlockEntry, _ products: UnsafePointer<Int32>, _ numbers: RowCodes.Numbers,
        _ form: ScoreForm, for number: Int, into rows: inout [PendingRow]
    ) {
        let limit = tops[number].limit
        let count = kernels.reaching(
            scratch.found, products, numbers.factors, numbers.tangents, entry.rowCount, form.kernel,
            form.spread(at: limit), limit)
        for index in 0..<count {
            let row = scratch.found[index]
            let place = RowPlace(entry: UInt32(position), row: row)
            rows.append(PendingRow(place: place, product: products[Int(row)]))
        }
    }

    /// Finds a first limit: the least certain score of `k` rows.
    private mutating func prime(
        _ number: Int, _ best: PromisingRows, _ query: QueryCodes.Pointer, of source: CodeSource
    ) {
        guard best.isFull else { return }
        var limit = Float.infinity
        forEachInterval(best.rows, query, number, atLeast: -.infinity, of: source) { _, lower, _ in
            limit = min(limit, lower)
        }
        tops[number].raise(to: limit)
    }

    /// Keeps those of some rows that may be among the best of a query; all their products are known.
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

    /// Visits rows with the intervals that their scores lie in: by both planes, or with bits by the rows themselves.
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
                // Costs less than the interval, and most rows go.
                guard estimate + spread * tangent + form.kernel.slack >= limit else { continue }
                let (lower, upper) = form.interval(around: estimate, tangent: tangent)
                body(row.place, lower, upper)
            }
        case .compact:
            let isRead = scan.queries.matrix.withQuery(number) { query in
                source.forEachScore(rows, of: query) { place, score in body(place, score, score) }
            }
            if !isRead { isDamaged = true }
        }
    }
}
