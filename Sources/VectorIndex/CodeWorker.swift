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
        let (selection, queryCount) = (scan.selection, scan.queries.count)
        tops = Array(repeating: BoundedCandidates(k: scan.k), count: queryCount)
        pending = Array(repeating: [], count: queryCount)
        if queryCount >= Self.batchMinimum {
            scratch = CodeScratch(
                productCount: selection.largestCount * queryCount, rowCount: selection.largestCount,
                panelBytes: nexus_index_scratch_size(scan.queries.width))
        } else {
            let rowCount = CodePass.largestChunk(of: selection)
            scratch = CodeScratch(productCount: rowCount, rowCount: rowCount, panelBytes: 0)
        }
    }

    /// Reads blocks until there are none left, or `isStopped` says so.
    mutating func run(_ pass: CodePass, where predicate: RowPredicate?, isStopped: () -> Bool) {
        scan.selection.entries.withUnsafeBufferPointer { entries in
            let source = Source(entries: entries, predicate: predicate)
            scan.queries.withPointers { queries in
                while !isStopped(), let chunk = pass.nextChunk() {
                    pass.exchangeLimits(&tops)
                    if queries.count >= Self.batchMinimum {
                        for number in chunk { readBatch(number, of: source, queries) }
                    } else {
                        read(chunk, of: source, queries)
                    }
                    pass.exchangeLimits(&tops)
                }
                for query in queries.indices { settle(query, queries[query], of: source) }
            }
        }
    }

    /// What a worker reads.
    private struct Source {
        let entries: UnsafeBufferPointer<BlockEntry>
        let predicate: RowPredicate?

        func isVisible(_ place: RowPlace) -> Bool {
            entries[Int(place.entry)].isVisible(Int(place.row), predicate)
        }

        func codes(_ place: RowPlace) -> RowCodes { entries[Int(place.entry)].codes }
    }

    // MARK: one query

    /// A few queries and a chunk of blocks: the high plane of every row, the low plane of those that it does not rule out.
    ///
    /// The latter lie far apart, so the low planes are fetched when a row is found and read after the next chunk.
    private mutating func read(_ chunk: Range<Int>, of source: Source, _ queries: [QueryCodes.Pointer]) {
        let (count, available) = scratch.list(chunk, of: source.entries)
        for (number, query) in queries.enumerated() {
            kernels.row_dots(scratch.products, scratch.rows, count, available, scan.queries.width, query.codes)
            settle(number, query, of: source)
            if tops[number].limit == -.infinity { prime(number, query, chunk, of: source) }
            var products = UnsafePointer(scratch.products)
            for position in chunk {
                select(position, of: source, products, query.coarse, to: number)
                products += source.entries[position].rowCount
            }
        }
    }

    /// Finds the rows of a block that their high planes do not rule out.
    private mutating func select(
        _ position: Int, of source: Source, _ products: UnsafePointer<Int32>, _ form: nexus_score_form, to number: Int
    ) {
        let (limit, entry) = (tops[number].limit, source.entries[position])
        let numbers = entry.codes.coarse
        let count = kernels.reaching(
            scratch.found, products, numbers.factors, numbers.tangents, entry.rowCount, form, form.spread(at: limit),
            limit)
        for index in 0..<count {
            let row = scratch.found[index]
            entry.codes.fetchLow(Int(row))
            pending[number].append(
                PendingRow(place: RowPlace(entry: UInt32(position), row: row), product: products[Int(row)]))
        }
    }

    /// Reads the low planes of the pending rows of a query.
    private mutating func settle(_ number: Int, _ query: QueryCodes.Pointer, of source: Source) {
        guard !pending[number].isEmpty else { return }
        var rows: [PendingRow] = []
        swap(&rows, &pending[number])
        multiplyLow(rows, query, of: source)
        for (index, row) in rows.enumerated() {
            let product = 16 * row.product + scratch.lowProducts[index]
            let (limit, numbers, position) = (tops[number].limit, source.codes(row.place).fine, Int(row.place.row))
            // Costs less than an interval, and most rows go.
            let estimate = query.fine.estimate(of: product, factor: numbers.factors[position])
            let reach = estimate + query.fine.spread(at: limit) * numbers.tangents[position] + query.fine.slack
            if reach >= limit { offer(row.place, product, of: source, query.fine, to: number) }
        }
        rows.removeAll(keepingCapacity: true)
        swap(&rows, &pending[number])
    }

    private func multiplyLow(_ rows: [PendingRow], _ query: QueryCodes.Pointer, of source: Source) {
        for (index, row) in rows.enumerated() {
            scratch.lowRows[index] = UnsafePointer(source.codes(row.place).low(Int(row.place.row)))
        }
        kernels.row_dots(
            scratch.lowProducts, scratch.lowRows, rows.count, rows.count, scan.queries.width, query.codes)
    }

    /// Finds a first limit: the least certain score of the `k` rows of a chunk that look best by their high planes.
    private mutating func prime(
        _ number: Int, _ query: QueryCodes.Pointer, _ chunk: Range<Int>, of source: Source
    ) {
        var best = PromisingRows(capacity: scan.k)
        var products = UnsafePointer(scratch.products)
        for position in chunk {
            let entry = source.entries[position]
            best.see(
                entry, position, products, entry.codes.coarse, query.coarse, found: scratch.found,
                where: source.predicate)
            products += entry.rowCount
        }
        guard best.isFull else { return }
        multiplyLow(best.rows, query, of: source)
        for index in best.rows.indices { best.rows[index].product *= 16 }
        for index in best.rows.indices { best.rows[index].product += scratch.lowProducts[index] }
        raise(number, by: best, query.fine, of: source)
    }

    // MARK: many queries

    /// All queries and one block: both planes of every row.
    private mutating func readBatch(_ position: Int, of source: Source, _ queries: [QueryCodes.Pointer]) {
        let entry = source.entries[position]
        let (codes, numbers) = (entry.codes, entry.codes.fine)
        kernels.batch_dots(
            scratch.products, codes.high, codes.low, codes.width, entry.rowCount, queries[0].codes, queries.count,
            scratch.panel)
        for number in queries.indices {
            let products = scratch.products + number * entry.rowCount
            let form = queries[number].fine
            if tops[number].limit == -.infinity {
                var best = PromisingRows(capacity: scan.k)
                best.see(entry, position, products, numbers, form, found: scratch.found, where: source.predicate)
                raise(number, by: best, form, of: source)
            }
            let limit = tops[number].limit
            let count = kernels.reaching(
                scratch.found, products, numbers.factors, numbers.tangents, entry.rowCount, form,
                form.spread(at: limit), limit)
            for index in 0..<count {
                let row = scratch.found[index]
                offer(
                    RowPlace(entry: UInt32(position), row: row), products[Int(row)], of: source, form, to: number)
            }
        }
    }

    // MARK: both

    /// Raises the limit of a query to the least certain score of `k` rows, by their products with both planes.
    private mutating func raise(
        _ number: Int, by best: PromisingRows, _ form: nexus_score_form, of source: Source
    ) {
        guard best.isFull else { return }
        var limit = Float.infinity
        for row in best.rows { limit = min(limit, interval(row.place, row.product, form, of: source).lower) }
        tops[number].raise(to: limit)
    }

    private mutating func offer(
        _ place: RowPlace, _ product: Int32, of source: Source, _ form: nexus_score_form, to query: Int
    ) {
        let (lower, upper) = interval(place, product, form, of: source)
        guard upper >= tops[query].limit, source.isVisible(place) else { return }
        tops[query].offer(BoundedCandidate(lower: lower, upper: upper, place: place))
    }

    /// The interval that a row's score lies in, by the product with both planes.
    private func interval(
        _ place: RowPlace, _ product: Int32, _ form: nexus_score_form, of source: Source
    ) -> (lower: Float, upper: Float) {
        let numbers = source.codes(place).fine
        let estimate = form.estimate(of: product, factor: numbers.factors[Int(place.row)])
        return form.interval(around: estimate, tangent: numbers.tangents[Int(place.row)])
    }
}
