import CKernels

/// One thread's part of a ``CodeScan``.
struct CodeWorker {
    /// From so many queries on, full codes are multiplied with all of them together; fewer go one by one through the
    /// high planes of a chunk, which the first has brought into the cache.
    private static let batchMinimum = 6
    private let scan: CodeScan
    private let scratch: CodeScratch
    private let kernels = RowCodes.kernels
    private(set) var tops: [BoundedCandidates]
    /// Rows of an earlier chunk, by query, that their high planes do not rule out; their low planes are being fetched.
    private var pending: [[PendingRow]]

    init(_ scan: CodeScan) {
        self.scan = scan
        let isBatch = scan.queries.count >= Self.batchMinimum
        tops = Array(repeating: BoundedCandidates(k: scan.k), count: scan.queries.count)
        pending = Array(repeating: [], count: scan.queries.count)
        scratch =
            isBatch
            ? CodeScratch(
                productCount: scan.selection.largestCount * scan.queries.count,
                rowCount: scan.selection.largestCount, panelBytes: nexus_index_scratch_size(scan.queries.stride / 2))
            : CodeScratch(rowCount: CodePass.largestChunk(of: scan.selection))
    }

    /// Reads blocks until there are none left, or `isStopped` says so.
    mutating func run(_ pass: CodePass, where predicate: RowPredicate?, isStopped: () -> Bool) {
        scan.selection.entries.withUnsafeBufferPointer { entries in
            scan.queries.withPointers { queries in
                while !isStopped(), let chunk = pass.nextChunk() {
                    pass.exchangeLimits(&tops)
                    if queries.count >= Self.batchMinimum {
                        for number in chunk { readBatch(entries[number], queries, where: predicate) }
                    } else {
                        read(chunk, of: entries, queries, where: predicate)
                    }
                    pass.exchangeLimits(&tops)
                }
                for query in queries.indices { settle(query, queries[query], where: predicate) }
            }
        }
    }

    // MARK: one query

    /// A few queries and a chunk of blocks: the high plane of every row, the low plane of those that it does not rule out.
    ///
    /// The latter lie far apart, so the low planes are fetched when a row is found and read after the next chunk.
    private mutating func read(
        _ chunk: Range<Int>, of entries: UnsafeBufferPointer<BlockEntry>, _ queries: [QueryCodes.Pointer],
        where predicate: RowPredicate?
    ) {
        let (count, available) = scratch.list(chunk, of: entries)
        for (number, query) in queries.enumerated() {
            kernels.row_dots(scratch.products, scratch.rows, count, available, scan.queries.width, query.codes)
            settle(number, query, where: predicate)
            if tops[number].limit == -.infinity { prime(number, query, chunk, of: entries, where: predicate) }
            var products = UnsafePointer(scratch.products)
            for position in chunk {
                select(entries[position], products, query.coarse, to: number)
                products += entries[position].rowCount
            }
        }
    }

    /// Finds the rows of a block that their high planes do not rule out.
    private mutating func select(
        _ entry: BlockEntry, _ products: UnsafePointer<Int32>, _ form: nexus_score_form, to number: Int
    ) {
        let limit = tops[number].limit
        let count = kernels.reaching(
            scratch.found, products, entry.codes.coarseFactors, entry.codes.coarseTangents, entry.rowCount, form,
            form.spread(at: limit), limit)
        for index in 0..<count {
            let row = Int(scratch.found[index])
            entry.codes.fetchLow(row)
            pending[number].append(PendingRow(entry: entry, row: row, product: products[row]))
        }
    }

    /// Reads the low planes of the pending rows of a query.
    private mutating func settle(_ number: Int, _ query: QueryCodes.Pointer, where predicate: RowPredicate?) {
        guard !pending[number].isEmpty else { return }
        var rows: [PendingRow] = []
        swap(&rows, &pending[number])
        multiplyLow(rows, query)
        for (index, row) in rows.enumerated() {
            let product = 16 * row.product + scratch.lowProducts[index]
            offer(row.row, product, row.entry, query.fine, to: number, where: predicate)
        }
        rows.removeAll(keepingCapacity: true)
        swap(&rows, &pending[number])
    }

    private func multiplyLow(_ rows: [PendingRow], _ query: QueryCodes.Pointer) {
        for (index, row) in rows.enumerated() { scratch.lowRows[index] = UnsafePointer(row.entry.codes.low(row.row)) }
        kernels.row_dots(
            scratch.lowProducts, scratch.lowRows, rows.count, rows.count, scan.queries.width, query.codes)
    }

    /// Finds a first limit: the least certain score of the `k` rows of a chunk that look best by their high planes.
    private mutating func prime(
        _ number: Int, _ query: QueryCodes.Pointer, _ chunk: Range<Int>, of entries: UnsafeBufferPointer<BlockEntry>,
        where predicate: RowPredicate?
    ) {
        var best = PromisingRows(capacity: scan.k)
        var products = UnsafePointer(scratch.products)
        for position in chunk {
            let entry = entries[position]
            best.see(products, entry, entry.codes.coarseFactors, query.coarse, where: predicate)
            products += entry.rowCount
        }
        guard best.isFull else { return }
        multiplyLow(best.rows, query)
        var limit = Float.infinity
        for (index, row) in best.rows.enumerated() {
            let product = 16 * row.product + scratch.lowProducts[index]
            limit = min(limit, row.entry.interval(of: row.row, product, query.fine).lower)
        }
        tops[number].raise(to: limit)
    }

    // MARK: many queries

    /// All queries and one block: both planes of every row.
    private mutating func readBatch(
        _ entry: BlockEntry, _ queries: [QueryCodes.Pointer], where predicate: RowPredicate?
    ) {
        let codes = entry.codes
        kernels.batch_dots(
            scratch.products, codes.high, codes.low, codes.width, entry.rowCount, queries[0].codes, queries.count,
            scratch.panel)
        for number in queries.indices {
            let products = scratch.products + number * entry.rowCount
            let form = queries[number].fine
            if tops[number].limit == -.infinity { prime(number, form, products, entry, where: predicate) }
            let limit = tops[number].limit
            let count = kernels.reaching(
                scratch.found, products, codes.fineFactors, codes.fineTangents, entry.rowCount, form,
                form.spread(at: limit), limit)
            for index in 0..<count {
                let row = Int(scratch.found[index])
                offer(row, products[row], entry, form, to: number, where: predicate)
            }
        }
    }

    /// Finds a first limit from the `k` best rows of a block.
    private mutating func prime(
        _ number: Int, _ form: nexus_score_form, _ products: UnsafePointer<Int32>, _ entry: BlockEntry,
        where predicate: RowPredicate?
    ) {
        var best = PromisingRows(capacity: scan.k)
        best.see(products, entry, entry.codes.fineFactors, form, where: predicate)
        guard best.isFull else { return }
        let least = best.rows.map { $0.entry.interval(of: $0.row, $0.product, form).lower }.min()
        tops[number].raise(to: least ?? -.infinity)
    }

    // MARK: both

    private mutating func offer(
        _ row: Int, _ product: Int32, _ entry: BlockEntry, _ form: nexus_score_form, to query: Int,
        where predicate: RowPredicate?
    ) {
        let (lower, upper) = entry.interval(of: row, product, form)
        guard upper >= tops[query].limit, entry.isVisible(row, predicate) else { return }
        tops[query].offer(BoundedCandidate(lower: lower, upper: upper, entry: entry, row: UInt32(row)))
    }
}

extension BlockEntry {
    /// The interval that a row's score lies in, by the product with both planes.
    fileprivate func interval(
        of row: Int, _ product: Int32, _ form: nexus_score_form
    ) -> (lower: Float, upper: Float) {
        let estimate = form.estimate(of: product, factor: codes.fineFactors[row])
        return form.interval(around: estimate, tangent: codes.fineTangents[row])
    }
}

/// Memory that one thread needs for the products of a chunk, or of a block and all queries.
private final class CodeScratch {
    let products: UnsafeMutablePointer<Int32>
    let lowProducts: UnsafeMutablePointer<Int32>
    let found: UnsafeMutablePointer<UInt32>
    let rows: UnsafeMutablePointer<UnsafePointer<UInt8>>
    let lowRows: UnsafeMutablePointer<UnsafePointer<UInt8>>
    let panel: UnsafeMutablePointer<UInt8>
    private let rowCapacity: Int
    /// Rows listed beyond those of a chunk; whole vectors of rows are fetched.
    private static let furtherRows = 16

    /// For queries one by one: chunks of at most `rowCount` rows.
    convenience init(rowCount: Int) { self.init(productCount: rowCount, rowCount: rowCount, panelBytes: 0) }

    init(productCount: Int, rowCount: Int, panelBytes: Int) {
        products = .allocate(capacity: productCount)
        lowProducts = .allocate(capacity: rowCount)
        found = .allocate(capacity: rowCount)
        rowCapacity = rowCount + Self.furtherRows
        rows = .allocate(capacity: rowCapacity)
        lowRows = .allocate(capacity: rowCount)
        panel = .allocate(capacity: panelBytes)
        // Panels are read whole, their unused rows too.
        panel.initialize(repeating: 0, count: panelBytes)
    }

    deinit {
        products.deallocate()
        lowProducts.deallocate()
        found.deallocate()
        rows.deallocate()
        lowRows.deallocate()
        panel.deallocate()
    }

    /// Lists the high planes of a chunk's rows, and of some rows after it, whose memory is fetched in time.
    func list(_ chunk: Range<Int>, of entries: UnsafeBufferPointer<BlockEntry>) -> (count: Int, available: Int) {
        var count = 0
        for position in chunk {
            let codes = entries[position].codes
            codes.fetchNumbers()
            let (high, width) = (UnsafePointer(codes.high), codes.width)
            for row in 0..<entries[position].rowCount { rows[count + row] = high + row * width }
            count += entries[position].rowCount
        }
        var available = count
        if chunk.upperBound < entries.count {
            let codes = entries[chunk.upperBound].codes
            for row in 0..<min(Self.furtherRows, entries[chunk.upperBound].rowCount) {
                rows[available] = UnsafePointer(codes.high + row * codes.width)
                available += 1
            }
        }
        return (count, available)
    }
}
