import CKernels

/// One thread's part of a ``CodeScan``.
struct CodeWorker {
    /// From so many queries on, full codes are multiplied with all of them together; fewer go one by one through the
    /// high planes of a block, which the first has brought into the cache.
    private static let batchMinimum = 6
    /// Blocks between the one that is read and the one whose memory is fetched.
    private static let fetchDistance = 1

    /// Rows of the first step through the first block.
    private static let firstStep = 32

    private let scan: CodeScan
    private let scratch: CodeScratch
    private let kernels = RowCodes.kernels
    private(set) var tops: [BoundedCandidates]

    init(_ scan: CodeScan) {
        self.scan = scan
        let isBatch = scan.queries.count >= Self.batchMinimum
        tops = Array(repeating: BoundedCandidates(k: scan.k), count: scan.queries.count)
        scratch = CodeScratch(
            rowCount: scan.selection.largestCount, queryCount: isBatch ? scan.queries.count : 1,
            panelBytes: isBatch ? nexus_index_scratch_size(scan.queries.stride / 2) : 0)
    }

    /// Reads blocks until there are none left, or `isStopped` says so.
    mutating func run(_ pass: CodePass, where predicate: RowPredicate?, isStopped: () -> Bool) {
        let selection = scan.selection
        selection.entries.withUnsafeBufferPointer { entries in
            scan.queries.withPointers { queries in
                while !isStopped(), let chunk = pass.nextChunk() {
                    pass.exchangeLimits(&tops)
                    for number in chunk {
                        let later = number + Self.fetchDistance
                        if later < entries.count { entries[later].codes?.fetch(entries[later].rowCount) }
                        if queries.count >= Self.batchMinimum {
                            readBatch(entries[number], queries, where: predicate)
                        } else {
                            for query in queries.indices { read(entries[number], queries[query], query, predicate) }
                        }
                    }
                    pass.exchangeLimits(&tops)
                }
            }
        }
    }

    /// One query and one block: the high plane of every row, the low plane of those that it does not rule out.
    private mutating func read(
        _ entry: BlockEntry, _ query: QueryCodes.Pointer, _ number: Int, _ predicate: RowPredicate?
    ) {
        guard let codes = entry.codes else { preconditionFailure("the rows have no codes") }
        kernels.plane_dots(scratch.products, codes.high, codes.width, entry.rowCount, query.codes)
        forEachStep(of: entry.rowCount, number) { worker, start, rowCount in
            let (kernels, scratch) = (worker.kernels, worker.scratch)
            let count = kernels.reaching(
                scratch.found, scratch.products + start, codes.scales + start, codes.coarseErrors + start, rowCount,
                query.coarse, worker.tops[number].limit)
            guard count > 0 else { return }
            kernels.plane_dots_at(
                scratch.lowProducts, codes.low + start * codes.width, codes.width, scratch.found, count, query.codes)
            for index in 0..<count {
                let row = start + Int(scratch.found[index])
                let product = 16 * scratch.products[row] + scratch.lowProducts[index]
                worker.offer(row, product, entry, codes, query.fine, to: number, where: predicate)
            }
        }
    }

    /// All queries and one block: both planes of every row.
    private mutating func readBatch(
        _ entry: BlockEntry, _ queries: [QueryCodes.Pointer], where predicate: RowPredicate?
    ) {
        guard let codes = entry.codes else { preconditionFailure("the rows have no codes") }
        kernels.batch_dots(
            scratch.products, codes.high, codes.low, codes.width, entry.rowCount, queries[0].codes, queries.count,
            scratch.panel)
        for number in queries.indices {
            let products = scratch.products + number * entry.rowCount
            let form = queries[number].fine
            forEachStep(of: entry.rowCount, number) { worker, start, rowCount in
                let found = worker.scratch.found
                let count = worker.kernels.reaching(
                    found, products + start, codes.scales + start, codes.fineErrors + start, rowCount, form,
                    worker.tops[number].limit)
                for index in 0..<count {
                    let row = start + Int(found[index])
                    worker.offer(row, products[row], entry, codes, form, to: number, where: predicate)
                }
            }
        }
    }

    /// Divides the first block of a scan into steps that double, so that few rows pass before there is a limit.
    private mutating func forEachStep(
        of rowCount: Int, _ query: Int, _ body: (inout CodeWorker, _ start: Int, _ rowCount: Int) -> Void
    ) {
        var start = 0
        while start < rowCount {
            let isFirst = start > 0 || tops[query].limit == -.infinity
            let step = min(isFirst ? max(start, Self.firstStep) : rowCount, rowCount - start)
            body(&self, start, step)
            start += step
        }
    }

    private mutating func offer(
        _ row: Int, _ product: Int32, _ entry: BlockEntry, _ codes: RowCodes, _ form: nexus_score_form,
        to query: Int, where predicate: RowPredicate?
    ) {
        let score = form.score(of: product, scale: codes.scales[row])
        let reach = form.reach(error: codes.fineErrors[row])
        guard score + reach >= tops[query].limit else { return }
        guard entry.isLive(row) else { return }
        if let predicate, !predicate(entry.key(of: row), entry.attributes(of: row)) { return }
        tops[query].offer(BoundedCandidate(lower: score - reach, upper: score + reach, entry: entry, row: UInt32(row)))
    }
}

/// Memory that one thread needs for the products of a block.
private final class CodeScratch {
    let products: UnsafeMutablePointer<Int32>
    let lowProducts: UnsafeMutablePointer<Int32>
    let found: UnsafeMutablePointer<UInt32>
    let panel: UnsafeMutablePointer<UInt8>

    init(rowCount: Int, queryCount: Int, panelBytes: Int) {
        products = .allocate(capacity: rowCount * queryCount)
        lowProducts = .allocate(capacity: rowCount)
        found = .allocate(capacity: rowCount)
        panel = .allocate(capacity: panelBytes)
        // Panels are read whole, their unused rows too.
        panel.initialize(repeating: 0, count: panelBytes)
    }

    deinit {
        products.deallocate()
        lowProducts.deallocate()
        found.deallocate()
        panel.deallocate()
    }
}
